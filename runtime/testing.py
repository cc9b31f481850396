"""Running a file's own tests: the steps of a `test` block become observations, and each expectation
that does not hold is a Miss with what was seen instead and why.

A test without an expectation shows nothing, and neither does an expectation before the first
observation: both are faults of the test, like an observation whose time cannot be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..compiler.ir.document import (
    Assignment,
    Baseline,
    Document,
    Expect,
    ExpectDone,
    Observe,
    Step,
    Test,
    Unknown,
)
from ..compiler.ir.types import ListType, MapType, OptionalType, RecordType, SetType, Type
from .engine import RefusedObservation
from .monitor import Monitor
from .verdict import Note, Result, Verdict


@dataclass(frozen=True, slots=True)
class Miss:
    """An expectation that does not hold: *step* is its place among the test's steps, *observation*
    (from 1) the one before it. *why* has the parts that decided, each with its explanation."""

    step: int
    observation: int
    expected: str
    seen: str
    why: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A step (None: the whole test) that cannot be carried out; what follows it was not."""

    step: int | None
    message: str


@dataclass(frozen=True, slots=True)
class FinishedTest:
    """A test that was run: a verdict for each observation, and what is wrong."""

    test: Test
    verdicts: tuple[Verdict, ...]
    misses: tuple[Miss, ...] = ()
    fault: Fault | None = None

    @property
    def passed(self) -> bool:
        return not self.misses and self.fault is None


def run_test(document: Document, test: Test) -> FinishedTest:
    """Run a test of *document*."""
    types = {fact.name: fact.type for fact in document.facts}
    baseline = host_facts(baseline_of(test), types)
    monitor = Monitor(document.goal(test.goal), baseline, document.facts)
    verdicts: list[Verdict] = []
    misses: list[Miss] = []
    fault = None
    if not any(isinstance(step, Expect | ExpectDone) for step in test.steps):
        fault = Fault(None, "the test expects nothing: say `expect ID OUTCOME` or `expect done`")
    for place, step in enumerate(test.steps):
        match step:
            case Observe(at=at, rev=rev, facts=facts):
                try:
                    verdicts.append(monitor.observe(host_facts(facts, types), at=at, rev=rev))
                except RefusedObservation as refused:
                    fault = Fault(place, str(refused))
                    break
                wrong = _not_entered(place, verdicts[-1].notes)
                if wrong is not None:
                    fault = wrong
                    break
            case Baseline():
                wrong = _not_entered(place, monitor.baseline_notes)
                if wrong is not None:
                    fault = wrong
                    break
            case Expect() | ExpectDone() if not verdicts:
                fault = Fault(place, "nothing was observed yet: say `observe { … }` before it")
                break
            case Expect() | ExpectDone():
                misses += missed(step, place, len(verdicts), verdicts[-1])
    return FinishedTest(test, tuple(verdicts), tuple(misses), fault)


def _not_entered(place: int, notes: Iterable[Note]) -> Fault | None:
    """A value that its fact cannot have: what is expected of it would show nothing."""
    for note in notes:
        if note.kind == "invalid":
            return Fault(place, f"{note.message}; for such a fact say `= unknown(invalid)`")
    return None


def baseline_of(test: Test) -> Iterator[Assignment]:
    """What the baseline of a test holds."""
    for step in test.steps:
        if isinstance(step, Baseline):
            yield from step.facts


def missed(step: Step, place: int, observation: int, verdict: Verdict) -> Iterator[Miss]:
    """The expectation *step*, unless *verdict* meets it; nothing for other steps."""
    match step:
        case Expect(id=id, outcome=expected):
            result = result_of(verdict, id)
            if result.outcome != expected:
                yield Miss(place, observation, f"{id} {expected}", result.outcome, (result,))
        case ExpectDone(done=expected) if verdict.done != expected:
            words = ("not done", "done")
            seen = words[verdict.done]
            yield Miss(place, observation, words[expected], seen, _deciding(verdict))


def result_of(verdict: Verdict, id: str) -> Result:
    """The result of the part called *id*, which the goal has."""
    everything = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return next(result for result in everything if result.id == id)


def _deciding(verdict: Verdict) -> tuple[Result, ...]:
    """What decides whether the goal is done: the criteria it has met, or what stands in its way."""
    if verdict.done:
        return tuple(result for result in verdict.gating if result.outcome == "met")
    standing = ("unmet", "violated", "unknown", "judged")
    parts = (*verdict.gating, *verdict.binding)
    stopped = (stop for stop in verdict.stops if stop.outcome == "stopped")
    return (*(result for result in parts if result.outcome in standing), *stopped)


# --- the values of a test as a host would give them


def host_facts(given: Iterable[Assignment], types: Mapping[str, Type]) -> dict[str, Any]:
    """The facts that a step assigns, as the JSON of a host."""
    return {
        one.fact: {"$unknown": one.reason}
        if isinstance(one, Unknown)
        else _host_value(one.value, types[one.fact])
        for one in given
    }


def _host_value(value: Any, type: Type) -> Any:
    """*value* as it would come from a host: the IR spells a number as a string, and JSON does
    not."""
    match type:
        case _ if value is None:
            return None
        case OptionalType(of=of):
            return _host_value(value, of)
        case ListType(of=of) | SetType(of=of):
            return [_host_value(item, of) for item in value]
        case MapType(of=of):
            return {key: _host_value(item, of) for key, item in value.items()}
        case RecordType(fields=fields):
            inner = {field.name: field.type for field in fields}
            return {key: _host_value(item, inner[key]) for key, item in value.items()}
        case _ if type.kind == "number" and isinstance(value, str):
            return Decimal(value)
        case _:
            return value
