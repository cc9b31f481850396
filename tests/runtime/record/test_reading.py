"""Records as JSON: what comes back is what was written, and what is no record is refused whole."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.record import BadRecord, NewerRecord, Record, read_record, write_record
from goalspec.runtime.record.parts import MAX_SETTLED
from goalspec.runtime.record.reading import UPCASTERS
from goalspec.tests.runtime.record.records import FULL, changed
from hypothesis import given
from hypothesis import strategies as st

CASES = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))["case"]
WRITTEN = write_record(FULL)


def problems(source: Any) -> tuple[str, ...]:
    with pytest.raises(BadRecord) as caught:
        read_record(source)
    return caught.value.problems


@pytest.mark.parametrize("record", [FULL, Record(session="s"), replace(FULL, claim=None)])
def test_what_was_written_is_read(record: Record) -> None:
    written = write_record(record)
    assert read_record(written) == record
    assert read_record(json.dumps(written)) == record
    assert read_record(json.dumps(written).encode()) == record


@pytest.mark.row("H17", "H20")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['path']}={case['value']!s:.20}")
def test_what_is_no_record_is_refused(case: dict[str, Any]) -> None:
    found = problems(changed(WRITTEN, case["path"], case["value"]))
    assert any(problem.startswith(case["says"]) for problem in found), found


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("value", "says"),
    [
        (float("nan"), "metadata.source: nan is not finite"),
        (float("inf"), "metadata.source: inf is not finite"),
        ("\ud800", "metadata.source: it has a lone surrogate"),
        ({"a": [1, {"b": "\udfff"}]}, "metadata.source.a[1].b: it has a lone surrogate"),
        ({"\ud800": 1}, "metadata.source: a key has a lone surrogate"),
        ({1: 2}, "metadata.source: the key 1 is int, not a string"),
        (print, "metadata.source: a builtin_function_or_method is not JSON"),
        ({"s"}, "metadata.source: a set is not JSON"),
        (10**400, "metadata.source: the number is beyond ±(2^53-1): write it as a string"),
        (2**60, "metadata.source: the number is beyond ±(2^53-1): write it as a string"),
    ],
)
def test_what_is_not_json_is_refused(value: Any, says: str) -> None:
    values = write_record(FULL)
    values["metadata"] = {"source": value}
    assert any(problem.startswith(says) for problem in problems(values))


def test_what_nests_too_deep_is_refused() -> None:
    deep: Any = []
    for _ in range(5_000):
        deep = [deep]
    assert "nests deeper than 200 levels" in problems({**WRITTEN, "monitor": deep})[0]
    assert "nests deeper" in problems("[" * 100_000)[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is not JSON: Expecting value (line 1, column 1)"),
        ("{\n  1", "line 2, column 3"),
        ("[]", "it is a JSON object, not a list"),
        ("null", "it is a JSON object, not null"),
        ('"x"', "it is a JSON object, not a string"),
        ("7", "it is a JSON object, not a number"),
        (b"\xff{}", "it is not UTF-8: byte 0 cannot be read"),
        ('{"session": 1' + "0" * 5_000 + "}", "a number has 5001 digits"),
        ('{"session": "a", "session": "b"}', 'the key "session" is there twice'),
        ('{"record_version": 1, "session": "s", "monitor": NaN}', "monitor: nan is not finite"),
        ('{"record_version": 1, "session": "s", "monitor": 1e999}', "monitor: inf is not finite"),
    ],
)
def test_a_text_that_is_none_says_where(text: str | bytes, says: str) -> None:
    assert says in problems(text)[0]


@given(st.text() | st.binary())
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    with pytest.raises(BadRecord):
        read_record(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(WRITTEN)), JSON)
def test_any_value_in_any_field_is_read_or_refused(name: str, value: Any) -> None:
    try:
        read_record({**WRITTEN, name: value})
    except BadRecord as error:
        assert error.problems
        assert "pydantic" not in str(error)


def test_all_problems_are_named_at_once() -> None:
    values = changed(changed(WRITTEN, "color", 1), "generation", "x")
    assert len(problems(values)) == 2
    values = changed(changed(WRITTEN, "status.since", "x"), "usage.tokens", -1)
    assert len(problems(values)) == 2


@pytest.mark.row("S12")
def test_an_older_version_is_brought_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(values: dict[str, Any]) -> dict[str, Any]:
        values = dict(values)
        values["session"] = values.pop("thread")
        return values

    monkeypatch.setitem(UPCASTERS, 0, first)
    old = {**WRITTEN, "record_version": 0, "thread": "s-1"}
    del old["session"]
    assert read_record(old) == FULL
    assert problems({**old, "record_version": -1}) == ("record_version: it is one of 0, 1, not -1",)


@pytest.mark.row("S12")
def test_a_newer_version_is_told_apart() -> None:
    with pytest.raises(NewerRecord, match="stays as it is"):
        read_record({**WRITTEN, "record_version": 2, "unheard": "of"})


@pytest.mark.ruling(51)
def test_the_settlements_that_are_kept_have_an_end() -> None:
    settled = [str(n) for n in range(MAX_SETTLED + 1)]
    assert problems({**WRITTEN, "settled": settled}) == (
        "settled: it has 257 ids, the last 256 are kept",
    )
    assert read_record({**WRITTEN, "settled": settled[1:]}).settled[-1] == "256"
