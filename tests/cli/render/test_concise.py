"""The form of one line a finding: golden lines, the mark of a fix, and one line whatever is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Fix, Label, Severity
from goalspec.grammar.source import Source, Span

GOLDEN = Path(__file__).parent / "golden"
UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")
SOURCE = Source("goals/g.goal", "facts { a.b : int }\ngoal g {\n  check a.c\n}\n")


def render(*diagnostics: Diagnostic, files: int = 1, color: bool = False) -> str:
    return FORMATS["concise"](diagnostics, files, color=color)


def found(message: str = "no such fact", source: Source = SOURCE, **rest: Any) -> Diagnostic:
    start = source.text.index("a.c")
    return Diagnostic(UNDECLARED, source, Span(start, start + 3), message, **rest)


def several() -> list[Diagnostic]:
    hostile = Source("evil\x1b[2J\u202e\n\udcff.goal", "\t\ta.c")
    labels = (Label(SOURCE, Span(8, 11), "declared here"),)
    return [
        found("no such fact\n\x1b[31m\u2028`\ta`", hostile),
        found(fix=Fix("drop it", (), safe=False)),
        Diagnostic(UNREAD, SOURCE, Span(8, 11), "unread", fix=Fix("drop it", (), safe=True)),
        found("another", hint="did you\nmean `a.b`?", labels=labels),
    ]


def test_lines_are_the_golden_ones(golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / "concise.txt", render(*several(), files=2))


def test_colored_lines_are_the_golden_ones(golden: Callable[[Path, str], None]) -> None:
    colored = render(*several(), files=2, color=True)
    golden(GOLDEN / "concise_colored.txt", colored)
    assert click.unstyle(colored) == render(*several(), files=2)


def test_no_findings() -> None:
    assert render(files=3) == "no findings in 3 files\n"


@pytest.mark.parametrize(
    ("fix", "message"),
    [
        (None, "no such fact"),
        (Fix("drop it", (), safe=True), "[*] no such fact"),
        (Fix("drop it", (), safe=False), "no such fact"),
    ],
)
def test_only_a_safe_fix_is_marked(fix: Fix | None, message: str) -> None:
    line = render(found(fix=fix)).splitlines()[0]
    assert line == f"goals/g.goal:3:9: error[GS201] {message}"


def test_a_message_cannot_pretend_to_be_another_finding() -> None:
    lines = render(found("x\ngoals/g.goal:1:1: error[GS999] [*] y")).splitlines()
    assert len(lines) == 2


def test_order_is_that_of_the_places_whatever_the_input() -> None:
    assert render(*several()) == render(*reversed(several()))
