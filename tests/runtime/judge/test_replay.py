"""Each call is recorded as plain JSON, and the judgement is made again from it without a network; a
record of another request, or one that was changed, is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from goalspec.runtime.judge import (
    CallFailed,
    Decided,
    Evidence,
    JudgeRequest,
    Policy,
    ReplayRefused,
    Reply,
    Usage,
    read_record,
    replay,
)
from goalspec.tests.runtime.judge.goals import (
    EVIDENCE,
    FACTS,
    GOAL,
    GOOD,
    LOG,
    TEXT,
    goal_of,
    request,
    said,
    with_quorum,
)
from goalspec.tests.runtime.judge.scripted import Said, Script, judged
from hypothesis import given
from hypothesis import strategies as st

REQUEST = request()
LINES: list[Said] = [
    CallFailed("rate_limited", "slow down", 1.0),
    "Looks good to me!",
    Reply(json.dumps(GOOD), usage=Usage(1_000, 200, Decimal("0.0125"))),
]


def recorded(request: JudgeRequest, *lines: Any) -> dict[str, Any]:
    """A judgement as it is read back from a file."""
    made = judged(request, Script(lines))
    loaded: dict[str, Any] = json.loads(json.dumps(made.to_json(request), allow_nan=False))
    return loaded


RECORD = recorded(REQUEST, *LINES)


@pytest.mark.row("X14")
def test_the_same_record_gives_the_same_verdict() -> None:
    made = judged(REQUEST, Script(LINES))
    again = replay(RECORD, request())
    assert again == made.outcome
    assert again is not None
    assert again.decision == "accept"


@pytest.mark.row("X14")
def test_a_call_is_recorded_whole() -> None:
    failed, invalid, good = RECORD["calls"]
    assert good["model"] == "judge-1"
    assert good["provider"] == "acme"
    assert good["parameters"] == {"temperature": "0"}
    assert good["contract"] == GOAL.contract
    assert all(
        good[f"{what}_hash"].startswith("sha256:") for what in ("prompt", "schema", "evidence")
    )
    assert good["reply"] == {"text": json.dumps(GOOD), "finish": "stop"}
    assert good["usage"] == {"input_tokens": 1_000, "output_tokens": 200, "cost": "0.0125"}
    assert good["verdict"]["answer"]["decision"] == "accept"
    assert good["took"] == 1
    assert good["at"].startswith("2026-01-01T00:00")
    assert invalid["verdict"] == {"invalid": "prose"}
    assert failed["failure"] == {"kind": "rate_limited", "detail": "slow down", "retry_after": 1}
    assert good["prompt_hash"] != invalid["prompt_hash"], "it was asked for once more"
    assert RECORD["spent"] == {"invocations": 1, "tokens": 1_200, "cost": "0.0125"}


def test_a_record_comes_back_as_it_was() -> None:
    made = judged(REQUEST, Script(LINES))
    for call, value in zip(made.calls, RECORD["calls"], strict=True):
        assert read_record(value) == call
        assert read_record(value).to_json(REQUEST) == value


OTHERS: dict[str, tuple[JudgeRequest, str]] = {
    "other evidence": (request(evidence=(Evidence("e1", "tool", LOG.text + "!"), *EVIDENCE[1:])), "the evidence or the claim"),
    "another provenance": (request(evidence=(Evidence("e1", "fact", LOG.text), *EVIDENCE[1:])), "the evidence or the claim"),
    "another claim": (request(claim="Done."), "the evidence or the claim"),
    "another contract": (request(goal=goal_of(TEXT.replace("Fix the", "Mend the"))), "the contract"),
    "another fence": (request(nonce="f" * 32), "the prompt"),
    "a `when` that holds": (request({**FACTS, "release.due": True}), "the schema"),
    "without accept": (request(mode="unmet_floor"), "the schema"),
}  # fmt: skip


@pytest.mark.row("X14")
@pytest.mark.parametrize(("other", "what"), OTHERS.values(), ids=OTHERS)
def test_a_record_of_another_request_is_refused(other: JudgeRequest, what: str) -> None:
    with pytest.raises(ReplayRefused, match=what):
        replay(RECORD, other)


def unmet(record: dict[str, Any]) -> None:
    record["calls"][2]["reply"]["text"] = json.dumps(said("continue", cause="unmet"))


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "an answer": unmet,
    "a verdict": lambda r: r["calls"][2].update(verdict={"invalid": "prose"}),
    "the outcome": lambda r: r["outcome"].update(decision="continue"),
    "a part's outcome": lambda r: r["outcome"]["criteria"]["cause"].update(outcome="unmet"),
    "an answer left out": lambda r: r["calls"].pop(),
    "a re-ask of something else": lambda r: r["calls"][2].update(problem="it is empty."),
    "a re-ask without a reason": lambda r: r["calls"].pop(1),
    "no calls": lambda r: r.update(calls=[]),
    "calls that are none": lambda r: r.update(calls=[{}]),
    "calls that are a text": lambda r: r.update(calls="x"),
    "no outcome": lambda r: r.pop("outcome"),
    "an outcome that is a list": lambda r: r.update(outcome=[]),
    "a cost that is none": lambda r: r["calls"][2]["usage"].update(cost="cheap"),
    "a time that is none": lambda r: r["calls"][2].update(at="noon"),
    "a text that is none": lambda r: r["calls"][2]["reply"].update(text=None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_record_that_was_changed_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    record = copy.deepcopy(RECORD)
    change(record)
    with pytest.raises(ReplayRefused):
        replay(record, REQUEST)


def test_a_quorum_is_replayed_with_all_its_members() -> None:
    asked = request(goal=with_quorum(2, 3))
    record = recorded(asked, GOOD, "no", "no", GOOD)
    again = replay(record, asked)
    assert isinstance(again, Decided)
    assert len(again.answers) == 2
    missing = {**record, "calls": [call for call in record["calls"] if call["member"] != 1]}
    with pytest.raises(ReplayRefused, match="calls of the judgement are missing"):
        replay(missing, asked)


@pytest.mark.parametrize(
    "lines", [["no", "no"], [CallFailed("auth", "no key")], [CallFailed("server", "x")] * 4]
)
def test_what_was_no_verdict_is_none_again(lines: list[Any]) -> None:
    assert replay(recorded(REQUEST, *lines), REQUEST) is None


def test_a_judgement_that_was_not_made_is_recorded_as_such() -> None:
    exhausted = judged(REQUEST, Script([GOOD], took=700), Policy(deadline=600))
    assert exhausted.accepted, "the answer was there when it was looked at"
    record = judged(REQUEST, None).to_json(REQUEST)
    assert record["outcome"]["state"] == "misconfigured"
    assert record["calls"] == []
    assert replay(record, REQUEST) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["outcome", "calls", "state", "reply", "verdict"]), inner
            )
        ),
    )
)
def test_no_value_for_a_record_is_a_crash_or_a_verdict(value: Any) -> None:
    with suppress(ReplayRefused):
        assert replay(value, REQUEST) is None
