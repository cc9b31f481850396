"""Sources joined: who is believed, and that a new answer leaves nothing of an old one."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime import Monitor
from goalspec.runtime.sources import FileFacts, FunctionFacts, SeveralFacts, joined
from goalspec.tests.runtime.sources.goals import asked, goal_with, write

MISSING = {"$unknown": "missing", "because": "m"}
ERROR = {"$unknown": "error", "because": "e"}
SKIPPED = {"$unknown": "skipped", "because": "s"}


@pytest.mark.ruling(1)
@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (1, 1, 1),
        (1, Decimal("1.0"), 1),
        (MISSING, 1, 1),
        (1, MISSING, 1),
        (MISSING, MISSING, MISSING),
        (MISSING, ERROR, ERROR),
        (1, ERROR, ERROR),
        (ERROR, 1, ERROR),
        (ERROR, SKIPPED, ERROR),
        (None, 1, {"$unknown": "invalid", "because": "two sources say null and 1"}),
        ("a", "b", {"$unknown": "invalid", "because": 'two sources say "a" and "b"'}),
        ([1], [2], {"$unknown": "invalid", "because": "two sources say [1] and [2]"}),
    ],
)
def test_of_two_that_say_it(one: Any, other: Any, both: Any) -> None:
    assert joined([{"x": one, "y": 1}, {"x": other, "z": 2}]) == {"x": both, "y": 1, "z": 2}


def test_a_third_does_not_settle_what_two_contradict() -> None:
    said = joined([{"x": 1}, {"x": 2}, {"x": 2}])
    assert said["x"]["$unknown"] == "invalid"


@pytest.mark.ruling(11)
def test_an_answer_withdraws_what_was_said_before(tmp_path: Path) -> None:
    goal = goal_with("facts {\n  a : bool\n  b : bool\n}")
    path = write(tmp_path / "f.json", '{"a": true}')
    b = FunctionFacts(lambda: {"b": True}, [fact for fact in goal.facts if fact.name == "b"])
    source = SeveralFacts([FileFacts(path, goal.facts), b])
    monitor = Monitor(goal)
    assert monitor.observe(asked(source)).done
    write(path, "{}")
    assert not monitor.observe(asked(source)).done
    write(path, '{"a": true, "b": false}')
    assert asked(source)["b"]["$unknown"] == "invalid"
    assert not monitor.observe(asked(source)).done
