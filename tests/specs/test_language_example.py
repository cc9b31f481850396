"""The language's own example, checked observation by observation through the command line.

The expected outcomes are derived by hand from the meaning of each form, not from a run.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from goalspec.cli import group

EXAMPLE = Path(__file__).parents[2] / "specs" / "examples" / "fix_flaky_login.goal"
PARTS = ("stable", "coverage", "reviewed", "docs", "root-cause", "no-auth", "no-access")
AT = "2026-03-01T10:00Z"


def approvals(*authors: str) -> dict[str, Any]:
    return {"review.approvals": [{"author": author, "at": AT} for author in authors]}


STEPS: list[tuple[dict[str, Any], str]] = [
    # the start observation: one run is no streak, and nothing has an earlier value yet
    ({"suite.passed": True, "coverage.line": "84.1%", "diff.files": ["src/a.py"],
      "pr.author": "ann", **approvals()},
     "unknown unknown unmet waived judged held judged"),
    # a red run, and 0.9 points less coverage where 0.5 are allowed
    ({"suite.passed": False, "coverage.line": "83.2%"},
     "unmet unmet unmet waived judged held judged"),
    # two clicks of one person beside the author's own are one person
    ({"suite.passed": True, **approvals("ann", "bob", "bob")},
     "unmet unmet unmet waived judged held judged"),
    # a coverage report is not another run of the suite
    ({"coverage.line": "83.6%"},
     "unmet met unmet waived judged held judged"),
    ({"suite.passed": True, **approvals("bob", "cy")},
     "met met met waived judged held judged"),
    ({"diff.files": ["migrations/1.sql", "lib/auth.go"]},
     "met met met unmet judged violated judged"),
    ({"diff.files": ["migrations/1.sql", "docs/migrations.md"]},
     "met met met met judged held judged"),
    # a percent without its unit is nothing that was measured
    ({"coverage.line": 84},
     "met unknown met met judged held judged"),
]  # fmt: skip


@pytest.mark.row("D2")
@pytest.mark.row("X03")
def test_each_observation_has_the_verdict_that_the_language_implies(tmp_path: Path) -> None:
    facts = tmp_path / "facts.jsonl"
    facts.write_text("".join(json.dumps(step) + "\n" for step, _ in STEPS))
    run = CliRunner().invoke(
        group, ["check", str(EXAMPLE), "--facts", str(facts), "--json", "--each"]
    )
    verdicts = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(verdicts) == len(STEPS)
    for verdict, (step, expected) in zip(verdicts, STEPS, strict=True):
        names = ("met", "unmet", "unknown", "waived", "judged", "held", "violated", "stopped")
        seen = {part: name for name in names for part in verdict[name]}
        assert " ".join(seen[part] for part in PARTS) == expected, step
        assert not verdict["done"]  # the root cause is the judge's
