"""The port of a sink: what it is told, and how events come to be told.

A sink only listens. Whatever becomes of it, the run goes on as it would have without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from ...compiler.ir.node import Json
from ..convergence.effects import LoopEffect, Tell
from ..lifecycle.events import Event
from ..record.parts import Actor, Record
from .kinds import KINDS


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


def notices(
    before: Record, events: Iterable[Event], effects: Iterable[LoopEffect] = ()
) -> Iterator[Notice]:
    """What a sink is told of *events*, which changed the record *before*, and then of what the loop
    tells beside them."""
    goal = None if before.goal is None else before.goal.id
    generation, at = before.generation, before.updated_at
    for event in events:
        changes: Mapping[str, Any] = event.changes
        gone, generation, at = goal, changes.get("generation", generation), event.at
        if "goal" in changes:
            goal = None if changes["goal"] is None else changes["goal"]["id"]
        details = KINDS[event.kind].said({"details": event.details, "changes": changes})
        about = gone if goal is None else goal
        yield Notice(before.session, about, generation, at, event.kind, event.actor, details)
    for effect in effects:
        if isinstance(effect, Tell):
            details = KINDS[effect.kind].said({"details": effect.details})
            yield Notice(before.session, goal, generation, at, effect.kind, "runtime", details)
