"""The fold, row by row: what it writes, where it stands, and when there is nothing to carry."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goalspec.compiler.compilation import compile_text
from goalspec.compiler.rendering import CONTINUATION_HEADER, PRESERVED_HEADER, render
from goalspec.runtime.compaction import GoalState, Plan, Unreadable, compact, fold
from goalspec.runtime.compaction.blocks import block_of
from goalspec.runtime.compaction.goal_state import State
from goalspec.runtime.host import goal_under_obligations
from goalspec.runtime.transcript import bare, is_human, is_machine_user, text_of
from goalspec.tests.compiler.rendering.reading import parse_block

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DOCUMENT = compile_text(
    """facts { suite.passed : bool  release.shipped : bool  api.changed : bool }

goal ship {
  objective "Ship the release train"
  criterion shipped "Release shipped" check release.shipped
  criterion passes "pytest -q passes" check suite.passed
  constraint api "No public API changes" check not api.changed
  stop approval "A required approval is missing"
}
"""
).document
assert DOCUMENT is not None
GOAL = DOCUMENT.goals[0]
STATE = GoalState(GOAL, generation=4)
BLOCK = block_of(GOAL)
WORKING = {"role": "assistant", "content": "working"}
ALSO = {"role": "user", "content": "Also keep the docs in sync."}


def blocks(messages: list[Any]) -> list[Any]:
    return [message for message in messages if PRESERVED_HEADER in text_of(message)]


@pytest.mark.row("M01")
def test_the_block_carries_the_contract_and_no_person_wrote_it() -> None:
    folded = fold([WORKING], STATE, NOW)
    (row,) = blocks(folded.messages)
    assert folded.messages == [WORKING, row]
    assert row["role"] == "user"
    assert not is_human(row)
    for line in ("Ship the release train", "pytest -q passes", "No public API changes", "approval"):
        assert line in row["content"]
    assert row["metadata"]["goalspec"] == {
        "goal": "ship", "contract": GOAL.contract, "generation": 4,
        "sha256": row["metadata"]["goalspec"]["sha256"],
    }  # fmt: skip


@pytest.mark.row("M02")
def test_two_boundaries_leave_one_copy() -> None:
    once = fold([WORKING], STATE, NOW).messages
    again = fold([*once, WORKING, {"role": "assistant", "content": "more"}], STATE, NOW).messages
    assert len(blocks(again)) == 1
    assert again[-1]["content"] == BLOCK


@pytest.mark.row("M03")
def test_it_joins_the_user_s_last_message_which_stays_theirs() -> None:
    folded = fold([WORKING, ALSO], STATE, NOW)
    assert len(folded.messages) == 2
    row = folded.messages[-1]
    assert row["content"] == f"{ALSO['content']}\n\n{BLOCK}"
    assert is_human(row)
    assert fold(folded.messages, None, NOW).messages == [WORKING, ALSO]  # and goes without a trace


@pytest.mark.row("M03")
def test_it_shares_the_row_of_another_fold() -> None:
    todo = {
        "role": "user", "content": "[todo] docs", "metadata": {"provenance": "synthetic", "todo": 1},
    }  # fmt: skip
    folded = fold([WORKING, todo], STATE, NOW).messages
    assert [is_machine_user(message) for message in folded] == [False, True]
    assert folded[1]["metadata"]["todo"] == 1
    assert fold(folded, None, NOW).messages == [WORKING, todo]


@pytest.mark.row("M04")
@pytest.mark.ruling(48)
@pytest.mark.parametrize(
    "state",
    [
        None,
        *(GoalState(GOAL, status) for status in ("paused", "complete", "cleared", "blocked")),
        GoalState(GOAL, "parked", until=NOW + timedelta(minutes=1)),
    ],
    ids=["none", "paused", "done", "cleared", "blocked", "parked"],
)
def test_what_is_not_pursued_is_not_folded_and_not_left(state: State) -> None:
    assert fold([WORKING], state, NOW).messages == [WORKING]
    old = fold([WORKING], STATE, NOW).messages
    folded = fold(old, state, NOW)
    assert (folded.messages, folded.outcome) == ([WORKING], "absent")


@pytest.mark.row("M05")
def test_a_turn_that_a_continuation_opened_gets_no_second_block() -> None:
    opened = {"role": "user", "content": render(GOAL, "continuation").text}
    after = [{"role": "assistant", "content": "on it"}, {"role": "assistant", "content": "still"}]
    for messages in ([WORKING, opened], [WORKING, opened, *after]):
        folded = fold(messages, STATE, NOW)
        assert (folded.messages, folded.outcome, folded.place) == (messages, "carried", 1)


@pytest.mark.row("M06")
def test_without_the_record_what_is_there_stays() -> None:
    there = fold([WORKING], GoalState(GOAL, generation=2), NOW).messages
    folded = fold(there, Unreadable("database is locked"), NOW)
    assert folded.outcome == "kept"
    assert "database is locked" in folded.reason
    assert text_of(folded.messages[1]) == BLOCK
    stamp = folded.messages[1]["metadata"]["goalspec"]
    assert (stamp["stale"], stamp["generation"]) == (True, 2)
    assert fold([WORKING], Unreadable("x"), NOW).messages == [WORKING]


@pytest.mark.row("M06")
def test_a_compaction_without_the_record_keeps_what_is_there() -> None:
    there = [*fold([WORKING], STATE, NOW).messages, *[WORKING] * 9]
    done = compact(there, Plan(keep_last=2), lambda request: "They worked.", Unreadable("x"), NOW)
    (row,) = blocks(done.messages)
    assert text_of(row) == BLOCK
    assert row["metadata"]["goalspec"]["stale"] is True
    assert done.summarized == 8
    assert done.report.ok


@pytest.mark.row("M07")
def test_the_header_does_not_command_and_there_is_one_text() -> None:
    assert not re.search(
        r"\b(continue|work|must|should|do|keep)\b", PRESERVED_HEADER, re.IGNORECASE
    )
    preserved, continuation = BLOCK, render(GOAL, "continuation").text
    assert preserved.startswith(f"{PRESERVED_HEADER}\n")
    assert continuation.startswith(f"{CONTINUATION_HEADER}\n")
    own, other = parse_block(preserved), parse_block(continuation)
    assert own.lists == {name: other.lists[name] for name in own.lists}
    assert own.values["Objective"] == other.values["Objective"]


@pytest.mark.row("M08")
@pytest.mark.parametrize("keep_last", range(9))
@pytest.mark.parametrize("keep_first", range(3))
def test_wherever_the_cut_lands(keep_first: int, keep_last: int) -> None:
    messages = [
        ALSO, WORKING, {"role": "user", "content": "And then?"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "name": "x", "arguments": {}}]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "assistant", "content": "done"}, ALSO, WORKING,
    ]  # fmt: skip
    done = compact(messages, Plan(keep_first, keep_last), lambda request: "Work.", STATE, NOW)
    assert "\n".join(map(text_of, done.messages)).count(BLOCK) == 1
    assert done.report.ok


@pytest.mark.row("M02", "M01")
def test_end_to_end_through_a_compaction() -> None:
    messages = [{"role": "assistant", "content": "x" * 500} for _ in range(24)]
    done = compact(messages, Plan(keep_last=2), lambda request: "Nothing from users.", STATE, NOW)
    assert len(done.messages) == 4
    (row,) = blocks(done.messages)
    assert "pytest -q passes" in row["content"]
    assert done.report.places == (3,)


@pytest.mark.row("M03")
@pytest.mark.ruling(53)
def test_a_host_without_metadata_knows_the_block_by_what_it_holds() -> None:
    messages: list[Any] = [WORKING]
    for _ in range(3):
        messages = [*bare(fold(messages, STATE, NOW).messages), WORKING]
    assert len(blocks(messages)) == 1
    joined = bare(fold([WORKING, ALSO], STATE, NOW).messages)
    assert bare(fold(joined, STATE, NOW).messages) == joined
    assert fold(joined, None, NOW).messages == [WORKING, ALSO]


@pytest.mark.ruling(54)
def test_a_block_that_has_no_room_is_refused_and_not_cut() -> None:
    there = fold([WORKING], STATE, NOW).messages
    folded = fold(there, STATE, NOW, room=len(BLOCK) - 1)
    assert (folded.messages, folded.outcome) == (there, "refused")
    assert f"has {len(BLOCK)} characters, and there is room for {len(BLOCK) - 1}" in folded.reason
    assert fold(there, STATE, NOW, room=len(BLOCK)).outcome == "folded"


def test_times_have_zones() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        fold([], GoalState(GOAL), datetime(2026, 3, 1))
    with pytest.raises(ValueError, match="no time zone"):
        GoalState(GOAL, "parked", until=datetime(2026, 3, 1))
    with pytest.raises(ValueError, match="parked goal"):
        GoalState(GOAL, "active", until=NOW)
    with pytest.raises(ValueError, match="parked goal"):
        GoalState(GOAL, "parked")


_PIECE = f"{PRESERVED_HEADER}\n<goal-000000000000>\nx\n</goal-000000000000>\n"
_FENCE = BLOCK.split("\n", 1)[1]


@pytest.mark.parametrize("provenance", [None, "summary"])
@pytest.mark.parametrize(
    "text",
    [
        (_PIECE * 40_000).strip(),
        "go" + f"\n\n{BLOCK}" * 8_000,
        f"{PRESERVED_HEADER}\n" * 8_000 + BLOCK + f"\n{_FENCE}" * 8_000,
    ],
    ids=["damaged", "stacked", "nested"],
)
def test_what_looks_like_many_blocks_costs_linear_time(text: str, provenance: str | None) -> None:
    row: dict[str, Any] = {"role": "user", "content": text}
    if provenance is not None:
        row["metadata"] = {"provenance": provenance}
    began = time.process_time()
    fold([row], STATE, NOW)
    assert time.process_time() - began < 15  # a second or less; cut by cut it was forty


def test_calls_that_nobody_answers_cost_linear_time() -> None:
    rounds: list[Any] = []
    for number in range(20_000):
        id = f"c{number}"
        rounds.append({"role": "assistant", "content": "", "tool_calls": [{"id": id}]})
        rounds.append({"role": "tool", "tool_call_id": id, "content": ""})
    orphans = [{"role": "tool", "tool_call_id": f"o{n}", "content": ""} for n in range(20_000)]
    began = time.process_time()
    fold([*rounds, *orphans], STATE, NOW)
    assert time.process_time() - began < 15  # a tenth of a second; with a look at all it was forty


@pytest.mark.row("H15", "M02")
@pytest.mark.ruling(55)
def test_after_a_retarget_the_block_says_what_is_retired() -> None:
    obligations = {
        "retarget": {"objective": "Ship only the fix", "success_criteria": ["It is out"]}
    }
    retargeted = goal_under_obligations(GOAL, obligations).goal
    there = fold([WORKING, ALSO], STATE, NOW).messages
    folded = fold(there, GoalState(retargeted, generation=5), NOW).messages
    block = parse_block(text_of(folded[1]))
    assert block.values["Objective"] == "Ship only the fix"
    assert [item.text for item in block.lists["Success criteria"]] == ["It is out"]
    (retired,) = (items for label, items in block.lists.items() if label.startswith("Retired"))
    assert [item.id for item in retired] == ["shipped", "passes"]
    assert [item.text for item in block.lists["Constraints"]] == ["No public API changes"]
    assert text_of(folded[1]).count(PRESERVED_HEADER) == 1
