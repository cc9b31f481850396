"""C055: no rewriting of a predicate changes what it says of facts that nobody reported.

Every small predicate of `and`, `or` and `not` is held to Kleene's tables, for all ways in which its
facts are true, false or missing.
"""

from __future__ import annotations

from itertools import product

import pytest
from goalspec import Monitor, compile_text

NAMES = ("c.foo", "c.bar", "c.baz")
Value = bool | None  # None: not reported
WORDS = {True: "met", False: "unmet", None: "unknown"}


def negated(value: Value) -> Value:
    return None if value is None else not value


def both(a: Value, b: Value) -> Value:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def either(a: Value, b: Value) -> Value:
    return negated(both(negated(a), negated(b)))


OPERATORS = {"and": both, "or": either}
SHAPES = list(product([False, True], ["and", "or"], [False, True], ["and", "or"], [False, True]))


def predicate(shape: tuple[bool, str, bool, str, bool]) -> str:
    outer, first, inner, second, last = shape
    a, b, c = NAMES
    left = f"{'not ' * inner}({a} {first} {b})"
    return f"{'not ' * outer}({left} {second} {'not ' * last}{c})"


def value(shape: tuple[bool, str, bool, str, bool], facts: dict[str, Value]) -> Value:
    outer, first, inner, second, last = shape
    a, b, c = (facts[name] for name in NAMES)
    left = OPERATORS[first](a, b)
    whole = OPERATORS[second](negated(left) if inner else left, negated(c) if last else c)
    return negated(whole) if outer else whole


def test_every_small_predicate_is_three_valued() -> None:
    facts = "".join(f"  {name} : bool\n" for name in NAMES)
    criteria = "".join(
        f'  criterion p{n} "It holds" check {predicate(shape)}\n' for n, shape in enumerate(SHAPES)
    )
    compiled = compile_text(f'facts {{\n{facts}}}\ngoal g {{\n  objective "o"\n{criteria}}}\n')
    assert compiled.document is not None
    for values in product([True, False, None], repeat=3):
        given = dict(zip(NAMES, values, strict=True))
        reported = {name: fact for name, fact in given.items() if fact is not None}
        verdict = Monitor(compiled.document.goals[0]).observe(reported)
        found = [result.outcome for result in verdict.criteria]
        assert found == [WORDS[value(shape, given)] for shape in SHAPES], given


@pytest.mark.parametrize("spelling", ["not (c.foo == {0})", "c.foo != {0}", "{0} != c.foo"])
def test_a_negated_comparison_with_what_nobody_reported_is_unknown(spelling: str) -> None:
    check = spelling.format('"pending"')
    compiled = compile_text(
        'facts {\n  c.foo : "pending" | "passed"\n}\n'
        f'goal g {{\n  objective "o"\n  criterion p "It holds" check {check}\n}}\n'
    )
    assert compiled.document is not None
    monitor = Monitor(compiled.document.goals[0])
    outcomes = [
        monitor.observe(facts).criteria[0].outcome
        for facts in ({}, {"c.foo": "pending"}, {"c.foo": "passed"})
    ]
    assert outcomes == ["unknown", "unmet", "met"]
