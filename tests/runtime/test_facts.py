"""The border: what JSON becomes a value, and what is refused by name (rulings 11, 17, 18, 25, 66)."""

from __future__ import annotations

import contextlib
import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.codegen import fact_spec
from goalspec.compiler.kernel import Unknown
from goalspec.compiler.program import FactSpec
from goalspec.runtime.conversion import Invalid, fact_converter
from goalspec.runtime.facts import (
    BadFacts,
    explicit_unknown,
    flattener,
    parse_json,
)
from hypothesis import given
from hypothesis import strategies as st


def declared(text: str) -> FactSpec:
    compilation = compile_text(f"facts {{\n  x.y : {text}\n}}\n")
    assert compilation.document is not None, compilation.diagnostics
    return fact_spec(compilation.document.facts[0])


def entered(type: str, json_text: str, root: str | None = None) -> Any:
    return fact_converter(declared(type), root)(parse_json(json_text))


DAY = dt.date(2026, 3, 1).toordinal()
TIME = int(dt.datetime(2026, 3, 1, 10, tzinfo=dt.UTC).timestamp()) * 10**9

GOOD = [
    ("bool", "true", True),
    ("int", "3", 3),
    ("int", "1.0", 1),
    ("int", "1e3", 1000),
    ("int", "-0", 0),
    ("number", "3", Decimal(3)),
    ("number", "0.1", Decimal("0.1")),
    ("number", "-0.0", Decimal(0)),
    ("number", "1E308", Decimal("1E308")),
    ("number", "0." + "1" * 34, Decimal("0." + "1" * 34)),
    ("string", '"é"', "é"),
    ("percent", '"85%"', Decimal("0.85")),
    ("percent", '"-50%"', Decimal("-0.5")),
    ("percent as ratio", "0.85", Decimal("0.85")),
    ("percent as points", "85", Decimal("0.85")),
    ("percent as ratio", '"85%"', Decimal("0.85")),
    ("duration", '"1h30m"', 90 * 60 * 10**9),
    ("duration as ms", "250", 250 * 10**6),
    ("duration as s", "0.0000000005", 0),
    ("duration as s", "0.0000000015", 2),
    ("duration as s", "0.0000000025", 2),
    ("size", '"64KB"', 64_000),
    ("size", '"10MiB"', 10 * 2**20),
    ("size as KB", "1.5", 1500),
    ("money USD", '"5.00 USD"', Decimal("5.00")),
    ("time", '"2026-03-01T10:00Z"', TIME),
    ("time", '"2026-03-01T12:00:00.000+02:00"', TIME),
    ("date", '"2026-03-01"', DAY),
    ("version", '"1.4.0"', (1, 4, 0, ((2, 0),))),
    ("path", '"./src//a.py"', "src/a.py"),
    ("path", '"a/../b"', "b"),
    ('"a" | "b"', '"a"', "a"),
    ("list of int", "[1, 2, 2]", (1, 2, 2)),
    ("set of int", "[1, 2, 2]", frozenset({1, 2})),
    ("set of int", "[]", frozenset()),
    ("map of int", '{"a": 1}', {"a": 1}),
    ("{ a: int, b: string? }", '{"a": 1}', (1, None)),
    ("{ a: int }", '{"a": 1, "other": 2}', (1,)),
    ("list of { n: int, at: date } by at",
     '[{"n": 1, "at": "2026-03-02"}, {"n": 2, "at": "2026-03-01"}]', ((2, DAY), (1, DAY + 1))),
    ("int?", "null", None),
    ("int in 0..10", "10", 10),
    ("int? in 0..10", "null", None),
    ("string max 3", '"abc"', "abc"),
]  # fmt: skip


@pytest.mark.ruling(18)
@pytest.mark.ruling(17)
@pytest.mark.parametrize(("type", "json_text", "value"), GOOD)
def test_a_value_of_the_type(type: str, json_text: str, value: Any) -> None:
    result = entered(type, json_text)
    assert result == value
    assert result.__class__ is value.__class__ or isinstance(value, dict)


