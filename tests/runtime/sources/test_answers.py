"""Paths from a source on Windows."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.sources.answers import answer, slashed, without_value
from goalspec.tests.runtime.sources.goals import goal_with

VALUES = {
    "path": (r"src\a.py", "src/a.py"),
    "string": (r"src\a.py", r"src\a.py"),
    "path?": (None, None),
    "set of path": ([r"a\b", "c"], ["a/b", "c"]),
    "list of { at: path, text: string }": (
        [{"at": r"a\b", "text": r"c\d", "more": r"\e"}],
        [{"at": "a/b", "text": r"c\d", "more": r"\e"}],
    ),
    "map of path": ({r"k\k": r"a\b"}, {r"k\k": "a/b"}),
}


@pytest.mark.ruling(25)
@pytest.mark.parametrize("type", VALUES)
def test_backslashes_separate_only_where_the_source_knows(type: str) -> None:
    value, expected = VALUES[type]
    (fact,) = goal_with(f"facts {{\n  x : {type}\n}}").facts
    assert answer({"x": value}, [fact], "it", on_windows=True) == {"x": expected}
    assert answer({"x": value}, [fact], "it", on_windows=False) == {"x": value}


@pytest.mark.parametrize("value", [3, None, {"$unknown": "error"}, [["a"]], "a"])
def test_what_is_no_path_is_left(value: Any) -> None:
    (fact,) = goal_with("facts {\n  x : list of { at: path }\n}").facts
    assert slashed(value, fact.type) == value


def test_words_are_bounded() -> None:
    assert len(without_value("error", "x" * 10_000)["because"]) == 300
