"""C117: no shape of a reply ends the run: whatever comes, there is an outcome, which says why, and a
record of it that can be written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.runtime.judge import Unusable, replay
from goalspec.tests.runtime.judge.goals import GOOD, request
from goalspec.tests.runtime.judge.scripted import Script, judged

SHAPES: list[Any] = [
    [], [GOOD], {}, {"criteria": None}, {"criteria": []}, {"criteria": {"cause": None}},
    {"criteria": {"cause": "met"}}, {**GOOD, "criteria": {"cause": [], "style": []}},
    {**GOOD, "next_step": "rest"}, {**GOOD, "next_step": []}, {**GOOD, "decision": None},
    {**GOOD, "stops": 7}, None, 7, "accept", {"result": GOOD},
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=[json.dumps(shape)[:40] for shape in SHAPES])
def test_every_shape_has_an_outcome_and_a_record(shape: Any) -> None:
    made = judged(request(), Script([json.dumps(shape)] * 2))
    assert isinstance(made.outcome, Unusable)
    record = json.loads(json.dumps(made.to_json(request())))
    assert record["outcome"]["state"] == "unusable"
    assert record["outcome"]["detail"].startswith("The answer was refused: ")
    assert replay(record, request()) is None
