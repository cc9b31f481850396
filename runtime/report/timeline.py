"""The parts of a goal over its observations: a row a part, a column for each time that the facts
were taken and each time that a judge decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .contract import PartKind, parts_of
from .judgements import Judgement
from .moments import Moment, field_of, goals_of, loop_of, outcomes_of
from .texts import newest

MAX_COLUMNS = 120


@dataclass(frozen=True, slots=True)
class Column:
    """*entry* is its place in the journal, *turns* how many were settled by then; *outcomes* are
    by the parts' ids, None where the journal has none."""

    kind: Literal["observation", "judgement"]
    entry: int
    at: str
    turns: int
    outcomes: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Row:
    """A part, *kept* while the goal still has it."""

    kind: PartKind
    id: str
    text: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """*left_out* columns come before the first."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    left_out: int


def timeline_of(moments: Sequence[Moment], judgements: Iterable[Judgement]) -> Timeline:
    decided = {one.entry: one for one in judgements if one.entry is not None}
    columns, left_out = newest(list(_columns(moments, decided)), MAX_COLUMNS)
    return Timeline(columns, tuple(_rows(moments)), left_out)


def _columns(moments: Iterable[Moment], decided: Mapping[int, Judgement]) -> Iterator[Column]:
    for moment in moments:
        where = moment.number, moment.event.at, moment.turns
        if _is_observation(moment):
            yield Column("observation", *where, outcomes_of(loop_of(moment.after)))
        judgement = decided.get(moment.number)
        if judgement is not None and judgement.came_to is not None and judgement.came_to.parts:
            said = {part.id: part.outcome for part in judgement.came_to.parts}
            yield Column("judgement", *where, said)


def _is_observation(moment: Moment) -> bool:
    """Were the facts taken? The loop then calls them fresh, which nothing else does; without a
    loop the event itself says it."""
    loop = loop_of(moment.after)
    if loop is None:
        return moment.event.kind == "observed"
    return loop.get("fresh") is True and field_of(moment.before, "loop", "fresh") is not True


def _rows(moments: Sequence[Moment]) -> Iterator[Row]:
    """The parts of the goal as it is, then those that it had."""
    goals = [goal for _, goal in goals_of(moments)]
    seen: set[tuple[str, str]] = set()
    for number, goal in enumerate(reversed(goals)):
        for kind, part in parts_of(goal):
            if (kind, part.id) not in seen:
                seen.add((kind, part.id))
                yield Row(kind, part.id, part.text, kept=number == 0)
