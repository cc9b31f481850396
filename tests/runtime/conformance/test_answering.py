"""Requests that are none: an answer that says so, never a traceback."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from goalspec.compiler.ir.canonical import contract_hash
from goalspec.runtime.conformance import answer_line, load_cases
from hypothesis import given
from hypothesis import strategies as st

CASES = {case.name: case for case in load_cases()}
SESSION = CASES["loop/order-a-goal-that-is-complete-stays-so-whatever-comes"]
EVALUATION = CASES["evaluation/logic-kleene-two-bools"]
JUDGEMENT = CASES["judge/answer-the-good-answer"]


def asked(request: Any) -> Any:
    line = answer_line(request if isinstance(request, bytes) else json.dumps(request).encode())
    assert line.endswith("\n")
    assert line.count("\n") == 1
    return json.loads(line)


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (b"\xff", "it is not UTF-8"),
        (b"{", "it is not JSON"),
        (b"[]", "it is a JSON object, not a list"),
        (b"[" * 100_000, "nests deeper"),
        ({"id": "x"}, "kind: it is missing"),
        ({"id": "x", "kind": "guess"}, "its `kind` is one of"),
        ({"id": "x", "kind": "decide", "session": "s"}, "steps: it is missing"),
        ({"id": "x", "kind": "decide", "session": "s", "steps": [1]}, "steps[0]: a step is an object"),
        ({"id": "x", "kind": "decide", "session": "s", "steps": [{"event": "guessed"}]}, "event: it is one of began"),
        ({"id": "x", "kind": "decide", "session": "s", "steps": [{"event": "timer"}]}, "steps[0]: at: it is missing"),
        ({"id": "x", "kind": "decide", "session": "s", "steps": [{"event": "timer", "at": "x", "why": 1}]}, "steps[0]: why: there is no such field"),
        ({"id": "x", "kind": "decide", "session": "s", "steps": [{"command": {"kind": "pause"}}]}, "beside its `actor` and its time"),
        ({"id": "x", "kind": "decide", "session": "s", "steps": [{"command": {"kind": "guess"}, "actor": "person", "at": "x"}]}, "its `kind` is one of"),
    ],
)  # fmt: skip
def test_what_is_no_request_is_said(request_: Any, says: str) -> None:
    answer = asked(request_)
    assert says in answer["error"]
    assert answer["id"] == (request_["id"] if isinstance(request_, dict) else None)


def test_a_time_that_is_none_is_refused() -> None:
    steps = [{"event": "timer", "at": "now"}]
    answer = asked({"id": "x", "kind": "decide", "session": "s", "steps": steps})
    assert answer["steps"][0]["refused"] == "bad_time"


def test_a_goal_that_was_changed_by_hand_is_no_goal() -> None:
    request = copy.deepcopy(dict(EVALUATION.request))
    request["goal"]["objective"] = "another"
    assert "contract" in asked(request)["error"]


def test_a_goal_that_no_compiler_wrote_is_answered_too() -> None:
    request = copy.deepcopy(dict(EVALUATION.request))
    request["goal"]["facts"] = []
    request["goal"]["contract"] = contract_hash(request["goal"])
    said = "it cannot be answered: TypeFault: unknown fact `a`"
    assert asked(request) == {"id": EVALUATION.name, "error": said}


def test_replies_that_are_too_few_are_said() -> None:
    answer = asked({**JUDGEMENT.request, "replies": []})
    assert answer["error"] == "replies: there are 0, and the judge is asked once more"


def test_a_judge_is_asked_after_an_observation() -> None:
    assert "observations" in asked({**JUDGEMENT.request, "observations": []})["error"]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    inner = [(*path, key) for key, _ in items]
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list):
            inner += paths(item, (*path, key))
    return inner


PLACES = [(c, p) for c in (SESSION, EVALUATION, JUDGEMENT) for p in paths(dict(c.request))]
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 2**60, 1.5, "", "x", "\ud800", [], {}, [{}], {"$unknown": 1}]
)


@given(st.sampled_from(PLACES), JUNK)
def test_a_request_with_something_else_in_it_has_an_answer(place: Any, junk: Any) -> None:
    case, path = place
    request = copy.deepcopy(dict(case.request))
    *steps, last = path
    holder: Any = request
    for step in steps:
        holder = holder[step]
    holder[last] = junk
    assert "id" in asked(request)
