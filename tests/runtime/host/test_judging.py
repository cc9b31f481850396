"""The judge's options for an agent loop."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec import BadGoal, goal_judge
from goalspec.tests.runtime.host.goals import FLAKY, LANDING


@pytest.mark.row("H12")
def test_the_judge_is_built_around_the_goal_with_safe_defaults() -> None:
    judge = goal_judge(FLAKY)
    assert "enabled" not in judge
    assert "Fix the flaky login test" in judge["system"]
    assert judge["max_invocations"] == 3
    assert judge["feedback_fallback"] == "The goal is not done yet. Go on with what is open."
    assert judge["goal"]["objective"] == "Fix the flaky login test"
    assert not {"model", "provider"} & judge.keys(), "the worker's are never meant"


@pytest.mark.row("H12")
def test_an_older_loop_reads_an_action_and_may_not_fail_open() -> None:
    judge = goal_judge(FLAKY, seam="done_judge")
    assert 'action: "accept"' in judge["system"]
    assert judge["fail_open_on_error"] is False
    assert judge["max_invocations"] == 3


@pytest.mark.row("H12")
def test_what_the_host_says_of_its_judge_is_taken() -> None:
    opts = {
        "model": "m", "provider": "p", "max_invocations": 5, "feedback_fallback": "Not yet.",
        "fail_open_on_error": False,
    }  # fmt: skip
    judge = goal_judge(FLAKY, opts)
    assert (judge["model"], judge["provider"], judge["max_invocations"]) == ("m", "p", 5)
    assert judge["feedback_fallback"] == "Not yet."


def test_a_compiled_goals_own_judge_holds_where_the_host_says_nothing() -> None:
    assert goal_judge(LANDING)["model"] == "judge-1"
    assert goal_judge(LANDING)["max_invocations"] == 2
    assert goal_judge(LANDING, {"model": "m"})["model"] == "m"
    assert goal_judge(LANDING, {"model": "m"})["max_invocations"] == 2


@pytest.mark.row("H12")
@pytest.mark.ruling(42)
@pytest.mark.parametrize(
    ("opts", "problems"),
    [
        ("m", ["judge: it is a mapping, not str"]),
        ({"modle": "m"}, ["judge: there is no key `modle`; did you mean `model`?"]),
        (
            {"fail_open_on_error": True},
            ["judge: there is no `fail_open_on_error`: nothing accepts on an error"],
        ),
        ({"fail_open": 1}, ["judge: there is no `fail_open`: nothing accepts on an error"]),
        ({"enabled": True}, ["judge: there is no `enabled`: leave the judge out to have none"]),
        (
            {"max_feedback": 240},
            ["judge: there is no `max_feedback`: what a judge says is not cut"],
        ),
        (
            {"max_invocations": 0, "model": " ", "provider": 3},
            [
                "judge.model: `model` is blank: leave it out",
                "judge.provider: `provider` is a string, not int",
                "judge.max_invocations: it is a whole number, 1 or more",
            ],
        ),
        ({"max_invocations": True}, ["judge.max_invocations: it is a whole number, 1 or more"]),
    ],
)
def test_options_that_mean_nothing_are_refused(opts: Any, problems: list[str]) -> None:
    with pytest.raises(BadGoal) as refused:
        goal_judge(FLAKY, opts)
    assert list(refused.value.problems) == problems


def test_a_seam_that_no_loop_has_is_refused() -> None:
    with pytest.raises(BadGoal, match="seam: `judge` is none: there are turn_end_condition, done"):
        goal_judge(FLAKY, seam="judge")
