"""What a boundary may get wrong, and that it is said."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.compaction import GoalState, Unreadable, fold, verify_fold
from goalspec.runtime.compaction.blocks import block_of
from goalspec.tests.runtime.compaction.transcripts import BLOCK, GOAL, NOW, OLDER, STALE, STATE

pytestmark = pytest.mark.row("M09")
HUMAN = {"role": "user", "content": "Fix it.", "metadata": {"provenance": "human"}}
WORKING = {"role": "assistant", "content": "working"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "a", "name": "x", "arguments": {}}],
}
RESULT = {"role": "tool", "tool_call_id": "a", "content": "1"}
BEFORE = fold([HUMAN, CALL, RESULT, WORKING], STATE, NOW).messages
GOOD = fold([HUMAN, WORKING], STATE, NOW).messages


def machine(text: str, provenance: str = "summary") -> dict[str, Any]:
    return {"role": "user", "content": text, "metadata": {"provenance": provenance}}


STAMPED = GOOD[-1]
CASES: dict[str, tuple[list[Any], list[tuple[str, int | None]]]] = {
    "kept": (GOOD, []),
    "lost": ([HUMAN, WORKING], [("missing", None)]),
    "doubled": ([*GOOD, WORKING, STAMPED], [("doubled", 4)]),
    "quoted by an unmarked summary": (
        [{"role": "assistant", "content": f"So far:\n\n{BLOCK}\n\nand work."}, STAMPED],
        [("doubled", 0)],
    ),
    "paraphrased in place": (
        [HUMAN, {**STAMPED, "content": "The goal is to ship."}],
        [("missing", None), ("paraphrased", 1)],
    ),
    "a line dropped": (
        [HUMAN, {**STAMPED, "content": BLOCK.replace("- kept", "- cept")}],
        [("missing", None), ("paraphrased", 1)],
    ),
    "of an older contract": (
        [HUMAN, {**STAMPED, "content": block_of(OLDER)}],
        [("missing", None), ("stale", 1)],
    ),
    "a machine's words as a person's": (
        [
            HUMAN,
            {"role": "user", "content": "Sum.", "metadata": {"provenance": "human"}},
            WORKING,
            STAMPED,
        ],
        [("altered", 1)],
    ),
    "a person's words as a machine's": (
        [machine("Fix it."), WORKING, STAMPED],
        [("provenance", 0)],
    ),
    "a result without its call": ([HUMAN, RESULT, STAMPED], [("unpaired", 1)]),
    "a call without its result": ([HUMAN, CALL, WORKING, STAMPED], [("unpaired", 1)]),
    "a block between a call and its result": ([HUMAN, CALL, STAMPED, RESULT], [("torn", 2)]),
    "a person's words as instructions": (
        [{"role": "system", "content": "Fix it."}, WORKING, STAMPED],
        [("provenance", 0)],
    ),
    "a person's words as the model's": (
        [{"role": "assistant", "content": "Fix it."}, STAMPED],
        [("provenance", 0)],
    ),
    "only in the model's words": (
        [HUMAN, {"role": "assistant", "content": f"I saw:\n{BLOCK}"}],
        [("missing", None)],
    ),
    "in the instructions too": (
        [{"role": "system", "content": f"You are X.\n\n{BLOCK}"}, HUMAN, STAMPED],
        [("doubled", 2)],
    ),
    "machines side by side": ([HUMAN, machine("Sum."), STAMPED], [("adjacent", 2)]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_said_with_its_place(name: str) -> None:
    after, expected = CASES[name]
    report = verify_fold(BEFORE, after, STATE, NOW)
    assert [(finding.kind, finding.place) for finding in report.findings] == expected
    assert report.ok is not bool(expected)


def test_an_empty_transcript_before_is_one_too() -> None:
    system = {"role": "system", "content": BLOCK}
    assert verify_fold([], [system], STATE, NOW).ok
    twice = [system, {"role": "user", "content": f"x\n\n{BLOCK}"}]
    assert [one.kind for one in verify_fold([], twice, STATE, NOW).findings] == ["doubled"]


def test_a_person_who_spoke_before_a_result_came_tore_nothing_apart() -> None:
    before = [CALL, HUMAN, RESULT, WORKING]
    assert verify_fold(before, fold(before, STATE, NOW).messages, STATE, NOW).ok


def test_synthetic_words_that_become_a_person_s() -> None:
    before = [machine("[todo] docs", "synthetic"), WORKING]
    after = [{"role": "user", "content": "[todo] docs"}, WORKING, STAMPED]
    kinds = [finding.kind for finding in verify_fold(before, after, STATE, NOW).findings]
    assert kinds == ["provenance"]


def test_a_goal_that_is_over_must_not_be_there() -> None:
    report = verify_fold(BEFORE, GOOD, GoalState(GOAL, "complete"), NOW)
    assert [(one.kind, one.place) for one in report.findings] == [("resurrected", 2)]
    assert verify_fold(BEFORE, [HUMAN], GoalState(GOAL, "complete"), NOW).ok


def test_with_an_unreadable_record_the_newest_block_must_stay() -> None:
    unreadable = Unreadable("locked")
    assert verify_fold(BEFORE, GOOD, unreadable, NOW).ok
    assert [one.kind for one in verify_fold(BEFORE, [HUMAN], unreadable, NOW).findings] == [
        "missing"
    ]
    assert verify_fold([HUMAN], [HUMAN], unreadable, NOW).ok


def test_what_was_wrong_before_is_not_held_against_the_boundary() -> None:
    broken = [HUMAN, RESULT, {"role": "assistant", "tool_calls": [{"id": "z"}]}, WORKING]
    assert verify_fold(broken, fold(broken, STATE, NOW).messages, STATE, NOW).ok


def test_a_quote_and_a_tool_s_result_carry_nothing() -> None:
    quote = {"role": "user", "content": f"See:\n\n{BLOCK}\n\n?"}
    shown = {"role": "tool", "tool_call_id": "a", "content": BLOCK}
    before = [quote, CALL, shown, WORKING]
    assert verify_fold(before, fold(before, STATE, NOW).messages, STATE, NOW).ok
    assert not verify_fold(before, before, STATE, NOW).ok
    assert fold(before, STALE, NOW).messages[0] is quote
