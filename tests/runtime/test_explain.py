"""Explanations: the smallest part that decided, with the values that it read."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.runtime import Monitor

FACTS = """
  coverage.line : percent
  suite.failed  : int
  suite.passed  : bool
  p95           : duration
  files         : set of path
  runs          : list of { name: string, ok: bool, took: duration }
  cost          : money USD
  closed        : time?
  jobs          : map of int
"""


def explained(check: str, *observations: dict[str, Any], **options: Any) -> str:
    text = (
        f'facts {{{FACTS}}}\ngoal g {{\n  objective "x"\n  let slow = p95 > 2s\n'
        f'  criterion c "y"\n    check {check}\n}}\n'
    )
    document = compile_text(text).document
    assert document is not None, [d.message for d in compile_text(text).diagnostics]
    monitor = Monitor(document.goals[0], declared=document.facts)
    for facts in observations:
        verdict = monitor.observe(facts, **options)
    return verdict.criteria[0].explanation


RUNS = [
    {"name": "a", "ok": True, "took": "1s"},
    {"name": "b", "ok": False, "took": "2s"},
    {"name": "c", "ok": False, "took": "3s"},
]

TABLE = [
    ("suite.failed == 0", {"suite.failed": 3}, "suite.failed is 3: suite.failed == 0 does not hold"),
    ("suite.passed", {"suite.passed": False}, "suite.passed is false"),
    ("p95 <= 2s", {"p95": "2500ms"}, "p95 is 2500ms: p95 <= 2s does not hold, 500ms over"),
    ("cost < 5.00 USD", {"cost": "5 USD"},
     "cost is 5 USD: cost < 5 USD does not hold, it is equal"),
    ("coverage.line >= 85%", {}, "coverage.line is unknown (missing): coverage.line >= 85% is unknown"),
    ("suite.failed == 0 and p95 <= 2s", {"suite.failed": 0, "p95": "3s"},
     "p95 is 3s: p95 <= 2s does not hold, 1s over"),
    ("suite.failed == 0 or p95 <= 2s", {"suite.failed": 0, "p95": "3s"},
     "suite.failed is 0: suite.failed == 0 holds"),
    ('all f in files: not (f like "docs/**")', {"files": ["docs/a.md", "src/b.py"]},
     '1 of 2 in files fail not (f like "docs/**"); for f = "docs/a.md": '
     'f like "docs/**" holds'),
    ("all r in runs: r.ok", {"runs": []}, "runs is empty"),
    ("each r in runs: r.ok", {"runs": []}, "runs is empty"),
    ("each r in runs where r.took >= 2s: r.ok", {"runs": RUNS},
     '2 of 2 in runs where r.took >= 2s fail r.ok; for r = {name: "b", ok: false, took: 2s}: '
     'r.ok is false; for r = {name: "c", ok: false, took: 3s}: r.ok is false'),
    ("each r in runs where r.took > 3s: r.ok", {"runs": RUNS}, "runs has none where r.took > 3s"),
    ("all r in runs where r.took > 3s: r.ok", {"runs": RUNS}, "runs has none where r.took > 3s"),
    ("all r in runs where r.took < 2s: r.ok", {"runs": RUNS},
     "all of 1 in runs where r.took < 2s: r.ok"),
    ("any r in runs: r.took > 5s", {"runs": RUNS}, "none of 3 in runs: r.took > 5s"),
    ("slow", {"p95": "3s"}, "slow holds; p95 is 3s: p95 > 2s holds"),
    ("closed != null", {"closed": None}, "closed is null: closed != null does not hold"),
    ("count(r in runs where r.ok) >= 2", {"runs": RUNS[:1]},
     "count(r in runs where r.ok) is 1: >= 2 does not hold, 1 short "
     '(counted {name: "a", ok: true, took: 1s})'),
    ("count(r in runs where not r.ok) == 0", {"runs": RUNS},
     "count(r in runs where not r.ok) is 2: == 0 does not hold "
     '(counted {name: "b", ok: false, took: 2s}, {name: "c", ok: false, took: 3s})'),
    ("count(r in runs where r.ok) == 1", {"runs": []},
     "count(r in runs where r.ok) is 0: == 1 does not hold"),
    ("count(files) == 0", {"files": ["b.md", "a.md"]},
     'count(files) is 2: == 0 does not hold (files is ["a.md", "b.md"])'),
    ("count(files) == 2", {"files": ["b.md", "a.md"]}, "count(files) is 2: == 2 holds"),
    ('jobs["x"] > 1', {"jobs": {"y": 2}},
     'jobs is {"y": 2}: jobs["x"] > 1 is unknown (the map has no key "x")'),
    ("percent(suite.failed / 3) <= 1%", {"suite.failed": 2},
     "percent(suite.failed / 3) is 66.666666…%: <= 1% does not hold, 65.666666… points over"),
    ("p95 <= 1d", {"p95": "1447m"}, "p95 is 1d7m: p95 <= 1d does not hold, 7m over"),
    ("p95 <= 1d", {"p95": "86500s"}, "p95 is 1d1m40s: p95 <= 1d does not hold, 100s over"),
    ('jobs["x"] > 1', {"jobs": {"x": 1, "y": 2}},
     'jobs["x"] is 1: jobs["x"] > 1 does not hold, it is equal'),
    ("all f in files: jobs[f] > 1", {"files": ["x"], "jobs": {"x": 1, "y": 2}},
     '1 of 1 in files fail jobs[f] > 1; for f = "x": jobs[f] is 1: '
     "jobs[f] > 1 does not hold, it is equal"),
    ("suite.failed / suite.failed >= 1", {"suite.failed": 0},
     "suite.failed is 0: suite.failed / suite.failed >= 1 is unknown (division by zero)"),
]  # fmt: skip


@pytest.mark.row("X02")
@pytest.mark.parametrize(("check", "facts", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_one_line(check: str, facts: dict[str, Any], expected: str) -> None:
    assert explained(check, facts) == expected


def test_how_far_it_moved() -> None:
    said = explained(
        "coverage.line >= coverage.line at start - 0.5%",
        {"coverage.line": "84.1%"},
        {"coverage.line": "83.2%"},
    )
    assert said == "coverage.line is 83.2%, at start it was 84.1%: 0.9 points lower, 0.5 allowed"


def test_a_streak_says_how_far_it_is_and_what_broke_it() -> None:
    said = explained("suite.failed == 0 for 3 runs", {"suite.failed": 0}, {"suite.failed": 2})
    assert said == (
        "suite.failed == 0 for 3 runs does not hold (0 in a row, 3 needed); now: suite.failed is 2: "
        "suite.failed == 0 does not hold"
    )


@pytest.mark.ruling(72)
def test_a_let_that_decided_is_named() -> None:
    assert explained("not slow", {"p95": "3s"}).startswith("slow holds")


def test_hostile_values_are_written_out() -> None:
    said = explained(
        'any r in runs: r.name == "x"', {"runs": [{**RUNS[0], "name": "\x1b[31m\u202e"}]}
    )
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_of_many_that_count_a_few_are_named() -> None:
    runs = [{"name": f"r{n}", "ok": False, "took": "1s"} for n in range(9)]
    said = explained("count(r in runs where not r.ok) <= 3", {"runs": runs})
    assert said.count("name:") == 3
    assert said.endswith(", and 6 more)")


def test_long_values_and_many_elements_are_cut() -> None:
    said = explained(
        "files == files at start", {"files": []}, {"files": [f"f{n}" for n in range(99)]}
    )
    assert "and 94 more" in said
    assert len(said) < 300


def test_a_distance_has_all_its_digits() -> None:
    """It is counted in the language's own context, whatever the host's is."""
    said = explained("cost < 5.00 USD", {"cost": "1234567890123456789012345678901.23 USD"})
    assert said.endswith(", 1234567890123456789012345678896.23 USD over")
