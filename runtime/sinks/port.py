"""The port of a sink: what it is told, and how a decision's events come to be told.

A sink only listens. Whatever becomes of it, the run goes on as it would have without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ...compiler.ir.node import Json
from ..convergence.effects import Tell
from ..lifecycle.events import Event
from ..record.parts import Actor, Record
from .kinds import KINDS

if TYPE_CHECKING:
    from ..convergence.stepping import Decision


@dataclass(frozen=True, slots=True)
class Notice:
    """That something happened. *goal* is the id of the goal that it happened to, *generation* the
    session's after it."""

    session: str
    goal: str | None
    generation: int
    at: str
    kind: str
    actor: Actor
    details: Mapping[str, Json]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class SinkFailed(Exception):
    """A sink that could not be told, and why."""


class EventSink(Protocol):
    """Is told what happened, in its order."""

    def tell(self, notice: Notice) -> None:
        """Raises SinkFailed."""
        ...

    def close(self) -> None:
        """Nothing follows. Raises SinkFailed."""
        ...


def notices(decision: Decision) -> Iterator[Notice]:
    """What a sink is told of a decision of the loop's: its events, then what it tells beside them.
    The loop gives a session no other goal, so all of it is of the one that is there."""
    record = decision.record
    yield from notices_of(decision.events, record)
    goal = None if record.goal is None else record.goal.id
    for effect in decision.effects:
        if isinstance(effect, Tell):
            details = KINDS[effect.kind].said({"details": effect.details})
            yield Notice(
                record.session, goal, record.generation, record.updated_at, effect.kind, "runtime",
                details,
            )  # fmt: skip


def notices_of(events: Iterable[Event], before: Record) -> Iterator[Notice]:
    """What a sink is told of *events*, which changed the record *before*."""
    goal = None if before.goal is None else before.goal.id
    generation = before.generation
    for event in events:
        changes: Mapping[str, Any] = event.changes
        gone, generation = goal, changes.get("generation", generation)
        if "goal" in changes:
            goal = None if changes["goal"] is None else changes["goal"]["id"]
        details = KINDS[event.kind].said({"details": event.details, "changes": changes})
        about = gone if goal is None else goal
        yield Notice(before.session, about, generation, event.at, event.kind, event.actor, details)
