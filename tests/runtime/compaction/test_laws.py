"""The laws of a boundary, over random transcripts, cuts and summarizers."""

from __future__ import annotations

import copy
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from goalspec.runtime.compaction import (
    GoalState,
    Plan,
    SummaryRequest,
    Unreadable,
    compact,
    fold,
    verify_fold,
)
from goalspec.runtime.compaction.blocks import (
    block_of,
    contract_in,
    found_in,
    is_written_by_machine,
    may_hold,
    without_blocks,
)
from goalspec.runtime.compaction.folding import opened_by
from goalspec.runtime.compaction.goal_state import State
from goalspec.runtime.transcript import (
    is_human,
    is_machine_user,
    provenance_of,
    text_of,
    unpaired,
)
from goalspec.tests.runtime.compaction.transcripts import (
    BLOCK,
    GOAL,
    NOW,
    OLDER,
    STALE,
    STATE,
    transcripts,
)  # fmt: skip
from hypothesis import given
from hypothesis import strategies as st

LIVE_STATES = {
    "active": STATE,
    "an older contract": STALE,
    "parked until an hour ago": GoalState(GOAL, "parked", until=NOW - timedelta(hours=1)),
}
DEAD_STATES: dict[str, GoalState | None] = {
    "no goal": None,
    "paused": GoalState(GOAL, "paused"),
    "blocked": GoalState(GOAL, "blocked"),
    "budget_limited": GoalState(GOAL, "budget_limited"),
    "complete": GoalState(GOAL, "complete"),
    "ended": GoalState(GOAL, "ended"),
    "cleared": GoalState(GOAL, "cleared"),
    "parked": GoalState(GOAL, "parked", until=NOW + timedelta(seconds=1)),
}
STATES: dict[str, State] = {**LIVE_STATES, **DEAD_STATES, "unreadable": Unreadable("locked")}
LIVE, DEAD = st.sampled_from(tuple(LIVE_STATES)), st.sampled_from(tuple(DEAD_STATES))


def contracts(messages: list[Any], state: GoalState) -> int:
    """How often the contract is carried, counted by text alone: in what machines wrote, at the end
    of what may have a block at its end, and in the message that opened the turn."""
    block = block_of(state.goal)
    carried = 0
    for message in messages:
        if is_written_by_machine(message):
            carried += text_of(message).count(block)
        elif may_hold(message):
            carried += text_of(message).endswith(block)
    return carried + (opened_by(messages, contract_in(block)) is not None)


def human_texts(messages: list[Any]) -> Counter[tuple[str, str | None]]:
    """What people wrote, and what says so; a block that joined a message is not theirs."""
    texts: Counter[tuple[str, str | None]] = Counter()
    for message in messages:
        if is_human(message):
            left = without_blocks(message) if may_hold(message) else message
            if left is not None:
                texts[text_of(left), provenance_of(message)] += 1
    return texts


def touching(messages: list[Any]) -> int:
    return sum(is_machine_user(a) and is_machine_user(b) for a, b in pairwise(messages))


# --- the fold


@pytest.mark.row("M01", "M02", "M08")
@given(messages=transcripts(), name=LIVE)
def test_the_contract_is_there_exactly_once(messages: list[Any], name: str) -> None:
    folded = fold(messages, STATES[name], NOW)
    assert folded.outcome in ("folded", "carried")
    assert contracts(folded.messages, LIVE_STATES[name]) == 1
    report = verify_fold(messages, folded.messages, STATES[name], NOW)
    assert report.places == (folded.place,)


@pytest.mark.row("M02")
@pytest.mark.ruling(53)
@given(messages=transcripts(), name=LIVE | DEAD)
def test_folding_twice_is_folding_once(messages: list[Any], name: str) -> None:
    once = fold(messages, STATES[name], NOW)
    twice = fold(once.messages, STATES[name], NOW)
    assert twice == once
    assert all(one is two for one, two in zip(once.messages, twice.messages, strict=True))


@pytest.mark.row("M03")
@given(messages=transcripts(), name=LIVE | DEAD)
def test_people_keep_their_words_and_machines_do_not_touch(messages: list[Any], name: str) -> None:
    folded = fold(messages, STATES[name], NOW).messages
    assert human_texts(folded) == human_texts(messages)
    assert touching(folded) == 0


@given(messages=transcripts(), name=LIVE | DEAD)
def test_calls_and_results_stay_paired_and_side_by_side(messages: list[Any], name: str) -> None:
    folded = fold(messages, STATES[name], NOW).messages
    assert [id for _, id in unpaired(folded).calls] == [id for _, id in unpaired(messages).calls]
    assert [id for _, id in unpaired(folded).results] == [
        id for _, id in unpaired(messages).results
    ]
    added = [at for at, message in enumerate(folded) if text_of(message) == BLOCK]
    for at in added:
        assert not (
            at and at < len(folded) - 1 and _tool(folded[at + 1]) and _calls(folded[at - 1])
        )


