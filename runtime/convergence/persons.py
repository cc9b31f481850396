"""What a person says goes before everything that the loop would do."""

from __future__ import annotations

from ..lifecycle.commands import EndClaim, Input, Pause
from .course import Course
from .effects import AskToResume, Disarm
from .events import Interrupted, Restarted, Settled, Spoke
from .policy import TRAILING_CONTINUATIONS

_STOPPED = ("paused", "blocked")


def person(course: Course) -> str | None:
    match course.event:
        case Spoke():
            _disarm(course, "a person's message was accepted")
            course.forgive()
            course.do(Input(), "person")
            course.keep(person_waits=True, fresh=False, reminders=0)
            return "person_spoke"
        case Interrupted():
            return _interrupted(course)
        case Settled(stop="interrupted"):
            return _interrupted(course)
        case Settled(by="person"):
            course.keep(person_waits=False)
        case Restarted(trailing=trailing) if trailing >= TRAILING_CONTINUATIONS:
            course.keep(held=True)
        case Restarted() if course.policy.interactive and course.record.status.name in _STOPPED:
            course.effects.append(AskToResume(course.record.status.reason or ""))
            return "ask_first"
    if course.state.person_waits:
        return "person_waits"
    return "held" if course.state.held else None


def _interrupted(course: Course) -> str:
    _disarm(course, "a person interrupted")
    if course.record.status.name in ("active", "parked", "blocked"):
        course.do(Pause(reason="a person interrupted"))
    return "interrupted"


def _disarm(course: Course, reason: str) -> None:
    claim = course.record.claim
    if claim is not None:
        course.do(EndClaim(key=claim.key, owner=claim.owner, failed=reason))
        course.effects.append(Disarm(claim.key, reason))
