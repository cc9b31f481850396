"""C103: each predicate has one reading, that of the language's table of what binds; where people read
two, parentheses are compulsory and comparisons do not chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from goalspec import Monitor, compile_text

FACTS = """facts {
  a.ok : bool
  b.ok : bool
  c.ok : bool
  a.x  : number
  b.x  : number
  c.x  : number
  a.xs : list of number
}
"""
LEVEL = {"or": 1, "and": 2, "+": 7, "-": 7, "*": 8, "/": 8}


TRUTHS = [
    dict(zip(("a.ok", "b.ok", "c.ok"), values, strict=True))
    for values in product([True, False], repeat=3)
]
NUMBERS = [
    {"a.x": a, "b.x": b, "c.x": c, "a.xs": [1, 3]} for a, b, c in product([-2, 0, 1, 3], repeat=3)
]


def outcomes_of(
    predicates: list[str], observations: Sequence[Mapping[str, object]]
) -> list[list[str]]:
    """The outcome of each predicate after each observation; all of them compile."""
    criteria = "".join(
        f'  criterion p{n} "It holds" check {text}\n' for n, text in enumerate(predicates)
    )
    compiled = compile_text(f'{FACTS}\ngoal g {{\n  objective "o"\n{criteria}}}\n')
    assert compiled.document is not None, [d.message for d in compiled.diagnostics]
    monitor = Monitor(compiled.document.goals[0])
    return [[r.outcome for r in monitor.observe(facts).criteria] for facts in observations]


def assert_same(written: list[str], meant: list[str]) -> None:
    """Each predicate has the outcomes of the one with parentheses, whatever the facts."""
    everything = [{**truths, **numbers} for truths in TRUTHS for numbers in NUMBERS]
    assert outcomes_of(written, everything) == outcomes_of(meant, everything)


def grouped(x: str, first: str, y: str, second: str, z: str) -> str:
    """The same with parentheses: the tighter operator first, equal ones from the left."""
    if LEVEL[second] > LEVEL[first]:
        return f"({x}) {first} (({y}) {second} ({z}))"
    return f"(({x}) {first} ({y})) {second} ({z})"


def test_and_or_not() -> None:
    written, meant = [], []
    for first, second, nots in product(
        ["and", "or"], ["and", "or"], product(["", "not "], repeat=3)
    ):
        x, y, z = (n + name for n, name in zip(nots, ("a.ok", "b.ok", "c.ok"), strict=True))
        written.append(f"{x} {first} {y} {second} {z}")
        meant.append(grouped(x, first, y, second, z))
    assert_same(written, meant)


def test_arithmetic() -> None:
    written, meant = [], []
    for first, second, signs in product("+-*/", "+-*/", product(["", "-"], repeat=3)):
        x, y, z = (sign + name for sign, name in zip(signs, ("a.x", "b.x", "c.x"), strict=True))
        written.append(f"{x} {first} {y} {second} {z}")
        meant.append(f"({grouped(x, first, y, second, z)})")
    numbers = [{"a.x": a, "b.x": b, "c.x": c} for a, b, c in [(7, 3, 2), (2, 5, 11), (1, 8, 3)]]
    same = [f"{left} == {right}" for left, right in zip(written, meant, strict=True)]
    for outcomes in outcomes_of(same, numbers):
        assert set(outcomes) == {"met"}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("not a.ok and b.ok", "(not a.ok) and b.ok"),
        ("not a.ok == b.ok", "not (a.ok == b.ok)"),
        ("not a.x in a.xs", "not (a.x in a.xs)"),
        ("not a.x + 1 > b.x", "not ((a.x + 1) > b.x)"),
        ("-4 + 5 > a.x", "((-4) + 5) > a.x"),
        ("-a.x * b.x > c.x", "((-a.x) * b.x) > c.x"),
        ("a.x - b.x - c.x > 0", "((a.x - b.x) - c.x) > 0"),
        ("a.x / b.x / c.x > 0", "((a.x / b.x) / c.x) > 0"),
        ("a.x + 1 in a.xs", "(a.x + 1) in a.xs"),
        ("a.x not in a.xs", "not (a.x in a.xs)"),
        ("a.x > 0 or b.x > 0 and c.x > 0", "(a.x > 0) or ((b.x > 0) and (c.x > 0))"),
        ("a.ok or a.x not in a.xs and b.ok", "a.ok or ((a.x not in a.xs) and b.ok)"),
    ],
)
def test_what_binds_tighter(written: str, meant: str) -> None:
    assert_same([written], [meant])


def refused(predicate: str) -> list[str]:
    text = f'{FACTS}\ngoal g {{\n  objective "o"\n  criterion p "It holds" check {predicate}\n}}\n'
    compiled = compile_text(text)
    assert compiled.document is None
    return [d.code.id for d in compiled.diagnostics]


@pytest.mark.parametrize(
    "predicate",
    [
        "1 < a.x < 1000",
        "a.x == b.x == c.x",
        "a.ok == b.ok == c.ok",
        "a.x > 1 == b.ok",
        "1 <= a.x in a.xs",
        "a.x in a.xs == b.ok",
        "a.x in 1..5 == b.ok",
    ],
)
def test_comparisons_do_not_chain(predicate: str) -> None:
    assert refused(predicate) == ["GS303"]


@pytest.mark.parametrize(
    "predicate",
    [
        "a.ok and b.ok for 2 runs",
        "not a.ok for 2 runs",
        "a.ok for 2 runs or b.ok",
        "a.ok and any x in a.xs: x > 1",
        "not any x in a.xs: x > 1",
        "any x in a.xs: x > 1 and a.ok",
        "always a.ok and b.ok",
        "a.x ?? 1 + 2 > 3",
        "a.ok ?? false and b.ok",
    ],
)
def test_two_readings_need_parentheses(predicate: str) -> None:
    assert refused(predicate) == ["GS313"]
