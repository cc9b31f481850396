"""What was used, and what of each limit over the runs that settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...compiler.ir.document import Goal
from ...grammar.literals import DURATION_UNITS, spell_duration
from ..dashboard import limits_used
from ..record.parts import Usage
from ..record.reading import read_field
from .moments import Moment, field_of
from .texts import newest

MAX_POINTS = 400  # of a curve
MAX_LINES = 120  # of the table that says the same

_SECOND = DURATION_UNITS["s"]


@dataclass(frozen=True, slots=True)
class Point:
    """After *charges* charges: the *share* of the limit that was used, and both in words."""

    charges: int
    entry: int
    at: str
    turns: int
    share: float
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One limited quantity. *points* are thinned for the drawing; *lines*, the last ones, are not,
    and come after *left_out* others. *advisory*: the limit stops nothing."""

    name: str
    advisory: bool
    points: tuple[Point, ...]
    lines: tuple[Point, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Spending:
    """*used* has every quantity by its name, in words; *judge* what the judge took beside."""

    used: tuple[tuple[str, str], ...]
    judge: tuple[tuple[str, str], ...]
    curves: tuple[Curve, ...]


def spending_of(usage: Usage, loop: Any, moments: Sequence[Moment]) -> Spending:
    return Spending(tuple(_used(usage)), tuple(_judge(loop)), curves_of(moments))


def curves_of(moments: Sequence[Moment]) -> tuple[Curve, ...]:
    """A curve for each quantity that the goal limits, or once did. Raises BadRecord."""
    found: dict[tuple[str, bool], list[Point]] = {}
    for name, advisory, point in _points(moments):
        found.setdefault((name, advisory), []).append(point)
    return tuple(
        Curve(name, advisory, thinned(points, MAX_POINTS), *newest(points, MAX_LINES))
        for (name, advisory), points in found.items()
    )


def thinned(points: Sequence[Point], most: int) -> tuple[Point, ...]:
    """At most *most* of the points, at even distances, the first and the last among them."""
    if len(points) <= most:
        return tuple(points)
    last = len(points) - 1
    return tuple(points[round(step * last / (most - 1))] for step in range(most))


def _points(moments: Sequence[Moment]) -> Iterator[tuple[str, bool, Point]]:
    """The use of each limit when the goal began, after each charge, and after each change of the
    goal."""
    goal: Goal | None = None
    usage, charges = Usage(), 0
    for moment in moments:
        changes = moment.event.changes
        if "usage" in changes:
            usage = read_field("usage", changes["usage"])
        if "goal" in changes:
            goal = read_field("goal", changes["goal"])
        charges += moment.is_charge
        if goal is None or not (moment.is_charge or "goal" in changes):
            continue
        for advisory, budget in ((False, goal.budget), (True, goal.advisory_budget)):
            if budget is None:
                continue
            where = charges, moment.number, moment.event.at, usage.turns
            for name, share, words in limits_used(usage, budget):
                yield name, advisory, Point(*where, share, words)


def _used(usage: Usage) -> Iterator[tuple[str, str]]:
    yield "turns", f"{usage.turns:,}"
    yield "tokens", f"{usage.tokens:,}"
    yield "tool calls", f"{usage.tool_calls:,}"
    yield "attempts", f"{usage.attempts:,}"
    yield "time active", spell_duration(usage.runtime // _SECOND * _SECOND)
    if usage.cost is not None:
        yield "cost", usage.cost


def _judge(loop: Any) -> Iterator[tuple[str, str]]:
    ledger = field_of(loop, "ledger")
    for name, words in (
        ("judgements", "judgements"), ("judge_tokens", "tokens"), ("judge_cost", "cost"),
    ):  # fmt: skip
        found = field_of(ledger, name)
        if found is not None:
            yield words, f"{found:,}" if isinstance(found, int) else str(found)
