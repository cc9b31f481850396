"""Where forms may stand and the parentheses they need: rulings 8, 27, 71, and 14 on silence."""

from __future__ import annotations

import pytest
from goalspec.compiler import compile_text
from goalspec.grammar import Diagnostic

FACTS = """facts {
  a.ok : bool
  b.ok : bool
  a.n  : int
  b.n  : int?
  xs   : list of { ok: bool, n: int? }
}
"""


def found(check: str, lets: str = "") -> list[Diagnostic]:
    text = (
        f'{FACTS}goal g {{\n  objective "x"\n  {lets}\n  criterion c "y"\n    check {check}\n'
        '  advisory criterion reads "z"\n    check a.ok and b.ok and a.n == 1 and b.n != null and '
        "count(xs) == 1\n}\n"
    )
    return [d for d in compile_text(text).diagnostics if d.code.id != "GS304"]


def codes(check: str, lets: str = "") -> list[str]:
    return [d.code.id for d in found(check, lets)]


BOTH_READINGS = [
    ("a.ok and b.ok for 2 runs", ["a.ok and (b.ok for 2 runs)", "(a.ok and b.ok) for 2 runs"]),
    (
        "a.ok or b.ok for 5m every 1m",
        ["a.ok or (b.ok for 5m every 1m)", "(a.ok or b.ok) for 5m every 1m"],
    ),
    ("not a.ok for 2 runs", ["not (a.ok for 2 runs)", "(not a.ok) for 2 runs"]),
    (
        "any x in xs: x.ok and a.ok",
        ["any x in xs: (x.ok and a.ok)", "(any x in xs: x.ok) and a.ok"],
    ),
    ("all x in xs: x.ok or a.ok", ["all x in xs: (x.ok or a.ok)", "(all x in xs: x.ok) or a.ok"]),
    ("b.n ?? a.n + 1 > 3", ["(b.n ?? a.n) + 1", "b.n ?? (a.n + 1)"]),
    ("a.n + b.n ?? 1 > 3", ["a.n + (b.n ?? 1)", "(a.n + b.n) ?? 1"]),
    ("a.ok and any x in xs: x.ok", ["a.ok and (any x in xs: x.ok)"]),
    ("a.ok ?? b.ok and a.ok", ["(a.ok ?? b.ok) and a.ok", "a.ok ?? (b.ok and a.ok)"]),
    ("a.ok for 2 runs and b.ok", ["(a.ok for 2 runs) and b.ok", "(a.ok and b.ok) for 2 runs"]),
    ("not any x in xs: x.ok", ["not (any x in xs: x.ok)"]),
    ("not a.ok ?? b.ok", ["not (a.ok ?? b.ok)"]),
    ("always not a.ok", ["always (not a.ok)"]),
    ("always a.ok and b.ok", ["(always a.ok) and b.ok", "always (a.ok and b.ok)"]),
]


@pytest.mark.ruling(27)
@pytest.mark.ruling(71)
@pytest.mark.parametrize(("check", "readings"), BOTH_READINGS, ids=[c for c, _ in BOTH_READINGS])
def test_what_reads_two_ways_needs_parentheses(check: str, readings: list[str]) -> None:
    (diagnostic,) = found(check)
    assert diagnostic.code.id == "GS313"
    assert diagnostic.hint is not None
    for reading in readings:
        assert f"`{reading}`" in diagnostic.hint


@pytest.mark.ruling(27)
@pytest.mark.ruling(71)
@pytest.mark.parametrize(
    "check",
    [
        "a.n >= 2 for 2 runs",  # a comparison under `for`
        "(a.ok and b.ok) for 2 runs",
        "(a.ok for 2 runs) and b.ok",
        "all x in xs: not x.ok",  # a body that begins with `not`
        "all x in xs: any y in xs: y.n == x.n",  # or with a quantifier
        "a.ok and (all x in xs: x.ok)",
        "all x in xs where x.ok and a.ok: x.ok",
        "(b.n ?? 3) + 1 > 3 and a.ok",
        "a.ok and b.ok or a.ok",
        "always (a.ok and b.ok)",
        "a.n + 1 >= 2 for 2 runs",
    ],
)
def test_what_reads_one_way_needs_none(check: str) -> None:
    assert codes(check) in ([], ["GS310"])


MISPLACED = [
    "all x in xs: (x.ok for 2 runs)",
    "count(x in xs where (x.ok for 2 runs)) > 1",
    "streak((x.ok for 2 runs) for x in xs) > 1",
    "(a.ok for 2 runs) for 2 runs",
    "always (a.ok for 2m every 1m)",
    "ever (always a.ok)",
    "((a.ok for 2 runs) ?? b.ok)",
]


@pytest.mark.ruling(8)
@pytest.mark.parametrize("check", MISPLACED)
def test_temporal_forms_stand_outside(check: str) -> None:
    (diagnostic,) = found(check)
    assert diagnostic.code.id == "GS312"
    assert "(all s in xs: s.ok) for 2m" in (diagnostic.hint or "")


@pytest.mark.ruling(8)
@pytest.mark.ruling(71)
def test_where_the_outside_form_means_something_else_a_streak_is_offered() -> None:
    (diagnostic,) = found("all x in xs: (x.ok for 3 runs)")
    assert "streak(" in (diagnostic.hint or "")


@pytest.mark.ruling(8)
@pytest.mark.ruling(72)
@pytest.mark.parametrize(
    "check", ["all x in xs: twice == x.ok", "twice for 2 runs", "always twice", "(twice ?? a.ok)"]
)
def test_a_let_is_written_out_before_its_place_is_judged(check: str) -> None:
    assert codes(check, "let twice = a.ok for 2 runs") == ["GS312"]


@pytest.mark.ruling(8)
@pytest.mark.parametrize(
    "check",
    [
        "(a.n + 1) at start > 3",
        "a.n at start at start > 3",
        "previous a.n at start > 3",
        "previous previous a.n > 3",
        "count(xs) at start > 3",
        "any x in xs: x.n at start == 3",
        "a.n fresh 5m at start > 3",
    ],
)
def test_views_are_said_of_a_fact_and_do_not_stack(check: str) -> None:
    assert codes(check) == ["GS311"]


SILENT = [
    "(a.n ?? 0) == 0",
    "not known(a.n)",
    '"a" in ["a"]',
    "true",
    "(a.ok ?? true)",
    "a.ok or not known(b.n)",
    "not (a.ok ?? false)",
    "none x in [1, 2]: x == 3",
]


@pytest.mark.ruling(14)
@pytest.mark.parametrize("check", SILENT)
def test_silence_opens_no_check(check: str) -> None:
    assert codes(check) == ["GS309"]


@pytest.mark.ruling(14)
@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("a.ok and (a.n ?? 0) == 0", ["GS310"]),
        ("a.ok and not ((a.n ?? 5) > 3 and a.ok)", []),
        ("a.ok and not ((a.n ?? 0) > 3)", ["GS310"]),
        ("(a.n ?? 0) >= 3", []),  # the fallback fails: it hides nothing
        ("a.ok and (b.n ?? 0) == 0", ["GS310"]),
        ("a.ok and (a.ok ?? b.ok)", ["GS310"]),  # it may hold: that depends on b.ok
        ("count(x in xs where (a.n ?? 0) < 5) > 1", ["GS310"]),
        ("known(a.n) and (a.n ?? 0) == 0", []),  # `known` vouches for it
    ],
)
def test_a_fallback_that_could_hide_an_error_is_a_warning(check: str, expected: list[str]) -> None:
    assert codes(check) == expected
