"""C119: labels are never looked for in reasoning, before the verdict, after it or inside of it."""

from __future__ import annotations

import json

import pytest
from goalspec.runtime.judge import Answer, Invalid, read_answer
from goalspec.tests.runtime.judge.goals import request, said

REASONING = "SUCCESS would mean that the message names the cause. It does not.\nNOT SUCCESS"
NOT_MET = said("continue", cause="unmet")
NOT_MET["criteria"]["cause"]["reason"] = "accept, met, SUCCESS: none of these."


@pytest.mark.parametrize("reply", [REASONING, f"accept\n\n{REASONING}", f"```\n{REASONING}\n```"])
def test_reasoning_is_no_verdict(reply: str) -> None:
    assert isinstance(read_answer(reply, request()), Invalid)


def test_a_verdict_says_what_its_own_word_says() -> None:
    fenced = f"SUCCESS, accept, met.\n```json\n{json.dumps(NOT_MET)}\n```\nSUCCESS"
    read = read_answer(fenced, request())
    assert isinstance(read, Answer)
    assert read.decision == "continue"
    assert [part.outcome for part in read.parts if part.id == "cause"] == ["unmet"]
