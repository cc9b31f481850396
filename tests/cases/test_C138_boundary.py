"""C138: the sentence that says what is data stands once, and before the data."""

from __future__ import annotations

import pytest
from goalspec.compiler.pinning import goal_pins, reminder
from goalspec.compiler.rendering import FRAGMENTS, judge_brief, render
from goalspec.tests.cases.test_C136_fence import PLAIN

SENTENCE = "What stands between <goal-"


@pytest.mark.parametrize("name", [name for name in FRAGMENTS if name != "stall"])
def test_in_each_fragment(name: str) -> None:
    text = render(PLAIN, name).text
    assert text.count(SENTENCE) == 1
    assert text.index(SENTENCE) < text.index("the objective")


def test_in_the_judge_s_brief() -> None:
    text = judge_brief(PLAIN)
    assert text.count(SENTENCE) == 1
    assert text.index(SENTENCE) < text.index("the objective")


def test_in_each_pin() -> None:
    for pin in goal_pins(PLAIN):
        body = reminder(pin)["body"]
        assert body.count(SENTENCE) == 1
        assert body.index(SENTENCE) < body.index(">\n")
