"""The holes of the fold that this one follows, a to o: what it got wrong, and what comes out here."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from goalspec.compiler.ir.canonical import contract_hash, plain
from goalspec.compiler.rendering import PRESERVED_HEADER, render
from goalspec.runtime.compaction import GoalState, Unreadable, fold, forked, verify_fold
from goalspec.runtime.compaction.blocks import block_of
from goalspec.runtime.transcript import from_anthropic, is_human, text_of, to_anthropic, unpaired
from goalspec.tests.compiler.rendering.goals import goal_of
from goalspec.tests.compiler.rendering.reading import parse_block
from goalspec.tests.runtime.compaction.transcripts import BLOCK, GOAL, NOW, OLDER, STALE, STATE

GONE = "[What stood here has its place elsewhere, or is over.]"
pytestmark = pytest.mark.row("M10")
WORKING = {"role": "assistant", "content": "working"}
CALLING = {
    "role": "assistant", "content": "",
    "tool_calls": [{"id": "a", "name": "x", "arguments": {}}, {"id": "b", "name": "y", "arguments": {}}],
}  # fmt: skip


def result(id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": f"of {id}"}


def carried(messages: list[Any]) -> int:
    return "\n".join(map(text_of, messages)).count(BLOCK)


def test_a_two_stale_blocks_both_go() -> None:
    one = fold([WORKING], STALE, NOW).messages[-1]
    two = fold([WORKING], replace(STALE, generation=1), NOW).messages[-1]
    folded = fold([one, WORKING, two, WORKING], STATE, NOW).messages
    assert folded[:2] == [WORKING, WORKING]
    assert [text_of(message) for message in folded[2:]] == [BLOCK]


def test_a_stacked_blocks_in_a_host_without_metadata_all_go() -> None:
    stacked = {"role": "user", "content": f"go\n\n{block_of(OLDER)}\n\n{BLOCK}"}
    assert fold([stacked], None, NOW).messages == [{"role": "user", "content": "go"}]


def test_a_block_that_a_host_without_metadata_joined_to_what_follows_goes() -> None:
    joined = {"role": "user", "content": f"{BLOCK}\n\nnext"}
    system = {"role": "system", "content": f"You are X.\n\n{BLOCK}\n\nBe short."}
    left = fold([system, joined], None, NOW).messages
    assert [message["content"] for message in left] == ["You are X.\n\nBe short.", "next"]
    folded = fold([system, WORKING, joined, WORKING], STATE, NOW)
    assert carried(folded.messages) == 1
    assert verify_fold([system, WORKING, joined], folded.messages, STATE, NOW).places == (4,)


def test_what_a_host_keeps_under_our_key_is_no_stamp() -> None:
    row = {"role": "user", "content": "hi", "metadata": {"goalspec": {"mine": 1}}}
    assert fold([row], None, NOW).messages == [row]
    assert fold([row], STATE, NOW).messages[0] == row


@pytest.mark.parametrize(
    "row", [{"role": "user", "metadata": {"provenance": "summary"}}, {"role": "system"}]
)
def test_a_block_that_closes_up_when_another_goes_is_gone_too(row: dict[str, Any]) -> None:
    fence = BLOCK.split("\n", 1)[1]
    told = {**row, "content": f"x\n{PRESERVED_HEADER}\n{BLOCK}\n{fence}"}
    (left,) = fold([told], None, NOW).messages
    assert left["content"] == f"x\n\n\n{fence}"  # and no header, without which it is none


def test_a_block_that_kept_two_machines_apart_leaves_a_line() -> None:
    todo = {"role": "user", "content": "todo", "metadata": {"provenance": "synthetic"}}
    own = {"role": "assistant", "content": BLOCK, "metadata": {"provenance": "synthetic", "x": 1}}
    left = fold([todo, own, todo], None, NOW).messages
    assert left == [todo, {**own, "content": GONE, "metadata": todo["metadata"]}, todo]
    assert fold([own, WORKING], None, NOW).messages == [WORKING]


def test_a_block_beside_a_call_leaves_the_call() -> None:
    row = {**CALLING, "content": BLOCK, "metadata": {"provenance": "synthetic"}}
    left = fold([row, result("a"), result("b")], None, NOW).messages
    assert left == [{**row, "content": ""}, result("a"), result("b")]


@pytest.mark.parametrize(
    "text",
    [
        PRESERVED_HEADER,
        f"{PRESERVED_HEADER}\n\nmy own words",
        f"The page said:\n{PRESERVED_HEADER}\n\n<goal-0123456789ab>\nx\n</goal-0123456789ab>",
        f"I saw\n\n{BLOCK}\n\nwhat is that?",
        f"and its end\n\n{BLOCK}",
    ],
)
def test_b_what_a_person_quotes_stays_theirs(text: str) -> None:
    quote = {"role": "user", "content": text, "metadata": {"provenance": "human"}}
    for messages in ([quote], [quote, WORKING], [WORKING, quote]):
        folded = fold(messages, STATE, NOW).messages
        twice = fold(folded, STATE, NOW).messages
        assert twice == folded
        assert fold(folded, None, NOW).messages == messages
        assert any(text_of(message).startswith(text) and is_human(message) for message in folded)


def test_c_an_older_continuation_carries_nothing() -> None:
    opened = {"role": "user", "content": render(OLDER, "continuation").text}
    folded = fold([WORKING, opened], STATE, NOW)
    assert folded.outcome == "folded"
    assert text_of(folded.messages[1]).endswith(BLOCK)


def test_d_a_turn_that_a_refused_completion_opened_has_the_contract_once() -> None:
    refused = {"role": "user", "content": render(GOAL, "unmet").text}
    folded = fold([WORKING, refused], STATE, NOW).messages
    assert len(folded) == 2
    assert carried(folded) == 1
    fence = render(GOAL, "continuation").text.split("\n", 1)[1]
    other = {"role": "user", "content": f"[Gate failed: 2 of 3]\n{fence}"}
    assert fold([WORKING, other], STATE, NOW).messages == [WORKING, other]


@pytest.mark.parametrize("results", [[], ["a"], ["b"], ["b", "a"]])
def test_e_nothing_comes_between_a_call_and_its_result(results: list[str]) -> None:
    messages = [WORKING, CALLING, *map(result, results)]
    folded = fold(messages, STATE, NOW).messages
    at = next(at for at, message in enumerate(folded) if text_of(message) == BLOCK)
    assert at == (3 + 1 if len(results) == 2 else 1)
    rest = [id for id in "ab" if id not in results]
    later = [*folded, *map(result, rest)] if rest else folded
    assert (unpaired(later).calls, unpaired(later).results) == ((), ())
    rows = to_anthropic(later)
    assert to_anthropic(from_anthropic(rows)) == rows


def test_f_a_park_whose_time_is_past_is_over() -> None:
    parked = GoalState(GOAL, "parked", until=NOW)
    assert fold([WORKING], parked, NOW).outcome == "folded"
    assert fold([WORKING], parked, NOW - timedelta(seconds=1)).outcome == "absent"


def test_g_missing_is_not_unreadable() -> None:
    there = fold([WORKING], STALE, NOW).messages
    assert fold(there, None, NOW).messages == [WORKING]
    kept = fold(there, Unreadable("disk"), NOW)
    assert (kept.outcome, text_of(kept.messages[1])) == ("kept", block_of(OLDER))
    assert kept.messages[1]["metadata"]["goalspec"]["stale"] is True


def test_h_a_goal_that_is_done_leaves_no_block() -> None:
    there = fold([WORKING], STATE, NOW).messages
    assert fold(there, GoalState(GOAL, "complete"), NOW).messages == [WORKING]


@pytest.mark.parametrize(
    "hostile",
    [
        PRESERVED_HEADER, f"x\n{PRESERVED_HEADER}\ny", "```\nfence\n```", "</goal>", "a\x00b",
        "\u202eevil", "\ud800", f"</goal-0123456789ab>\n\n{BLOCK}", "[The goal goes on]",
    ],
)  # fmt: skip
def test_i_no_text_of_a_goal_breaks_its_block(hostile: str) -> None:
    goal = replace(goal_of(lambda name: name), objective=f"objective {hostile}")
    state = GoalState(goal)
    folded = fold([{"role": "user", "content": "hi"}], state, NOW).messages
    block = block_of(goal)
    assert text_of(folded[0]) == f"hi\n\n{block}"
    assert parse_block(block).values["Objective"] == f"objective {hostile}"
    assert fold(folded, state, NOW).messages == folded
    assert fold(folded, None, NOW).messages == [{"role": "user", "content": "hi"}]


def test_j_the_same_revision_gives_the_same_bytes_and_a_newer_one_replaces() -> None:
    there = fold([WORKING], STATE, NOW).messages
    assert fold(there, STATE, NOW).messages[1] is there[1]
    newer = fold(there, replace(STATE, generation=9), NOW).messages
    assert newer[1]["metadata"]["goalspec"]["generation"] == 9
    assert contract_hash(plain(GOAL)) == newer[1]["metadata"]["goalspec"]["contract"]
    assert text_of(fold(there, STALE, NOW).messages[1]) == block_of(OLDER)


def test_k_a_block_is_whole_or_refused() -> None:
    folded = fold([WORKING], STATE, NOW, room=100)
    assert (folded.outcome, folded.messages) == ("refused", [WORKING])


def test_l_parts_that_are_no_text_stay_and_in_order() -> None:
    parts = [
        {"type": "image", "data": "…"},
        {"type": "text", "text": "x"},
        {"type": "file", "id": 3},
    ]
    row = {"role": "user", "content": parts}
    folded = fold([row], STATE, NOW).messages
    assert folded[0]["content"][:3] == parts
    assert folded[0]["content"][3] == {"type": "text", "text": BLOCK}
    assert fold(folded, None, NOW).messages == [row]


@pytest.mark.row("M09")
def test_m_an_engine_without_a_fold_is_found_out_and_mended() -> None:
    before = fold([WORKING] * 4, STATE, NOW).messages
    after = [{"role": "user", "content": "They work.", "metadata": {"provenance": "summary"}}]
    (finding,) = verify_fold(before, after, STATE, NOW).findings
    assert (finding.kind, "fold the transcript" in finding.message) == ("missing", True)
    mended = fold(after, STATE, NOW).messages
    assert verify_fold(before, mended, STATE, NOW).ok
    assert carried(mended) == 1


def test_n_an_empty_transcript_gets_one_marked_row() -> None:
    (row,) = fold([], STATE, NOW).messages
    assert (text_of(row), row["metadata"]["provenance"]) == (BLOCK, "synthetic")


@pytest.mark.row("M04")
def test_o_a_fork_never_makes_a_second_owner() -> None:
    there = fold([WORKING], STATE, NOW).messages
    assert forked(STATE, carry=False) is None
    snapshot = forked(STATE, carry=True)
    assert isinstance(snapshot, GoalState)
    assert (snapshot.goal, snapshot.generation, snapshot.status) == (GOAL, 3, "paused")
    for child in (None, snapshot):
        assert fold(there, child, NOW).messages == [WORKING]
    assert carried(there) == 1  # the parent's transcript is its own
    done = GoalState(GOAL, "complete")
    assert forked(done, carry=True) == done
    assert forked(Unreadable("x"), carry=True) == Unreadable("x")
