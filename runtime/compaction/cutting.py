"""Where a transcript may be cut: never between a call and its result, nor inside a host's row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ..transcript import call_ids, has_role, is_machine_user, result_id
from ..transcript.messages import free_place
from ..transcript.shape import JOINED


def cut(messages: Sequence[Any], keep_first: int, keep_last: int) -> tuple[int, int]:
    """The first and the end of the messages that a summary may stand for: what opens the transcript
    as instructions stays, and so many messages after it and at the end; more, where less would tear
    something apart, or leave two messages of machines side by side in the user's place."""
    whole = _whole_places(messages)
    opening = instructions_end(messages)
    first = min(opening + max(keep_first, 0), len(messages))
    while first and not (whole[first] and not is_machine_user(messages[first - 1])):
        first -= 1
    end = max(len(messages) - max(keep_last, 0), first)
    while end > first and not (whole[end] and not _is_machine(messages, end)):
        end -= 1
    return (first, end) if first >= opening else (opening, opening)


def instructions_end(messages: Sequence[Any]) -> int:
    """How many messages of the system and the developer open the transcript."""
    for at, message in enumerate(messages):
        if not has_role(message, "system", "developer"):
            return at
    return len(messages)


def _is_machine(messages: Sequence[Any], at: int) -> bool:
    return at < len(messages) and is_machine_user(messages[at])


def _whole_places(messages: Sequence[Any]) -> list[bool]:
    """For each place between messages, both ends included: is nothing torn apart there?"""
    inside = [0] * (len(messages) + 2)  # at each place, how many rounds begin less how many end
    open_calls: dict[str, list[int]] = {}
    for at, message in enumerate(messages):
        for id in call_ids(message):
            open_calls.setdefault(id, []).append(at)
        answered = result_id(message)
        if answered is not None and open_calls.get(answered):
            inside[open_calls[answered].pop() + 1] += 1
            inside[at + 1] -= 1
    pending = free_place(messages)
    if pending < len(messages):
        inside[pending + 1] += 1  # their results are still to come
    torn = list(accumulate(inside))[: len(messages) + 1]
    return [not torn[at] and not _is_joined(messages, at) for at in range(len(messages) + 1)]


def _is_joined(messages: Sequence[Any], at: int) -> bool:
    message = messages[at] if at < len(messages) else None
    return isinstance(message, dict) and message.get(JOINED) is True
