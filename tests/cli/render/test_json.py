"""The JSON object: its members, its order, and that any reader can take it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from goalspec.grammar.source import Source, Span

UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")
SOURCE = Source("goals/été.goal", "goal g {\r\n  check 漢🎉 a.b\n}\n")


def render(diagnostics: Sequence[Diagnostic], files: int = 1) -> str:
    return FORMATS["json"](diagnostics, files, color=False)


def loaded(*diagnostics: Diagnostic, files: int = 1) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(render(diagnostics, files))
    return document


def found(start: int, end: int, code: Code = UNDECLARED, **rest: Any) -> Diagnostic:
    return Diagnostic(code, SOURCE, Span(start, end), "no such fact", **rest)


def test_the_whole_object() -> None:
    label = Label(Source("facts.goal", "facts {}\n"), Span(0, 5), "not in here")
    document = loaded(found(21, 24, hint="use `a.c`", labels=(label,)), found(0, 4, UNREAD))
    assert document == {
        "version": 1,
        "files": 1,
        "errors": 1,
        "warnings": 1,
        "diagnostics": [
            {
                "code": "GS401",
                "name": "unread-fact",
                "severity": "warning",
                "message": "no such fact",
                "hint": None,
                "path": "goals/été.goal",
                "start": {"line": 1, "column": 1, "offset": 0},
                "end": {"line": 1, "column": 5, "offset": 4},
                "labels": [],
                "fix": None,
            },
            {
                "code": "GS201",
                "name": "undeclared-fact",
                "severity": "error",
                "message": "no such fact",
                "hint": "use `a.c`",
                "path": "goals/été.goal",
                "start": {"line": 2, "column": 12, "offset": 21},
                "end": {"line": 2, "column": 15, "offset": 24},
                "labels": [
                    {
                        "path": "facts.goal",
                        "start": {"line": 1, "column": 1, "offset": 0},
                        "end": {"line": 1, "column": 6, "offset": 5},
                        "text": "not in here",
                    }
                ],
                "fix": None,
            },
        ],
    }
    assert SOURCE.text[21:24] == "a.b"


def test_members_stand_in_the_documented_order() -> None:
    document = loaded(found(0, 4))
    assert list(document) == ["version", "files", "errors", "warnings", "diagnostics"]
    assert list(document["diagnostics"][0]) == [
        *("code", "name", "severity", "message", "hint"),
        *("path", "start", "end", "labels", "fix"),
    ]


@pytest.mark.parametrize("safe", [True, False])
def test_a_fix_with_its_edits_by_place(safe: bool) -> None:
    edits = (Edit(Span(21, 24), "a.c"), Edit(Span(11, 11), "# é\n"))
    document = loaded(found(21, 24, fix=Fix("read `a.c`", edits, safe)))
    assert document["diagnostics"][0]["fix"] == {
        "title": "read `a.c`",
        "safe": safe,
        "edits": [
            {
                "start": {"line": 2, "column": 2, "offset": 11},
                "end": {"line": 2, "column": 2, "offset": 11},
                "text": "# é\n",
            },
            {
                "start": {"line": 2, "column": 12, "offset": 21},
                "end": {"line": 2, "column": 15, "offset": 24},
                "text": "a.c",
            },
        ],
    }


def test_no_findings() -> None:
    assert render([], 3) == (
        '{\n  "version": 1,\n  "files": 3,\n  "errors": 0,\n  "warnings": 0,\n'
        '  "diagnostics": []\n}\n'
    )


def test_text_is_utf_8_and_not_escaped() -> None:
    text = render([found(0, 4)])
    assert '"goals/été.goal"' in text
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("char", ["\x1b", "\x7f", "\x9b", "\u202e", "\u2028", "\u2066", "\udc80"])
def test_what_a_terminal_obeys_is_escaped_and_read_back(char: str) -> None:
    source = Source(f"a{char}.goal", "x")
    text = render([Diagnostic(UNDECLARED, source, Span(0, 1), f"odd {char}")])
    assert char not in text
    text.encode()
    assert json.loads(text)["diagnostics"][0]["path"] == source.path


def test_order_is_that_of_the_places_whatever_the_input() -> None:
    diagnostics = [found(21, 24), found(0, 4, UNREAD), found(0, 4), found(0, 2)]
    document = loaded(*diagnostics)
    assert document == loaded(*reversed(diagnostics))
    assert [(item["end"]["offset"], item["code"]) for item in document["diagnostics"]] == [
        *((2, "GS201"), (4, "GS201"), (4, "GS401"), (24, "GS201")),
    ]
