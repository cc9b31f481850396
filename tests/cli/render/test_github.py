"""The workflow commands: their form, their order, and that no text can break out of one."""

from __future__ import annotations

import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Label, Severity
from goalspec.grammar.source import Source, Span

UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")
SOURCE = Source("goals/g.goal", "goal g {\n  check a.b\n}\n")


def render(*diagnostics: Diagnostic) -> str:
    return FORMATS["github"](diagnostics, 1, color=False)


def test_a_command() -> None:
    found = Diagnostic(UNDECLARED, SOURCE, Span(17, 20), "no such fact", hint="use `a.c`")
    assert render(found) == (
        "::error file=goals/g.goal,line=2,col=9,endLine=2,endColumn=12,"
        "title=GS201 undeclared-fact::no such fact%0Ause `a.c`\n"
    )


def test_no_findings_are_no_output() -> None:
    assert render() == ""


def test_columns_are_left_out_over_several_lines() -> None:
    found = Diagnostic(UNREAD, SOURCE, Span(0, 22), "too long")
    assert render(found) == (
        "::warning file=goals/g.goal,line=1,endLine=3,title=GS401 unread-fact::too long\n"
    )


def test_labels_add_nothing() -> None:
    labels = (Label(SOURCE, Span(0, 4), "here"),)
    found = Diagnostic(UNDECLARED, SOURCE, Span(17, 20), "no such fact")
    labelled = Diagnostic(UNDECLARED, SOURCE, Span(17, 20), "no such fact", labels=labels)
    assert render(found) == render(labelled)


def test_order_is_that_of_the_places_whatever_the_input() -> None:
    found = [
        Diagnostic(UNDECLARED, SOURCE, Span(17, 20), "second"),
        Diagnostic(UNREAD, SOURCE, Span(0, 4), "first"),
    ]
    assert render(*found) == render(*reversed(found))
    assert [line.split("::")[-1] for line in render(*found).splitlines()] == ["first", "second"]


@pytest.mark.parametrize(
    ("path", "escaped"),
    [
        ("a,b:c.goal", "a%2Cb%3Ac.goal"),
        ("100%.goal", "100%25.goal"),
        ("a\r\nb.goal", "a\\u{d}%0Ab.goal"),
        ("a::error::b.goal", "a%3A%3Aerror%3A%3Ab.goal"),
        ("%2C.goal", "%252C.goal"),
        ("./a.goal", "a.goal"),
        ("été.goal", "été.goal"),
    ],
)
def test_a_property_is_escaped(path: str, escaped: str) -> None:
    text = render(Diagnostic(UNDECLARED, Source(path, "x"), Span(0, 1), "odd"))
    assert text.startswith(f"::error file={escaped},line=1,")
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    ("message", "escaped"),
    [
        ("85% of it", "85%25 of it"),
        ("two\nlines", "two%0Alines"),
        ("two\r\nlines", "two\\u{d}%0Alines"),
        ("a: b, c", "a: b, c"),
        ("\n::stop-commands::x", "%0A::stop-commands::x"),
        ("%0A", "%250A"),
    ],
)
def test_data_is_escaped(message: str, escaped: str) -> None:
    text = render(Diagnostic(UNDECLARED, SOURCE, Span(0, 1), message))
    assert text.split("::", 2)[2] == f"{escaped}\n"


def test_a_path_that_is_not_utf_8_can_be_printed() -> None:
    text = render(Diagnostic(UNDECLARED, Source("a\udcff.goal", "x"), Span(0, 1), "odd"))
    assert "file=a\\u{dcff}.goal," in text
    text.encode()
