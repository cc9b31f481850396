"""Taking the facts: what a source gives enters the goal's Monitor, whose state is the record's, and
a verdict comes out of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...compiler.ir.document import Fact, Goal
from ...compiler.ir.node import Json
from ..engine import HostCheck, RefusedObservation
from ..facts import BadFacts
from ..monitor import Monitor
from ..verdict import Verdict
from .ports import FactSource


@dataclass(frozen=True, slots=True)
class Given:
    """What a goal's Monitor is given beside the facts: the values of `at baseline`, further facts
    that were declared, the project's root, and the host's own checks by name."""

    baseline: Mapping[str, Any] | None = None
    declared: tuple[Fact, ...] = ()
    root: str | None = None
    host_checks: Mapping[str, HostCheck] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Look:
    """One observation: the facts as the source gave them, the verdict, the Monitor's state, and the
    number of the question that it answers."""

    facts: Mapping[str, Any]
    verdict: Verdict
    state: Json
    number: int = 0


class Lookout:
    """Looks at a goal, again and again. A Monitor is kept as long as its state is the record's."""

    def __init__(self, facts: FactSource, given: Given) -> None:
        self._facts = facts
        self._given = given
        self._monitor: Monitor | None = None
        self._state: Json = None

    async def look(self, goal: Goal, state: Json, at: str, revision: str | None) -> Look:
        """What the facts say of *goal* at the time *at*, after what *state* has left."""
        taken = await taken_facts(self._facts, goal.facts)
        monitor = self._monitor_of(goal, state)
        self._monitor = None  # until it is known to be what the record has
        try:
            verdict = monitor.observe(taken, at=at, rev=revision)
        except (BadFacts, RefusedObservation) as error:
            taken = unknown(goal.facts, f"the facts were refused: {error}")
            monitor = self._monitor_of(goal, state)
            verdict = monitor.observe(taken, at=at, rev=revision)
        self._monitor, self._state = monitor, monitor.state()
        return Look(taken, verdict, self._state)

    def _monitor_of(self, goal: Goal, state: Json) -> Monitor:
        kept = self._monitor
        if kept is not None and kept.goal.contract == goal.contract and self._state == state:
            return kept
        given = self._given
        return Monitor(
            goal, given.baseline, given.declared, given.root, given.host_checks, state=state
        )


async def taken_facts(source: FactSource, facts: Iterable[Fact]) -> Mapping[str, Any]:
    """What *source* gives. Whatever it raises makes every one of *facts* unknown."""
    try:
        taken = await source()
    except Exception as error:  # a host's own code: what failed shows nothing
        return unknown(facts, f"the facts could not be had: {type(error).__name__}: {error}")
    if isinstance(taken, Mapping):
        return taken
    return unknown(facts, f"the facts are {type(taken).__name__}, and a mapping is due")


def unknown(facts: Iterable[Fact], because: str) -> dict[str, Any]:
    """Every one of *facts*, as one that could not be had."""
    return {fact.name: {"$unknown": "error", "because": because} for fact in facts}
