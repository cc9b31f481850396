"""How the goal stands: paused and resumed, parked and woken, blocked, limited, done, over.

Every way back to `active` asks first whether the budget is exhausted and whether there is anything
to meet, so that no path leads round it.
"""

from __future__ import annotations

from ..host.obligations import blocked_for_criteria
from ..record.parts import StatusName
from ..record.times import DAY, BadTime, read_stamp, write_stamp
from .budget import enforced, exhausted
from .commands import Block, Complete, End, Input, Limit, Park, Pause, Resume
from .draft import Draft, need_status, need_text
from .events import Refusal

NO_CRITERIA = "criteria: the new objective has none of its own"
MAX_WAIT = DAY  # of a park, and of whatever else waits for the clock

_ACTIVE: frozenset[StatusName] = frozenset({"active"})
_RUNNING: frozenset[StatusName] = frozenset({"active", "parked"})
_STOPPABLE: frozenset[StatusName] = frozenset({"active", "parked", "blocked"})
_STOPPED: frozenset[StatusName] = frozenset({"paused", "parked", "blocked"})
UNFINISHED: frozenset[StatusName] = _STOPPED | {"active", "budget_limited"}


def pause(draft: Draft, command: Pause) -> None:
    need_status(
        draft.record, "pause", _STOPPABLE, "only one that is active, parked or blocked can pause"
    )
    draft.stand("paused", _optional(command.reason))


def resume(draft: Draft, command: Resume) -> None:
    record = draft.record
    if record.status.name == "budget_limited":
        raise Refusal(
            "budget_exhausted",
            f"cannot resume: the budget is exhausted ({record.status.reason}); amend the goal "
            "with a higher one (`goal amend`)",
        )
    need_status(record, "resume", _STOPPED, "only one that is paused, parked or blocked resumes")
    if record.goal is not None and blocked_for_criteria(record.goal):
        raise Refusal(
            "no_criteria",
            "cannot resume: a retarget left the goal without criteria; amend it with some "
            "(`goal amend`), or complete or clear it",
        )
    activate(draft, "a person resumed it")


def activate(draft: Draft, reason: str) -> None:
    """The goal is active again; or limited, where its budget is exhausted and the last turn was
    evaluated, or blocked for want of criteria."""
    goal = draft.record.goal
    assert goal is not None
    reached = exhausted(goal.budget, draft.record.usage)
    if reached is not None and draft.record.pending is None:
        draft.stand("budget_limited", reached)
    elif blocked_for_criteria(goal):
        draft.stand("blocked", NO_CRITERIA)
    else:
        draft.stand("active", reason)


def park(draft: Draft, command: Park) -> None:
    need_status(draft.record, "park", _ACTIVE, "only an active goal parks")
    reason = need_text(command.reason, "reason", "what the goal waits for")
    draft.stand("parked", reason, until=need_wait(command.until, "until", draft))


def need_wait(text: str, place: str, draft: Draft) -> str:
    """A time to wait for: after now, within MAX_WAIT."""
    try:
        until = read_stamp(text)
    except BadTime as error:
        raise Refusal("bad_time", f"{place}: {error}") from None
    if until <= draft.now:
        raise Refusal("bad_time", f"{place}: {text} is over; now it is {write_stamp(draft.now)}")
    if until > draft.now + MAX_WAIT:
        raise Refusal(
            "too_long",
            f"{place}: {text} is more than 24 hours from now ({write_stamp(draft.now)}): wait "
            "for that long at most, then look again",
        )
    return text


def block(draft: Draft, command: Block) -> None:
    need_status(draft.record, "block", _RUNNING, "only one that is active or parked blocks")
    reason = need_text(command.reason, "reason", "what the goal needs to go on")
    draft.stand("blocked", reason, mechanical=command.mechanical)


def take_input(draft: Draft, command: Input) -> None:
    """A message lifts a mechanical block, and tells nothing of any other state."""
    if draft.record.status.name == "blocked" and draft.record.status.mechanical:
        activate(draft, "a person's message was accepted")


def limit(draft: Draft, command: Limit) -> None:
    need_status(draft.record, "limit", _RUNNING, "only one that is active or parked is limited")
    reason, goal = need_text(command.reason, "reason", "what was reached"), draft.record.goal
    assert goal is not None
    if exhausted(enforced(goal.budget, command.turns), draft.record.usage) is None:
        raise Refusal(
            "not_reached",
            "what was charged reaches no limit of the goal's budget: settle what its runs took "
            "first, and let it continue until then",
        )
    draft.stand("budget_limited", reason)


def complete(draft: Draft, command: Complete) -> None:
    if draft.actor == "person":
        need_status(draft.record, "complete", UNFINISHED, "create a new goal for more")
        draft.stand("complete", _optional(command.reason) or "a person's word")
    else:
        need_status(draft.record, "complete", _ACTIVE, "only an active goal is found complete")
        draft.stand("complete", need_text(command.reason, "reason", "what showed it"))


def end(draft: Draft, command: End) -> None:
    allowed = UNFINISHED if draft.actor == "person" else _RUNNING
    need_status(draft.record, "end", allowed, "there is no run to end")
    reason = need_text(command.reason, "reason", "why the goal is not shown to be met")
    draft.stand("ended", reason, ending=command.ending)


def _optional(text: str | None) -> str | None:
    return (text or "").strip() or None
