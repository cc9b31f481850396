"""What happened to a goal. An event has its outcome, so that replay applies it and never decides
again: the record is the fold of its journal."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ...compiler.ir.node import Json, Node, node
from ..record.parts import Actor, Record
from .commands import Command

EVENT_VERSION = 1

EventKind: TypeAlias = Literal[
    "created", "amended", "retargeted", "metadata_set", "begun", "finished", "recovered",
    "status_changed", "progress_accounted", "terminal_candidate_requested", "evaluated",
    "continuation_claimed", "continuation_deferred", "continuation_started",
    "continuation_ended", "continuation_expired", "observed", "kept", "shown", "cleared",
    "sealed", "forked", "adopted", "imported",
]  # fmt: skip


@node
class Event(Node):
    """*changes* are the record's fields as they are from now on, in JSON; *details* what is worth
    knowing beside them (the reason, a retirement's checkpoint, an amendment's original)."""

    version: Literal[1] = 1
    kind: EventKind
    at: str
    actor: Actor
    changes: dict[str, Json] = field(default_factory=dict)
    details: dict[str, Json] = field(default_factory=dict)


@node
class Refused(Node):
    """A command of the inbox that was refused, for the audit."""

    at: str
    actor: Actor
    command: Command
    code: str
    message: str


@node
class Step(Node):
    """What a command comes to: the record after it, and the events between, perhaps none. A goal
    that ended or made way is *archived*, as it was at its end. A decision over the inbox goes on
    after a command of it that is *refused*; several goals may make way in one."""

    record: Record
    events: tuple[Event, ...] = ()
    archived: tuple[Record, ...] = ()
    refused: tuple[Refused, ...] = ()


class Refusal(Exception):
    """A command that changes nothing, and why. *code* is a word for machines, such as
    `not_a_person`. Whoever decides one says whose *command* it was, for the audit."""

    def __init__(
        self, code: str, message: str, command: Command | None = None, actor: Actor | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.command = command
        self.actor = actor
