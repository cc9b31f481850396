"""What is due of an answer, and what of it is freely said."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.conformance.matching import MAX_SHOWN, differences

TIME = "2026-03-01T12:00:00.000000Z"


@pytest.mark.parametrize(
    ("due", "given"),
    [
        ({}, {"more": 1}),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}),
        ({"a": None}, {}),
        ({"a": 1}, {"a": 1.0}),
        ([{}, {"a": 1}], [{"x": 1}, {"a": 1}]),
        ({"at": TIME}, {"at": "2026-03-01T12:00:00.000999Z"}),
    ],
)
def test_it_matches(due: Any, given: Any) -> None:
    assert list(differences(due, given)) == []


@pytest.mark.parametrize(
    ("due", "given", "said"),
    [
        ({"a": 1}, {}, "a: it is null, and 1 is due"),
        ({"a": None}, {"a": 0}, "a: it is 0, and null is due"),
        ({"a": True}, {"a": 1}, "a: it is 1, and true is due"),
        ({"a": 0}, {"a": False}, "a: it is false, and 0 is due"),
        ({"a": "1"}, {"a": 1}, 'a: it is 1, and "1" is due'),
        ({"a": [1]}, {"a": [1, 2]}, "a: it has 2 elements, and 1 are due"),
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}, "a[0].b: it is 2, and 1 is due"),
        ({"a": []}, {"a": {}}, "a: it is {}, and [] is due"),
        ({"a": {}}, {"a": []}, "a: it is [], and {} is due"),
        ({}, [], "the answer: it is [], and {} is due"),
        (
            {"at": TIME}, {"at": "2026-03-01T12:00:00.001000Z"},
            f'at: it is "2026-03-01T12:00:00.001000Z", and "{TIME}" is due',
        ),
        ({"at": TIME}, {"at": 5}, f'at: it is 5, and "{TIME}" is due'),
    ],
)  # fmt: skip
def test_it_does_not(due: Any, given: Any, said: str) -> None:
    assert list(differences(due, given)) == [said]


def test_every_difference_is_said_and_none_at_length() -> None:
    found = list(differences({"a": 1, "b": [2, 3]}, {"a": "x" * 1000, "b": [4, 5]}))
    assert [one.partition(":")[0] for one in found] == ["a", "b[0]", "b[1]"]
    assert max(map(len, found)) < MAX_SHOWN + 50
