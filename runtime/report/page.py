"""The page's data, gathered from what a store has of a session. Equal stock gives an equal page:
the only times in it are the store's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from ..dashboard import status_line
from ..exhibits import Exhibit
from ..goals import journal_problems
from ..lifecycle import replay
from ..record.parts import Record
from ..store.port import Entry
from .amendments import Amendment, amendments_of
from .contract import Contract, contract_of
from .journal import Journal, journal_of
from .judgements import Evaluations, evaluations_of, last_judged
from .moments import Moment, loop_of, moments_of, of_last_goal, outcomes_of
from .spending import Spending, spending_of
from .standing import Pinned, Standing, pinned_of, standing_of
from .texts import Text, newest, said, shortened
from .timeline import Timeline, timeline_of

MAX_REFUSALS = 200
MAX_GOALS = 200
MAX_TEXT = 2_000  # characters of what was refused, or of an earlier goal's objective


@dataclass(frozen=True, slots=True)
class Stock:
    """What a store has of a session: the *record* and the *entries* that made it, of one moment;
    the goals that ended or made way; what was refused; and what judges were shown and said."""

    record: Record
    entries: Sequence[Entry]
    history: Sequence[Record]
    audit: Sequence[Mapping[str, Any]]
    exhibits: Sequence[Exhibit]


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that was refused, for the audit."""

    at: str
    actor: str | None
    command: Text | None
    code: str
    message: Text


@dataclass(frozen=True, slots=True)
class EarlierGoal:
    """A goal that ended or made way, as it stood then."""

    goal: str
    objective: Text
    status: str
    generation: int
    contract: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Page:
    """*contract* and *standing* are of the session's goal, or of its last one where that is gone;
    without either it never had one."""

    session: str
    line: str
    updated_at: str
    generation: int
    standing: Standing | None
    contract: Contract | None
    pinned: Pinned
    timeline: Timeline
    spending: Spending | None
    evaluations: Evaluations
    amendments: tuple[Amendment, ...]
    journal: Journal
    refusals: tuple[Refused, ...]
    refusals_left_out: int
    earlier: tuple[EarlierGoal, ...]
    earlier_left_out: int

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def page_of(stock: Stock) -> Page:
    """Raises BadRecord where the journal has what is no record's."""
    record = stock.record
    whole = list(moments_of(record.session, stock.entries))
    begins = of_last_goal(whole)
    moments = whole[begins:]
    last = next((one for one in reversed(moments) if one.after.get("goal") is not None), None)
    loop = None if last is None else loop_of(last.after)
    subject = _subject(stock, last)
    evaluations = evaluations_of(whole[:begins], moments, stock.exhibits)
    refusals, refusals_left_out = newest(stock.audit, MAX_REFUSALS)
    others = [one for one in stock.history if one is not subject]
    earlier, earlier_left_out = newest(others, MAX_GOALS)
    return Page(
        session=record.session,
        line=status_line(record),
        updated_at=record.updated_at,
        generation=record.generation,
        standing=None if subject is None else standing_of(record, subject, loop),
        contract=None if subject is None else contract_of(
            subject, outcomes_of(loop) or {}, last_judged(evaluations)
        ),
        pinned=pinned_of(None if subject is None or loop is None else subject.gates),
        timeline=timeline_of(
            moments, chain.from_iterable(one.judgements for one in evaluations.shown)
        ),
        spending=None if subject is None else spending_of(subject.usage, loop, moments),
        evaluations=evaluations,
        amendments=amendments_of(moments),
        journal=journal_of(whole, journal_problems(record, stock.entries)),
        refusals=tuple(map(_refused, refusals)),
        refusals_left_out=refusals_left_out,
        earlier=tuple(map(_earlier, earlier)),
        earlier_left_out=earlier_left_out,
    )  # fmt: skip


def _subject(stock: Stock, last: Moment | None) -> Record | None:
    """Whose goal the page is about; *last* is the last moment that had one. A goal that went to
    another session is in no history."""
    if stock.record.goal is not None:
        return stock.record
    if last is None:
        return None
    archived = [one for one in stock.history if one.created_at == last.after.get("created_at")]
    if archived:
        return archived[-1]
    return replay((entry.event for entry in stock.entries[: last.number]), stock.record.session)


def _refused(entry: Mapping[str, Any]) -> Refused:
    return Refused(
        at=entry["at"],
        actor=entry["actor"],
        command=None if entry["command"] is None else said(entry["command"], MAX_TEXT),
        code=entry["code"],
        message=shortened(entry["message"], MAX_TEXT),
    )


def _earlier(record: Record) -> EarlierGoal:
    goal = record.goal
    assert goal is not None
    return EarlierGoal(
        goal=goal.id,
        objective=shortened(record.objective or goal.objective, MAX_TEXT),
        status=status_line(record),
        generation=record.generation,
        contract=goal.contract,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )
