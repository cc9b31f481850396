"""Several judges: what one of them rejects is never outvoted, and disagreement is not accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.runtime.judge import Answer, Decided, decided, read_answer
from goalspec.tests.runtime.judge.goals import GOAL, GOOD, request, said, with_quorum
from hypothesis import given
from hypothesis import strategies as st

ACCEPT = GOOD
UNMET = said("continue", cause="unmet")
UNCLEAR = said("continue", cause="unclear")
BLOCKED = said("blocked", cause="unclear")
STOPPED = said("blocked", no_access="stopped")
VIOLATED = said("continue", scope="violated")
UNWELL = said("accept", style="unmet")


def together(needed: int, of: int, *answers: dict[str, Any]) -> Decided | None:
    asked = request(goal=with_quorum(needed, of, GOAL))
    read = [read_answer(json.dumps(answer), asked) for answer in answers]
    assert all(isinstance(one, Answer) for one in read), read
    return decided([one for one in read if isinstance(one, Answer)], asked)


def parts(verdict: Decided | None) -> dict[str, str]:
    assert verdict is not None
    return {part.id: part.outcome for part in verdict.parts}


@pytest.mark.parametrize(
    ("needed", "of", "answers", "decision"),
    [
        (2, 3, [ACCEPT, ACCEPT, ACCEPT], "accept"),
        (2, 3, [ACCEPT, ACCEPT, UNCLEAR], "accept"),
        (2, 3, [ACCEPT, ACCEPT, UNWELL], "accept"),
        (2, 3, [ACCEPT, ACCEPT], "accept"),
        (2, 3, [ACCEPT, UNCLEAR, UNCLEAR], "continue"),
        (2, 3, [ACCEPT, ACCEPT, UNMET], "continue"),
        (2, 3, [UNMET, ACCEPT, ACCEPT], "continue"),
        (2, 3, [ACCEPT, ACCEPT, VIOLATED], "continue"),
        (2, 3, [ACCEPT, ACCEPT, STOPPED], "continue"),
        (2, 3, [ACCEPT, ACCEPT, BLOCKED], "continue"),
        (2, 3, [BLOCKED, BLOCKED, ACCEPT], "blocked"),
        (2, 3, [STOPPED, STOPPED, ACCEPT], "blocked"),
        (3, 3, [ACCEPT, ACCEPT, UNCLEAR], "continue"),
        (1, 3, [ACCEPT, UNMET, UNCLEAR], "continue"),
        (2, 3, [UNMET], "continue"),
        (1, 1, [STOPPED], "blocked"),
    ],
)
def test_answers_taken_together(
    needed: int, of: int, answers: list[dict[str, Any]], decision: str
) -> None:
    verdict = together(needed, of, *answers)
    assert verdict is not None
    assert verdict.decision == decision
    assert (verdict.next_step is None) == (decision == "accept")
    assert len(verdict.answers) == len(answers), "each one's answer is kept"


def test_too_few_answers_are_no_verdict() -> None:
    assert together(2, 3, ACCEPT) is None
    assert together(2, 3, UNCLEAR) is None
    assert together(2, 3) is None


def test_a_part_is_what_its_judges_find() -> None:
    assert parts(together(2, 3, ACCEPT, ACCEPT, UNMET))["cause"] == "unmet"
    assert parts(together(2, 3, ACCEPT, ACCEPT, UNCLEAR))["cause"] == "met"
    assert parts(together(3, 3, ACCEPT, ACCEPT, UNCLEAR))["cause"] == "unclear"
    assert parts(together(2, 3, STOPPED, ACCEPT, ACCEPT))["no-access"] == "unclear"
    verdict = together(2, 3, STOPPED, STOPPED, ACCEPT)
    assert verdict is not None
    assert verdict.stopped == ("no-access",)


def test_the_step_is_of_one_who_decided_so() -> None:
    other = {**BLOCKED, "next_step": {"part": "no-access", "step": "Ask for the token."}}
    verdict = together(1, 2, UNCLEAR, other)
    assert verdict is not None
    assert (verdict.decision, verdict.next_step and verdict.next_step.part) == (
        "blocked",
        "no-access",
    )


ANY = st.sampled_from([ACCEPT, UNMET, UNCLEAR, BLOCKED, STOPPED, VIOLATED, UNWELL])


@given(st.lists(ANY, min_size=1, max_size=5), st.integers(1, 5), ANY)
def test_a_quorum_is_monotone(
    answers: list[dict[str, Any]], needed: int, one: dict[str, Any]
) -> None:
    of = max(5, needed)
    verdict = together(needed, of, *answers)
    if verdict is not None and verdict.decision == "accept":
        accepting = sum(answer["decision"] == "accept" for answer in answers)
        assert accepting >= needed
        assert UNMET not in answers and VIOLATED not in answers and STOPPED not in answers
    if any(answer in (UNMET, VIOLATED, STOPPED) for answer in answers):
        assert verdict is not None
        assert verdict.decision != "accept"
        more = together(needed, of, *answers, one)
        assert more is not None
        assert more.decision != "accept", "no further answer outvotes it"
    if UNMET in answers:
        assert parts(verdict)["cause"] == "unmet"
    if VIOLATED in answers:
        assert parts(verdict)["scope"] == "violated"
