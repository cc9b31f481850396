"""A predicate beside the function that a person would write by hand over the same values.

That function is two-valued, short-circuits, and has no wrapper. The compiled predicate is
three-valued: with every fact known it runs its straight form; reasons are made on demand.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from goalspec.compiler import compile_text
from goalspec.compiler.codegen import compile_predicate
from goalspec.compiler.kernel import Facts
from timing import Aim, Work, duration, measure, row

_SPEC = """
facts {
  tests.failed     : int in 0..
  coverage.line    : percent
  diff.files       : set of path
  review.approvals : int in 0..
}

goal ship {
  objective "Ship it."
  criterion ready "Tests, coverage and review are right"
    check tests.failed == 0 and coverage.line >= 85% and not ("src/auth.go" in diff.files)
      and review.approvals >= 2
}
"""

_NEEDED = Decimal("0.85")


def handwritten(facts: dict[str, Any]) -> bool:
    return (
        facts["tests.failed"] == 0
        and facts["coverage.line"] >= _NEEDED
        and "src/auth.go" not in facts["diff.files"]
        and facts["review.approvals"] >= 2
    )


def _facts() -> Facts:
    return Facts(
        {
            "tests.failed": 0,
            "coverage.line": Decimal("0.91"),
            "diff.files": frozenset(f"src/file{n}.go" for n in range(10)),
            "review.approvals": 3,
        }
    )


def run(quick: bool) -> None:
    document = compile_text(_SPEC).document
    assert document is not None
    goal = document.goals[0]
    check = goal.criteria[0].check
    assert check is not None
    predicate = compile_predicate(check, {fact.name: fact.type for fact in goal.facts})
    facts = _facts()
    partial = Facts({key: value for key, value in facts.items() if key != "coverage.line"})
    assert handwritten(facts) is predicate.decide(facts) is True
    often, seldom = (20, 2) if quick else (20_000, 2_000)
    by_hand = Work("handwritten", handwritten, facts, often)
    works = [
        by_hand,
        Work("all facts known", predicate.decide, facts, often),
        Work("one fact missing", predicate.decide, partial, seldom),
        Work("all facts known, with reasons", predicate.explain, facts, seldom),
    ]
    times = measure(works, 1 if quick else 41)
    print("\nevaluation: four clauses, all of them true")
    aims = {works[1].name: Aim(1.25)}
    for work in works:
        ratios = [] if work is by_hand else times.cost(work, by_hand)
        row(work.name, duration(times.of[work.name]), ratios, aims.get(work.name))
