"""Pins in a transcript: each a message of its lane that a compaction keeps, one for each key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...compiler.pin_kinds import LANES
from ...compiler.pinning import GOAL_KEY, Pin, reminder
from ..transcript.messages import metadata_of

REMINDER = "reminder"  # in the metadata: what a host knows of a reminder beside its body
OF_GOAL = "reminder_of"  # in the metadata: the goal that a reminder's pin was made of


def reminder_message(pin: Pin) -> dict[str, Any]:
    """The message of a pin, no person's and no model's."""
    lowered = reminder(pin)
    body, lane = lowered.pop("body"), lowered.pop("role_hint")
    made_of = {} if pin.of_goal is None else {OF_GOAL: pin.of_goal}
    return {
        "role": lane if lane in LANES else LANES[0],
        "content": body,
        "metadata": {"provenance": "synthetic", REMINDER: lowered, **made_of},
    }


def is_over(message: Any, goal: str | None) -> bool:
    """Is it the reminder of a goal's pin, and not of the goal named *goal*?"""
    of_goal = metadata_of(message).get(OF_GOAL)
    return isinstance(of_goal, str) and of_goal != goal and reminder_in(message) is not None


def reminders(messages: Sequence[Any], pins: Iterable[Pin]) -> list[dict[str, Any]]:
    """The reminders that stand after a compaction: those of *messages* that a compaction keeps, of
    one key the newest, and one of each pin. What was pinned and is not any more goes. The goal's
    own pin has none: the fold's block is its carrier, and there is one."""
    kept: dict[str, dict[str, Any]] = {}
    for message in messages:
        envelope = reminder_in(message)
        if envelope and envelope.get("preserve_on_compact") is True and not _is_pin(envelope):
            key = str(envelope.get("dedupe_key"))
            kept.pop(key, None)
            kept[key] = message
    for pin in pins:
        if pin.dedupe_key != GOAL_KEY:
            kept.pop(pin.dedupe_key, None)
            kept[pin.dedupe_key] = reminder_message(pin)
    return list(kept.values())


def reminder_in(message: Any) -> dict[str, Any] | None:
    """What a message says of the reminder that it is."""
    envelope = metadata_of(message).get(REMINDER)
    return envelope if isinstance(envelope, dict) else None


def _is_pin(envelope: dict[str, Any]) -> bool:
    tags = envelope.get("tags")
    return isinstance(tags, list) and "pin" in tags
