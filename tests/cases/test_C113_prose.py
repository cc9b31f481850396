"""C113: a reply that is no JSON is no verdict, whatever words it holds, and why is kept."""

from __future__ import annotations

import pytest
from goalspec.runtime.judge import Unusable
from goalspec.tests.runtime.judge.goals import request
from goalspec.tests.runtime.judge.scripted import Script, judged


@pytest.mark.parametrize(
    "reply", ["PASS", "Result: PASS\nEverything is fine.", "accept", "**met**"]
)
def test_prose_accepts_nothing(reply: str) -> None:
    made = judged(request(), Script([reply, reply]))
    assert isinstance(made.outcome, Unusable)
    record = made.to_json(request())
    assert record["outcome"]["detail"] == "The answer was refused: it is not a JSON object."
    assert [call["reply"]["text"] for call in record["calls"]] == [reply, reply]
