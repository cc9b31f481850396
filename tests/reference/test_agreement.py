"""The Monitor and the reference interpreter agree on random predicates and histories.

A bounded run with fixed seeds (each says the pairs of predicate and observation it compares), and
the same under Hypothesis. A disagreement is cut down to one small predicate and few observations,
and printed as the IR's JSON and the observations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from goalspec.compiler.codegen import compile_predicate
from goalspec.compiler.ir.canonical import plain, seal
from goalspec.compiler.ir.document import Criterion, Goal
from goalspec.compiler.ir.expressions import Aggregate, Expr, Quantifier, Variable, children
from goalspec.compiler.ir.types import Type
from goalspec.compiler.kernel import Facts, Unknown
from goalspec.compiler.program import Predicate
from goalspec.grammar import literals
from goalspec.runtime import Monitor
from goalspec.runtime import monitor as monitor_module
from goalspec.tests.reference.generate import FACTS, Predicates, Report, baseline, history
from goalspec.tests.reference.interpreter import BOOL, Interpreter, Observation, Outcome, part
from goalspec.tests.reference.values import enter_facts
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

PAIRS = 50_000
SEEDS = range(10)
PREDICATES = 25  # of one goal, to spread the cost of compiling it

Words = list[list[Outcome]]  # for each observation, for each predicate


class Disagreement(NamedTuple):
    """A predicate, the history, and the step at which the two differ."""

    predicate: Expr
    reports: Sequence[Report]
    base: Mapping[str, Any] | None


def goal_of(predicates: Sequence[Expr]) -> Goal:
    criteria = tuple(
        Criterion(id=f"c{place}", text="it holds", check=predicate)
        for place, predicate in enumerate(predicates)
    )
    return seal(Goal(id="g", objective="o", criteria=criteria, facts=FACTS, contract=""))


def expected(goal: Goal, reports: Sequence[Report], base: Mapping[str, Any] | None) -> Words:
    observations = [
        Observation(
            enter_facts(FACTS, report.facts),
            None if report.at is None else literals.read_time(report.at),
            report.id,
            report.rev,
        )
        for report in reports
    ]
    entered = enter_facts(FACTS, base or {})
    words = []
    for length in range(1, len(observations) + 1):
        reading = Interpreter(FACTS, observations[:length], entered)
        words.append([part(reading, criterion, "criteria") for criterion in goal.criteria])
    return words


def actual(goal: Goal, reports: Sequence[Report], base: Mapping[str, Any] | None) -> Words:
    """The Monitor's words. On the way: both forms of every predicate agree, and every result says
    why it is what it is."""
    with patch.object(monitor_module, "compile_predicate", watched):
        monitor = Monitor(goal) if base is None else Monitor(goal, baseline=base)
    words = []
    for report in reports:
        verdict = monitor.observe(report.facts, at=report.at, id=report.id, rev=report.rev)
        for result in verdict.criteria:
            assert result.explanation.strip(), f"no explanation: {result}"
        words.append([Outcome(result.outcome, result.reason) for result in verdict.criteria])
    return words


def watched(node: Expr, facts: dict[str, Type]) -> Predicate:
    """A compiled predicate whose straight and three-valued forms are held together."""
    predicate = compile_predicate(node, facts)

    def decide(moment: Facts) -> Any:
        straight, folded = predicate.decide(moment), predicate.explain(moment).value
        assert straight == folded, f"straight {straight!r}, three-valued {folded!r}"
        assert straight is True or straight is False or isinstance(straight, Unknown)
        return straight

    return replace(predicate, decide=decide)


def same(one: Outcome, other: Outcome) -> bool:
    """One word, and a reason on both sides or on neither."""
    return one.word == other.word and (one.reason is None) == (other.reason is None)


def differs(case: Disagreement) -> bool:
    goal = goal_of([case.predicate])
    left = expected(goal, case.reports, case.base)
    try:
        right = actual(goal, case.reports, case.base)
    except Exception:
        return True
    return not all(same(a[0], b[0]) for a, b in zip(left, right, strict=True))


# --- cutting a disagreement down


def smaller(case: Disagreement) -> Iterator[Disagreement]:
    """What to try next: less of the predicate, fewer observations, fewer facts."""
    for child in descendants(case.predicate):
        if is_predicate(child):
            yield case._replace(predicate=child)
    for place in range(len(case.reports)):
        reports = [*case.reports[:place], *case.reports[place + 1 :]]
        yield case._replace(reports=reports)
    if case.base is not None:
        yield case._replace(base=None)
    told = [report.id for report in case.reports]
    for place, report in enumerate(case.reports):
        for simpler in (
            *(() if told.count(report.id) > 1 else (report._replace(id=None),)),
            report._replace(rev=None),
            *(report._replace(facts=less) for less in without_one(report.facts)),
        ):
            if simpler != report:
                reports = [*case.reports[:place], simpler, *case.reports[place + 1 :]]
                yield case._replace(reports=reports)


def is_predicate(expr: Expr) -> bool:
    """A bool that needs no variable from outside."""
    return not free(expr) and Interpreter(FACTS, []).type_of(expr, {}) == BOOL


def free(expr: Expr) -> set[str]:
    """The variables that nothing inside binds."""
    if isinstance(expr, Variable):
        return {expr.name}
    inside = {name for child in children(expr) for name in free(child)}
    return inside - {expr.var} if isinstance(expr, Quantifier | Aggregate) else inside


def descendants(expr: Expr) -> Iterator[Expr]:
    for child in children(expr):
        yield child
        yield from descendants(child)


def without_one(facts: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    size = len(facts)
    names = list(facts)
    chunk = max(1, size // 2)
    while size and chunk:
        for start in range(0, size, chunk):
            gone = set(names[start : start + chunk])
            yield {name: value for name, value in facts.items() if name not in gone}
        chunk //= 2


def late_conflict(reports: Sequence[Report]) -> bool:
    """Does an id give a fact its second value after other observations? Histories do not do that
    (the tables say what it means), and a smaller one must not either."""
    for place, report in enumerate(reports):
        parts = [part for part in reports[:place] if part.id == report.id]
        if report.id is None or not parts:
            continue
        if all(part.id == report.id for part in reports[reports.index(parts[0]) : place]):
            continue
        for name, value in report.facts.items():
            said = [part.facts[name] for part in parts if name in part.facts]
            if said and value != said[0] and all(one == said[0] for one in said):
                return True
    return False


def cut_down(case: Disagreement) -> Disagreement:
    for _ in range(200):
        for candidate in smaller(case):
            try:
                if not late_conflict(candidate.reports) and differs(candidate):
                    case = candidate
                    break
            except Exception:  # a part that is no predicate by itself
                continue
        else:
            break
    return case


def explain(case: Disagreement) -> str:
    case = cut_down(case)
    goal = goal_of([case.predicate])
    lines = ["", json.dumps(plain(case.predicate)), f"baseline {case.base}"]
    left = expected(goal, case.reports, case.base)
    try:
        right: Any = actual(goal, case.reports, case.base)
    except Exception as error:
        right = [[repr(error)]] * len(left)
    for report, (want,), (got,) in zip(case.reports, left, right, strict=True):
        lines.append(f"{report}\n    reference {want}\n    monitor   {got}")
    return "\n".join(lines)


def check(predicates: Sequence[Expr], reports: Sequence[Report], base: Any) -> int:
    """Compare; the number of pairs. Fails with a small reproduction."""
    goal = goal_of(predicates)
    left = expected(goal, reports, base)
    try:
        right = actual(goal, reports, base)
    except Exception:
        for predicate in predicates:
            case = Disagreement(predicate, reports, base)
            if differs(case):
                pytest.fail(explain(case), pytrace=False)
        raise
    for want, got in zip(left, right, strict=True):
        for place, (a, b) in enumerate(zip(want, got, strict=True)):
            if not same(a, b):
                case = Disagreement(predicates[place], reports, base)
                pytest.fail(explain(case), pytrace=False)
    return len(predicates) * len(reports)


@pytest.mark.row("X02", "X03")
@pytest.mark.parametrize("seed", SEEDS)
def test_seeded_predicates_agree(seed: int) -> None:
    rng = Random(seed)
    pairs = 0
    while pairs < PAIRS // len(SEEDS):
        predicates = [Predicates(rng).top() for _ in range(PREDICATES)]
        for _ in range(3):
            pairs += check(predicates, history(rng), baseline(rng))


@pytest.mark.row("X02", "X03")
@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
@given(st.randoms(use_true_random=False))
def test_any_predicate_agrees(rng: Random) -> None:
    check([Predicates(rng).top()], history(rng), baseline(rng))
