"""The schema of a goal's facts: it accepts what the runtime accepts and refuses what it refuses,
but for the exceptions that its page states, each of which is shown here."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from goalspec import Goal, Monitor, compile_text
from goalspec.compiler.targets.facts_schema import goal_schema
from goalspec.runtime.facts import explicit_unknown
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

META = Draft202012Validator(Draft202012Validator.META_SCHEMA)


@cache
def goal_of(declared: str) -> Goal:
    """A goal that reads the fact `x.y`, declared so."""
    compilation = compile_text(
        f"facts {{\n  x.y : {declared}\n}}\n"
        'goal g {\n  objective "x"\n  criterion c "y" check known(x.y)\n}\n'
    )
    assert compilation.document is not None, (declared, compilation.errors)
    return compilation.document.goals[0]


@cache
def validator(declared: str) -> Draft202012Validator:
    schema = goal_schema(goal_of(declared))
    META.validate(schema)
    return Draft202012Validator(schema)


def schema_accepts(declared: str, value: Any) -> bool:
    return validator(declared).is_valid({"x": {"y": value}})


def runtime_accepts(declared: str, value: Any) -> bool:
    unknown = explicit_unknown(value)
    if unknown is not None:
        return unknown.reason != "invalid"
    notes = Monitor(goal_of(declared)).observe({"x": {"y": value}}).notes
    return all(note.kind != "invalid" for note in notes)


# --- any type, any value

SCALARS = {
    "bool": st.booleans(),
    "int": st.integers(-(2**53), 2**53) | st.sampled_from([1.0, 1.5, -0.0, 2.0**60]),
    "int in -3..7": st.integers(-5, 9),
    "int in ..0": st.integers(-1, 1),
    "number": st.integers(-9, 9) | st.integers(-(10**9), 10**9).map(lambda n: n / 1_000),
    "number in 0.1..2.5": st.sampled_from([0, 0.1, 0.0999999, 1, 2.5, 2.5000001, 3, "1"]),
    "string": st.text(st.characters(codec="utf-8"), max_size=5),
    "string max 2": st.text(st.characters(codec="utf-8"), max_size=4),
    '"a" | "b"': st.sampled_from(["a", "b", "c", "A", ""]),
    '"low" < "high"': st.sampled_from(["low", "high", "mid", 1]),
    "percent": st.sampled_from(["85%", "-0.5%", "1_0.5%", "85", "%", "8 %", "1__0%", "_1%", "1_%"]),
    "percent as ratio in 0%..100%": st.sampled_from([0, 0.5, 1, 1.0001, -0.1, "85%", None]),
    "percent as points in 10%..": st.sampled_from([0, 9.99, 10, 11, "85%", True]),
    "duration": st.sampled_from(
        ["90s", "1h30m", "1.5h", "-1h30m", "0s", "1h1h", "1m1h", "1.5h2m", "h", "-", "", "1", "1 s",
         "10min", "1w2d3h4m5s6ms7us8ns", "1_0s", "1S", "--1s", "+1s", "1e3s", "0x1s", "1.s", ".5s"],
    ),
    "duration as ms in 0s..2s": st.sampled_from([0, 2000, 2001, -1, 0.5, "1s", None, [1]]),
    "duration as h": st.integers(-5, 5) | st.sampled_from([0.5, 1e3, "1h", "x"]),
    "size": st.sampled_from(["64KB", "1.5KiB", "64kB", "64 KB", "B", "1B2B", "-3GB", 64, "1TB"]),
    "size as KB in ..1MB": st.sampled_from([0, 1000, 1001, 64.5, "64KB", {}]),
    "money USD": st.sampled_from(
        ["5 USD", "5.00 USD", "-5.00 \t USD", "5USD", "5 EUR", "USD", "5. USD", "$5", 5, "1_0 USD"]
    ),
    "time": st.sampled_from(
        ["2026-12-31T18:00Z", "2026-12-31t18:00:59.123456789z", "2026-12-31T18:00+23:59",
         "2026-12-31T18:00", "2026-12-31 18:00Z", "2026-12-31T24:00Z", "2026-12-31T18:60Z",
         "2026-13-01T18:00Z", "2026-12-31T18:00:60Z", "2026-12-31T18:00:00.1234567891Z",
         "2026-12-31T18:00+24:00", "2026-12-31", "2026-12-31T18:00-0100", 1],
    ),
    "date": st.sampled_from(["2026-12-31", "2026-1-1", "2026-00-10", "2026-12-32", "x", 20261231]),
    "version": st.sampled_from(
        ["v1.4.0", "1.4.0", "2.0.0-rc.1+b.7", "1.4", "v01.4.0", "1.0.0-01", "1.0.0-0a", "V1.0.0",
         "1.0.0-", "1.0.0+", "1.0.0-a..b", "1.0.0-" + "a" * 251, "1.0.0-" + "a" * 250],
    ),
    "path": st.sampled_from(["a", "./a//b", "a/../b", "é/ü.py", "a\\b", "", "a\0b", "a b", 1]),
}  # fmt: skip
DECLARED = st.recursive(
    st.sampled_from([name for name in SCALARS if " in " not in name]),
    lambda inner: st.one_of(
        inner.map("list of {}".format),
        inner.map("set max 2 of {}".format),
        inner.map("map max 2 of {}".format),
        inner.map("{{ a: {}, b: int? }}".format),
        inner.map(lambda of: of if of.endswith("?") else f"({of})?"),
    ),
    max_leaves=3,
)
KEYS = st.sampled_from(["a", "b", "c", "$unknown", "because"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "1s", "v1.0.0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=4,
)
UNKNOWN = st.fixed_dictionaries(
    {"$unknown": st.sampled_from(["missing", "error", "later", 1, None])},
    optional={"because": st.sampled_from(["it broke", 3]), "more": st.just(1)},
)


def near(declared: str) -> st.SearchStrategy[Any]:
    """Values that nearly are, or are, of the declared type."""
    if declared in SCALARS:
        return SCALARS[declared]
    if declared.startswith("("):
        return st.none() | near(declared[1:-2])
    if declared.startswith("{"):
        a = near(declared.removeprefix("{ a: ").removesuffix(", b: int? }"))
        b = st.sampled_from([None, 1, "1"])
        return st.fixed_dictionaries({"a": a}) | (
            st.fixed_dictionaries({"b": b}, optional={"a": a, "c": st.none()})
        )
    inner = near(declared.partition(" of ")[2])
    if declared.startswith("map"):
        return st.dictionaries(KEYS, inner, max_size=3)
    return st.lists(inner, max_size=3)


@settings(max_examples=800, deadline=None)
@given(st.data())
@pytest.mark.row("X07")
def test_the_schema_and_the_runtime_agree(data: st.DataObject) -> None:
    declared = data.draw(DECLARED | st.sampled_from(list(SCALARS)))
    value = data.draw(st.one_of(near(declared), near(declared), JSON, UNKNOWN))
    assert schema_accepts(declared, value) == runtime_accepts(declared, value)


@pytest.mark.parametrize("declared", SCALARS)
def test_they_agree_on_each_scalar(declared: str) -> None:
    said = {True: 0, False: 0}

    @settings(max_examples=60, deadline=None)
    @given(SCALARS[declared])
    def agree(value: Any) -> None:
        accepted = runtime_accepts(declared, value)
        assert schema_accepts(declared, value) == accepted, value
        said[accepted] += 1

    agree()
    assert said[True]
    assert said[False] or declared in ("bool", "number", "string")


def test_caps_of_the_language() -> None:
    for declared, least, most in (
        ("string", "x" * 65_536, "x" * 65_537),
        ("list of bool", [True] * 3_000, [True] * 3_001),
        ("map of bool", {str(n): True for n in range(3_000)}, {str(n): True for n in range(3_001)}),
    ):
        assert schema_accepts(declared, least) == runtime_accepts(declared, least) == True  # noqa: E712
        assert schema_accepts(declared, most) == runtime_accepts(declared, most) == False  # noqa: E712


# --- the exceptions that the page states

LET_PASS = [
    ("string", "é" * 40_000),
    ("list of string", ["x" * 60_000] * 20),
    ("string", "\ud800"),
    ("number", 10**34 + 1),
    ("number", 1e-310),
    ("percent", "0." + "1" * 35 + "%"),
    ("duration", "1.5ns"),
    ("size", "0.5B"),
    ("duration in 0s..1s", "2s"),
    ("money USD in ..5 USD", "6 USD"),
    ("date in 2026-01-01..", "2025-01-01"),
    ("version in v1.0.0..", "v0.9.0"),
    ("date", "2026-02-30"),
    ("time", "2026-02-30T10:00Z"),
    ("path", "../a"),
    ("path", "/etc/passwd"),
    ("path", "."),
]


@pytest.mark.parametrize(("declared", "value"), LET_PASS, ids=[d for d, _ in LET_PASS])
def test_what_the_schema_lets_pass(declared: str, value: Any) -> None:
    assert schema_accepts(declared, value)
    assert not runtime_accepts(declared, value)


def test_days_that_no_calendar_has_are_refused_where_formats_are_looked_at() -> None:
    schema = goal_schema(goal_of("date"))
    strict = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert strict.is_valid({"x": {"y": "2026-02-28"}})
    assert not strict.is_valid({"x": {"y": "2026-02-30"}})


@pytest.mark.parametrize("facts", [{"x": 3}, {"x": {"$unknown": "error"}}, {"x.y": 3}])
def test_what_the_schema_refuses_though_the_runtime_only_warns(facts: dict[str, Any]) -> None:
    assert not validator("int").is_valid(facts)
    assert all(note.kind != "invalid" for note in Monitor(goal_of("int")).observe(facts).notes)


def test_a_number_that_rounds_to_the_end_of_its_range() -> None:
    declared, value = "duration as s in 1s..", 0.9999999999
    assert not schema_accepts(declared, value)
    assert runtime_accepts(declared, value)


# --- its form

MANY = """\
facts {
  suite.passed  : bool "every test passed"
  coverage.line : percent as ratio in 0%..100% from coverage "coverage.xml"
  deploy.state  : "none" < "live" lasting
  web.latency.p95 : duration as ms in 0s..1m30s
  n             : number in -0.5..1000000
  unread        : date
}

