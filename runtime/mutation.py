"""Mutation: whether the tests of a goal notice small changes of its parts.

A mutant changes one part, so that part alone is run again over the observations of the goal's
tests; `done` follows from its outcome and those that the other parts had. A mutant is noticed where
an expectation fails that held. One that survives either came to another outcome where nothing is
expected, or no observation tells it from the part as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..compiler.ir.document import (
    Assignment,
    Condition,
    Document,
    Expect,
    ExpectDone,
    Fact,
    Goal,
    Observe,
)
from ..compiler.mutants import Mutant, mutants_of, predicates_of
from ..compiler.reads import facts_read
from .coverage import Kind, conditions_of
from .monitor import Monitor
from .testing import FinishedTest, baseline_of, host_facts, missed, result_of
from .verdict import Result, Verdict

_FIELDS: dict[Kind, str] = {
    "criterion": "criteria",
    "constraint": "constraints",
    "stop": "stops",
}


@dataclass(frozen=True, slots=True)
class Differing:
    """Where a mutant comes to another outcome: a test, and an observation of it (from 1)."""

    test: str
    observation: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant, whether a test noticed it, and where one that was not noticed differs."""

    mutant: Mutant
    noticed: bool
    differs: Differing | None = None


@dataclass(frozen=True)
class PartTrials:
    """The mutants of one part, *more* beyond those that were tried. *expected*: does any test say
    what should come of it?"""

    goal: str
    kind: Kind
    id: str
    trials: tuple[Trial, ...]
    expected: bool
    more: int

    @cached_property
    def survivors(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in self.trials if not trial.noticed)


def try_mutants(
    document: Document, goal: Goal, tested: Sequence[FinishedTest]
) -> Iterator[PartTrials]:  # fmt: skip
    """Each part of a goal with its mutants, tried on the goal's tests, which have passed."""
    facts = {fact.name: fact for fact in document.facts}
    for kind, condition in conditions_of(goal):
        mutants, more = mutants_of(condition, facts)
        part = _Part(goal, kind, condition, facts, tested)
        trials = tuple(map(part.tried, mutants))
        yield PartTrials(goal.id, kind, condition.id, trials, part.is_expected, more)


class _Part:
    """One part of a goal, and what the goal's tests observe of it."""

    def __init__(
        self, goal: Goal, kind: Kind, condition: Condition, facts: Mapping[str, Fact],
        tested: Sequence[FinishedTest],
    ) -> None:  # fmt: skip
        self._goal, self._kind, self._id = goal, kind, condition.id
        read = {name for expr in predicates_of(condition) for name in facts_read(expr)}
        self._facts = tuple(fact for name, fact in facts.items() if name in read)
        self._types = {fact.name: fact.type for fact in self._facts}
        # Those that speak of the part come first: they are the likeliest to notice a change.
        self._tested = sorted(tested, key=lambda one: not self._speaks(one))

    @property
    def is_expected(self) -> bool:
        return any(map(self._speaks, self._tested))

    def _speaks(self, tested: FinishedTest) -> bool:
        return any(
            (isinstance(step, Expect) and step.id == self._id)
            or (isinstance(step, ExpectDone) and step.done)
            for step in tested.test.steps
        )

    def tried(self, mutant: Mutant) -> Trial:
        differs: Differing | None = None
        for tested in self._tested:
            results = self._results(mutant.condition, tested)
            changed = zip(tested.verdicts, results, strict=True)
            verdicts = [self._with(verdict, result) for verdict, result in changed]
            if _is_noticed(tested, verdicts):
                return Trial(mutant, True)
            if differs is None:
                differs = self._differing(tested, results)
        return Trial(mutant, False, differs)

    def _results(self, condition: Condition, tested: FinishedTest) -> list[Result]:
        """What the part comes to, as *condition* has it, after each observation of a test."""
        monitor = Monitor(self._alone(condition), self._given(baseline_of(tested.test)))
        results: list[Result] = []
        for step in tested.test.steps:
            if isinstance(step, Observe):
                verdict = monitor.observe(self._given(step.facts), at=step.at, rev=step.rev)
                results += getattr(verdict, _FIELDS[self._kind])
        return results

    def _given(self, assigned: Iterable[Assignment]) -> dict[str, Any]:
        return host_facts((one for one in assigned if one.fact in self._types), self._types)

    def _alone(self, condition: Condition) -> Goal:
        """The goal with nothing but this part in it, which no other can change."""
        parts: dict[str, Any] = dict.fromkeys(_FIELDS.values(), ())
        parts[_FIELDS[self._kind]] = (condition,)
        return replace(self._goal, facts=self._facts, **parts)

    def _with(self, verdict: Verdict, result: Result) -> Verdict:
        """The verdict, had the part come to *result*."""
        field = _FIELDS[self._kind]
        others = getattr(verdict, field)
        changed: Any = {field: tuple(result if o.id == self._id else o for o in others)}
        return replace(verdict, **changed)

    def _differing(self, tested: FinishedTest, results: Sequence[Result]) -> Differing | None:
        """The first observation after which the part's outcome is another."""
        for place, (verdict, result) in enumerate(zip(tested.verdicts, results, strict=True), 1):
            before, after = result_of(verdict, self._id).outcome, result.outcome
            if before != after:
                return Differing(tested.test.name, place, before, after)
        return None


def _is_noticed(tested: FinishedTest, verdicts: Sequence[Verdict]) -> bool:
    """Does an expectation of the test fail with these verdicts?"""
    observed = 0
    for place, step in enumerate(tested.test.steps):
        if isinstance(step, Observe):
            observed += 1
        elif observed and any(missed(step, place, observed, verdicts[observed - 1])):
            return True
    return False
