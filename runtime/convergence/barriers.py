"""What there is to wait for, before anything is looked at: the goal's own standing, a run at work,
a continuation on its way, monitors beside the agent."""

from __future__ import annotations

from ..lifecycle import wake_at
from ..lifecycle.budget import reached
from ..lifecycle.commands import Block, EndClaim, Wake
from ..record.parts import Claim
from ..record.times import SECOND, read_stamp, write_stamp
from .continuing import give
from .course import Course
from .events import Charged, Proposed, Restarted, Settled
from .policy import ATTEMPTS, MONITOR_WAIT


def barrier(course: Course) -> str | None:
    record = course.record
    due = wake_at(record)
    if due is not None and not course.before(due):
        _wake(course)
    status = course.record.status
    if status.name == "parked":
        assert status.until is not None
        course.wake_at(status.until, status.reason or "")
    if status.name != "active":
        return status.name
    if _is_at_work(course):
        return "turn_open"
    if course.record.claim is not None:
        waits = _on_its_way(course, course.record.claim)
        if waits is not None:
            return waits
    if isinstance(course.event, Charged | Proposed):
        return None  # neither ends a wait
    return _monitors(course)


def _wake(course: Course) -> None:
    """A park is over, or a claim: nobody answered for it, unless it was deferred."""
    claim = course.record.claim
    if claim is not None and claim.state != "deferred":
        course.guard(failures=course.state.guards.failures + 1)
    course.do(Wake())


def _is_at_work(course: Course) -> bool:
    turn, event = course.record.turn, course.event
    ends = isinstance(event, Settled) and event.run == turn.run
    return turn.state == "open" and not ends


def _on_its_way(course: Course, claim: Claim) -> str | None:
    if isinstance(course.event, Settled) and course.is_new:
        return None  # what settled comes first, and ends the claim
    failures = course.state.guards.failures
    if failures >= ATTEMPTS:
        said = f"the continuation could not be started: {failures} attempts"
        course.tell("retry_exhausted", what="continuation", attempts=failures, reason=said)
        course.do(EndClaim(key=claim.key, owner=claim.owner, failed=said))
        course.do(Block(reason=said, mechanical=True))
        return "retry_exhausted"
    if claim.state == "deferred":
        if course.before(claim.retry_at):
            assert claim.retry_at is not None
            course.wake_at(claim.retry_at, "the session is busy")
            return "deferred"
        return None
    if isinstance(course.event, Restarted) and claim.owner == course.policy.owner:
        if reached(course.budget, course.record.usage):  # by what was charged since it was claimed
            course.do(EndClaim(key=claim.key, owner=claim.owner, failed="the budget is used up"))
            return None
        give(course, claim)
        return "recovered"
    course.wake_at(claim.expires_at, "the continuation begins")
    return "single_flight" if claim.owner == course.policy.owner else "claim_held"


def _monitors(course: Course) -> str | None:
    """Give the monitors time to wake the agent, once for each settled run."""
    event = course.event
    if isinstance(event, Settled) and course.is_new:
        running, since = event.monitors, course.now
    else:
        turn = course.state.turn
        if turn is None or course.state.released:
            return None
        running, since = course.state.monitors, read_stamp(turn.at)
    due = write_stamp(since + int(MONITOR_WAIT * SECOND))
    if not running:
        return None
    if not course.before(due):
        course.keep(released=True)
        return None
    course.keep(delayed=True)
    course.wake_at(due, "monitors run")
    return "monitors"
