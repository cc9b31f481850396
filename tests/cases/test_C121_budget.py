"""C121: a judge that fails burns nothing: answers that are none end after one re-ask, as `on_error`
says; an outage counts as no judgement; and neither goes on for ever."""

from __future__ import annotations

import pytest
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.convergence import events
from goalspec.runtime.judge import CallFailed, Invalid, Outage, Spent, Unusable, consequence
from goalspec.tests.runtime.convergence.loop import CHECKED, Loop
from goalspec.tests.runtime.judge.goals import GOOD, goal_of, request
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


def asked(on_error: str = "fail") -> Loop:
    """A run whose agent has proposed the end over a met floor."""
    loop = Loop(judged_goal(on_error), facts={"suite.passed": True})
    loop.open()
    loop.start()
    loop.propose("complete", "done")
    assert loop.settle() == "judging"
    return loop


def judged_goal(on_error: str) -> Goal:
    block = f'judge {{ model "m" provider "p" max_invocations 3 on_error {on_error} }}'
    return goal_of(f'{CHECKED}criterion cause "The message explains the cause" {block} }}')


def test_garbage_pauses_the_run_with_why_and_charges_no_turn() -> None:
    loop = asked("pause")
    assert loop.judge(Unusable(Invalid("prose", "it is not a JSON object."))) == "judge_paused"
    assert loop.status == "paused"
    assert loop.record.status.reason == "judge: The answer was refused: it is not a JSON object."
    assert loop.record.usage.turns == 1
    assert loop.state.ledger.judgements == 1


def test_outages_count_neither_as_turns_nor_as_judgements_and_end_in_a_pause() -> None:
    loop = asked()
    reasons = []
    while loop.status == "active":
        reasons.append(loop.judge(Outage("server", "503", closed=False), judgements=0, tokens=0))
        if reasons[-1] == "outage":
            loop.until_due("the judge")
            assert loop.tell(events.Timer) == "judging"
    assert reasons == ["outage"] * 5 + ["outage_exhausted"]
    assert loop.status == "paused"
    assert loop.record.usage.turns == 1
    assert loop.state.ledger.judgements == 0
