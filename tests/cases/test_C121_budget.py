"""C121: a judge that fails burns nothing: answers that are none end after one re-ask, as `on_error`
says; an outage counts as no judgement; and neither goes on for ever."""

from __future__ import annotations

import pytest
from goalspec.runtime.judge import CallFailed, Spent, consequence
from goalspec.tests.runtime.judge.goals import GOOD, request
from goalspec.tests.runtime.judge.scripted import Script, judged

DOWN = CallFailed("transport", "connection refused")


@pytest.mark.parametrize(("on_error", "follows"), [("fail", "unverified"), ("pause", "pause")])
def test_garbage_ends_as_the_goal_says(on_error: str, follows: str) -> None:
    made = judged(request(), Script(["garbage"] * 9))
    assert len(made.calls) == 2
    assert consequence(made.outcome, on_error) == follows  # type: ignore[arg-type]
    assert made.spent.invocations == 1


def test_an_outage_is_not_counted_and_the_judge_can_still_be_asked() -> None:
    spent = Spent()
    for _ in range(20):
        made = judged(request(), Script([DOWN] * 4), before=spent)
        assert consequence(made.outcome, "fail") == "later"
        spent = spent.plus(made.spent)
    assert spent == Spent()
    assert judged(request(), Script([GOOD]), before=spent).accepted


def test_garbage_after_an_outage_is_counted_once() -> None:
    made = judged(request(), Script([DOWN, "garbage", DOWN, "garbage"]))
    assert made.spent.invocations == 1
