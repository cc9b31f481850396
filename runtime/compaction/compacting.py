"""A compaction around any summarizer: what is pinned is kept by construction, not by its grace.

In order: what earlier folds wrote is taken out, stale tool results are reclaimed, the messages
between the kept ones make way for a summary, reminders are put back, the contract is folded in from
the record, and the result is verified. Where there is no summary, nothing is lost: the transcript
stays as it was, with the contract folded in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ...compiler.pinning import Pin, Root, compaction_policy, pin_roots
from ..transcript import text_of
from .blocks import found_in, may_hold, sha256, stamped
from .cutting import cut, instructions_end
from .folding import Fold, fold, put, take_out, without_folds
from .goal_state import State, Unreadable
from .reminding import reminder_in, reminders
from .summarizing import (
    SUMMARY_HEADER,
    Summarizer,
    SummaryError,
    SummaryRequest,
    instructions_of,
    summary_of,
)
from .verifying import Report, verify_fold

if TYPE_CHECKING:
    from ..reachability import Policy, Projection


@dataclass(frozen=True, slots=True)
class Plan:
    """How to compact. What opens the transcript as instructions stays, *keep_first* messages after
    it, and the last *keep_last*. *policy* is the host's own, which the pins' joins. With *reclaim*
    stale tool results that mention nothing of the pins and *roots* go. *room* is how many
    characters the goal's block may have."""

    keep_first: int = 0
    keep_last: int = 12
    pins: tuple[Pin, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)
    reclaim: Policy | None = None
    roots: tuple[Root | str, ...] = ()
    room: int | None = None


@dataclass(frozen=True, slots=True)
class Compaction:
    """A transcript after a compaction. *summarized* messages made way for the summary; *error* says
    why there is none. *reclaimed* has what became of each tool result."""

    messages: list[Any]
    fold: Fold
    report: Report
    summarized: int = 0
    reclaimed: Projection | None = None
    error: str | None = None


def compact(
    messages: Sequence[Any], plan: Plan, summarize: Summarizer, state: State, now: datetime
) -> Compaction:
    """*messages* compacted at the time *now*, with the goal of *state* carried over. Raises
    PinError where the policy of *plan* is none."""
    instructions = instructions_of(plan.policy)
    plan = replace(plan, pins=_in_force(plan.pins, state, now))
    refused = fold(messages, state, now, plan.room)
    if refused.outcome == "refused":
        return _uncompacted(messages, refused, state, now, refused.reason)
    left = _without_reminders(without_folds(messages))
    projection = _reclaimed(left, plan)
    if projection is not None:
        left = list(projection.messages)
    first, end = cut(left, plan.keep_first, plan.keep_last)
    if first < end:
        try:
            summary = _summarized(left[first:end], plan, instructions, summarize)
        except SummaryError as error:
            return _uncompacted(messages, refused, state, now, str(error))
        left[first:end] = [summary]
    opening = instructions_end(left)
    left[opening:opening] = reminders(messages, plan.pins)
    folded = _carried(messages, left, state, now)
    report = verify_fold(messages, folded.messages, state, now)
    return Compaction(folded.messages, folded, report, end - first, projection)


def _uncompacted(
    messages: Sequence[Any], folded: Fold, state: State, now: datetime, error: str
) -> Compaction:
    report = verify_fold(messages, folded.messages, state, now)
    return Compaction(folded.messages, folded, report, error=error)


def _without_reminders(messages: list[Any]) -> list[Any]:
    """*messages* without the reminders that are put back."""
    for at in range(len(messages) - 1, -1, -1):
        envelope = reminder_in(messages[at])
        if envelope is not None and envelope.get("preserve_on_compact") is True:
            take_out(messages, at)
    return messages


def _reclaimed(messages: Sequence[Any], plan: Plan) -> Projection | None:
    if plan.reclaim is None:
        return None
    from ..reachability import reclaim

    return reclaim(messages, (*pin_roots(plan.pins), *plan.roots), plan.reclaim)


def _in_force(pins: tuple[Pin, ...], state: State, now: datetime) -> tuple[Pin, ...]:
    """*pins* without those of a goal that is not pursued; nobody knows where the record cannot be
    read."""
    if isinstance(state, Unreadable):
        return pins
    goal = state.goal.id if state is not None and state.is_live(now) else None
    return tuple(pin for pin in pins if pin.of_goal in (None, goal))


def _summarized(
    messages: Sequence[Any], plan: Plan, instructions: str, summarize: Summarizer
) -> dict[str, Any]:
    """The message of the summary. The pins are in the policy, for whoever hands it on, and not in
    the instructions: they are put back whatever the summary says."""
    policy = compaction_policy(plan.pins, plan.policy, preserve_labels=True)
    text = summary_of(summarize, SummaryRequest(messages, instructions, policy))
    return {
        "role": "user",
        "content": f"{SUMMARY_HEADER}\n\n{text}",
        "metadata": {"provenance": "summary"},
    }


def _carried(before: Sequence[Any], left: list[Any], state: State, now: datetime) -> Fold:
    """The fold over *left*; where the record cannot be read, the newest block that was there."""
    if not isinstance(state, Unreadable):
        return fold(left, state, now)
    left = without_folds(left)  # a summary may quote it
    kept = fold(left, state, now)
    newest = _newest_block(before)
    if newest is None:
        return kept
    block, stamp = newest
    place = put(left, block, {**stamp, "sha256": sha256(block), "stale": True})
    return Fold(left, kept.outcome, kept.reason, place)


def _newest_block(messages: Sequence[Any]) -> tuple[str, Mapping[str, Any]] | None:
    for message in reversed(messages):
        if may_hold(message):
            blocks = [block for block in found_in(text_of(message)) if block.whole]
            if blocks:
                return blocks[-1].text, stamped(message) or {}
    return None
