"""Criterion coverage: in which of its outcomes the tests of a goal have seen each of its parts, and
for which of these they expect something.

A part can have only some outcomes: `waived` needs a `when`, and without a `check` a judge decides.
A part that can have one only has nothing to cover. What a goal takes from presets counts: it is in
its contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ..compiler.ir.document import Condition, Expect, Goal
from .testing import FinishedTest
from .verdict import Outcome

Kind = Literal["criterion", "constraint", "stop"]

# What a true and a false check make of a part.
CHECKED: dict[Kind, tuple[Outcome, Outcome]] = {
    "criterion": ("met", "unmet"),
    "constraint": ("held", "violated"),
    "stop": ("stopped", "held"),
}


@dataclass(frozen=True, slots=True)
class PartCoverage:
    """The outcomes that a part can have, those that were seen, and those that a test expects."""

    kind: Kind
    id: str
    possible: tuple[Outcome, ...]
    seen: frozenset[Outcome]
    expected: frozenset[Outcome]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of one goal by so many *tests*."""

    goal: str
    tests: int
    parts: tuple[PartCoverage, ...]

    @property
    def possible(self) -> int:
        return sum(len(part.possible) for part in self.parts)

    @property
    def seen(self) -> int:
        return sum(len(part.seen) for part in self.parts)


def coverage_of(goal: Goal, tested: Sequence[FinishedTest]) -> Coverage:
    """What the runs of a goal's tests have seen of it."""
    parts = []
    for kind, condition in conditions_of(goal):
        possible = _possible(kind, condition)
        if len(possible) > 1:
            seen = frozenset(_seen(condition.id, tested)) & set(possible)
            expected = frozenset(_expected(condition.id, tested)) & seen
            parts.append(PartCoverage(kind, condition.id, possible, seen, expected))
    return Coverage(goal.id, len(tested), tuple(parts))


def conditions_of(goal: Goal) -> Iterator[tuple[Kind, Condition]]:
    """The criteria, constraints and stops of a goal, in this order, each with its kind."""
    for criterion in goal.criteria:
        yield "criterion", criterion
    for constraint in goal.constraints:
        yield "constraint", constraint
    for stop in goal.stops:
        yield "stop", stop


def percent(part: int, whole: int) -> int:
    """*part* of *whole* as a whole percent, rounded down: 100 means all of it. Of nothing all is
    there."""
    return 100 * part // whole if whole else 100


def _possible(kind: Kind, condition: Condition) -> tuple[Outcome, ...]:
    outcomes: list[Outcome] = ["judged"] if condition.check is None else [*CHECKED[kind]]
    if any(expr is not None for expr in (condition.check, condition.when, condition.given)):
        outcomes.append("unknown")
    if condition.when is not None:
        outcomes.append("waived")
    return tuple(outcomes)


def _seen(id: str, tested: Iterable[FinishedTest]) -> Iterator[Outcome]:
    for one in tested:
        for verdict in one.verdicts:
            for result in (*verdict.criteria, *verdict.constraints, *verdict.stops):
                if result.id == id:
                    yield result.outcome


def _expected(id: str, tested: Iterable[FinishedTest]) -> Iterator[Outcome]:
    for one in tested:
        for step in one.test.steps:
            if isinstance(step, Expect) and step.id == id:
                yield step.outcome
