"""What docs/testing.md shows is what the commands print; `pytest --update-golden` renews it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import goalspec
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "testing.md"
_GOAL = re.compile(r"^```goal\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SESSION = re.compile(r"^```console\n\$ (.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.row("X05")
@pytest.mark.skipif(os.name == "nt", reason="the sessions are of a POSIX shell")
def test_the_sessions_are_real(tmp_path: Path, golden: Callable[[Path, str], None]) -> None:
    text = PAGE.read_text("utf-8")
    [goal] = _GOAL.findall(text)
    (tmp_path / "login.goal").write_text(goal, "utf-8")
    command = tmp_path / "bin" / "goalspec"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m goalspec "$@"\n')
    command.chmod(0o755)

    def session(match: re.Match[str]) -> str:
        return f"```console\n$ {match[1]}\n{printed(match[1], tmp_path)}```"

    assert len(_SESSION.findall(text)) == 4
    golden(PAGE, _SESSION.sub(session, text))


def printed(line: str, folder: Path) -> str:
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    home = str(Path(goalspec.__path__[0]).parent)
    environment = {**os.environ, "PATH": path, "PYTHONPATH": home, "NO_COLOR": "1"}
    finished = subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )
    assert finished.stderr == ""
    return finished.stdout
