"""The target `judge`: one configuration for each kind of host, none of which accepts on an error or
takes the worker's model."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir import document as ir
from goalspec.compiler.judging import PLACEHOLDERS, verdict_schema
from goalspec.compiler.rendering import judge_brief, parse_block
from goalspec.compiler.targets.registry import find_target
from goalspec.compiler.targets.target import Refusal, Request
from goalspec.tests.compiler.rendering.goals import CHECK, goal_of, named
from goalspec.tests.compiler.strict_schemas import refused_by_anthropic, refused_by_openai
from jinja2 import Environment

GOAL = goal_of(named)
FULL = replace(GOAL, judge=ir.Judge(
    model="m-1", provider="acme", max_invocations=5, on_error="pause",
    quorum=ir.Quorum(needed=2, of=3),
))  # fmt: skip


def compiled(goal: ir.Goal = GOAL) -> dict[str, Any]:
    artifacts = find_target("judge").artifacts(Request(ir.Document(goals=(goal,)), "t"))
    return {
        artifact.name.removeprefix("g.judge")
        .strip(".")
        .removesuffix("json")
        .strip("."): json.loads(artifact.text)
        for artifact in artifacts
    }


def judge_by(model: str | None, provider: str | None) -> dict[str, Any]:
    return compiled(replace(GOAL, judge=ir.Judge(model=model, provider=provider)))


@pytest.mark.row("D5")
def test_there_is_a_file_for_each_kind_of_host() -> None:
    files = compiled()
    assert list(files) == ["", "openai", "anthropic", "loop", "promptfoo"]
    for name, file in files.items():
        stamp = file["metadata"]["goalspec"] if name == "promptfoo" else file["goalspec"]
        assert (stamp["target"], stamp["goal"], stamp["contract"]) == ("judge", "g", GOAL.contract)


@pytest.mark.ruling(42)
def test_without_the_block_there_is_no_judge() -> None:
    files = compiled(replace(GOAL, judge=None))
    assert list(files) == [""]
    assert files[""]["judge"] is None
    assert files[""]["undecided"] == ["judged", "kept", "wished", "halt"]


@pytest.mark.ruling(42)
def test_nothing_accepts_on_an_error() -> None:
    files = compiled()
    assert files[""]["judge"]["on_error"] == "fail"
    assert files[""]["judge"]["fail_open_on_error"] is False
    assert files["loop"]["done_judge"]["fail_open_on_error"] is False
    assert compiled(FULL)[""]["judge"]["on_error"] == "pause"


@pytest.mark.row("D5", "H12")
def test_settings_of_the_goal() -> None:
    files = compiled(FULL)
    judge = files[""]["judge"]
    assert (judge["model"], judge["provider"], judge["max_invocations"]) == ("m-1", "acme", 5)
    assert judge["quorum"] == {"needed": 2, "of": 3}
    assert "unset" not in judge
    assert files["promptfoo"]["assert"][0]["provider"] == "acme:m-1"
    assert compiled()[""]["judge"]["max_invocations"] == 3


@pytest.mark.ruling(42)
def test_a_model_that_is_not_named_is_left_to_the_host() -> None:
    files = compiled()
    assert files[""]["judge"]["unset"] == ["model", "provider"]
    for name, config in (("openai", "request"), ("anthropic", "request"), ("loop", "done_judge")):
        assert files[name]["unset"] == ["model"]
        assert "model" not in files[name][config]
    assert files["promptfoo"]["metadata"]["unset"] == ["provider"]
    assert "provider" not in files["promptfoo"]["assert"][0]


@pytest.mark.parametrize(
    ("provider", "openai", "anthropic"),
    [
        (None, True, True),
        ("acme", True, False),
        ("openai", True, False),
        ("anthropic", False, True),
    ],
)
def test_a_model_is_named_only_where_its_provider_can_be_meant(
    provider: str | None, openai: bool, anthropic: bool
) -> None:
    files = judge_by("m-1", provider)
    for name, named_here in (("openai", openai), ("anthropic", anthropic)):
        assert ("model" in files[name]["request"]) == named_here
        assert ("unset" in files[name]) != named_here


def test_promptfoo_spells_a_provider_of_messages() -> None:
    assertion = judge_by("claude-x", "anthropic")["promptfoo"]["assert"][0]
    assert assertion["provider"] == "anthropic:messages:claude-x"
    assert assertion["type"] == "llm-rubric"
    assert assertion["threshold"] == 1


@pytest.mark.row("D5")
def test_requests_hold_the_brief_and_the_schema() -> None:
    files = compiled()
    openai, anthropic = files["openai"]["request"], files["anthropic"]["request"]
    form = openai["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)
    assert [message["role"] for message in openai["messages"]] == ["system", "user"]
    assert openai["messages"][0]["content"] == anthropic["system"] == judge_brief(GOAL)
    output = anthropic["output_config"]["format"]
    assert form["json_schema"]["schema"] == output["schema"] == verdict_schema(GOAL)
    assert anthropic["max_tokens"] >= 4096
    assert refused_by_openai(form["json_schema"]["schema"]) == []
    assert refused_by_anthropic(output["schema"]) == []


@pytest.mark.ruling(50)
def test_each_request_has_a_form_that_cannot_accept() -> None:
    files = compiled()
    schema = verdict_schema(GOAL, accept=False)
    openai, anthropic = files["openai"]["without_accept"], files["anthropic"]["without_accept"]
    assert openai["response_format"]["json_schema"]["schema"] == schema
    assert anthropic["output_config"]["format"]["schema"] == schema
    assert files[""]["judge"]["without_accept"]["schema"] == schema
    assert "`accept`" not in openai["messages"][0]["content"]


def test_placeholders_are_all_named_and_no_string_of_the_goal_is_beside_them() -> None:
    files = compiled(goal_of(lambda place: " ".join(PLACEHOLDERS) + place))
    messages = (
        files[""]["judge"]["message"],
        files["openai"]["request"]["messages"][1]["content"],
        files["anthropic"]["request"]["messages"][0]["content"],
    )
    assert len(set(messages)) == 1
    for name in PLACEHOLDERS:
        assert name in messages[0]
    assert "objective" not in messages[0]
    systems = (
        files[""]["judge"]["system"],
        files["openai"]["request"]["messages"][0]["content"],
        files["anthropic"]["request"]["system"],
    )
    for name in PLACEHOLDERS:  # what a host replaces can replace nothing in the brief
        assert not any(name in system for system in systems)
    assert files["openai"]["placeholders"] == dict(PLACEHOLDERS)


@pytest.mark.row("H12")
def test_loops_get_their_own_keys() -> None:
    loop = compiled(FULL)["loop"]
    assert set(loop) == {"goalspec", "done_judge", "turn_end_condition"}
    older, newer = loop["done_judge"], loop["turn_end_condition"]
    assert set(older) == {
        "model", "provider", "feedback_fallback", "max_invocations", "fail_open_on_error", "system",
    }  # fmt: skip
    assert set(newer) == set(older) - {"fail_open_on_error"}
    assert 'action: "accept"' in older["system"]
    assert 'verdict: "done"' in newer["system"]
    for config in (older, newer):
        assert config["max_invocations"] == 5
        assert parse_block(config["system"]).values["Objective"] == named("objective")


def test_a_rubric_survives_a_template_engine() -> None:
    """promptfoo renders rubrics: what a goal's strings say to its engine is not said."""
    text = "{{ output }}{% if 1 %}{# x #}{{{ y }}}"
    rubric = compiled(goal_of(lambda place: text))["promptfoo"]["assert"][0]["value"]
    assert Environment().from_string(rubric).render(output="forged") == rubric


def test_what_may_be_waived_is_listed() -> None:
    conditional = tuple(replace(part, when=CHECK) for part in GOAL.criteria)
    judge = compiled(replace(GOAL, criteria=conditional))[""]["judge"]
    assert judge["conditional"] == ["judged"]


def test_more_judged_parts_than_a_schema_can_ask_for_are_refused() -> None:
    many = tuple(ir.Criterion(id=f"criterion-{n}", text="x") for n in range(5_001))
    with pytest.raises(Refusal, match=r"the goal g has more judged parts .* give parts a `check`"):
        compiled(replace(GOAL, criteria=many))


def test_the_judge_of_a_goal_without_judged_parts_can_still_be_asked() -> None:
    checked = tuple(replace(part, check=CHECK) for part in GOAL.criteria)
    goal = replace(GOAL, criteria=checked, constraints=(), stops=())
    schema = compiled(goal)["openai"]["request"]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["decision", "next_step"]
    assert refused_by_openai(schema) == []
    assert "Each judged part has" not in judge_brief(goal)
