"""C115: the words of a verdict are few: their case and white space do not matter, others fail, keys
that nobody asked for are passed over, and those that are missing are not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.runtime.judge import Answer, Invalid, read_answer
from goalspec.tests.runtime.judge.goals import GOOD, changed, request


def reading(answer: Any) -> str:
    read = read_answer(json.dumps(answer), request())
    return read.decision if isinstance(read, Answer) else read.kind


@pytest.mark.parametrize("word", ["met", "MET", " Met\n", "mEt"])
def test_case_and_white_space_do_not_matter(word: str) -> None:
    assert reading(changed(lambda a: a["criteria"]["cause"].update(outcome=word))) == "accept"


@pytest.mark.parametrize(
    "word", ["maybe", "pass", "true", "met.", "met/unmet", "m e t", "erfüllt", ""]
)
def test_another_word_is_none(word: str) -> None:
    assert reading(changed(lambda a: a["criteria"]["cause"].update(outcome=word))) == "word"


@pytest.mark.parametrize("value", [True, 1, None, ["met"], {"verdict": "met"}])
def test_what_is_no_word_is_none(value: Any) -> None:
    assert reading(changed(lambda a: a["criteria"]["cause"].update(outcome=value))) == "shape"


def test_keys_are_tolerated_when_there_are_more_and_not_when_there_are_fewer() -> None:
    assert reading({**GOOD, "confidence": 0.4, "verdict": "FAIL"}) == "accept"
    for key in GOOD:
        read = read_answer(json.dumps({k: v for k, v in GOOD.items() if k != key}), request())
        assert isinstance(read, Invalid)
        assert read.kind == "missing"
        assert f"`{key}`" in read.words
