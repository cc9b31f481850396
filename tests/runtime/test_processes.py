"""Commands: what they print, how they end, and that nothing of them is left."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.processes import (
    MAX_STDERR,
    Finished,
    NotStarted,
    run_command,
    untrusted_environment,
)


def ran(code: str, **values: Any) -> Finished:
    command = [sys.executable, "-c", code]
    return asyncio.run(run_command(command, **{"max_output": 1000, **values}))


def test_input_goes_in_and_output_comes_out(tmp_path: Path) -> None:
    seen: list[bytes] = []
    done = ran(
        "import os, sys; print(sys.stdin.read().upper(), os.environ['MARK'], os.getcwd())",
        stdin=b"text",
        folder=tmp_path,
        environment={"MARK": "m"},
        on_output=seen.append,
    )
    assert done == Finished(0, f"TEXT m {os.path.realpath(tmp_path)}\n".encode(), b"")
    assert b"".join(seen) == done.stdout


def test_a_command_need_not_read_what_it_is_given() -> None:
    assert ran("pass", stdin=b"x" * 10_000_000).code == 0


def test_exit_codes_signals_and_last_words() -> None:
    assert ran("import sys; sys.exit(7)").code == 7
    assert ran("import os; os.kill(os.getpid(), 9)").code == -9
    said = ran("import sys; print('one\\n  two  \\n', file=sys.stderr)")
    assert said.last_words == "two"
    assert ran("pass").last_words == ""


@pytest.mark.parametrize(("printed", "too_much"), [(999, False), (1000, False), (1001, True)])
def test_output_is_bounded(printed: int, too_much: bool) -> None:
    done = ran(f"import sys, time; sys.stdout.write('x' * {printed}); sys.stdout.flush()")
    assert (len(done.stdout), done.too_much) == (min(printed, 1000), too_much)


def test_who_prints_without_end_is_ended() -> None:
    done = ran("while True: print('x' * 1000)")
    assert done.too_much and done.code == -9 and len(done.stdout) == 1000


def test_of_a_tail_the_end_is_kept_and_nothing_is_ended() -> None:
    done = ran("print('x' * 5000); print('the end')", tail=True)
    assert (done.code, done.too_much, len(done.stdout)) == (0, True, 1000)
    assert done.stdout.endswith(b"x\nthe end\n")


def test_standard_error_is_bounded_and_ends_nothing() -> None:
    done = ran(f"import sys; sys.stderr.write('x' * {3 * MAX_STDERR})")
    assert (done.code, len(done.stderr)) == (0, MAX_STDERR)


@pytest.mark.parametrize("command", [["no-such-command-at-all"], ["/"], ["a\0b"]])
def test_what_cannot_be_started_says_why(command: list[str]) -> None:
    with pytest.raises(NotStarted, match=r": \w"):
        asyncio.run(run_command(command, max_output=10))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_nothing_is_left_of_a_command_that_is_cancelled(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    code = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(file)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(60)\n"
    )

    async def cancelled() -> None:
        running = asyncio.ensure_future(run_command([sys.executable, "-c", code], max_output=10))
        while not file.exists() or len(file.read_text().split()) < 2:
            await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())
    for pid in map(int, file.read_text().split()):
        deadline = time.monotonic() + 10
        while _is_alive(pid):
            assert time.monotonic() < deadline, f"{pid} lives on"
            time.sleep(0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_what_a_command_leaves_running_is_not_waited_for() -> None:
    code = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print('served')\n"
    )
    began = time.monotonic()
    assert ran(code) == Finished(0, b"served\n", b"")
    assert time.monotonic() - began < 20


def test_the_environment_of_a_command_has_no_persons_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOALSPEC_TOKEN", "secret")
    monkeypatch.setenv("MARK", "m")
    assert "GOALSPEC_TOKEN" not in untrusted_environment()
    assert untrusted_environment()["MARK"] == "m"


@pytest.mark.row("P06")
@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_a_leashed_command_ends_with_who_started_it_even_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    worker = f"import os, time; open({str(file)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    starter = (
        "import asyncio, sys\n"
        "from goalspec.runtime.processes import run_command\n"
        f"command = [sys.executable, '-c', {worker!r}]\n"
        "asyncio.run(run_command(command, max_output=10, leashed=True))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", starter])
    deadline = time.monotonic() + 20
    while not file.exists() or not file.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()
    while _is_alive(int(file.read_text())):
        assert time.monotonic() < deadline, "it lives on"
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_a_leash_hands_everything_through() -> None:
    echo = "import sys; print(sys.stdin.read()); print('e', file=sys.stderr); sys.exit(3)"
    assert ran(echo, stdin=b"x", leashed=True) == Finished(3, b"x\n", b"e\n")
    ends = "import os, signal; signal.signal({0}, signal.SIG_DFL); os.kill(os.getpid(), {0})"
    for number in (13, 15):
        assert ran(ends.format(number), leashed=True).code == -number
    assert ran("import os; os.kill(os.getpid(), 9)", leashed=True).code == -9
    assert asyncio.run(run_command(["no-such"], max_output=9, leashed=True)).code == 127


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
