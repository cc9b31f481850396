"""The continuation: claimed first, then given to the driver, under a key that stays the same until
its run began or it cannot be."""

from __future__ import annotations

from ..lifecycle.commands import TakeClaim
from ..record.parts import Claim
from ..record.times import SECOND, read_stamp, write_stamp
from .course import Course
from .effects import Continue
from .policy import CLAIM, GRACE, TURNS_WITHOUT_TOOL


def claim(course: Course) -> str | None:
    turn = course.state.turn
    if turn is not None and turn.by == "person" and turn.stop == "end":
        due = write_stamp(read_stamp(turn.at) + int(GRACE * SECOND))
        if course.before(due):
            course.wake_at(due, "grace")
            return "grace"
    course.do(TakeClaim(owner=course.policy.owner, seconds=CLAIM))
    assert course.record.claim is not None
    give(course, course.record.claim)
    return "continuing"


def give(course: Course, claim: Claim) -> None:
    """Have the driver start the continuation, and look again where nobody answers."""
    state = course.state
    cut_short = state.turn is not None and state.turn.stop in ("length", "error")
    minimal = cut_short and state.prompt.kind == "full"
    course.effects.append(
        Continue(
            key=claim.key,
            prompt="minimal" if minimal else state.prompt.kind,
            feedback=state.prompt.feedback,
            turns_without_tool=state.guards.without_tool,
            stalled=state.guards.without_tool >= TURNS_WITHOUT_TOOL,
            monitors=state.monitors > 0,
        )
    )
    course.wake_at(claim.expires_at, "the continuation begins")
