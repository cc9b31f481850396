"""The counts by code: their order, their columns, and the mark of what can be fixed."""

from __future__ import annotations

import json

import pytest
from goalspec.cli.render.statistics import statistics
from goalspec.grammar.diagnostics import Code, Diagnostic, Fix, Severity
from goalspec.grammar.source import Source, Span

SOURCE = Source("g.goal", "goal g {}\n")
SAFE, UNSAFE = Fix("title", (), safe=True), Fix("title", (), safe=False)


def code(id: str, name: str) -> Code:
    return Code(id, name, "lint", Severity.WARNING, "why", "bad", "good")


UNREAD, PARENTHESES = code("GS401", "unread-fact"), code("GS406", "needless-parentheses")
UNDECLARED = code("GS201", "undeclared-fact")


def found(code: Code, *fixes: Fix | None) -> list[Diagnostic]:
    return [Diagnostic(code, SOURCE, Span(0, 4), "odd", fix=fix) for fix in fixes]


def test_the_table() -> None:
    diagnostics = [
        *found(UNREAD, SAFE, UNSAFE),
        *found(PARENTHESES, *[SAFE] * 10),
        *found(UNDECLARED, None, UNSAFE),
    ]
    assert statistics(diagnostics, as_json=False) == (
        "10  GS406  [*]  needless-parentheses\n"
        " 2  GS201  [ ]  undeclared-fact\n"
        " 2  GS401  [-]  unread-fact\n"
        "11 findings can be fixed with goalspec lint --fix (2 more with --unsafe-fixes)\n"
    )


def test_json() -> None:
    text = statistics([*found(UNREAD, SAFE, None), *found(UNDECLARED, None)], as_json=True)
    assert json.loads(text) == [
        {"code": "GS401", "name": "unread-fact", "count": 2, "fixable": 1},
        {"code": "GS201", "name": "undeclared-fact", "count": 1, "fixable": 0},
    ]
    assert text.endswith("]\n")


def test_no_findings() -> None:
    assert statistics([], as_json=False) == ""
    assert statistics([], as_json=True) == "[]\n"


@pytest.mark.parametrize("as_json", [True, False])
def test_order_of_the_input_does_not_matter(as_json: bool) -> None:
    diagnostics = [*found(UNREAD, None), *found(UNDECLARED, SAFE), *found(PARENTHESES, None)]
    assert statistics(diagnostics, as_json=as_json) == statistics(
        diagnostics[::-1], as_json=as_json
    )
