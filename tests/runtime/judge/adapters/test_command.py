"""A judge that is a command: what enters it, what leaves it, and that nothing of it stays."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest
from goalspec.runtime.judge import (
    CallFailed,
    Judgement,
    Misconfigured,
    Outage,
    Policy,
    Reply,
    Usage,
    judge,
)
from goalspec.runtime.judge.adapters import CommandCall
from goalspec.runtime.judge.adapters.command import read_reply
from goalspec.runtime.judge.asking import SystemClock
from goalspec.tests.runtime.judge.goals import GOOD, request

ONCE = Policy(attempts=1, call_timeout=20)
REQUEST = request()
TEXT = json.dumps(json.dumps(GOOD))


def python(code: str, allow_run: bool = True) -> CommandCall:
    return CommandCall((sys.executable, "-c", code), "judge-1", "acme", allow_run)


def ask(call: CommandCall, policy: Policy = ONCE) -> Judgement:
    return asyncio.run(judge(REQUEST, call, policy, SystemClock()))


@pytest.mark.row("P04")
def test_the_request_enters_and_the_answer_leaves(tmp_path: Path) -> None:
    kept = tmp_path / "asked.json"
    made = ask(python(
        f"import sys, json; asked = sys.stdin.read(); open({str(kept)!r}, 'w').write(asked)\n"
        f"print(json.dumps({{'text': {TEXT}, 'usage': {{'input_tokens': 7, 'cost': '0.02'}}}}))"
    ))  # fmt: skip
    assert made.accepted
    assert json.loads(kept.read_text()) == json.loads(json.dumps(REQUEST.prompt.to_json()))
    assert made.spent.cost == Decimal("0.02")
    assert made.spent.tokens == 7


def test_a_command_need_not_read() -> None:
    assert ask(python(f"import json; print(json.dumps({{'text': {TEXT}}}))")).accepted


@pytest.mark.ruling(41)
def test_nothing_runs_that_was_not_allowed(tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    made = ask(python(f"open({str(trace)!r}, 'w')", allow_run=False))
    assert isinstance(made.outcome, Misconfigured)
    assert "is not allowed to run" in made.outcome.detail
    assert not trace.exists()


@pytest.mark.parametrize(
    ("command", "says"),
    [((), "the judge's command is empty"), (("no-such-judge",), "no-such-judge: No such file"),
     (("a\0b",), "null byte")],
)  # fmt: skip
def test_a_command_that_is_not_there(command: tuple[str, ...], says: str) -> None:
    made = ask(CommandCall(command, "judge-1", "acme", allow_run=True))
    assert isinstance(made.outcome, Misconfigured)
    assert says in made.outcome.detail


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        ("import sys; sys.exit('no key\\n')", "failed", "exit code 1: no key"),
        ("print('accept')", "protocol", "standard output is no JSON"),
        ("pass", "protocol", "standard output is no JSON"),
        ("import os; os.write(1, b'\\xff\\xfe')", "protocol", "standard output is no JSON"),
        ("print('[' * 100000)", "protocol", "standard output is no JSON"),
        ("print('\"accept\"')", "protocol", "an object with the answer's `text`"),
        ("print('x' * 5_000_000)", "protocol", "more than 4,194,304 bytes"),
        ("import sys; sys.stderr.write('x' * 5_000_000); sys.exit(3)", "failed", "exit code 3"),
    ],
)  # fmt: skip
def test_what_is_no_reply_is_a_failed_call(code: str, kind: str, says: str) -> None:
    made = ask(python(code))
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == kind
    assert says in made.outcome.detail


CHILD = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
    "open({path!r}, 'w').write(str(child.pid))\n"
)


@pytest.mark.skipif(os.name != "posix", reason="process groups")
@pytest.mark.parametrize(
    ("end", "timeout", "kind"),
    [("time.sleep(60)", 1.5, "timeout"), ("print('{}')", 30, "protocol")],
    ids=["hangs", "leaves it behind"],
)
def test_what_it_started_is_killed_with_it(
    tmp_path: Path, end: str, timeout: float, kind: str
) -> None:
    path = tmp_path / "pid"
    policy = Policy(attempts=1, call_timeout=timeout)
    made = ask(python(CHILD.format(path=str(path)) + end), policy)
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == kind  # what it left behind holds its standard output open
    assert gone(int(path.read_text()))


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_being_cancelled_kills_it(tmp_path: Path) -> None:
    path = tmp_path / "pid"

    async def cancelled() -> None:
        call = python(CHILD.format(path=str(path)) + "time.sleep(60)")
        task = asyncio.create_task(judge(REQUEST, call, ONCE, SystemClock()))
        while not path.exists() or not path.read_text():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert gone(int(path.read_text()))


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_what_flees_from_the_group_is_not_waited_for() -> None:
    code = (
        "import os, time\n"
        "if os.fork() == 0: os.setsid(); time.sleep(3); os._exit(0)\n"
        "time.sleep(60)"
    )

    async def asked() -> float:
        began = time.monotonic()
        policy = Policy(attempts=1, call_timeout=0.5)
        made = await judge(REQUEST, python(code), policy, SystemClock())
        assert isinstance(made.outcome, Outage)
        took = time.monotonic() - began
        await asyncio.sleep(3 - took + 0.5)  # until its pipes are closed
        return took

    assert asyncio.run(asked()) < 2.5


def gone(pid: int) -> bool:
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize(
    ("printed", "says"),
    [
        ({"text": "x", "verdict": {}}, "there is no key `verdict`"),
        ({"text": "x", "finish": "done"}, "`finish` is one of stop, length, filtered, other"),
        ({"text": "x", "finish": ["stop"]}, "`finish` is one of"),
        ({"text": "x", "usage": 7}, "`usage` is an object"),
        ({"text": "x", "usage": {"tokens": 7}}, "`usage` is an object"),
        ({"text": "x", "usage": {"input_tokens": -1}}, "whole numbers"),
        ({"text": "x", "usage": {"input_tokens": True}}, "whole numbers"),
        ({"text": "x", "usage": {"cost": 0.1}}, "a decimal as a string"),
        ({"text": "x", "usage": {"cost": "much"}}, "a decimal as a string"),
        ({"text": "x", "usage": {"cost": "Infinity"}}, "a decimal as a string"),
        ({"text": "x", "usage": {"cost": "-1"}}, "a decimal as a string"),
    ],
)
def test_a_reply_of_another_shape_says_what_to_write(printed: object, says: str) -> None:
    with pytest.raises(CallFailed, match=says):
        read_reply(json.dumps(printed).encode(), "ask")


def test_a_reply_has_what_it_says() -> None:
    printed = {"text": "x", "finish": "length", "usage": {"output_tokens": 3, "cost": "0.10"}}
    assert read_reply(json.dumps(printed).encode(), "ask") == Reply(
        "x", "length", Usage(0, 3, Decimal("0.10"))
    )
