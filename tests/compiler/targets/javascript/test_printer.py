"""The printer knows the forms that predicates have, and refuses all others."""

from __future__ import annotations

import ast

import pytest
from goalspec.compiler.targets.javascript.printer import (
    Unprintable,
    print_expression,
    print_statement,
)


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("python", "javascript"),
    [
        ("F['a'] and not F['b']", '(at(F, "a") && (!at(F, "b")))'),
        ("v_x < 5", "(compare(v_x, 5n) < 0)"),
        ("v_x == -5", "(equal(v_x, (-5n)))"),
        ("1 <= v_x <= 3", "(isBetween(1n, v_x, 3n))"),
        ("v_x[2]", "v_x[2]"),
        ("K0[v_x]", "at(K0, v_x)"),
        ("v_x is not None", "(v_x !== null)"),
        ("v_x in ('a', 'b')", '(isIn(v_x, ["a", "b"]))'),
        ("(lambda v_: v_ if v_ is not None else 1)(v_x)", "((v_) => ((v_ !== null) ? v_ : 1n))(v_x)"),
        ("each(v_a[0] for v_a in F['xs'] if v_a[1])", 'each(at(F, "xs"), (v_a) => v_a[0], (v_a) => v_a[1])'),
        ("len([v_a for v_a in v_x])", "len(collected(v_x, (v_a) => v_a))"),
        ("leaf(3, K0, read(F, 'a'))", 'leaf(3, K0, read(F, "a"))'),
        ("field_of(v_x, 1)", "fieldOf(v_x, 1)"),
        ("v_x.translate(ASCII_LOWER)", "lowered(v_x)"),
        ("-v_x * DAY", "((-v_x) * DAY)"),
        ("{'low': 0}", 'new Map([["low", 0n]])'),
        ("Decimal('0.5')", 'decimal("0.5")'),
        ("'\\u2028\\u202e\\x00\"\\\\'", '"\\u2028\\u202e\\u0000\\"\\\\"'),
        ("compile_globs(('a',))", 'matcher(["A", [[97, 97]], "z"])'),
    ],
)  # fmt: skip
def test_a_form_is_printed(python: str, javascript: str) -> None:
    assert print_expression(expression(python)) == javascript


@pytest.mark.parametrize(
    "python",
    [
        "v_x / 2", "v_x ** 2", "1 < v_x < 3", "f'{v_x}'", "v_x.upper()", "open('a')", "1.5", "b'a'",
        "[v_a for v_a in v_x for v_b in v_a]", "{1, 2}", "leaf(v_x, K0)", "v_x[1:2]", "print(*v_x)",
        "{**v_x}", "leaf(True, K0)", "any(v_x)(1)", "read(F, key='a')",
    ],
)  # fmt: skip
def test_another_form_is_refused(python: str) -> None:
    with pytest.raises(Unprintable):
        print_expression(expression(python))


@pytest.mark.parametrize("python", ["del F", "K0 = K1 = 1", "def f(F):\n    pass", "import os"])
def test_another_statement_is_refused(python: str) -> None:
    with pytest.raises(Unprintable):
        print_statement(ast.parse(python).body[0])
