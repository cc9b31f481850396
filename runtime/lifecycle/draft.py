"""One command's work in progress: the record as the events so far have made it.

Only `decide` and the two functions over two records make a draft; what comes of it is a Step, and a
Refusal on the way leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ...compiler.ir.canonical import plain
from ..record.parts import Actor, Metadata, Record, Status, StatusName, Turn, Usage
from ..record.times import read_stamp, write_stamp
from .events import Event, EventKind, Refusal, Step

FINAL: frozenset[StatusName] = frozenset({"complete", "ended"})
_WAITING: frozenset[StatusName] = frozenset({"active", "paused", "parked"})

# What a record without a goal has in the fields that are of a goal.
WITHOUT_GOAL: Mapping[str, Any] = {
    "goal": None, "contract": None, "objective": None, "set_by": None, "metadata": Metadata(),
    "created_at": "", "usage": Usage(), "evaluation": None, "continuations": 0, "monitor": None,
}  # fmt: skip
# What belongs to a goal as it is, and no longer.
UNDER_WAY: Mapping[str, Any] = {"candidate": None, "pending": None, "claim": None}


@dataclass(slots=True)
class Draft:
    """*now* is the store's time, in microseconds."""

    record: Record
    actor: Actor
    now: int
    events: list[Event] = field(default_factory=list)
    archived: tuple[Record, ...] = ()

    @property
    def at(self) -> str:
        """The next event's time: now, or just after the last change where the clock went back."""
        last = self.record.updated_at
        return write_stamp(max(self.now, read_stamp(last) + 1) if last else self.now)

    def happen(
        self, kind: EventKind, details: Mapping[str, Any] | None = None, **fields: Any
    ) -> None:
        """Take the event *kind*, which gives the record these *fields*. To be shown or hidden is no
        change of the goal: it makes none younger."""
        before, at = self.record, self.at
        changed_at = before.updated_at if kind == "shown" else at
        self.record = replace(before, updated_at=changed_at, **fields)
        changes = {
            name: plain(getattr(self.record, name))
            for name in ("updated_at", *fields)
            if getattr(self.record, name) != getattr(before, name)
        }
        said = {key: plain(value) for key, value in (details or {}).items() if value is not None}
        self.events.append(Event(kind=kind, at=at, actor=self.actor, changes=changes, details=said))

    def stand(
        self,
        name: StatusName,
        reason: str | None = None,
        *,
        until: str | None = None,
        mechanical: bool = False,
        ending: Literal["unverified", "impossible", "cancelled"] | None = None,
    ) -> None:
        """The goal stands otherwise: no continuation is on its way any more. One that was started
        may have been heard of, so that its key is not given again. What awaits its evaluation
        still does where the goal only waits, and not where it was decided upon."""
        claim, last = self.record.claim, self.record.continuations
        waits = mechanical or name in _WAITING
        status = Status(
            name=name, reason=reason, since=self.at, until=until, mechanical=mechanical,
            ending=ending,
        )  # fmt: skip
        self.happen(
            "status_changed",
            {"from": self.record.status.name},
            status=status,
            continuations=claim.ordinal if claim and claim.state == "started" else last,
            **({"claim": None} if waits else UNDER_WAY),
        )

    def archive(self, **fields: Any) -> None:
        """Keep the goal that makes way, as it is now but for *fields*; what the monitor and the
        loop kept is of no more use."""
        gone = {**UNDER_WAY, "monitor": None, "loop": None, "effects": (), "gates": None}
        self.archived += (replace(self.record, **{**gone, **fields}),)

    def clear(self, reason: str, turn: Turn | None = None) -> None:
        """The goal goes, and the next one is of another generation."""
        self.happen(
            "cleared",
            {"reason": reason, "goal": self.record.goal and self.record.goal.id},
            status=Status(reason=reason, since=self.at),
            generation=self.record.generation + 1,
            turn=turn or self.record.turn,
            **UNDER_WAY,
            **WITHOUT_GOAL,
        )

    def step(self) -> Step:
        return Step(record=self.record, events=tuple(self.events), archived=self.archived)


def is_unfinished(record: Record) -> bool:
    """Is there a goal that is neither done nor over?"""
    return record.goal is not None and record.status.name not in FINAL


def need_goal(record: Record, asked: str) -> None:
    """Refuse *asked* of a session without a goal."""
    if record.goal is None:
        raise Refusal(
            "no_goal", f"the session has no goal to {asked}: create one first (`goal create`)"
        )


def need_status(record: Record, asked: str, allowed: frozenset[StatusName], instead: str) -> None:
    """Refuse *asked* where the goal does not stand so; *instead* is what to do."""
    need_goal(record, asked)
    if record.status.name not in allowed:
        raise Refusal("wrong_status", f"cannot {asked}: {said_status(record.status)}; {instead}")


def said_status(status: Status) -> str:
    """`the goal is blocked (no access) since …`."""
    name = status.name.replace("_", " ")
    ending = f" as {status.ending}" if status.ending else ""
    reason = f" ({status.reason})" if status.reason else ""
    until = f" until {status.until}" if status.until else ""
    return f"the goal is {name}{ending}{until}{reason} since {status.since}"


def need_text(text: str | None, place: str, example: str) -> str:
    """*text* without the white space around it. Refuses a blank one."""
    said = (text or "").strip()
    if not said:
        raise Refusal("blank", f"`{place}` is blank: say {example}")
    return said