BAD = [
    ("bool", "1"), ("bool", '"true"'), ("bool", "null"),
    ("int", "true"), ("int", "1.5"), ("int", '"1"'), ("int", "9007199254740992"), ("int", "NaN"),
    ("int", "1" * 5000), ("int", "null"),
    ("number", "true"), ("number", '"1"'), ("number", "NaN"), ("number", "Infinity"),
    ("number", "-Infinity"), ("number", "1E309"), ("number", "1e-309"), ("number", "1e999999999999"),
    ("number", "0." + "1" * 35),
    ("string", "1"), ("string", '"\\ud800"'), ("string", '"' + "x" * 65537 + '"'),
    ("percent", "0.85"), ("percent", "85"), ("percent", '"85"'), ("percent", '"5m"'),
    ("percent as ratio", "true"), ("percent as points", '"x"'),
    ("duration", "250"), ("duration", '"85%"'), ("duration", '"30m1h"'),
    ("size", "1024"), ("size", '"1kb"'), ("size", '"1.5B"'),
    ("money USD", "5"), ("money USD", '"5.00 EUR"'), ("money USD", '"5.00USD"'),
    ("time", '"2026-03-01T10:00"'), ("time", '"2026-03-01"'), ("time", "1772359200"),
    ("time", '"2026-02-30T10:00Z"'), ("time", '"2026-03-01T10:00:60Z"'), ("time", '"2026-03-01T24:00Z"'),
    ("time", '"2026-03-01T10:00:00.1234567890Z"'),
    ("date", '"2026-13-01"'), ("date", '"2026-03-01T10:00Z"'),
    ("version", '"1.4"'), ("version", '"01.4.0"'), ("version", "1.4"),
    ("path", '"/etc/passwd"'), ("path", '"../x"'), ("path", '"a/../../x"'), ("path", '""'),
    ("path", '"."'),
    ('"a" | "b"', '"c"'), ('"a" | "b"', '"A"'),
    ("list of int", '"[1]"'), ("list of int", '[1, "x"]'), ("list of int", '{"a": 1}'),
    ("list of int", "[" + ",".join("1" * 3001) + "]"),
    ("list max 2 of int", "[1, 2, 3]"),
    ("set of int", "[1, null]"), ("map of int", "[1]"),
    ("{ a: int, b: string? }", '{"b": "x"}'), ("{ a: int }", '{"a": "x"}'), ("{ a: int }", "[1]"),
    ("int in 0..10", "11"), ("percent in 0%..100%", '"101%"'),
    ("string max 3", '"abcd"'),
    ("list of string", "[" + ",".join(['"' + "x" * 60_000 + '"'] * 20) + "]"),
]  # fmt: skip


@pytest.mark.ruling(18)
@pytest.mark.ruling(68)
@pytest.mark.ruling(26)
@pytest.mark.parametrize(("type", "json_text"), BAD, ids=[f"{t} <- {j[:30]}" for t, j in BAD])
def test_a_value_that_the_type_does_not_have(type: str, json_text: str) -> None:
    with pytest.raises(Invalid) as refused:
        entered(type, json_text)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("type", "json_text", "said"),
    [
        ("percent", "85", 'write "85%"'),
        ("duration", "250", '"250s"'),
        ("int in 0..10", "11", "outside the declared range 0..10"),
        ("{ a: int }", "{}", "lacks the field `a`"),
        ('"on" | "off"', '"On"', '"on" | "off"'),
    ],
)
def test_the_message_says_what_to_write(type: str, json_text: str, said: str) -> None:
    with pytest.raises(Invalid) as refused:
        entered(type, json_text)
    assert said in str(refused.value)


@pytest.mark.ruling(25)
def test_absolute_paths_are_accepted_below_the_root_only() -> None:
    assert entered("path", '"/work/repo/src/a.py"', "/work/repo") == "src/a.py"
    for outside in ("/work/repository/a.py", "/work/repo", "/work/repo/../x", "/etc/passwd"):
        with pytest.raises(Invalid):
            entered("path", f'"{outside}"', "/work/repo")
    assert entered("path", '"a\\\\b"') == "a\\b"


