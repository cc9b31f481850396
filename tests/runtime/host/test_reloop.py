"""A loop whose end is gated by the goal: vetoes with what is open, a few claims, and no way by which
trouble passes for success."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from goalspec import BadGoal, goal_reloop
from goalspec.runtime.host import reloop
from goalspec.tests.runtime.host.goals import FLAKY, LANDING, compiled
from goalspec.tests.runtime.host.loop import agent_loop

CI: dict[str, Any] = {
    "objective": "make CI green",
    "success_criteria": [
        {"id": "green", "description": "CI is green", "check": lambda facts: facts["ci_green"]}
    ],
}


def seen(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {"ci_green": "CI_IS_GREEN" in payload["visible_text"]}


def gate(spec: Any, **opts: Any) -> Any:
    return goal_reloop(spec, opts)["verify_completion"]


# --- what hosts of row H13 hold it to


@pytest.mark.row("H13")
def test_the_options_of_the_loop() -> None:
    options = goal_reloop(FLAKY, {"max_attempts": 2})
    assert options["loop_until_done"] is True
    assert options["max_iterations"] == 2
    assert options["done_sentinel"] == "<<GOAL-DONE>>"
    assert callable(options["verify_completion"])
    assert not {"facts_fn", "max_attempts", "judge"} & options.keys()
    assert "turn_end_condition" not in options
    [fragment] = options["context_profile"]["prompt_fragments"]
    assert "## Goal" in fragment["body"]


@pytest.mark.row("H13")
def test_an_unmet_goal_vetoes_and_says_what_is_open() -> None:
    answer = gate(FLAKY, max_attempts=2)({"anything": 1})
    assert answer["confirm"] is False
    assert "CI is green" in answer["feedback"]


@pytest.mark.row("H13")
def test_the_agent_is_sent_back_until_the_goal_is_done() -> None:
    options = goal_reloop(CI, {"facts_fn": seen, "max_attempts": 4})
    run = agent_loop(
        "Proceed.", ["Done. <<GOAL-DONE>>", "CI_IS_GREEN <<GOAL-DONE>>", "never"], options
    )
    assert run.stop_reason == "sentinel"
    assert len(run.turns) == 2
    assert "CI_IS_GREEN" in run.turns[-1]
    veto = run.messages[2]
    assert veto["role"] == "user"
    assert "CI is green" in veto["content"]


@pytest.mark.row("H13")
def test_at_most_so_many_claims_are_gated() -> None:
    options = goal_reloop(CI, {"facts_fn": seen, "max_iterations": 10})
    run = agent_loop("Proceed.", ["<<GOAL-DONE>>"] * 10, options)
    assert len(run.turns) == 3
    assert run.stop_reason == "3 claims to be done were not true, and still open: green"


@pytest.mark.row("H13")
def test_turns_with_tools_do_not_use_up_the_claims() -> None:
    options = goal_reloop({**CI, "budget": {"turns": 9, "attempts": 2}}, {"facts_fn": seen})
    assert (options["max_iterations"], options["max_verify_attempts"]) == (9, 2)
    working = ["reading", "editing", "testing", "<<GOAL-DONE>>", "CI_IS_GREEN <<GOAL-DONE>>"]
    assert agent_loop("Proceed.", working, options).stop_reason == "sentinel"


@pytest.mark.row("H13")
def test_claims_of_two_sessions_are_counted_apart() -> None:
    check = gate(CI, max_attempts=2)
    assert "feedback" in check({"session_id": "a"})
    assert "feedback" in check({"session_id": "b"})
    assert check({"session_id": "a"})["action"] == "stop_unverified"


@pytest.mark.row("H13")
def test_after_the_last_claim_not_even_a_true_one_counts() -> None:
    check = gate(CI, max_attempts=2, facts_fn=seen)
    assert "feedback" in check({})
    assert check({})["action"] == "stop_unverified"
    assert check({"visible_text": "CI_IS_GREEN"}) == {
        "confirm": False,
        "action": "stop_unverified",
        "reason": "2 claims to be done were made, and no more are allowed",
    }


@pytest.mark.row("H13")
def test_claims_that_the_judge_turned_down_are_counted() -> None:
    check = gate(CI, max_attempts=2, judge=True, facts_fn=seen)
    done = {"visible_text": "CI_IS_GREEN"}
    assert [check(done) for _ in range(2)] == [{"confirm": True}] * 2
    assert check(done)["action"] == "stop_unverified"


class _Asked:
    async def __call__(self, payload: Any) -> dict[str, Any]:
        return {}


async def _asked(payload: Any) -> dict[str, Any]:
    return {}


@pytest.mark.row("H13")
@pytest.mark.parametrize("facts_fn", [_asked, _Asked()])
def test_facts_that_nobody_would_await_are_refused(facts_fn: Any) -> None:
    with pytest.raises(BadGoal, match="facts_fn: it is async"):
        goal_reloop(CI, {"facts_fn": facts_fn})


@pytest.mark.row("H12")
def test_a_carrier_of_goalspec_s_own_judge_is_none_of_a_loop_s_options() -> None:
    with pytest.raises(BadGoal, match=r"judge: .*`call`"):
        goal_reloop(CI, {"facts_fn": seen, "judge": {"call": _asked}})


# --- options of the loop, and hazards of joining them


@pytest.mark.row("H13")
def test_options_for_the_agent_pass_through_and_win() -> None:
    options = goal_reloop(FLAKY, {"provider": "p", "model": "m", "max_iterations": 40, "tools": []})
    assert (options["provider"], options["model"], options["tools"]) == ("p", "m", [])
    assert options["max_iterations"] == 40
    assert options["total_budget_usd"] == 5


@pytest.mark.row("H13")
def test_the_judge_is_the_ceiling_and_never_the_worker() -> None:
    options = goal_reloop(FLAKY, {"judge": True, "model": "worker", "provider": "p"})
    judge = options["turn_end_condition"]
    assert not {"model", "provider"} & judge.keys()
    assert options["model"] == "worker"
    assert goal_reloop(FLAKY, {"judge": {"model": "j"}})["turn_end_condition"]["model"] == "j"


@pytest.mark.row("H13")
def test_what_a_preset_sets_to_nothing_does_not_switch_the_judge_off() -> None:
    newer = goal_reloop(FLAKY, {"judge": True, "turn_end_condition": None})
    assert newer["turn_end_condition"]["max_invocations"] == 3
    older = goal_reloop(FLAKY, {"judge": True, "done_judge": None, "verify_completion": None})
    assert older["done_judge"]["fail_open_on_error"] is False
    assert "turn_end_condition" not in older
    assert callable(older["verify_completion"])


@pytest.mark.row("H13")
def test_a_policy_that_forbids_the_sentinel_is_reconciled_with_it() -> None:
    policy = {"allow_done_sentinel": False, "max_prose_chars": 60_000}
    options = goal_reloop(FLAKY, {"turn_policy": policy})
    assert options["turn_policy"] == {"allow_done_sentinel": True, "max_prose_chars": 60_000}
    assert policy["allow_done_sentinel"] is False


def test_a_compiled_goal_brings_its_limits_and_its_judge() -> None:
    options = goal_reloop(LANDING)
    assert (options["max_iterations"], options["max_verify_attempts"]) == (25, 4)
    assert options["turn_end_condition"]["model"] == "judge-1"
    assert "turn_end_condition" not in goal_reloop(LANDING, {"judge": False})


@pytest.mark.row("H13")
@pytest.mark.parametrize(
    ("opts", "problems"),
    [
        ("x", ["opts: it is a mapping, not str"]),
        ({"facts_fn": {}}, ["facts_fn: it is callable, not dict"]),
        ({"max_attempts": 0}, ["max_attempts: it is a whole number, 1 or more"]),
        ({"max_attempts": True}, ["max_attempts: it is a whole number, 1 or more"]),
        ({"done_sentinel": ""}, ["done_sentinel: a sentinel is blank: leave it out"]),
        ({"judge": "m"}, ["judge: it is True, False or the judge's options, not str"]),
        ({"judge": {"modle": "m"}}, ["judge: there is no key `modle`; did you mean `model`?"]),
        (
            {"loop_until_done": False},
            ["loop_until_done: the loop ends when the goal is done: leave it out"],
        ),
        (
            {"verify_completion": lambda payload: True},
            [
                "verify_completion: the goal's checks stand there: give what they read to `facts_fn`, or add a criterion"
            ],
        ),
        (
            {"judge": True, "done_judge": {"model": "m"}},
            ["done_judge: it is a second judge beside `judge`: leave one out"],
        ),
    ],
)
def test_options_that_would_open_the_gate_are_refused(opts: Any, problems: list[str]) -> None:
    with pytest.raises(BadGoal) as refused:
        goal_reloop(FLAKY, opts)
    assert list(refused.value.problems) == problems


def test_a_limit_that_a_loop_has_no_number_for_is_refused() -> None:
    with pytest.raises(BadGoal, match="budget: the budget limits cost to 5 EUR"):
        goal_reloop({**CI, "budget": {"cost": "5 EUR"}})


@pytest.mark.row("H13")
@pytest.mark.ruling(12)
def test_a_loop_that_nothing_could_end_does_not_start() -> None:
    spec = {"objective": "Answer", "success_criteria": ["It is answered"]}
    with pytest.raises(BadGoal, match="judge: the goal has no check and no judge"):
        goal_reloop(spec)
    assert gate(spec, judge=True)({}) == {"confirm": True}, "the judge decides"


# --- the gate


def raising(payload: Mapping[str, Any]) -> dict[str, Any]:
    raise OSError("no CI today")


@pytest.mark.row("H13")
@pytest.mark.parametrize(
    ("facts_fn", "words"),
    [
        (raising, "the facts could not be had: OSError: no CI today"),
        (lambda payload: "green", "the facts are str, and a mapping is due"),
    ],
)
def test_facts_that_cannot_be_had_veto_with_their_words(facts_fn: Any, words: str) -> None:
    answer = gate(CI, facts_fn=facts_fn)({})
    assert answer["confirm"] is False
    assert words in answer["feedback"]


def test_facts_that_are_refused_veto() -> None:
    twice = {"suite.passed": True, "suite": {"passed": False}}
    answer = gate(LANDING, facts_fn=lambda payload: twice)({})
    assert "the facts were refused" in answer["feedback"]


def test_facts_that_failed_do_not_leave_old_ones_in_force() -> None:
    green = compiled(
        'facts {\n  suite.passed : bool\n}\ngoal g {\n  objective "o"\n'
        '  criterion green "It is green"\n    check suite.passed\n}\n'
    )
    answers: list[Any] = [{"suite.passed": True}, "broken"]
    check = gate(green, facts_fn=lambda payload: answers.pop(0))
    assert check({}) == {"confirm": True}
    assert check({})["confirm"] is False


@pytest.mark.row("H13")
@pytest.mark.parametrize("payload", [None, 3, "x", [], {"obligations": 7}, {"session_id": None}])
def test_any_payload_has_an_answer(payload: Any) -> None:
    assert gate(CI)(payload)["confirm"] is False


def test_an_error_in_a_check_vetoes_and_names_itself() -> None:
    answer = gate(CI)({})
    assert "KeyError: 'ci_green'" in answer["feedback"]


def test_claims_are_observations_so_streaks_count_over_them() -> None:
    check = gate(LANDING, facts_fn=lambda payload: facts())
    assert "stable" in check({})["feedback"]
    assert check({}) == {"confirm": True}


def test_a_time_that_a_check_asks_for_is_the_time_of_the_claim(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quiet = compiled(
        'facts {\n  alert.quiet : bool\n}\ngoal g {\n  objective "Calm it."\n'
        '  criterion calm "It is calm for ten minutes"\n    check alert.quiet for 10m every 10m\n}\n'
    )
    check = gate(quiet, facts_fn=lambda payload: {"alert.quiet": True})
    monkeypatch.setattr(reloop, "now_text", lambda: "2026-03-01T10:00:00Z")
    assert check({})["confirm"] is False
    monkeypatch.setattr(reloop, "now_text", lambda: "2026-03-01T10:10:00Z")
    assert check({}) == {"confirm": True}


def facts(**changed: Any) -> dict[str, Any]:
    usual = {
        "suite.passed": True, "diff.files": ["a"], "review.approvals": 1, "deploy.broken": False,
    }  # fmt: skip
    return usual | {name.replace("_", ".", 1): value for name, value in changed.items()}


def test_a_true_stop_ends_the_run_as_unverified() -> None:
    answer = gate(LANDING, facts_fn=lambda payload: facts(deploy_broken=True))({})
    assert answer == {
        "confirm": False, "action": "stop_unverified", "reason": "a stop of the goal is true: broken",
    }  # fmt: skip


@pytest.mark.ruling(57)
def test_where_only_others_can_act_the_agent_is_not_sent_back() -> None:
    check = gate(LANDING, facts_fn=lambda payload: facts(review_approvals=0))
    assert "Awaited from others" in check({})["feedback"], "the streak is still open"
    answer = check({})
    assert answer["reason"] == "only others can bring about approved"


def test_a_violated_constraint_vetoes_whatever_else_is_met() -> None:
    check = gate(LANDING, facts_fn=lambda payload: facts(diff_files=["src/auth.go"]))
    check({})
    assert "no-auth" in check({})["feedback"]


def test_a_goal_whose_criteria_do_not_apply_is_not_done() -> None:
    waived = compiled(
        'facts {\n  a.b : bool\n  a.c : bool\n}\ngoal g {\n  objective "o"\n'
        '  criterion x "x"\n    when a.b\n    check a.c\n}\n'
    )
    answer = gate(waived, facts_fn=lambda payload: {"a.b": False})({})
    assert answer["reason"] == "no criterion with a check applies, so nothing shows that it is done"


# --- under obligations

RETARGET = {"objective": "Revert the change", "control_id": "c1", "message_id": "m1"}


@pytest.mark.row("H13", "H15")
@pytest.mark.ruling(55)
def test_a_retarget_without_criteria_is_not_done_by_a_claim() -> None:
    check = gate(CI, facts_fn=lambda payload: {"ci_green": True})
    assert check({}) == {"confirm": True}
    answer = check({"obligations": {"retarget": RETARGET}})
    assert answer["reason"] == "the new objective came without criteria, and there is no judge"


@pytest.mark.row("H13", "H15")
def test_criteria_that_a_retarget_carries_gate_instead() -> None:
    criteria = [
        {"id": "reverted", "description": "It is reverted", "check": lambda f: f["reverted"]}
    ]
    claim = {"obligations": {"retarget": {**RETARGET, "success_criteria": criteria}}}
    state = {"ci_green": True, "reverted": False}
    check = gate(CI, facts_fn=lambda payload: state)
    assert "It is reverted" in check(claim)["feedback"]
    state["reverted"] = True
    assert check(claim) == {"confirm": True}


# --- what options cannot do

LIMITED: dict[str, Any] = {**CI, "budget": {"max_cost_usd": 5, "max_iterations": 10}}
CAPTAIN: dict[str, Any] = {"total_budget_usd": 25.0, "max_iterations": 60, "done_judge": None}


@pytest.mark.row("H13")
def test_a_preset_never_raises_the_goal_s_own_limits() -> None:
    raised = goal_reloop(LIMITED, CAPTAIN)
    assert (raised["total_budget_usd"], raised["max_iterations"]) == (5, 10)
    lowered = goal_reloop(LIMITED, {"total_budget_usd": 2.5, "max_iterations": 3})
    assert (lowered["total_budget_usd"], lowered["max_iterations"]) == (2.5, 3)
    unlimited = goal_reloop(CI, CAPTAIN)
    assert (unlimited["total_budget_usd"], unlimited["max_iterations"]) == (25.0, 60)


def test_the_gate_and_the_loop_count_the_same_claims() -> None:
    spec = {**CI, "budget": {"max_attempts": 2}}
    for options in ({}, {"max_attempts": 5}):
        made = goal_reloop(spec, options)
        assert made["max_verify_attempts"] == made["verify_completion"].max_attempts


@pytest.mark.parametrize("value", [False, 0, "no"])
def test_the_loop_cannot_be_told_to_end_by_itself(value: Any) -> None:
    with pytest.raises(BadGoal, match="loop_until_done"):
        goal_reloop(CI, {"loop_until_done": value})


@pytest.mark.ruling(42)
@pytest.mark.parametrize("seam", ["done_judge", "turn_end_condition"])
def test_a_judge_of_the_host_s_own_accepts_on_no_error(seam: str) -> None:
    with pytest.raises(BadGoal, match=rf"{seam}\.fail_open_on_error: nothing accepts on an error"):
        goal_reloop(CI, {seam: {"fail_open_on_error": True}})


@pytest.mark.ruling(12)
def test_a_goal_whose_constraints_alone_are_checked_does_not_start() -> None:
    spec = {
        "objective": "o",
        "success_criteria": ["It is done"],
        "constraints": [{"description": "Small", "check": lambda facts: True}],
    }
    with pytest.raises(BadGoal, match="nothing can say that it is done"):
        goal_reloop(spec)
