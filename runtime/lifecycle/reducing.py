"""The reducer: a command against a record gives the record after it and the events between, or a
Refusal; the events give the record again.

Nothing here has a clock or a store. `decide` may be called again with the same arguments and gives
the same; `apply` never decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..record.checking import record_problems, size_problems
from ..record.json_values import json_problems
from ..record.parts import Actor, Record
from ..record.reading import BadRecord, read_field
from ..record.times import BadTime, read_stamp
from . import claiming, commands, setting, settling, standing, turns
from .authority import permit
from .commands import Command
from .draft import Draft
from .events import Event, Refusal, Step
from .reading import read_command, write_command, write_event

HANDLERS: Mapping[type, Callable[[Draft, Any], None]] = {
    commands.Create: setting.create,
    commands.Amend: setting.amend,
    commands.Retarget: setting.retarget,
    commands.SetMetadata: setting.set_metadata,
    commands.Clear: setting.clear,
    commands.Reset: setting.reset,
    commands.Cancel: setting.cancel,
    commands.Show: setting.show,
    commands.Begin: turns.begin,
    commands.Recover: turns.recover,
    commands.Finish: turns.finish,
    commands.Pause: standing.pause,
    commands.Resume: standing.resume,
    commands.Park: standing.park,
    commands.Block: standing.block,
    commands.Input: standing.take_input,
    commands.Limit: standing.limit,
    commands.Complete: standing.complete,
    commands.End: standing.end,
    commands.Propose: settling.propose,
    commands.Settle: settling.settle,
    commands.Evaluated: settling.evaluated,
    commands.Observe: settling.observe,
    commands.Keep: settling.keep,
    commands.TakeClaim: claiming.take_claim,
    commands.DeferClaim: claiming.defer_claim,
    commands.StartClaim: claiming.start_claim,
    commands.EndClaim: claiming.end_claim,
    commands.Wake: claiming.wake,
}


def decide(record: Record, command: Command, actor: Actor, at: str) -> Step:
    """What *command*, asked by *actor* at the time *at*, comes to. Raises Refusal."""
    try:
        return checked(_decided(record, command, actor, at), record)
    except Refusal as refusal:
        refusal.command, refusal.actor = command, actor
        raise


def decide_among(record: Record, command: Command, actor: Actor, at: str) -> Step:
    """What *command* comes to as one of several: whoever puts them together looks once, by
    `checked`, whether the whole may be. Raises Refusal."""
    try:
        return _decided(record, command, actor, at)
    except Refusal as refusal:
        refusal.command, refusal.actor = command, actor
        raise


def _decided(record: Record, command: Command, actor: Actor, at: str) -> Step:
    try:
        now = read_stamp(at)
    except BadTime as error:
        raise Refusal("bad_time", f"at: {error}") from None
    if not isinstance(command, commands.Keep):  # which nobody writes but the loop
        _need_readable(command)
    permit(record, command, actor)
    if record.sealed and not (isinstance(command, commands.Create) and actor == "person"):
        raise Refusal(
            "sealed",
            "the run was cancelled and its record is sealed: a person creates a new goal first "
            "(`goal create`)",
        )
    if isinstance(command, commands.OfGoal) and command.generation not in (None, record.generation):
        raise Refusal(
            "stale_goal",
            f"this was meant for generation {command.generation}, and the session is at "
            f"{record.generation}: its goal was changed since; look at it again (`goal show`)",
        )
    draft = Draft(record, actor, now)
    HANDLERS[type(command)](draft, command)
    return draft.step()


def _need_readable(command: Command) -> None:
    """A command of any value that Python lets stand in it, read as it would be from a store."""
    try:
        read_command(write_command(command))
    except BadRecord as error:
        raise Refusal("bad_record", "\n".join(error.problems)) from None


def checked(step: Step, before: Record) -> Step:
    """*step* from the record *before*, where what it comes to may be. Raises Refusal."""
    if step.events:
        # As deep as they are read: what is written once must be read for ever.
        events = [write_event(event) for event in step.events]
        problems = [problem for event in events for problem in json_problems(event)] or [
            *record_problems(step.record, before.goal),
            *size_problems(step.record, before),
        ]
        if problems:
            raise Refusal("bad_record", "\n".join(problems))
    return step


def apply(record: Record, event: Event) -> Record:
    """*record* after *event*. Raises BadRecord where the event's values are none of a record's."""
    changes = {name: read_field(name, value) for name, value in event.changes.items()}
    return replace(record, **changes)


def replay(events: Iterable[Event], session: str) -> Record:
    """The record of *session* as its events, from the first one, have made it."""
    record = Record(session=session)
    for number, event in enumerate(events, 1):
        try:
            record = apply(record, event)
        except BadRecord as error:
            problems = (f"event {number} ({event.kind}): {p}" for p in error.problems)
            raise BadRecord(problems) from None
    return record