@pytest.mark.ruling(66)
def test_an_ill_typed_value_of_a_map_is_unknown_under_its_key_alone() -> None:
    value = entered("map of int", '{"a": 1, "b": "x"}')
    assert value["a"] == 1
    assert isinstance(value["b"], Unknown)
    assert value["b"].reason == "invalid"


@pytest.mark.ruling(11)
@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 2}}',
        "{",
        "",
        "[" * 100_000,
    ],
)
def test_bad_json_is_bad_facts(text: str) -> None:
    with pytest.raises(BadFacts):
        parse_json(text)


@pytest.mark.ruling(11)
def test_a_fact_from_dotted_and_nested_keys_is_refused() -> None:
    flatten = flattener(["suite.passed", "suite.failed"])
    assert flatten({"suite": {"passed": 1}, "suite.failed": 2}) == (
        {"suite.failed": 2, "suite.passed": 1}, [],
    )  # fmt: skip
    with pytest.raises(BadFacts, match=r"suite\.passed"):
        flatten({"suite": {"passed": 1}, "suite.passed": 2})


def test_undeclared_keys_are_named_with_their_path() -> None:
    _, undeclared = flattener(["suite.passed"])({"suite": {"pased": 1}, "x": 2})
    assert sorted(undeclared) == ["suite.pased", "x"]


def test_an_unknown_is_said_with_its_reason_and_words() -> None:
    said = explicit_unknown({"$unknown": "error", "because": "exit 2"})
    assert said == Unknown("error", words="exit 2")
    assert explicit_unknown({"$unknown": "maybe"}) == Unknown(
        "invalid", words="$unknown takes one of missing, stale, null, skipped, error, invalid"
    )
    assert explicit_unknown({"a": 1}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.decimals(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
TYPES = sorted({type for type, _, _ in GOOD})


@given(st.sampled_from(TYPES), JSON)
def test_any_json_is_a_value_or_invalid(type: str, value: Any) -> None:
    with contextlib.suppress(Invalid):
        fact_converter(declared(type))(value)


PIECES = st.lists(st.sampled_from(["a", "é", ".", "..", "/", "\0", "\ud800", "\\", "b.py"]))


@given(st.sampled_from(["path", "string max 4"]), st.lists(PIECES.map("".join), min_size=1))
def test_texts_enter_alike_alone_and_together(type: str, texts: list[str]) -> None:
    """Many at once have a way of their own through the border."""
    one, many = fact_converter(declared(type)), fact_converter(declared(f"list of {type}"))
    try:
        alone = tuple(map(one, texts))
    except Invalid as invalid:
        with pytest.raises(Invalid) as together:
            many(texts)
        assert str(together.value) == str(invalid)
    else:
        assert many(texts) == alone


def test_a_string_of_a_class_of_its_own_is_none() -> None:
    class Text(str):
        pass

    with pytest.raises(Invalid):
        fact_converter(declared("set of path"))(["a", Text("b")])


@pytest.mark.ruling(26)
@pytest.mark.parametrize("type", ["list of { a: string, b: version }", "(set of string)?"])
def test_a_fact_weighs_1_mib_at_most(type: str) -> None:
    texts = [f"{number:05}" + "x" * 40_000 for number in range(30)]
    values = texts if "set" in type else [{"a": text, "b": "1.0.0"} for text in texts]
    convert = fact_converter(declared(type))
    assert len(convert(values[:20])) == 20
    with pytest.raises(Invalid, match="1 MiB"):
        convert(values)


@pytest.mark.ruling(26)
def test_caps_count_bytes() -> None:
    assert entered("string", '"' + "é" * 30_000 + '"')
    for text in ("😀" * 20_000, "é" * 40_000):
        with pytest.raises(Invalid, match="64 KiB"):
            entered("string", f'"{text}"')
    with pytest.raises(Invalid, match="1 MiB"):
        entered("list of string", "[" + ", ".join(['"' + "é" * 30_000 + '"'] * 18) + "]")
