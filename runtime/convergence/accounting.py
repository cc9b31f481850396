"""What a run took is charged once, by its settlement's id, whatever is decided: the stage charges
it, and where an earlier stage decided, it is charged all the same.

A turn is a run that settled. Its tokens are those that the model read anew and those that it wrote;
what came from a cache is free.
"""

from __future__ import annotations

from dataclasses import replace

from ..lifecycle.budget import charged
from ..lifecycle.commands import EndClaim, Finish, Settle
from .course import Course
from .effects import Disarm
from .events import Charged, Proposed, Settled
from .guards import follows_last_settlement, note_settled, note_unannounced
from .state import LastTurn


def tokens_used(input_tokens: int, cached_input_tokens: int, output_tokens: int) -> int:
    """The tokens that a budget counts: input without what a cache had, and output."""
    return max(input_tokens - cached_input_tokens, 0) + output_tokens


def account(course: Course) -> str | None:
    charge(course)
    match course.event:
        case Proposed():
            return "proposed"
        case Charged():
            return "charged"
    return None


def charge(course: Course) -> None:
    """Charge what the event's run took, unless it was before, and close its turn."""
    match course.event:
        case Settled() as event:
            if course.is_new:
                course.is_new = False
                _settle(course, event)
            turn = course.record.turn
            if turn.state == "open" and turn.run == event.run and not course.record.sealed:
                course.do(Finish(run=event.run, failed=event.stop == "error", reason=event.detail))
        case Charged(_, settlement, usage) if course.is_new:
            course.is_new = False
            pending = course.record.pending
            output = "" if pending is None else pending.output
            used = replace(usage, turns=0)
            followed = follows_last_settlement(course)
            _charge(course, Settle(settlement=settlement, usage=used, output=output, part=True))
            if followed:  # a part of a run is none that settled since
                course.keep(continued_after=settlement)


def _settle(course: Course, event: Settled) -> None:
    claim, candidate = course.record.claim, course.record.candidate
    if claim is not None:
        failed = None if claim.state == "started" else "a run settled before it began"
        course.do(EndClaim(key=claim.key, owner=claim.owner, failed=failed))
        if failed is not None:
            course.effects.append(Disarm(claim.key, failed))
    if event.by == "continuation":
        note_unannounced(course)
        course.keep(told=course.state.outcomes)
    usage = event.usage
    if candidate is not None and candidate.outcome == "complete":
        usage = replace(usage, attempts=usage.attempts + 1)
    _charge(course, Settle(settlement=event.settlement, usage=usage, output=event.output))
    note_settled(course, event)
    asked = course.state.asked
    if asked is not None and asked.what == "facts":
        course.keep(asked=None)  # they were taken while it ran
    course.keep(
        turn=LastTurn(
            settlement=event.settlement,
            at=course.later(0),
            by=event.by,
            stop=event.stop,
            error=event.error,
            detail=event.detail,
            retry_at=event.retry_at,
        ),
        path="immediate",
        fresh=False,
        monitors=event.monitors,
        released=False,
        delayed=event.monitors > 0,
    )


def _charge(course: Course, command: Settle) -> None:
    """The ledger is the session's: another goal's charges stay in it. What a turn did that is older
    than the goal is charged nowhere."""
    before = course.record.usage
    course.do(command)
    if course.record.usage != before:
        ledger = course.state.ledger
        course.keep(ledger=replace(ledger, session=charged(ledger.session, command.usage)))
