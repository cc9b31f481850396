"""Which files are a goal's gates."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.compiler import load
from goalspec.runtime.pinned import gates_of

GOAL = """
use std "captains/1"
use "shared.goal"
facts from run "./check.sh --config=conf/gate.toml" in "tools" {
  check.ok : bool
}
facts from run "python -m pytest tests/test_a.py::test_one 'with a space.py' no-such-file" {
  tests.ok : bool
}
facts from run "unread 'quote" {
  broken.ok : bool
}
facts from run "touch unread.sh" {
  unread.ok : bool
}
goal g {
  preset green
  objective "Keep it."
  criterion a "It holds"
    check check.ok and tests.ok and broken.ok
  protect "docs/**" allow new "docs/*.md"
}
"""
ALONE = GOAL.replace('use "shared.goal"\n', "").replace("  preset green\n", "")
SHARED = """
facts from run "true" {
  green.exit : int
}
preset green {
  criterion b "No more"
    check green.exit == 0
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (
        "tools/check.sh", "tools/conf/gate.toml", "tests/test_a.py", "with a space.py", "unread.sh",
        "docs/a.txt", "conf/gate.toml", "pytest",
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "pyproject.toml").write_text("[tool.goalspec]\n")
    return tmp_path


@pytest.mark.row("X11")
@pytest.mark.ruling(34)
def test_what_decides_is_pinned(root: Path) -> None:
    (root / "g.goal").write_text(GOAL)
    (root / "shared.goal").write_text(SHARED)
    document = load(root / "g.goal")
    outside = root.with_name(root.name + "-outside.json")
    (root / "templates").mkdir()
    (root / "templates/goal.j2").write_text("")
    outside.write_text("{}")
    pins = gates_of(
        document, document.goals[0], root, also=[outside, root / "templates"],
        commands=[["sh", "facts.sh"]], folder=root / "host",
    )  # fmt: skip
    (root / "host").mkdir()
    (root / "host/facts.sh").write_text("")
    assert gates_of(document, document.goals[0], root).protect == document.goals[0].protect
    again = gates_of(
        document, document.goals[0], root, commands=[["sh", "facts.sh"]], folder=root / "host"
    )
    assert "host/facts.sh" in again.files and "host/facts.sh" not in pins.files
    assert sorted(pins.hashes()) == sorted([
        outside.as_posix(), "docs/a.txt", "g.goal", "pyproject.toml [tool.goalspec]", "pytest",
        "shared.goal", "templates/goal.j2", "tests/test_a.py", "tools/check.sh",
        "tools/conf/gate.toml", "with a space.py",
    ])  # fmt: skip


@pytest.mark.row("X11")
def test_a_program_that_is_not_there_yet_is_pinned_all_the_same(root: Path) -> None:
    (root / "tools/check.sh").unlink()
    (root / "g.goal").write_text(
        GOAL.replace('use "shared.goal"\n', "").replace("  preset green\n", "")
    )
    document = load(root / "g.goal")
    pins = gates_of(document, document.goals[0], root)
    assert "tools/check.sh" not in pins.hashes()
    (root / "tools/check.sh").write_text("true")
    assert "tools/check.sh" in pins.hashes()
