"""Golden output of the codes that a command finds as it runs: GS501 to GS505."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from goalspec.cli import group

GOLDEN = Path(__file__).parent / "golden"
SPEC = (
    "facts {\n  coverage.line : percent\n  suite.passed : bool\n}\n"
    'goal g {\n  objective "x"\n  criterion c "y" check coverage.line >= 85% and suite.passed\n}\n'
)
RUNS = {
    "GS501": '{"coverage.line": 85, "suite.passed": true}\n',
    "GS502": '{"coverage.line": "85%", "suite.pased": true}\n',
    "GS503": '{"suite.passed": true, "suite": {"passed": false}}\n',
    "GS504": '{"at": "2026-03-01T10:00Z", "facts": {}}\n{"at": "2026-03-01T09:00Z", "facts": {}}\n',
}


@pytest.mark.parametrize("code", sorted(RUNS))
def test_what_check_says_of_facts(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spec.goal").write_text(SPEC)
    Path("facts.jsonl").write_text(RUNS[code])
    said = CliRunner().invoke(group, ["check", "spec.goal", "--facts", "facts.jsonl"]).stderr
    assert f"[{code}]" in said
    golden(GOLDEN / f"{code}.txt", said)


def test_what_lint_says_of_a_folder_without_goal_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    said = CliRunner().invoke(group, ["lint", "empty"]).stderr
    golden(GOLDEN / "GS505.txt", said)
