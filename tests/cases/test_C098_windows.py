"""C098: a source that runs on Windows gives its paths with `/`, so that globs match them; elsewhere
a backslash is a character of a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.compiler import load
from goalspec.runtime import Monitor
from goalspec.runtime.sources.answers import answer_in

PRINTED = rb'{"diff.files": ["src\\a.py", "src\\deep\\b.py", ".\\src\\c.py"]}'


@pytest.mark.ruling(25)
@pytest.mark.parametrize(("on_windows", "sources"), [(True, "held"), (False, "violated")])
def test_what_separates_depends_on_where_the_source_runs(on_windows: bool, sources: str) -> None:
    goal = load(Path(__file__).with_name("C098.goal")).goals[0]
    facts = answer_in(PRINTED, goal.facts, "a command", on_windows)
    verdict = Monitor(goal).observe(facts)
    assert {part.id: part.outcome for part in verdict.constraints}["sources"] == sources
    assert verdict.done is on_windows
