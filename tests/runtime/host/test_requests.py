"""The goal in every request of a host: as a fragment of its prompt, a system message, a pin."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec import BadGoal, goal, goal_messages, goal_pin, with_goal
from goalspec.compiler.rendering import goal_block
from goalspec.tests.runtime.host.goals import FLAKY, LANDING
from goalspec.tests.runtime.host.loop import agent_loop

BLOCK = goal_block(goal(FLAKY).goal)


@pytest.mark.row("H11")
def test_the_goal_is_in_the_prompt_that_goes_out() -> None:
    options = with_goal({"max_iterations": 1}, {"objective": "Answer with the codeword PIXEL"})
    run = agent_loop("Proceed.", ["PIXEL"], options)
    [prompt] = run.prompts
    assert "## Goal" in prompt
    assert "Answer with the codeword PIXEL" in prompt


@pytest.mark.row("H11")
def test_objective_criteria_constraints_and_budget_are_in_every_request() -> None:
    run = agent_loop("Proceed.", ["a", "b", "c"], with_goal({"max_iterations": 3}, FLAKY))
    assert len(run.prompts) == 3
    for prompt in run.prompts:
        assert "Objective: Fix the flaky login test" in prompt
        assert "the suite passes twice in a row" in prompt
        assert "CI is green" in prompt
        assert "do not touch auth.go" in prompt
        assert "Budget: cost 5 USD" in prompt


@pytest.mark.row("H11")
def test_what_was_there_stays_and_the_options_are_not_changed() -> None:
    fragment = {"id": "style", "body": "Be brief."}
    given = {"provider": "p", "context_profile": {"mode": "lean", "prompt_fragments": [fragment]}}
    made = with_goal(given, FLAKY)
    assert made["provider"] == "p"
    assert made["context_profile"]["mode"] == "lean"
    assert made["context_profile"]["prompt_fragments"][0] == fragment
    assert made["context_profile"]["prompt_fragments"][1]["body"] == BLOCK
    assert given == {
        "provider": "p", "context_profile": {"mode": "lean", "prompt_fragments": [fragment]},
    }  # fmt: skip


@pytest.mark.row("H11")
def test_the_goal_is_there_once_however_often_it_is_given() -> None:
    twice = with_goal(with_goal({}, {"objective": "Old"}), FLAKY)
    [fragment] = twice["context_profile"]["prompt_fragments"]
    assert fragment["body"] == BLOCK
    assert fragment["goal"]["objective"] == "Fix the flaky login test"


@pytest.mark.parametrize("options", [None, {}, {"context_profile": None}])
def test_options_may_be_empty(options: Any) -> None:
    assert len(with_goal(options, LANDING)["context_profile"]["prompt_fragments"]) == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("x", "options: it is a mapping, not str"),
        ({"context_profile": []}, "context_profile: it is a mapping, not list"),
        (
            {"context_profile": {"prompt_fragments": "x"}},
            "context_profile.prompt_fragments: it is a list, not str",
        ),
    ],
)
def test_options_of_a_wrong_shape_are_refused(options: Any, problem: str) -> None:
    with pytest.raises(BadGoal) as refused:
        with_goal(options, FLAKY)
    assert refused.value.problems == (problem,)


@pytest.mark.row("H11")
@pytest.mark.parametrize(
    ("messages", "made"),
    [
        ([], [{"role": "system", "content": BLOCK}]),
        (
            [{"role": "user", "content": "hi"}],
            [{"role": "system", "content": BLOCK}, {"role": "user", "content": "hi"}],
        ),
        (
            [{"role": "developer", "content": "Be brief."}],
            [{"role": "developer", "content": f"Be brief.\n\n{BLOCK}"}],
        ),
        (
            [{"role": "system", "content": [{"type": "text", "text": "x"}], "name": "n"}],
            [{
                "role": "system", "name": "n",
                "content": [{"type": "text", "text": "x"}, {"type": "text", "text": BLOCK}],
            }],
        ),
        ([{"role": "system", "content": None}], [{"role": "system", "content": BLOCK}]),
    ],
)  # fmt: skip
def test_a_host_without_fragments_gets_messages(
    messages: list[dict[str, Any]], made: list[dict[str, Any]]
) -> None:
    before = [dict(message) for message in messages]
    assert goal_messages(messages, FLAKY) == made
    assert messages == before


@pytest.mark.row("H14")
def test_the_goals_pin_carries_the_block_and_replaces_itself() -> None:
    pin = goal_pin(FLAKY)
    assert (pin.kind, pin.role_hint, pin.dedupe_key) == ("goal", "system", "pin/goal")
    assert pin.content == BLOCK
    assert pin == goal_pin(goal(FLAKY)), "the same goal gives the same pin"
    changed = goal_pin({**FLAKY, "objective": "Another"})
    assert changed.id != pin.id
    assert changed.dedupe_key == pin.dedupe_key


@pytest.mark.row("H14")
def test_the_goals_pin_has_the_goal_as_hosts_keep_it() -> None:
    assert goal_pin(FLAKY).meta["goal"] == {
        "objective": "Fix the flaky login test",
        "success_criteria": [
            {"id": "sc_0", "description": "the suite passes twice in a row"},
            {"id": "green", "description": "CI is green"},
        ],
        "retired_criteria": [],
        "constraints": ["do not touch auth.go"],
        "budget": {"max_cost_usd": 5},
    }
