"""The reducer of the loop: one event, one decision, in one order.

`step` has no clock, no I/O and no randomness: the same record, verdict and event give the same
decision at any time. What it decides is written by the lifecycle's commands, so that one
transaction has the record, the journal and the guards, or none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...compiler.ir.canonical import plain
from ..lifecycle import Command, Event, Refusal, Step, checked
from ..lifecycle.commands import Keep
from ..lifecycle.draft import FINAL
from ..record.parts import Actor, Record, StatusName
from ..record.times import is_stamp, read_stamp
from ..verdict import Verdict
from .accounting import account, charge
from .barriers import barrier
from .budgets import budget
from .continuing import claim
from .course import Course
from .drift import drift
from .effects import EndRun, LoopEffect, RemindTodos
from .events import Charged, LoopEvent, Restarted, Settled, Spoke
from .floor import floor
from .guards import progress
from .judging import judge
from .persons import person
from .policy import REMINDERS, Policy
from .state import State, state_of
from .taking import rebind, take

EXAMPLE = "2026-03-01T12:00:00.000000Z"
_RUNNING: tuple[StatusName, ...] = ("active", "parked")


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows of an event: the record and the state after it, the commands that lead there and
    the events they came to, what the driver is to do, and the code of the reason."""

    record: Record
    state: State
    commands: tuple[tuple[Command, Actor], ...]
    events: tuple[Event, ...]
    archived: tuple[Record, ...]
    effects: tuple[LoopEffect, ...]
    reason: str

    @property
    def step(self) -> Step:
        """What a store writes."""
        return Step(record=self.record, events=self.events, archived=self.archived)


def bound(course: Course) -> str | None:
    """Is there a goal? Without one, open todos are recalled a few times, and nothing else is."""
    if course.record.goal is not None:
        return None
    event = course.event
    if isinstance(event, Spoke | Restarted):
        course.keep(reminders=0)
    if isinstance(event, Settled) and event.by == "person":
        course.keep(reminders=0)
    is_over = isinstance(event, Settled) and event.stop == "end" and not event.monitors
    still = event.todos[0] if isinstance(event, Settled) and event.todos else 0
    if is_over and still and course.state.reminders < REMINDERS:
        course.keep(reminders=course.state.reminders + 1)
        course.effects.append(RemindTodos(still))
        return "todo_reminder"
    return "no_goal"


def terminal(course: Course) -> str | None:
    return "terminal" if course.record.status.name in FINAL else None


ORDER: Mapping[str, Callable[[Course], str | None]] = {
    "bound": bound,
    "terminal": terminal,
    "person": person,
    "barrier": barrier,
    "account": account,
    "floor": floor,
    "drift": drift,
    "judge": judge,
    "budget": budget,
    "progress": progress,
    "claim": claim,
}
"""The stages of every decision. The first that gives a reason ends it; the last one always does."""


def step(record: Record, verdict: Verdict | None, event: LoopEvent, policy: Policy) -> Decision:
    """What follows of *event*. *verdict* is the Monitor's after the last observation. Raises
    Refusal, which changes nothing, and BadRecord where the record's `loop` is none."""
    state = state_of(record)
    if record.sealed:
        return Decision(record, state, (), (), (), (), "no_goal")
    times = [event.at, event.retry_at] if isinstance(event, Settled) else [event.at]
    for time in filter(None, times):
        if not is_stamp(time):
            raise Refusal("bad_time", f"`{time}` is no time: write it as {EXAMPLE}")
    course = Course(
        event=event,
        verdict=verdict,
        policy=policy,
        record=record,
        state=state,
        effects_seen=record.effects,
        gates=record.gates,
        now=max(map(read_stamp, filter(None, (event.at, record.updated_at)))),
    )
    rebind(course)
    if isinstance(event, Settled | Charged):
        course.is_new = record.goal is not None and event.settlement not in record.settled
    take(course)
    reason = decided(course)
    charge(course)
    if record.status.name in _RUNNING and course.record.status.name not in _RUNNING:
        course.effects.append(EndRun(course.record.status.name, reason))
    _write(course)
    checked(Step(record=course.record, events=tuple(course.events)), record)
    return Decision(
        course.record, course.state, tuple(course.commands), tuple(course.events),
        course.archived, tuple(course.effects), reason,
    )  # fmt: skip


def decided(course: Course) -> str:
    reasons = (stage(course) for stage in ORDER.values())
    return next(reason for reason in reasons if reason is not None)


def _write(course: Course) -> None:
    record = course.record
    course.keep(goal=record.created_at, generation=record.generation, since=record.status.since)
    gates = None if course.gates is None else dict(course.gates)
    course.do(Keep(loop=plain(course.state), effects=course.effects_seen, gates=gates))
