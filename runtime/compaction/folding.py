"""The fold: at a boundary the goal's block is rendered from the record again, and stands in the
transcript once.

It joins the user's last message where the transcript ends with one, and is a message of its own
else, never between a call and its result. It is total over any list of JSON values, changes only
the messages that it must, and folding twice is folding once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from ..transcript import has_role, is_machine_user, provenance_of, text_of
from ..transcript.messages import free_place, metadata_of
from .blocks import (
    GAP,
    STAMP,
    block_of,
    bodies_in,
    contract_in,
    found_in,
    gone,
    may_hold,
    stamp_of,
    stamped,
    without_blocks,
)
from .goal_state import GoalState, State, Unreadable
from .reminding import is_over

Outcome: TypeAlias = Literal["folded", "carried", "absent", "kept", "refused"]


@dataclass(frozen=True, slots=True)
class Fold:
    """A transcript after a boundary.

    The contract stands at *place*: a block of it (`folded`), or the continuation that opened the
    turn (`carried`). `absent`: no goal is pursued, and nothing of one is left. `kept`: the record
    could not be read, and what was there stays, marked as stale. `refused`: the block has no room,
    and nothing was changed.
    """

    messages: list[Any]
    outcome: Outcome
    reason: str
    place: int | None = None


def fold(messages: Sequence[Any], state: State, now: datetime, room: int | None = None) -> Fold:
    """*messages* as they go on after a boundary at the time *now*, with the goal of *state* in a
    block of at most *room* characters: it is whole, or the fold is refused."""
    if isinstance(state, Unreadable):
        reason = f"the record of the goal cannot be read: {state.reason}"
        return Fold([_marked_stale(message) for message in messages], "kept", reason)
    if state is None or not state.is_live(now):
        reason = "the session has no goal" if state is None else f"the goal is {state.status}"
        return Fold(_without_what_is_over(messages, None), "absent", reason)
    block = block_of(state.goal)
    if room is not None and len(block) > room:
        reason = (
            f"the block of the goal has {len(block)} characters, and there is room for {room}: "
            "what binds is never cut; give it more room, or shorten the goal"
        )
        return Fold(list(messages), "refused", reason)
    return _folded(messages, state, block)


def _folded(messages: Sequence[Any], state: GoalState, block: str) -> Fold:
    left = _without_what_is_over(messages, state.goal.id)
    opened = opened_by(left, contract_in(block))
    if opened is not None:
        reason = "the continuation that opened the turn has the contract"
        return Fold(left, "carried", reason, opened)
    place = put(left, block, stamp_of(state.goal, state.generation, block))
    if len(left) == len(messages) and left[place] == messages[place]:
        left[place] = messages[place]  # it stood there already
    return Fold(left, "folded", f"the block of the goal `{state.goal.id}` is there", place)


def put(messages: list[Any], block: str, stamp: dict[str, Any]) -> int:
    """Put a block into *messages*, which have none, as near to their end as it may stand; gives its
    place."""
    place = free_place(messages)
    if place and can_join(messages[place - 1]):
        place -= 1
        messages[place] = _join(messages[place], block, stamp)
    else:
        messages.insert(place, own_message(block, stamp))
    return place


def _without_what_is_over(messages: Sequence[Any], goal: str | None) -> list[Any]:
    """*messages* without blocks, and without what reminds of another goal than the one named
    *goal*."""
    left = without_folds(messages)
    for at in range(len(left) - 1, -1, -1):
        if is_over(left[at], goal):
            take_out(left, at)
    return left


def without_folds(messages: Sequence[Any]) -> list[Any]:
    """*messages* without the blocks of earlier folds."""
    suspects = [at for at, message in enumerate(messages) if may_hold(message)]
    left = list(messages)
    for at in reversed(suspects):
        cleaned = without_blocks(messages[at])
        if cleaned is None:
            take_out(left, at)
        else:
            left[at] = cleaned
    return left


def take_out(messages: list[Any], at: int) -> None:
    """Take a message out of *messages*; where two of machines would touch in the user's place, a
    line stays."""
    between = 0 < at < len(messages) - 1
    if between and is_machine_user(messages[at - 1]) and is_machine_user(messages[at + 1]):
        messages[at] = gone(messages[at])
    else:
        del messages[at]


def opened_by(messages: Sequence[Any], contract: str) -> int | None:
    """The place of the message that opened the last turn, where it has *contract* in a fence of its
    own: under what header does not matter, an older contract does."""
    for at in range(len(messages) - 1, -1, -1):
        message = messages[at]
        if has_role(message, "user"):
            if provenance_of(message) == "human" or stamped_block(message):
                return None
            bodies = bodies_in(text_of(message))
            return at if any(f"{body}\n".startswith(f"{contract}\n") for body in bodies) else None
    return None


def stamped_block(message: Any) -> bool:
    """Does a message hold a block of a fold's, rather than a text that has the contract in it?"""
    return stamped(message) is not None and bool(found_in(text_of(message)))


def can_join(message: Any) -> bool:
    """Can a block be added to *message*, so that taking it away gives the message back?"""
    return (
        has_role(message, "user")
        and isinstance(message.get("content"), str | list)
        and isinstance(message.get("metadata", {}), dict)
        and STAMP not in metadata_of(message)  # a host's own, that is
    )


def _join(message: dict[str, Any], block: str, stamp: dict[str, Any]) -> dict[str, Any]:
    content = message["content"]
    joined = (
        f"{content}{GAP}{block}"
        if isinstance(content, str)
        else [*content, {"type": "text", "text": block}]
    )
    return {**message, "content": joined, "metadata": {**metadata_of(message), STAMP: stamp}}


def own_message(block: str, stamp: dict[str, Any]) -> dict[str, Any]:
    """A message that is nothing but the block, and no person's."""
    metadata = {"provenance": "synthetic", STAMP: stamp}
    return {"role": "user", "content": block, "metadata": metadata}


def _marked_stale(message: Any) -> Any:
    """A message with a block that nobody could look up, the block's text as it was."""
    stamp = stamped(message)
    if stamp is None or stamp.get("stale") is True or not found_in(text_of(message)):
        return message
    return {**message, "metadata": {**message["metadata"], STAMP: {**stamp, "stale": True}}}
