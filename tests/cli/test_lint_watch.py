"""`goalspec lint --watch`: again whenever a goal file of the project or its settings change."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
from click.testing import CliRunner
from goalspec.cli import group

GOOD = 'goal g {\n  objective "Ship it."\n  criterion c "It holds"\n  judge { }\n}\n'
LOOSE = (
    'use "../facts.goal"\n\ngoal g {\n  objective "Ship it."\n'
    '  criterion c "It holds"\n    check a.ok == true\n}\n'
)
FACTS = "facts {\n  a.ok : bool\n}\n"
SECONDS = 20


def _heed_interrupts() -> None:
    """What a shell starts in the background ignores interrupts, and so do its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Watched:
    """A running `goalspec lint --watch` and the lines that it prints."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "goalspec", "lint", "--watch", *arguments]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "GOALSPEC_CACHE_DIR": ""},
            preexec_fn=_heed_interrupts if os.name == "posix" else None,
        )  # fmt: skip
        self.lines: Queue[str] = Queue()
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def until(self, text: str, again: Callable[[], object] = lambda: None) -> None:
        """Wait for a line that has *text*. Watching begins a moment after the first report, so that
        a change may come too early: it is made *again* every second."""
        for _ in range(SECONDS):
            again()
            with suppress(Empty):
                while text not in self.lines.get(timeout=1):
                    pass
                return
        raise AssertionError(f"no {text!r} after {SECONDS} s")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "specs").mkdir()
    (tmp_path / "facts.goal").write_text(FACTS)
    (tmp_path / "specs" / "a.goal").write_text(LOOSE)
    return tmp_path


@pytest.fixture
def watched(folder: Path, request: pytest.FixtureRequest) -> Iterator[Watched]:
    pytest.importorskip("watchfiles", reason="watching needs the extra `watch`")
    started = Watched(folder, *getattr(request, "param", ("specs",)))
    yield started
    started.process.kill()
    started.process.wait(SECONDS)


@pytest.mark.row("X09")
def test_a_change_is_linted(folder: Path, watched: Watched) -> None:
    watched.until("1 warning in 1 file")
    changes = {
        "its text": ("specs/a.goal", LOOSE.replace(" == true", ""), "no findings in 1 file"),
        "a used file's": ("facts.goal", FACTS.replace("a.ok", "a.no"), "GS201"),
        "once more": ("facts.goal", FACTS, "no findings in 1 file"),
        "another file": ("specs/deep/b.goal", GOOD, "no findings in 2 files"),
        "the settings": ("pyproject.toml", "[tool.goalspec]\nx = 1\n", "there is no key `x`"),
        "mended": ("pyproject.toml", "[tool.goalspec]\n", "no findings in 2 files"),
    }
    for name, text, report in changes.values():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        watched.until(report, partial(path.write_text, text))
    assert watched.process.poll() is None


@pytest.mark.parametrize("watched", [("spec?/*.goal",), ("specs/new.goal", "specs")], indirect=True)
def test_a_glob_and_a_file_that_is_not_there_yet(folder: Path, watched: Watched) -> None:
    new = folder / "specs" / "new.goal"
    watched.until("1 warning in 2 files", partial(new.write_text, GOOD))


@pytest.mark.parametrize("watched", [("--fix", "specs")], indirect=True)
def test_mending_ends(folder: Path, watched: Watched) -> None:
    watched.until("no findings in 1 file")
    watched.until("mended 1 finding", partial((folder / "specs" / "a.goal").write_text, LOOSE))
    time.sleep(1)  # the mended file is one more change, and the last
    while not watched.lines.empty():
        assert watched.lines.get() == "no findings in 1 file\n"
    time.sleep(1)
    assert watched.lines.empty()


@pytest.mark.skipif(os.name != "posix", reason="no signals of that kind here")
def test_an_interrupt_ends_it_quietly(folder: Path, watched: Watched) -> None:
    watched.until("1 warning in 1 file")
    watched.until("1 warning in 1 file", (folder / "specs" / "a.goal").touch)
    watched.process.send_signal(signal.SIGINT)
    assert watched.process.wait(SECONDS) == 0
    watched.reader.join(SECONDS)
    assert not any("Error" in line or "Aborted" in line for line in watched.lines.queue)


def test_standard_input_cannot_be_watched() -> None:
    result = CliRunner().invoke(group, ["lint", "--watch", "-"])
    assert result.exit_code == 2
    assert "standard input cannot be watched" in result.stderr


def test_without_watchfiles_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    result = CliRunner().invoke(group, ["lint", "--watch", str(folder)])
    assert result.exit_code == 2
    assert "pip install 'goalspec[watch]'" in result.stderr
