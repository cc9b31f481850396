"""C068: a verdict beside a score that contradicts it. A judge's answer has no score: each part has a
word of its own, with what shows it, and the decision holds together with them or counts for nothing.
Where a host's grader gives a score beside its verdict, a score of 0 never passes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from goalspec.compiler.ir import document as ir
from goalspec.compiler.judging import verdict_schema
from goalspec.compiler.targets.registry import find_target
from goalspec.compiler.targets.target import Request
from goalspec.runtime.judge import Invalid, Unusable, read_answer
from goalspec.tests.runtime.judge.goals import GOAL, GOOD, changed, request
from goalspec.tests.runtime.judge.scripted import Script, judged

CONTRADICTIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "an accept over an unmet part": lambda a: a["criteria"]["cause"].update(outcome="unmet"),
    "an accept over an unclear part": lambda a: a["criteria"]["cause"].update(outcome="unclear"),
    "an accept over a violation": lambda a: a["constraints"]["scope"].update(outcome="violated"),
    "met with nothing that shows it": lambda a: a["criteria"]["cause"].update(evidence=[]),
    "an accept with a step to take": lambda a: a.update(next_step={"part": "cause", "step": "Go on."}),
}  # fmt: skip


@pytest.mark.parametrize("change", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_verdict_that_contradicts_itself_is_none(
    change: Callable[[dict[str, Any]], object],
) -> None:
    answer = changed(change)
    assert isinstance(read_answer(json.dumps(answer), request()), Invalid)
    made = judged(request(), Script([answer, answer]))
    assert isinstance(made.outcome, Unusable)
    assert not made.accepted


@pytest.mark.parametrize(
    "answer",
    [
        {"pass": True, "score": 0},
        {"pass": True, "score": 1},
        {"pass": True, "score": None},
        {"score": 1},
        {"pass": True},
        {},
    ],
)
def test_a_score_is_no_verdict(answer: dict[str, Any]) -> None:
    assert isinstance(read_answer(json.dumps(answer), request()), Invalid)


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.update(decision=None),
        lambda a: a["criteria"]["cause"].update(outcome=None),
        lambda a: a["criteria"]["cause"].update(outcome=0),
        lambda a: a["criteria"].update(cause=None),
        lambda a: a.update(criteria=None),
        lambda a: a.pop("decision"),
    ],
)
def test_null_is_no_word_and_nothing_stands_in_for_it(
    change: Callable[[dict[str, Any]], object],
) -> None:
    assert isinstance(read_answer(json.dumps(changed(change)), request()), Invalid)


def test_the_schema_asks_for_no_score() -> None:
    assert "score" not in json.dumps(verdict_schema(GOAL, True, frozenset()))
    assert not isinstance(read_answer(json.dumps(GOOD), request()), Invalid)


def test_a_hosts_grader_passes_by_its_score_too() -> None:
    document = ir.Document(goals=(GOAL,))
    [file] = [
        json.loads(artifact.text)
        for artifact in find_target("judge").artifacts(Request(document, "t"))
        if artifact.name.endswith(".promptfoo.json")
    ]
    [rubric] = file["assert"]
    assert rubric["threshold"] == 1
    assert "score" in rubric["value"]
