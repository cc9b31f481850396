"""Shortcuts of the border agree with the long way: columns with converters, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir.types import ListType, Type
from goalspec.compiler.paths import PathError, all_normal, normal_path
from goalspec.runtime.conversion import Invalid, column, converter
from goalspec.runtime.facts import undeclared_fields
from hypothesis import given
from hypothesis import strategies as st


def type_of(text: str) -> Type:
    compilation = compile_text(f"facts {{\n  x.y : {text}\n}}\n")
    assert compilation.document is not None, compilation.diagnostics
    return compilation.document.facts[0].type


RECORD = "{ a: int, b: string?, at: time }"
GOOD: dict[str, list[Any]] = {
    "bool": [True, False],
    "int": [0, -1, 2**53 - 1],
    "string": ["", "é", "x" * 16_384],
    "string max 3": ["abc", ""],
    "path": ["a", ".github/x.yml", "a/..b/c.", "é/b"],
    "time": ["2026-03-01T10:00:00Z", "2026-03-01T12:00+02:00"],
    "date": ["2026-03-01"],
    "version": ["v1.4.0", "1.0.0-rc.1"],
    '"a" | "b"': ["a", "b"],
    "percent as ratio": [0.5, 1, "85%"],
    "money USD": ["5.00 USD"],
    "int?": [None, 3],
    RECORD: [
        {"a": 1, "b": "x", "at": "2026-03-01T10:00:00Z"},
        {"a": 2, "at": "2026-03-01T10:00:00Z", "more": 1},
    ],
}
BAD: list[Any] = [
    None, True, 1, 2**53, 1.5, "", "abcd", "c", "\ud800", "x" * 16_385, "é" * 40_000, "./a", "a//b",
    "a/", "/a", "..", "a/./b", "a\0b", "2026-02-30T10:00:00Z", "2026-03-01T24:00:00Z", "1.0.0-01",
    [], ["a"], {}, {"a": 1}, {"a": "x", "at": "2026-03-01T10:00:00Z"},
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_a_column_takes_what_is_good(text: str) -> None:
    type, values = type_of(text), GOOD[text]
    convert_all = column(type)
    assert convert_all is not None
    converted = convert_all(values)
    assert converted is not None
    assert [*converted] == [converter(type)(value) for value in values]


@given(st.data())
def test_a_column_agrees_with_the_converter(data: st.DataObject) -> None:
    """What a column gives is what the converter gives of each; one bad value, and it gives none."""
    text = data.draw(st.sampled_from(sorted(GOOD)))
    values = data.draw(st.lists(st.sampled_from(GOOD[text]) | st.sampled_from(BAD), max_size=4))
    type = type_of(text)
    convert_all = column(type)
    assert convert_all is not None
    converted = convert_all(values)
    if converted is not None:
        convert = converter(type)
        assert repr([*converted]) == repr([convert(value) for value in values])


@pytest.mark.parametrize("text", GOOD)
@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
def test_the_bad_element_is_named_as_alone(text: str, bad: Any) -> None:
    type = type_of(text)
    try:
        expected: Any = (*map(converter(type), GOOD[text]), converter(type)(bad))
    except Invalid as alone:
        with pytest.raises(Invalid) as refused:
            converter(ListType(of=type))([*GOOD[text], bad])
        assert str(refused.value) == str(alone)
    else:
        assert converter(ListType(of=type))([*GOOD[text], bad]) == expected


@pytest.mark.parametrize("text", ["list of int", "set of path", "map of int"])
def test_a_type_that_holds_a_collection_has_no_column(text: str) -> None:
    """Otherwise the elements that are bad cost twice as much with each level."""
    assert column(type_of(text)) is None
    assert column(type_of(f"{{ a: int, b: {text} }}")) is None
    assert column(type_of(f"{{ a: int, b: {{ c: {text} }} }}")) is None


@pytest.mark.ruling(25)
@given(st.lists(st.text("a./+\0", max_size=6), max_size=4))
def test_paths_are_normal_together_where_each_is(paths: list[str]) -> None:
    def stays(path: str) -> bool:
        try:
            return normal_path(path) == path
        except PathError:
            return False

    if paths:
        assert all_normal(paths) == all(map(stays, paths))


ITEMS = st.fixed_dictionaries(
    {"a": st.just(1)}, optional={"b": st.just("x"), "more": st.just(2), "": st.just(3)}
)


@given(st.lists(ITEMS, max_size=4))
def test_the_fields_that_records_lack_are_found_in_many_as_in_each(items: Sequence[Any]) -> None:
    record = type_of("{ a: int, b: string? }")
    in_each, in_many = undeclared_fields(record), undeclared_fields(ListType(of=record))
    assert in_each is not None
    assert in_many is not None
    assert [*in_many(items)] == [found for item in items for found in in_each(item)]
    assert undeclared_fields(type_of("list of string")) is None
