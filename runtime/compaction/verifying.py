"""Did a boundary keep what it had to? The proof for engines that are not ours.

A compaction is judged by the transcripts before and after it alone. The contract must be there
once, word for word; what people wrote stays theirs, and what machines wrote never becomes theirs;
calls and results stay together; and no two messages of machines touch in the user's place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from ..transcript import (
    call_ids,
    has_role,
    is_human,
    is_machine_user,
    provenance_of,
    result_id,
    text_of,
    unpaired,
)
from .blocks import (
    Found,
    block_of,
    contract_in,
    folds_in,
    found_in,
    is_written_by_machine,
    may_hold,
    stamped,
    without_blocks,
)
from .folding import opened_by
from .goal_state import GoalState, State, Unreadable
from .reminding import is_over

Trouble: TypeAlias = Literal[
    "missing", "doubled", "paraphrased", "stale", "resurrected", "provenance", "altered",
    "unpaired", "torn", "adjacent",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a boundary got wrong, and the place of the message in the transcript after
    it."""

    kind: Trouble
    message: str
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong, in the order of the kinds; *places* are those of the contract, word for
    word."""

    findings: tuple[Finding, ...]
    places: tuple[int, ...]

    @property
    def ok(self) -> bool:
        return not self.findings


def verify_fold(before: Sequence[Any], after: Sequence[Any], state: State, now: datetime) -> Report:
    """What the boundary between *before* and *after* got wrong, for the goal of *state* at the time
    *now*. *after* is as the boundary left it, before anybody spoke. Any JSON is taken; what
    *before* had wrong already is not held against the boundary."""
    copies = list(_copies(after, {_own_text(message) for message in before}))
    places, findings = _contract(before, after, copies, state, now)
    findings += _over(after, state, now)
    findings += _people(before, after)
    findings += _pairs(before, after)
    findings += _torn(before, after)
    findings += _neighbours(after)
    return Report(tuple(findings), tuple(places))


# --- the contract


@dataclass(frozen=True, slots=True)
class _Copy:
    """A block in a message that could be a fold's, whole or not; None: its stamp is all there is of
    it."""

    place: int
    block: Found | None


def _copies(
    messages: Sequence[Any], known: Collection[str | None] | None = None
) -> Iterator[_Copy]:
    """The blocks that are a fold's by what a fold goes by, and, with *known*, those in messages of
    an engine that says nothing of itself: their texts are not known from before."""
    for place, message in enumerate(messages):
        blocks = folds_in(message) if may_hold(message) else []
        if not blocks and known is not None and _is_engines(message, known):
            blocks = found_in(text_of(message))
        yield from (_Copy(place, block) for block in blocks)
        if not blocks and "sha256" in (stamped(message) or {}):
            yield _Copy(place, None)


def _is_engines(message: Any, known: Collection[str | None]) -> bool:
    """Was an unmarked message written between the two transcripts? A person's quote was not, and a
    tool's result carries nothing."""
    unmarked = has_role(message, "user", "system", "developer", "assistant") and (
        provenance_of(message) is None and stamped(message) is None
    )
    return unmarked and text_of(message) not in known


def _contract(
    before: Sequence[Any], after: Sequence[Any], copies: list[_Copy], state: State, now: datetime
) -> tuple[list[int], list[Finding]]:
    if isinstance(state, Unreadable):
        return _unreadable(before, copies)
    if state is None or not state.is_live(now):
        status = "there is no goal" if state is None else f"the goal is {state.status}"
        message = f"{status}, and a block of one is here"
        return [], [Finding("resurrected", message, copy.place) for copy in copies]
    return _live(before, after, copies, state)


def _live(
    before: Sequence[Any], after: Sequence[Any], copies: list[_Copy], state: GoalState
) -> tuple[list[int], list[Finding]]:
    block = block_of(state.goal)
    exact = [copy.place for copy in copies if copy.block and copy.block.text == block]
    said = [place for place in exact if _is_models(after[place])]
    places = [place for place in exact if place not in said]
    opened = opened_by(after, contract_in(block))
    if opened is not None:
        places.append(opened)
    findings = [_inexact(copy) for copy in copies if not copy.block or copy.block.text != block]
    if not places:
        findings.insert(0, _missing(before, state))
    doubled = [
        Finding("doubled", "the contract is there already, in an earlier message", place)
        for place in places[1:]
    ]
    if places:
        words = "the contract stands in the model's own words too, which carry nothing"
        doubled += [Finding("doubled", words, place) for place in said]
    return places, [*doubled, *findings]


