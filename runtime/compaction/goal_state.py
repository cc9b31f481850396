"""What a boundary asks the record about: a session's goal, and whether it is being pursued now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias

from ...compiler.ir.document import Goal

Status: TypeAlias = Literal[
    "active", "paused", "parked", "blocked", "budget_limited", "complete", "ended", "cleared"
]


@dataclass(frozen=True, slots=True)
class GoalState:
    """A goal as the record has it, what a retarget retired included. *generation* counts what
    changed it; *until* is when one that is parked goes on, and its time has a zone."""

    goal: Goal
    status: Status = "active"
    generation: int = 0
    until: datetime | None = None

    def __post_init__(self) -> None:
        if (self.status == "parked") != (self.until is not None):
            raise ValueError("`until` says when a parked goal goes on, and belongs to no other")
        if self.until is not None and self.until.tzinfo is None:
            raise ValueError("`until` has no time zone")

    def is_live(self, now: datetime) -> bool:
        """Is it pursued at the time *now*? Only then is it carried over a boundary."""
        if now.tzinfo is None:
            raise ValueError("`now` has no time zone")
        return self.status == "active" or (self.until is not None and self.until <= now)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The record is there and cannot be read: nobody knows whether its goal still holds."""

    reason: str


State: TypeAlias = GoalState | Unreadable | None
"""None: the session has no goal."""


def forked(state: State, carry: bool) -> State:
    """The state of a session that is forked off: no goal, or with *carry* a snapshot of its
    parent's, which is paused until a person resumes it. So a goal never has two owners."""
    if not carry or state is None:
        return None
    if isinstance(state, Unreadable):
        return state
    return replace(state, status="paused", until=None) if _may_go_on(state) else state


def _may_go_on(state: GoalState) -> bool:
    return state.status not in ("complete", "ended", "cleared")
