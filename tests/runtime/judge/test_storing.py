"""A request comes back from a file as it was, so that its judgement can be replayed there."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from goalspec.runtime.judge import BadRequest, Evidence, read_request, replay, write_request
from goalspec.runtime.judge.request import Mode
from goalspec.tests.runtime.judge.goals import EVIDENCE, FACTS, GOAL, GOOD, goal_of, request
from goalspec.tests.runtime.judge.scripted import Script, judged
from hypothesis import given
from hypothesis import strategies as st

STORED = write_request(request())


@pytest.mark.row("X14")
@pytest.mark.parametrize(
    ("facts", "mode"),
    [
        (FACTS, "full"),
        ({**FACTS, "release.due": True}, "full"),
        ({**FACTS, "suite.passed": False}, "unmet_floor"),
        ({}, "unmet_floor"),
    ],
)
def test_a_request_comes_back_as_it_was(facts: dict[str, Any], mode: Mode) -> None:
    evidence = (*EVIDENCE, Evidence("odd", "tool", "a \udcff name\x00"))
    asked = request(facts, evidence, mode=mode)
    again = read_request(json.loads(json.dumps(write_request(asked))), GOAL)
    assert again.prompt == asked.prompt
    assert again.hashes == asked.hashes


@pytest.mark.row("X14")
def test_a_judgement_is_replayed_against_it() -> None:
    made = judged(request(), Script(["no", GOOD]))
    kept = json.dumps([made.to_json(request()), write_request(request())])
    record, stored = json.loads(kept)
    assert replay(record, read_request(stored, GOAL)) == made.outcome


def test_a_request_of_another_contract_is_refused() -> None:
    other = goal_of('goal g { objective "O." criterion a "A" judge { model "m" provider "p" } }')
    with pytest.raises(BadRequest, match="is of the contract c1:"):
        read_request(STORED, other)


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a part left out": lambda r: r["criteria"].pop(),
    "another part": lambda r: r["stops"][0].update(id="other"),
    "an outcome that is none": lambda r: r["criteria"][0].update(outcome="done"),
    "a mode that is none": lambda r: r.update(mode="lenient"),
    "an open floor": lambda r: r["criteria"][0].update(outcome="unmet"),
    "an id twice": lambda r: r["evidence"][1].update(id="e1"),
    "a provenance that is none": lambda r: r["evidence"][1].update(provenance="rumour"),
    "a text that is none": lambda r: r["evidence"][1].update(text=None),
    "no nonce": lambda r: r.pop("nonce"),
    "another nonce": lambda r: r.update(nonce=""),
    "evidence that is none": lambda r: r.update(evidence="x"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_is_no_request_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    stored = json.loads(json.dumps(STORED))
    change(stored)
    with pytest.raises(BadRequest) as refused:
        read_request(stored, GOAL)
    assert len(str(refused.value).splitlines()) == 1


@given(
    st.none() | st.text() | st.integers() | st.lists(st.none())
    | st.dictionaries(st.sampled_from(sorted(STORED)), st.none() | st.text() | st.lists(st.text()))
)  # fmt: skip
def test_no_value_is_a_crash(value: Any) -> None:
    with pytest.raises(BadRequest):
        read_request(copy.deepcopy(value), GOAL)
