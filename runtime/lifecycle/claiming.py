"""The one continuation that may be on its way.

A claim's key is the same until its continuation began or failed: one that expired is taken again
under it, so that a host which heard of it already can tell.
"""

from __future__ import annotations

from dataclasses import replace

from ..record.checking import claim_key
from ..record.parts import Claim, Record
from ..record.times import SECOND, read_stamp, write_stamp
from .budget import exhausted
from .commands import DeferClaim, EndClaim, StartClaim, TakeClaim, Wake
from .draft import Draft, need_goal, need_status, need_text
from .events import Refusal
from .standing import MAX_WAIT, activate, need_wait


def take_claim(draft: Draft, command: TakeClaim) -> None:
    owner = need_text(command.owner, "owner", "who continues")
    if not 0 < command.seconds * SECOND <= MAX_WAIT:
        raise Refusal("too_long", f"a claim lasts 1 second to 24 hours, not {command.seconds} s")
    record, held = draft.record, draft.record.claim
    need_status(record, "continue", frozenset({"active"}), "only an active goal continues")
    _need_room(record)
    if held is not None and is_live(held, draft.now):
        if held.owner == owner:
            return  # asked again
        raise Refusal(
            "claim_held",
            f"{held.owner} has the continuation {held.key}, {held.state} until "
            f"{held.retry_at or held.expires_at}: leave it to it",
        )
    if held is not None and held.state != "deferred":
        _expire(draft, held)
    ordinal = record.continuations + 1
    claim = Claim(
        key=claim_key(record, ordinal),
        state="claimed",
        owner=owner,
        ordinal=ordinal,
        attempt=0 if held is None else held.attempt + 1,
        expires_at=write_stamp(draft.now + command.seconds * SECOND),
    )
    draft.happen("continuation_claimed", {"key": claim.key, "owner": owner}, claim=claim)


def _need_room(record: Record) -> None:
    """Refuse a continuation beside an open turn, or beyond the budget."""
    if record.turn.state == "open":
        raise Refusal(
            "turn_open",
            f"the run {record.turn.run} is at work since {record.turn.opened_at}: finish it "
            "first, or recover it where it died",
        )
    reached = None if record.goal is None else exhausted(record.goal.budget, record.usage)
    if reached is not None:
        raise Refusal(
            "budget_exhausted", f"no further continuation, the budget is exhausted ({reached})"
        )


def is_live(claim: Claim, now: int) -> bool:
    """Does *claim* keep others out at the time *now*?"""
    ends = claim.retry_at if claim.state == "deferred" else claim.expires_at
    return ends is not None and now < read_stamp(ends)


def _expire(draft: Draft, claim: Claim) -> None:
    """The claim's owner has lost it: whoever asks next takes it, and it stays due until then."""
    due = replace(claim, state="deferred", expires_at="", retry_at=write_stamp(draft.now))
    details = {"key": claim.key, "owner": claim.owner, "was": claim.state}
    draft.happen("continuation_expired", details, claim=due)


def defer_claim(draft: Draft, command: DeferClaim) -> None:
    claim = _own(draft.record, command.key, command.owner, "defer")
    retry_at = need_wait(command.retry_at, "retry_at", draft)
    deferred = replace(claim, state="deferred", expires_at="", retry_at=retry_at)
    details = {"key": claim.key, "retry_at": retry_at, "reason": command.reason}
    draft.happen("continuation_deferred", details, claim=deferred)


def start_claim(draft: Draft, command: StartClaim) -> None:
    claim = _own(draft.record, command.key, command.owner, "start")
    if not is_live(claim, draft.now) or claim.state == "deferred":
        raise Refusal(
            "claim_over",
            f"the claim {claim.key} is {claim.state} and not held any more: take it again, which "
            "gives the same key, before you start it",
        )
    if claim.state == "claimed":
        started = replace(claim, state="started")
        draft.happen("continuation_started", {"key": claim.key}, claim=started)


def end_claim(draft: Draft, command: EndClaim) -> None:
    claim = _own(draft.record, command.key, command.owner, "end")
    failed = None
    if command.failed is not None:
        failed = need_text(command.failed, "failed", "why the continuation cannot be")
    elif claim.state != "started":
        raise Refusal(
            "claim_not_started",
            f"the continuation {claim.key} is {claim.state}, so no run began of it: start it "
            "first, or say why it failed",
        )
    details = {"key": claim.key, "failed": failed}
    draft.happen("continuation_ended", details, claim=None, continuations=claim.ordinal)


def _own(record: Record, key: str, owner: str, asked: str) -> Claim:
    """The record's claim, which is *owner*'s under *key*."""
    claim = record.claim
    if claim is None or claim.key != key:
        there = "there is none" if claim is None else f"{claim.key} is there"
        raise Refusal(
            "stale_claim",
            f"cannot {asked} the continuation {key}: {there}; drop it, its goal went on without it",
        )
    if claim.owner != owner:
        raise Refusal("claim_held", f"cannot {asked} the continuation {key}: it is {claim.owner}'s")
    return claim


def wake(draft: Draft, command: Wake) -> None:
    record = draft.record
    need_goal(record, "wake")
    due = wake_at(record)
    if due is None:
        raise Refusal("nothing_to_wake", "the goal waits for no time")
    if draft.now < read_stamp(due):
        raise Refusal("too_early", f"the goal waits until {due}: ask again then")
    if record.claim is None:
        activate(draft, f"the wait is over: {record.status.reason}")
    elif record.claim.state != "deferred":  # which is free to take, now that its time has come
        _expire(draft, record.claim)


def wake_at(record: Record) -> str | None:
    """When the record's next wait is over: a park's, a deferred claim's or a held one's."""
    if record.status.name == "parked":
        return record.status.until
    claim = record.claim
    if claim is None:
        return None
    return claim.retry_at if claim.state == "deferred" else claim.expires_at