goal g {
  objective "Ship it."
  criterion a "x" check suite.passed and coverage.line > 5% and deploy.state == "live"
  criterion b "x" check web.latency.p95 < 1s and n == 1
}
"""


def schema() -> dict[str, Any]:
    compilation = compile_text(MANY)
    assert compilation.document is not None
    return goal_schema(compilation.document.goals[0])


def test_names_nest_and_only_what_the_goal_reads_is_there() -> None:
    properties = schema()["properties"]
    assert sorted(properties) == ["coverage", "deploy", "n", "suite", "web"]
    assert list(properties["web"]["properties"]["latency"]["properties"]) == ["p95", "$unknown"]
    assert sorted(schema()["$defs"]) == ["duration", "percent", "unknown"]


def test_what_a_fact_is_stands_beside_its_keywords() -> None:
    properties = schema()["properties"]
    assert properties["suite"]["properties"]["passed"] == {
        "description": "every test passed",
        "x-goalspec": {"fact": "suite.passed", "type": "bool"},
        "anyOf": [{"type": "boolean"}, {"$ref": "#/$defs/unknown"}],
    }
    assert properties["coverage"]["properties"]["line"]["x-goalspec"] == {
        "fact": "coverage.line",
        "type": "percent as ratio",
        "range": "0%..100%",
        "source": {"name": "coverage", "argument": "coverage.xml"},
    }
    assert properties["deploy"]["properties"]["state"]["x-goalspec"] == {
        "fact": "deploy.state", "type": '"none" < "live"', "lasting": True,
    }  # fmt: skip


def test_bounds_are_in_the_unit_of_the_numbers() -> None:
    latency = schema()["properties"]["web"]["properties"]["latency"]["properties"]["p95"]
    assert latency["anyOf"][1] == {"type": "number", "minimum": 0, "maximum": 90_000}
    assert schema()["properties"]["n"]["anyOf"][0] == {
        "type": "number", "minimum": -0.5, "maximum": 1_000_000,
    }  # fmt: skip
