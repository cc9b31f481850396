"""C099: no finding, findings, wrong usage and nothing to lint have different exit codes, which count
only the files that were asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

CLEAN = 'facts {\n  a.ok : bool\n}\n\ngoal g {\n  objective "o"\n  criterion c "It holds" check a.ok\n}\n'
WARNED = CLEAN.replace("a.ok : bool\n", "a.ok : bool\n  a.idle : bool\n")
WRONG = CLEAN.replace("check a.ok", "check a.okk")
BROKEN = CLEAN.replace("check a.ok", "check a.ok and")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "code"), [(CLEAN, 0), (WARNED, 0), (WRONG, 1), (BROKEN, 2)],
    ids=["clean", "a warning", "an error", "unreadable"],
)  # fmt: skip
def test_what_was_found(project: Path, text: str, code: int) -> None:
    put(project / "c.goal", text)
    assert goalspec("lint", "c.goal").exit_code == code


@pytest.mark.parametrize("argument", ["none.goal", "empty", "notes", "*.goal", "empty/**/*.goal"])
def test_nothing_to_lint_is_no_success(project: Path, argument: str) -> None:
    (project / "empty").mkdir()
    put(project / "notes" / "a.txt", CLEAN)
    result = goalspec("lint", argument)
    assert result.exit_code == 2
    assert argument in result.output


def test_no_argument_is_wrong_usage(project: Path) -> None:
    assert goalspec("lint").exit_code == 2


def test_what_is_left_out_counts_for_nothing(project: Path) -> None:
    put(project / "c.goal", CLEAN)
    put(project / ".hidden" / "d.goal", WRONG)
    put(project / "node_modules" / "e.goal", BROKEN)
    assert goalspec("lint", ".").exit_code == 0
    assert goalspec("lint", ".", ".hidden/d.goal").exit_code == 1


def test_what_the_settings_leave_out_counts_for_nothing(project: Path) -> None:
    put(project / "pyproject.toml", '[tool.goalspec]\nexclude = ["old/**"]\n')
    put(project / "old" / "d.goal", WRONG)
    put(project / "c.goal", CLEAN)
    assert goalspec("lint", ".").exit_code == 0
    (project / "c.goal").unlink()
    assert goalspec("lint", ".").exit_code == 2


@pytest.mark.parametrize(
    ("switches", "code"),
    [([], 1), (["--ignore", "GS402"], 0), (["--select", "GS401"], 0), (["--ignore", "GS401"], 1)],
    ids=str,
)
def test_what_is_not_looked_for_counts_for_nothing(
    project: Path, switches: list[str], code: int
) -> None:
    put(project / "c.goal", CLEAN.replace("check a.ok", "check a.ok == true"))
    assert goalspec("lint", "c.goal", "--max-warnings", "0", *switches).exit_code == code


def test_an_error_of_the_language_is_always_looked_for(project: Path) -> None:
    put(project / "c.goal", WRONG)
    assert goalspec("lint", "c.goal", "--ignore", "GS201").exit_code == 2
    assert goalspec("lint", "c.goal", "--select", "GS401").exit_code == 1


def test_a_file_that_is_missing_does_not_hide_the_others(project: Path) -> None:
    put(project / "c.goal", WRONG)
    result = goalspec("lint", "none.goal", "c.goal")
    assert result.exit_code == 2


def test_the_help_says_the_codes() -> None:
    for command in ("lint", "check"):
        words = " ".join(goalspec(command, "--help").output.split())
        assert "Exits with 0" in words
