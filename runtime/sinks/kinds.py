"""What a sink is told of each kind of event: in words for people, and as a few details. The journal
has all of an event; a notice has what somebody who watches the run wants to know, and is small
whatever the goal, the facts or the outputs are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...compiler.ir.node import Json

MAX_TEXT = 2_000  # characters of a text; a longer one is cut, with a mark
MAX_ENTRIES = 64  # of a list or an object; what is over is left out


@dataclass(frozen=True, slots=True)
class Kind:
    """*words* say what happened. *details* have the place of each in the event: of what it says
    beside its changes, or of what it changed in the record."""

    words: str
    details: Mapping[str, str] = field(default_factory=dict)

    def said(self, event: Mapping[str, Any]) -> dict[str, Json]:
        """The details of *event*, which has `details` and `changes`; what it lacks is left out."""
        found = ((name, _at(event, place)) for name, place in self.details.items())
        return {name: bounded(value) for name, value in found if value is not None}


def _at(event: Any, place: str) -> Any:
    for key in place.split("."):
        if not isinstance(event, Mapping) or key not in event:
            return None
        event = event[key]
    return event


def bounded(value: Any) -> Json:
    """*value*, where it is short; else what a notice has room for."""
    if isinstance(value, str):
        return value if len(value) <= MAX_TEXT else f"{value[: MAX_TEXT - 1]}…"
    if isinstance(value, Mapping):
        return dict(_first((key, bounded(one)) for key, one in value.items()))
    if isinstance(value, list | tuple):
        return list(_first(bounded(one) for one in value))
    return value


def _first(entries: Iterator[Any]) -> Iterator[Any]:
    return (entry for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False))


def _beside(*names: str) -> dict[str, str]:
    return {name: f"details.{name}" for name in names}


_STATUS = {
    "reason": "changes.status.reason",
    "until": "changes.status.until",
    "mechanical": "changes.status.mechanical",
    "ending": "changes.status.ending",
}

KINDS: Mapping[str, Kind] = {
    "created": Kind(
        "the session got a goal",
        {
            "replaced": "details.replaced",
            "contract": "changes.goal.contract",
            "status": "changes.status.name",
        },
    ),
    "amended": Kind(
        "the goal was amended",
        {**_beside("reason", "changed"), "contract": "changes.goal.contract"},
    ),
    "retargeted": Kind(
        "the goal has a new objective",
        {**_beside("control_id"), "contract": "changes.goal.contract"},
    ),
    "metadata_set": Kind("what is kept about the goal changed"),
    "begun": Kind("a run's turn began", _beside("run", "claim")),
    "finished": Kind("the turn was closed", _beside("run", "failed", "reason")),
    "recovered": Kind("a turn that never returned was closed", _beside("run", "failed")),
    "status_changed": Kind(
        "the goal stands otherwise",
        {"from": "details.from", "to": "changes.status.name", **_STATUS},
    ),
    "progress_accounted": Kind(
        "a settled run was charged",
        {**_beside("settlement", "usage"), "total": "changes.usage"},
    ),
    "terminal_candidate_requested": Kind(
        "the agent proposed an end",
        {"outcome": "changes.candidate.outcome", "reason": "changes.candidate.reason"},
    ),
    "evaluated": Kind("an evaluation has its answer", _beside("evaluation", "outcome", "reason")),
    "continuation_claimed": Kind(
        "somebody has the next continuation",
        {
            **_beside("key", "owner"),
            "attempt": "changes.claim.attempt",
            "expires_at": "changes.claim.expires_at",
        },
    ),
    "continuation_deferred": Kind(
        "the continuation is tried again later", _beside("key", "retry_at", "reason")
    ),
    "continuation_started": Kind("the host has the continuation", _beside("key")),
    "continuation_ended": Kind("the continuation began, or failed", _beside("key", "failed")),
    "continuation_expired": Kind(
        "nobody answered for the continuation in time", _beside("key", "owner", "was")
    ),
    "observed": Kind("the facts were taken, and something of them is new"),
    "kept": Kind(
        "the loop remembers something else",
        {
            "outcomes": "changes.loop.outcomes",
            "drift": "changes.loop.drift",
            "exhibit": "changes.loop.exhibit",
        },
    ),
    "shown": Kind("the dashboard was shown or hidden", _beside("hidden")),
    "cleared": Kind("the goal is gone", _beside("reason")),
    "sealed": Kind("the run was cancelled, and its record sealed", _beside("reason")),
    "forked": Kind("the session began as the fork of another", _beside("from", "carry")),
    "adopted": Kind("the session took over another's goal", _beside("from")),
    "imported": Kind("the session got an exported goal", _beside("session", "generation")),
    "auto_continued": Kind("a continuation began by itself", _beside("key")),
    "retry_scheduled": Kind("what failed is tried again", _beside("what", "attempt", "reason")),
    "retry_exhausted": Kind(
        "what failed is not tried again", _beside("what", "attempts", "reason")
    ),
    "error": Kind(
        "a run ended with an error, or what was asked was refused",
        _beside("error", "detail", "code", "message"),
    ),
}
"""The kinds of the journal's events, and last the four that the loop tells beside them."""
