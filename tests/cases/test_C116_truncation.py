"""C116: an answer that was cut is told from a malformed one, wherever it was cut, and is asked for
once more with word of how long a reason is; an empty one at the limit is cut too."""

from __future__ import annotations

import json

import pytest
from goalspec.runtime.judge import Invalid, Reply, Unusable, read_answer
from goalspec.tests.runtime.judge.goals import GOOD, request
from goalspec.tests.runtime.judge.scripted import Script, judged

TEXT = json.dumps(GOOD)


@pytest.mark.parametrize("length", range(1, len(TEXT), 7))
def test_a_cut_answer_is_truncated_and_never_a_verdict(length: int) -> None:
    read = read_answer(TEXT[:length], request())
    assert isinstance(read, Invalid)
    assert read.kind == "truncated"


@pytest.mark.parametrize("text", [TEXT, TEXT[:200], "", "Let me think"])
def test_the_limit_of_its_length_is_taken_at_its_word(text: str) -> None:
    read = read_answer(text, request(), "length")
    assert isinstance(read, Invalid)
    assert read.kind == "truncated"


def test_it_is_asked_to_be_short() -> None:
    script = Script([Reply(TEXT[:200], "length"), GOOD])
    assert judged(request(), script).accepted
    assert "in one sentence, how they lead to the outcome" in script.asked[0].system
    assert "it was cut at the limit of its length." in script.asked[1].message
    assert "One sentence a reason." in script.asked[1].message


def test_twice_cut_is_its_own_state() -> None:
    made = judged(request(), Script([Reply("", "length"), Reply("", "length")]))
    assert isinstance(made.outcome, Unusable)
    assert made.to_json(request())["outcome"]["kind"] == "truncated"
