"""What a judge decides, and the schema of its verdict: made from the goal's own parts, strict enough
for providers, and explained in the brief by the words that it is made of."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir import document as ir
from goalspec.compiler.judging import MAX_CHOICES, judged, verdict_schema
from goalspec.compiler.rendering import judge_brief
from goalspec.tests.compiler.rendering.goals import CHECK, goal_of, named
from goalspec.tests.compiler.strict_schemas import refused_by_anthropic, refused_by_openai
from jsonschema import Draft202012Validator

GOAL = goal_of(named)
GOOD: dict[str, Any] = {
    "criteria": {
        "judged": {
            "evidence": [{"source": "e1", "quote": "the cause was a clock"}],
            "reason": "The message names the cause.",
            "outcome": "met",
        }
    },
    "constraints": {
        "kept": {"evidence": [], "reason": "Nothing was touched.", "outcome": "held"},
        "wished": {"evidence": [], "reason": "It is not shown.", "outcome": "unclear"},
    },
    "stops": {"halt": {"evidence": [], "reason": "It is there.", "outcome": "held"}},
    "decision": "accept",
    "next_step": None,
}


def accepts(schema: dict[str, Any], verdict: Any) -> bool:
    return bool(Draft202012Validator(schema).is_valid(verdict))


def test_what_has_a_check_is_not_judged() -> None:
    parts = judged(GOAL)
    assert [part.id for part in parts.criteria] == ["judged"]
    assert [part.id for part in parts.constraints] == ["kept", "wished"]
    assert [part.id for part in parts.stops] == ["halt"]
    assert dict(judged(GOAL, waived={"judged", "kept", "wished"}).lists()) == {"stops": ("halt",)}


@pytest.mark.row("D5")
def test_a_good_verdict_is_accepted() -> None:
    schema = verdict_schema(GOAL)
    Draft202012Validator.check_schema(schema)
    assert accepts(schema, GOOD)
    step = {"part": "judged", "step": "Write the cause into the message."}
    assert accepts(schema, {**GOOD, "decision": "continue", "next_step": step})
    assert accepts(schema, {**GOOD, "decision": "blocked", "next_step": step})


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    verdict = copy.deepcopy(GOOD)
    change(verdict)
    return verdict


BAD: dict[str, Callable[[dict[str, Any]], object]] = {
    "a criterion left out": lambda v: v["criteria"].pop("judged"),
    "a criterion invented": lambda v: v["criteria"].update(other=v["criteria"]["judged"]),
    "a checked criterion": lambda v: v["criteria"].update(checked=v["criteria"]["judged"]),
    "a constraint left out": lambda v: v["constraints"].pop("kept"),
    "a list left out": lambda v: v.pop("stops"),
    "no decision": lambda v: v.pop("decision"),
    "no next step": lambda v: v.pop("next_step"),
    "a word of its own": lambda v: v["criteria"]["judged"].update(outcome="mostly"),
    "a criterion's word for a constraint": lambda v: v["constraints"]["kept"].update(outcome="met"),
    "a constraint's word for a stop": lambda v: v["stops"]["halt"].update(outcome="violated"),
    "no reason": lambda v: v["criteria"]["judged"].pop("reason"),
    "no evidence": lambda v: v["criteria"]["judged"].pop("evidence"),
    "a quote of nothing": lambda v: v["criteria"]["judged"].update(evidence=[{"quote": "x"}]),
    "evidence as prose": lambda v: v["criteria"]["judged"].update(evidence="the tests pass"),
    "a score": lambda v: v.update(score=0.9),
    "a step of no part": lambda v: v.update(next_step={"part": "other", "step": "x"}),
    "a step as prose": lambda v: v.update(next_step="go on"),
    "a decision of its own": lambda v: v.update(decision="done"),
}


@pytest.mark.row("D5")
@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_another_verdict_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    assert not accepts(verdict_schema(GOAL), changed(change))


@pytest.mark.ruling(50)
def test_over_an_unmet_floor_there_is_no_accept() -> None:
    schema = verdict_schema(GOAL, accept=False)
    step = {"part": "halt", "step": "Ask for the credential."}
    assert not accepts(schema, GOOD)
    assert not accepts(schema, {**GOOD, "decision": "continue"})
    assert accepts(schema, {**GOOD, "decision": "blocked", "next_step": step})


def test_waived_parts_are_not_asked_for() -> None:
    schema = verdict_schema(GOAL, waived={"judged", "wished"})
    assert "criteria" not in schema["properties"]
    assert list(schema["properties"]["constraints"]["properties"]) == ["kept"]
    assert not accepts(schema, GOOD)


def large(parts: int) -> ir.Goal:
    return replace(GOAL, criteria=tuple(
        ir.Criterion(id=f"criterion-number-{n}", text="x", check=CHECK if n % 2 else None)
        for n in range(parts)
    ))  # fmt: skip


SCHEMAS = {
    "all kinds": verdict_schema(GOAL),
    "no accept": verdict_schema(GOAL, accept=False),
    "one list": verdict_schema(GOAL, waived={"kept", "wished", "halt"}),
    "nothing judged": verdict_schema(GOAL, waived={"judged", "kept", "wished", "halt"}),
    "at the most choices": verdict_schema(large(MAX_CHOICES - 3)),
    "above the most choices": verdict_schema(large(2_000)),
}


@pytest.mark.row("D5")
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_strict_modes_take_the_schema(schema: dict[str, Any]) -> None:
    assert refused_by_openai(schema) == []
    assert refused_by_anthropic(schema) == []


def test_the_checkers_would_find_something() -> None:
    loose = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}
    for refused in (refused_by_openai, refused_by_anthropic):
        assert set(refused(loose)) == {
            ": an open object", ": an optional property", "/a: the keyword maxLength",
        }  # fmt: skip
    assert refused_by_openai({"anyOf": []}) == ["the root is no object", "the root is an anyOf"]


@pytest.mark.parametrize("accept", [True, False])
def test_the_brief_explains_each_word_of_the_schema(accept: bool) -> None:
    brief, schema = judge_brief(GOAL, accept=accept), verdict_schema(GOAL, accept)

    def words(node: Any) -> set[str]:
        if isinstance(node, list):
            return {word for item in node for word in words(item)}
        if not isinstance(node, dict):
            return set()
        own = {*node.get("properties", ()), *node.get("enum", ())}
        return own.union(*(words(value) for value in node.values()))

    ids = {part.id for part in (*GOAL.criteria, *GOAL.constraints, *GOAL.stops)}
    asked = words(schema) - ids
    assert {"outcome", "met", "violated", "stopped", "decision", "quote", "step"} <= asked
    assert {word for word in asked if f"`{word}`" not in brief} == set()
    assert set(GOOD) | {"outcome", "unclear"} <= asked