def _over(after: Sequence[Any], state: State, now: datetime) -> Iterator[Finding]:
    if isinstance(state, Unreadable):
        return
    goal = state.goal.id if state is not None and state.is_live(now) else None
    for place, message in enumerate(after):
        if is_over(message, goal):
            yield Finding("resurrected", "it reminds of a goal that is not pursued", place)


def _is_models(message: Any) -> bool:
    """Is it the model's own message, for all that it says of itself?"""
    return has_role(message, "assistant") and provenance_of(message) is None


def _missing(before: Sequence[Any], state: GoalState) -> Finding:
    there = any(copy.block for copy in _copies(before))
    message = (
        f"the contract of the goal `{state.goal.id}` is in no message"
        f"{', and a block of it was there before' if there else ''}: fold the transcript at this "
        "boundary (`goalspec fold`)"
    )
    return Finding("missing", message)


def _inexact(copy: _Copy) -> Finding:
    if copy.block is not None and copy.block.whole:
        return Finding("stale", "a block of another goal, or of an older contract", copy.place)
    return Finding(
        "paraphrased", "the block that stood here is not what was written any more", copy.place
    )


def _unreadable(before: Sequence[Any], copies: list[_Copy]) -> tuple[list[int], list[Finding]]:
    """Nobody knows what holds: the newest block that was there must be there still."""
    had = [copy.block.text for copy in _copies(before) if copy.block and copy.block.whole]
    if not had:
        return [], []
    places = [copy.place for copy in copies if copy.block and copy.block.text == had[-1]]
    message = "the record cannot be read, and the block that was there is gone"
    return places, [] if places else [Finding("missing", message)]


# --- who wrote what


def _people(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Finding]:
    """Texts that changed hands. In a host without metadata nobody can tell, and nothing is said."""
    said, made = _authors(before)
    still, _ = _authors(after)
    marks = any(provenance_of(message) for message in (*before, *after))
    others = {_own_text(message) for message in before if not has_role(message, "user")}
    for place, message in enumerate(after):
        if not has_role(message, "user", "system", "developer", "assistant"):
            continue
        text = _own_text(message)
        if text is None:
            continue
        if is_human(message):
            if text in made and text not in said:
                yield Finding("provenance", "a machine's words stand as a person's", place)
            elif marks and text not in said:
                yield Finding("altered", "no person wrote this, and it stands as theirs", place)
        elif text in said and text not in made | others and text not in still:
            yield Finding("provenance", "a person's words stand as a machine's", place)


def _authors(messages: Sequence[Any]) -> tuple[set[str], set[str]]:
    """What people said, and what machines wrote in the user's place or of the conversation."""
    said: set[str] = set()
    made: set[str] = set()
    for message in messages:
        user = has_role(message, "user")
        if user or is_written_by_machine(message):
            text = _own_text(message)
            if text is not None:
                (said if user and is_human(message) else made).add(text)
    return said, made


def _own_text(message: Any) -> str | None:
    """A message's text without blocks; None where it is nothing but one."""
    left = without_blocks(message) if may_hold(message) else message
    return None if left is None else text_of(left)


# --- structure


def _pairs(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Finding]:
    had, has = unpaired(before), unpaired(after)
    calls = {id for _, id in had.calls}
    results = {id for _, id in had.results}
    for place, id in has.calls:
        if id not in calls:
            yield Finding("unpaired", f"the call {id!r} lost its result", place)
    for place, id in has.results:
        if id not in results:
            yield Finding("unpaired", f"the result of {id!r} lost its call", place)


def _torn(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Finding]:
    """Messages between a call and its result where none stood before."""
    apart = {id for _, id in _between(before)}
    for place, id in _between(after):
        if id not in apart:
            yield Finding("torn", f"a message stands between the call {id!r} and its result", place)


def _between(messages: Sequence[Any]) -> Iterator[tuple[int, str]]:
    """The places of messages of no tool's and no model's between a call and its result, each with
    the call's id."""
    called: dict[str, int] = {}
    ends: dict[int, tuple[int, str]] = {}  # by a call's place, how far its results reach
    for at, message in enumerate(messages):
        called.update(dict.fromkeys(call_ids(message), at))
        answered = result_id(message)
        if answered is not None and answered in called:
            ends[called[answered]] = (at, answered)
    end, id = -1, ""
    for at, message in enumerate(messages):
        if at < end and has_role(message, "user", "system", "developer"):
            yield at, id
        end, id = max((end, id), ends.get(at, (-1, "")))


def _neighbours(after: Sequence[Any]) -> Iterator[Finding]:
    for place in range(1, len(after)):
        if is_machine_user(after[place]) and is_machine_user(after[place - 1]):
            message = "two messages that machines wrote stand side by side in the user's place"
            yield Finding("adjacent", message, place)
