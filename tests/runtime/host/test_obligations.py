"""What accepted steering makes of a goal, of its pins, and of the record."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec import (
    BadGoal,
    goal,
    goal_check,
    goal_pin,
    goal_retirement,
    goal_under_obligations,
    pins_under_obligations,
)
from goalspec.compiler.ir.document import Retired
from goalspec.compiler.pinning import make_pin
from goalspec.compiler.rendering import goal_block
from goalspec.tests.runtime.host.goals import FLAKY, LANDING

OBLIGATIONS: dict[str, Any] = {
    "retarget": {"objective": " Delete the test ", "control_id": "c1", "message_id": "m7"}
}
RETIRED = (
    Retired(id="sc_0", text="the suite passes twice in a row"),
    Retired(id="green", text="CI is green"),
)


@pytest.mark.row("H15")
def test_a_retarget_replaces_the_objective_and_retires_every_criterion() -> None:
    before = goal(FLAKY)
    after = goal_under_obligations(before, OBLIGATIONS)
    assert after.goal.objective == "Delete the test"
    assert after.goal.criteria == ()
    assert after.goal.retired == RETIRED
    assert (after.goal.constraints, after.goal.budget) == (
        before.goal.constraints, before.goal.budget,
    )  # fmt: skip
    assert after.goal.contract != before.goal.contract
    assert after.checks == {}


@pytest.mark.row("H15")
def test_retired_criteria_gate_nothing_and_nothing_is_done_for_that() -> None:
    after = goal_under_obligations(FLAKY, OBLIGATIONS)
    assert goal_check(after, {"ci_green": True}) == {
        "checkable": 0, "done": False, "met": [], "unmet": [],
    }  # fmt: skip


@pytest.mark.row("H15")
def test_to_apply_it_again_changes_nothing() -> None:
    after = goal_under_obligations(FLAKY, OBLIGATIONS)
    assert goal_under_obligations(after, OBLIGATIONS) is after


@pytest.mark.row("H15")
@pytest.mark.parametrize(
    "obligations",
    [
        None,
        {},
        {"retarget": None},
        {"retarget": {}},
        {"retarget": {"objective": " \n"}},
        {"steers": []},
    ],
)
def test_without_a_new_objective_the_goal_is_the_same_value(obligations: Any) -> None:
    bound = goal(FLAKY)
    assert goal_under_obligations(bound, obligations) is bound
    assert goal_retirement(bound, obligations) is None


@pytest.mark.row("H15")
@pytest.mark.ruling(55)
def test_a_retarget_may_carry_criteria_whose_ids_were_retired() -> None:
    def deleted(facts: Any) -> bool:
        return bool(facts["deleted"])

    criteria = [{"id": "green", "description": "The test is gone", "check": deleted}]
    obligations = {"retarget": {"objective": "Delete the test", "success_criteria": criteria}}
    after = goal_under_obligations(FLAKY, obligations)
    assert after.goal.retired == RETIRED
    assert goal_check(after, {"deleted": True})["met"] == ["green"]
    assert after.checks == {"green": deleted}
    assert goal_under_obligations(after, obligations) is after


@pytest.mark.row("H15")
def test_a_second_retarget_keeps_what_the_first_retired() -> None:
    criteria = ["The test is gone"]
    first = {"retarget": {"objective": "Delete the test", "success_criteria": criteria}}
    once = goal_under_obligations(FLAKY, first)
    twice = goal_under_obligations(once, {"retarget": {"objective": "Stop"}})
    assert twice.goal.retired == (*RETIRED, Retired(id="sc_0", text="The test is gone"))


@pytest.mark.row("H15")
def test_the_checkpoint_names_what_was_retired_and_the_control() -> None:
    assert goal_retirement(FLAKY, OBLIGATIONS) == {
        "schema": "goalspec.goal_criteria_retired.v1",
        "kind": "goal_criteria_retired",
        "control_id": "c1",
        "message_id": "m7",
        "objective": "Delete the test",
        "previous_objective": "Fix the flaky login test",
        "retired": [
            {"id": "sc_0", "description": "the suite passes twice in a row"},
            {"id": "green", "description": "CI is green"},
        ],
    }
    after = goal_under_obligations(FLAKY, OBLIGATIONS)
    assert goal_retirement(after, OBLIGATIONS) is None, "written once"


def test_a_compiled_goal_keeps_its_stops_and_constraints() -> None:
    after = goal_under_obligations(LANDING, OBLIGATIONS)
    assert [one.id for one in after.goal.retired] == ["stable", "approved"]
    assert after.goal.stops == LANDING.goals[0].stops
    assert after.declared == LANDING.facts


@pytest.mark.row("H15")
def test_what_was_retired_is_said_to_be_neither_owed_nor_met() -> None:
    block = goal_block(goal_under_obligations(FLAKY, OBLIGATIONS).goal)
    assert "Objective: Delete the test" in block
    assert "Retired (no longer owed, not met):\n- sc_0: the suite" in block
    assert "do not touch auth.go" in block


@pytest.mark.row("H14", "H15")
def test_a_pin_that_was_made_before_is_projected() -> None:
    before = goal_pin(FLAKY)
    decision = make_pin("decision", "Retry logic stays in the client")
    prose = make_pin("goal", "Fix the flaky test, whatever it takes", meta={"goal": "fix"})
    left = pins_under_obligations([before, decision, prose], OBLIGATIONS)
    assert left == (goal_pin(goal_under_obligations(FLAKY, OBLIGATIONS)), decision)
    assert pins_under_obligations(left, OBLIGATIONS) == left


@pytest.mark.row("H15")
def test_without_a_retarget_the_pins_stand() -> None:
    pins = (goal_pin(FLAKY), make_pin("goal", "prose"))
    assert pins_under_obligations(pins, {"steers": []}) == pins


@pytest.mark.row("H15")
@pytest.mark.parametrize(
    ("obligations", "problems"),
    [
        ("x", ["obligations: it is a mapping, not str"]),
        ({"retarget": "x"}, ["retarget: it is a mapping, not str"]),
        ({"retarget": {"objective": 3}}, ["retarget.objective: an objective is a string, not int"]),
        (
            {"retarget": {"objective": "x", "goal": 1, "why": 2}},
            ["retarget: there is no key `goal`", "retarget: there is no key `why`"],
        ),
        (
            {"retarget": {"objective": "x", "success_criteria": [""]}},
            ["retarget.success_criteria[0]: a description is blank: say it in a sentence"],
        ),
        (
            {
                "retarget": {
                    "objective": "x",
                    "success_criteria": [{"id": "c_0", "description": "y"}],
                }
            },
            ["retarget.success_criteria: the id `c_0` is there already, of another part"],
        ),
    ],
)
def test_obligations_that_mean_nothing_are_refused(obligations: Any, problems: list[str]) -> None:
    with pytest.raises(BadGoal) as refused:
        goal_under_obligations(FLAKY, obligations)
    assert list(refused.value.problems) == problems
