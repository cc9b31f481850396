"""A goal with the host's checks bound to it, and what one observation shows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import goalspec
import pytest
from goalspec import BadFacts, BadGoal, Document, goal, goal_check, read_document, write_document
from goalspec.compiler.ir.expressions import HostCheck
from goalspec.tests.runtime.host.goals import FLAKY, LANDING, ci_green


@pytest.mark.row("H09")
def test_a_mapping_is_read_to_the_one_ir_with_its_checks_bound() -> None:
    bound = goal(FLAKY)
    assert bound.goal.objective == "Fix the flaky login test"
    assert [criterion.id for criterion in bound.goal.criteria] == ["sc_0", "green"]
    assert bound.goal.criteria[1].check == HostCheck(name="green")
    assert [constraint.text for constraint in bound.goal.constraints] == ["do not touch auth.go"]
    assert bound.checks == {"green": ci_green}


@pytest.mark.row("H09")
@pytest.mark.parametrize(
    "spec", [{}, {"objective": ""}, {"objective": "x", "success_criteria": [{"check": 1}]}]
)
def test_what_means_nothing_is_refused(spec: dict[str, Any]) -> None:
    with pytest.raises(BadGoal):
        goal(spec)


def test_a_goal_is_taken_as_it_is() -> None:
    bound = goal(FLAKY)
    assert goal(bound) is bound
    assert goal(bound.goal).goal is bound.goal
    assert goal(LANDING).goal is LANDING.goals[0]
    assert goal(LANDING).declared == LANDING.facts


@pytest.mark.ruling(55)
def test_a_check_that_was_written_down_by_name_is_bound_again() -> None:
    text = write_document(Document(goals=(goal(FLAKY).goal,)))
    restored = read_document(text)
    assert goal_check(restored, {"ci_green": True})["unmet"] == ["green"], "unbound it is unknown"
    assert goal_check(goal(restored, {"green": ci_green}), {"ci_green": True})["met"] == ["green"]


@pytest.mark.parametrize(
    ("checks", "problem"),
    [
        (
            {"gren": ci_green},
            "the goal has no check of the host's called `gren`; did you mean `green`?",
        ),
        ({"green": "ci_green"}, "checks.green: a check is callable, not str"),
    ],
)
def test_checks_are_bound_to_names_that_are_there(checks: Any, problem: str) -> None:
    with pytest.raises(BadGoal) as refused:
        goal(goal(FLAKY).goal, checks)
    assert problem in str(refused.value)


# --- checking


@pytest.mark.row("H10")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"ci_green": True}, {"checkable": 1, "done": True, "met": ["green"], "unmet": []}),
        ({"ci_green": False}, {"checkable": 1, "done": False, "met": [], "unmet": ["green"]}),
        ({}, {"checkable": 1, "done": False, "met": [], "unmet": ["green"]}),
        (None, {"checkable": 1, "done": False, "met": [], "unmet": ["green"]}),
    ],
)
def test_the_criteria_with_a_check_are_told_apart(facts: Any, expected: dict[str, Any]) -> None:
    assert goal_check(FLAKY, facts) == expected


class Always:
    def __call__(self, facts: Mapping[str, Any]) -> bool:
        return True


@pytest.mark.row("H10")
@pytest.mark.parametrize("check", [ci_green, Always(), lambda facts: facts["ci_green"] is True])
def test_whatever_can_be_called_is_a_check(check: Callable[[Mapping[str, Any]], Any]) -> None:
    spec = {"objective": "x", "success_criteria": [{"id": "a", "description": "b", "check": check}]}
    assert goal_check(spec, {"ci_green": True})["met"] == ["a"]


async def later(facts: Mapping[str, Any]) -> bool:
    return True


def failing(facts: Mapping[str, Any]) -> bool:
    raise RuntimeError("no network")


@pytest.mark.row("H10")
@pytest.mark.ruling(12)
@pytest.mark.parametrize(
    "check", [failing, later, lambda facts: None, lambda facts: 1, lambda facts: "true"]
)
def test_no_trouble_of_a_check_is_success_or_an_exception(check: Any) -> None:
    spec = {"objective": "x", "success_criteria": [{"id": "a", "description": "b", "check": check}]}
    assert goal_check(spec) == {"checkable": 1, "done": False, "met": [], "unmet": ["a"]}


def test_an_error_of_a_check_is_unknown_with_its_words() -> None:
    spec = {"objective": "x", "success_criteria": [{"description": "b", "check": failing}]}
    [result] = goal(spec).monitor().observe({}).criteria
    assert (result.outcome, result.reason) == ("unknown", "error")
    assert "RuntimeError: no network" in result.explanation


@pytest.mark.row("H10")
@pytest.mark.ruling(12)
def test_where_nothing_can_be_checked_the_goal_is_not_done() -> None:
    spec = {"objective": "Answer", "success_criteria": ["It is answered"]}
    assert goal_check(spec) == {"checkable": 0, "done": False, "met": [], "unmet": []}


def test_a_constraint_that_is_not_shown_to_be_held_keeps_the_goal_from_being_done() -> None:
    spec = {**FLAKY, "constraints": [{"description": "small", "check": lambda f: f.get("small")}]}
    assert goal_check(spec, {"ci_green": True, "small": True})["done"] is True
    assert goal_check(spec, {"ci_green": True, "small": False})["done"] is False
    assert goal_check(spec, {"ci_green": True})["done"] is False


def test_a_compiled_goal_is_checked_likewise() -> None:
    facts = {"suite.passed": True, "diff.files": ["a.py"], "review.approvals": 2}
    checked = goal_check(LANDING, facts)
    assert checked == {"checkable": 2, "done": False, "met": ["approved"], "unmet": ["stable"]}


@pytest.mark.parametrize("facts", ["ci_green", 3, ["ci_green"]])
def test_facts_are_a_mapping(facts: Any) -> None:
    with pytest.raises(BadFacts, match="facts are a mapping, not"):
        goal_check(FLAKY, facts)


def test_the_package_offers_them() -> None:
    for name in ("goal", "goal_check", "goal_judge", "goal_pin", "goal_reloop", "with_goal"):
        assert name in goalspec.__all__
        assert getattr(goalspec, name).__doc__