def _tool(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") == "tool"


def _calls(message: Any) -> bool:
    return isinstance(message, dict) and bool(message.get("tool_calls"))


@pytest.mark.row("M04")
@given(messages=transcripts(), name=DEAD)
def test_a_goal_that_is_not_pursued_leaves_nothing(messages: list[Any], name: str) -> None:
    folded = fold(messages, STATES[name], NOW)
    assert (folded.outcome, folded.place) == ("absent", None)
    assert not any(
        found_in(text_of(message)) for message in folded.messages if is_written_by_machine(message)
    )
    assert verify_fold(messages, folded.messages, STATES[name], NOW).places == ()


@given(messages=transcripts(), name=LIVE | DEAD)
def test_a_fold_changes_only_what_it_must(messages: list[Any], name: str) -> None:
    kept = copy.deepcopy(messages)
    folded = fold(messages, STATES[name], NOW)
    assert messages == kept  # the input is as it was
    same = {id(message) for message in messages}
    fresh = [message for message in folded.messages if id(message) not in same]
    assert all(isinstance(message, dict) for message in fresh)
    held = sum(without_blocks(m) is not m for m in messages if may_hold(m))
    assert len(fresh) <= held + 1


@pytest.mark.row("M06")
@given(messages=transcripts())
def test_an_unreadable_record_changes_no_text(messages: list[Any]) -> None:
    folded = fold(messages, Unreadable("locked"), NOW)
    assert folded.outcome == "kept"
    assert [text_of(message) for message in folded.messages] == [text_of(m) for m in messages]
    assert fold(folded.messages, Unreadable("locked"), NOW) == folded


@given(messages=st.lists(st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(
        st.sampled_from(("role", "content", "metadata", "goalspec", "tool_calls", "id", "text")),
        inner | st.sampled_from(("user", "tool", "assistant")), max_size=4,
    ), max_leaves=6,
), max_size=4), name=LIVE | DEAD | st.just("unreadable"))  # fmt: skip
def test_any_json_is_taken(messages: list[Any], name: str) -> None:
    folded = fold(messages, STATES[name], NOW).messages
    verify_fold(messages, folded, STATES[name], NOW)
    compact(messages, Plan(keep_last=1), lambda request: "short", STATES[name], NOW)


# --- a compaction


class Lossy:
    """A summarizer that paraphrases, drops, repeats and quotes what it should not."""

    def __init__(self, choice: int) -> None:
        self.choice = choice

    def __call__(self, request: SummaryRequest) -> str:
        texts = [text_of(message) for message in request.messages]
        assert not any(text == BLOCK for text in texts)
        return [
            "They talk about a goal.",
            f"As they said:\n\n{BLOCK}\n\n{BLOCK}",
            BLOCK.replace("criteria", "things"),
            "\n".join(texts + texts) or "nothing",
            f"{block_of(OLDER)}\n\nand so on",
            "\ud800 \u202e </goal-000000000000>",
        ][self.choice]


@pytest.mark.row("M01", "M08")
@given(
    messages=transcripts(), name=LIVE, first=st.integers(0, 4), last=st.integers(0, 8),
    choice=st.integers(0, 5),
)  # fmt: skip
def test_no_cut_and_no_summarizer_loses_the_contract(
    messages: list[Any], name: str, first: int, last: int, choice: int
) -> None:
    done = compact(messages, Plan(first, last), Lossy(choice), STATES[name], NOW)
    assert contracts(done.messages, LIVE_STATES[name]) == 1
    assert len(done.report.places) == 1
    assert touching(done.messages) == 0
    left = human_texts(done.messages)
    assert left <= human_texts(messages)  # some were summarized, none was changed
    had = {id for _, id in unpaired(messages).calls + unpaired(messages).results}
    has = unpaired(done.messages)
    assert {id for _, id in has.calls + has.results} <= had
    assert fold(done.messages, STATES[name], NOW).messages == done.messages


@pytest.mark.row("M04")
@given(messages=transcripts(), name=DEAD, last=st.integers(0, 8), choice=st.integers(0, 5))
def test_no_summarizer_brings_a_goal_back(
    messages: list[Any], name: str, last: int, choice: int
) -> None:
    done = compact(messages, Plan(keep_last=last), Lossy(choice), STATES[name], NOW)
    assert done.report.places == ()
    assert not any(
        found_in(text_of(message)) for message in done.messages if is_written_by_machine(message)
    )
