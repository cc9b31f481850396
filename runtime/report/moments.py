"""The journal as moments: each entry with the record's fields before and after it, in JSON, as
replay would have them. Everything on the page that has a history is read from these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...compiler.ir.document import Goal
from ..lifecycle.events import Event
from ..record.parts import Record
from ..record.reading import read_field, write_record
from ..store.port import Entry

_BEGINNINGS = frozenset(("created", "forked", "adopted", "imported"))


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry, and the record's fields around it."""

    entry: Entry
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @property
    def event(self) -> Event:
        return self.entry.event

    @property
    def number(self) -> int:
        return self.entry.number

    @property
    def turns(self) -> int:
        """The settled turns so far."""
        found: int = field_of(self.after, "usage", "turns") or 0
        return found

    @property
    def is_charge(self) -> bool:
        return self.event.kind == "progress_accounted"


def moments_of(session: str, entries: Iterable[Entry]) -> Iterator[Moment]:
    """The whole journal, from its first entry."""
    before: Mapping[str, Any] = write_record(Record(session=session))
    for entry in entries:
        after = {**before, **entry.event.changes}
        yield Moment(entry, before, after)
        before = after


def of_last_goal(moments: Sequence[Moment]) -> int:
    """Where the session's last goal begins; 0 where there never was one."""
    beginnings = (
        number
        for number, moment in enumerate(moments)
        if moment.event.kind in _BEGINNINGS and moment.event.changes.get("goal") is not None
    )
    return max(beginnings, default=0)


def field_of(values: Any, *path: str) -> Any:
    """What stands at *path* in JSON; None where nothing does."""
    for key in path:
        if not isinstance(values, Mapping):
            return None
        values = values.get(key)
    return values


def loop_of(values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the loop keeps of the goal in a record's fields; what it kept of an earlier one is none
    of it."""
    loop = field_of(values, "loop")
    if not isinstance(loop, Mapping) or loop.get("goal") != values.get("created_at"):
        return None
    return loop


def goals_of(moments: Iterable[Moment]) -> Iterator[tuple[Moment, Goal]]:
    """The goal as it was set and each time that it was changed. Raises BadRecord."""
    for moment in moments:
        goal = moment.event.changes.get("goal")
        if goal is not None:
            yield moment, read_field("goal", goal)


def outcomes_of(loop: Mapping[str, Any] | None) -> dict[str, str] | None:
    """The parts' outcomes at the last observation, by their ids; None where they are not kept."""
    found = field_of(loop, "outcomes")
    return {id: str(word) for id, word in found.items()} if isinstance(found, Mapping) else None
