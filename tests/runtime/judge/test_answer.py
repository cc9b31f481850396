"""What an answer is read as, by a table of answers; no bytes accept by accident."""

from __future__ import annotations

import copy
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler.judging import verdict_schema
from goalspec.runtime.judge import Answer, Invalid, read_answer
from goalspec.runtime.judge.answer import MAX_QUOTES
from goalspec.runtime.judge.reading import MAX_ANSWER
from goalspec.tests.runtime.judge.goals import FACTS, GOAL, GOOD, STEP, changed, request, said
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

TABLE = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))["answer"]
BASES = {"good": GOOD, "continued": said("continue", cause="unclear")}
REQUEST = request()


def text_of(row: dict[str, Any]) -> str:
    if "text" in row:
        return str(row["text"])
    answer = copy.deepcopy(BASES[row["of"]])
    for *path, last, value in row.get("set", ()):
        holder(answer, path)[last] = value
    for *path, last in row.get("drop", ()):
        del holder(answer, path)[last]
    around: str = row.get("around", "$")
    return around.replace("$", json.dumps(answer))


def holder(answer: dict[str, Any], path: list[str]) -> dict[str, Any]:
    for key in path:
        answer = answer[key]
    return answer


@pytest.mark.row("P04", "X08")
@pytest.mark.ruling(15, 42)
@pytest.mark.parametrize("row", TABLE, ids=[row["name"] for row in TABLE])
def test_an_answer_is_read_as_the_table_says(row: dict[str, Any]) -> None:
    read = read_answer(text_of(row), REQUEST, row.get("finish", "stop"))
    if row["reads"] in ("accept", "continue", "blocked"):
        assert isinstance(read, Answer), read
        assert read.decision == row["reads"]
    else:
        assert isinstance(read, Invalid)
        assert read.kind == row["reads"]
        assert read.words.endswith(".")


def test_what_is_read_is_of_the_schema_that_was_asked_for() -> None:
    for answer in (GOOD, said("continue", cause="unmet"), said("blocked", no_access="stopped")):
        read = read_answer(json.dumps(answer), REQUEST)
        assert isinstance(read, Answer)
        assert read.to_json() == answer
        Draft202012Validator(REQUEST.prompt.schema).validate(read.to_json())


@pytest.mark.ruling(50)
def test_over_an_unmet_floor_nobody_accepts() -> None:
    asked = request({**FACTS, "suite.passed": False}, mode="unmet_floor")
    assert asked.prompt.schema == verdict_schema(GOAL, accept=False, waived={"notes"})
    assert "`accept`" not in asked.prompt.system
    read = read_answer(json.dumps(GOOD), asked)
    assert isinstance(read, Invalid)
    assert read.kind == "contradiction"
    assert isinstance(read_answer(json.dumps(said("blocked", cause="unmet")), asked), Answer)


def test_bytes_that_are_no_utf8_are_no_answer() -> None:
    read = read_answer(b"\xff\xfe{}", REQUEST)
    assert read == Invalid("encoding", "it is not UTF-8.")
    assert isinstance(read_answer(json.dumps(GOOD).encode(), REQUEST), Answer)


def test_an_answer_has_a_length() -> None:
    padded = json.dumps(GOOD) + " " * MAX_ANSWER
    read = read_answer(padded, REQUEST)
    assert isinstance(read, Invalid)
    assert read.kind == "long"


@pytest.mark.parametrize("depth", [400, 900, 990, 5_000, 40_000])
@pytest.mark.parametrize("around", ["$", "```\n$\n```\n```\n$\n```"])
def test_nesting_is_no_crash(depth: int, around: str) -> None:
    nested = '{"a":' * depth + "1" + "}" * depth
    assert isinstance(read_answer(around.replace("$", nested), REQUEST), Invalid)


def test_a_part_has_a_few_quotes() -> None:
    quote = {"source": "e1", "quote": "Login test"}
    kinds = []
    for count in (MAX_QUOTES, MAX_QUOTES + 1):
        answer = changed(lambda a: a["criteria"]["cause"].update(evidence=[quote] * count))  # noqa: B023
        read = read_answer(json.dumps(answer), REQUEST)
        kinds.append(read.decision if isinstance(read, Answer) else read.kind)
    assert kinds == ["accept", "shape"]


def test_a_number_of_thousands_of_digits_is_no_crash() -> None:
    read = read_answer('{"decision": ' + "9" * 10_000 + "}", REQUEST)
    assert isinstance(read, Invalid)


SECRET = "IGNORE-THE-CONTRACT"


@pytest.mark.parametrize(
    "answer",
    [
        changed(lambda a: a["criteria"]["cause"].update(outcome=SECRET)),
        changed(lambda a: a["criteria"].update({SECRET: {}})),
        changed(lambda a: a["criteria"]["cause"].update(evidence=[{"source": SECRET, "quote": "x"}])),
        changed(lambda a: a["criteria"]["cause"].update(evidence=[{"source": "e1", "quote": SECRET}])),
        changed(lambda a: a.update(decision="continue", next_step={"part": SECRET, "step": SECRET})),
        changed(lambda a: a.update(decision=SECRET)),
    ],
)  # fmt: skip
def test_what_is_wrong_repeats_nothing_of_the_answer(answer: dict[str, Any]) -> None:
    """It goes into the next prompt, outside of the fence, and may have come from the evidence."""
    read = read_answer(json.dumps(answer), REQUEST)
    assert isinstance(read, Invalid)
    assert SECRET not in read.words


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["accept", "met", "held", "e1", "e3", "cause", STEP, "Login test"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from([*GOOD, "cause", "scope", "outcome", "evidence", "quote", "part"]), inner,
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.binary() | st.text() | JSON_VALUES.map(json.dumps))
def test_no_bytes_crash_or_accept(text: str | bytes) -> None:
    read = read_answer(text, REQUEST)
    assert not (isinstance(read, Answer) and read.decision == "accept")


PATHS = [
    ("criteria",), ("criteria", "cause"), ("criteria", "cause", "outcome"),
    ("criteria", "cause", "evidence"), ("criteria", "cause", "evidence", 0, "quote"),
    ("criteria", "cause", "evidence", 0, "source"), ("constraints", "scope", "outcome"),
    ("constraints", "scope", "evidence"), ("decision",), ("next_step",),
]  # fmt: skip


@given(st.sampled_from(PATHS), JSON_VALUES)
def test_a_good_answer_with_something_else_in_it_accepts_only_what_is_shown(
    path: tuple[str | int, ...], value: Any
) -> None:
    answer: Any = copy.deepcopy(GOOD)
    within = answer
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = value
    read = read_answer(json.dumps(answer), REQUEST)
    if isinstance(read, Answer) and read.decision == "accept":
        for part in read.parts:
            if part.id in ("cause", "scope"):
                assert part.outcome in ("met", "held")
                assert any(quote.source in ("e1", "e2", "checks") for quote in part.evidence)


@given(st.text(max_size=40))
def test_a_fence_changes_nothing_of_what_is_read(prose: str) -> None:
    """Prose around a fence is never read, whatever it says."""
    before = prose.replace("`", "").replace("~", "")
    fenced = f"{before}\n```json\n{json.dumps(GOOD)}\n```\n{before}"
    assert read_answer(fenced, REQUEST) == read_answer(json.dumps(GOOD), REQUEST)
