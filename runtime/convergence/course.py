"""One decision's work in progress: the record and the state as the commands so far have made them,
and what the driver is to do. Commands are decided by the lifecycle at once, so that each stage sees
what the ones before it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...compiler.ir.document import Budget, Goal, Judge
from ..lifecycle import Command, Event, decide_among
from ..record.parts import Actor, Record
from ..record.times import SECOND, read_stamp, write_stamp
from ..verdict import Verdict
from .effects import LoopEffect, LoopEventKind, Tell, WakeAt
from .events import LoopEvent
from .policy import Policy
from .state import Guards, State


@dataclass(slots=True)
class Course:
    """*now* is the event's time, or that of the record's last change where the clock went back."""

    event: LoopEvent
    verdict: Verdict | None
    policy: Policy
    record: Record
    state: State
    effects_seen: tuple[str, ...]
    gates: Mapping[str, str | None] | None
    now: int
    is_new: bool = False  # is a settlement charged now that was not charged before?
    was_asked: str | None = None  # the evaluation that the event judges
    asked_mode: str = "full"
    commands: list[tuple[Command, Actor]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    archived: tuple[Record, ...] = ()
    effects: list[LoopEffect] = field(default_factory=list)

    @property
    def goal(self) -> Goal:
        assert self.record.goal is not None
        return self.record.goal

    @property
    def judge(self) -> Judge | None:
        """The goal's judge, where the host can ask one."""
        return self.goal.judge if self.policy.judges else None

    @property
    def budget(self) -> Budget:
        return self.policy.budget_of(self.goal)

    def do(self, command: Command, actor: Actor = "runtime") -> None:
        """Raises Refusal."""
        step = decide_among(self.record, command, actor, write_stamp(self.now))
        self.record = step.record
        self.commands.append((command, actor))
        self.events += step.events
        self.archived += step.archived

    def keep(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def guard(self, **fields: Any) -> None:
        self.keep(guards=replace(self.state.guards, **fields))

    def forgive(self) -> None:
        """A person acted: what the guards counted, and how the last run ended, is past."""
        self.keep(guards=Guards(), turn=None, held=False, judge_at=None)

    def later(self, seconds: float) -> str:
        return write_stamp(self.now + int(seconds * SECOND))

    def before(self, at: str | None) -> bool:
        return at is not None and self.now < read_stamp(at)

    def wake_at(self, at: str, why: str) -> None:
        self.effects.append(WakeAt(at, why))

    def tell(self, kind: LoopEventKind, **details: Any) -> None:
        self.effects.append(Tell(kind, details))
