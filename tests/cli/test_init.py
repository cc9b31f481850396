"""`goalspec init`: a first goal that works, and never over a file that is there."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(group, [*map(str, arguments)], catch_exceptions=False)


@pytest.mark.parametrize("folder", [".", "specs", "a/new/folder"])
def test_what_it_says_to_try_next_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("init", folder)
    assert (result.exit_code, result.stderr) == (0, "")
    said = [line.split() for line in result.stdout.splitlines() if line.startswith("  goalspec")]
    assert [words[1] for words in said] == ["lint", "test", "check"]
    linted = run(*said[0][1:])
    assert (linted.exit_code, linted.stdout) == (0, "no findings in 1 file\n")
    tested = run(*said[1][1:])
    assert (tested.exit_code, tested.stderr) == (0, "")
    assert "2 passed in 1 file" in tested.stdout
    checked = run(*said[2][1:])
    assert (checked.exit_code, checked.stderr) == (0, "")
    assert checked.stdout.startswith("first-goal: done")


def test_the_folder_is_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init").exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.facts.jsonl", "first.goal"]


@pytest.mark.parametrize("name", ["first.goal", "first.facts.jsonl"])
def test_it_never_overwrites(tmp_path: Path, name: str) -> None:
    mine = tmp_path / name
    mine.write_text("mine")
    result = run("init", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"goalspec: error[GS505]: {mine} is there already; nothing was written\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert mine.read_text() == "mine"


def test_it_leaves_a_link_to_nothing_alone(tmp_path: Path) -> None:
    link = tmp_path / "first.goal"
    link.symlink_to("elsewhere.goal")
    assert run("init", tmp_path).exit_code == 2
    assert link.is_symlink()


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        assert run("init", folder).exit_code == 2
    assert (tmp_path / "taken").read_text() == "mine"
