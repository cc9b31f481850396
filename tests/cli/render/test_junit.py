"""The JUnit document: one suite, a failed test for each finding, and only what XML can hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Fix, Severity
from goalspec.grammar.source import Source, Span

GOLDEN = Path(__file__).parent / "golden"
UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")
SOURCE = Source("goals/été.goal", "goal g {\n  check a.b\n}\n")


def render(*diagnostics: Diagnostic) -> str:
    return FORMATS["junit"](diagnostics, 1, color=False)


def suite(*diagnostics: Diagnostic) -> ElementTree.Element:
    """The only suite, once its counts are those of its tests."""
    root = ElementTree.fromstring(render(*diagnostics).encode())
    assert root.tag == "testsuites"
    [only] = root
    assert only.attrib == {
        "name": "goalspec",
        "tests": str(len(only.findall("testcase"))),
        "failures": str(len(only.findall("testcase/failure"))),
        "errors": "0",
    }
    return only


def found(message: str = "no such fact", source: Source = SOURCE, **rest: Any) -> Diagnostic:
    start = source.text.index("a.b")
    return Diagnostic(UNDECLARED, source, Span(start, start + 3), message, **rest)


def test_the_document_is_the_golden_one(golden: Callable[[Path, str], None]) -> None:
    hostile = Source('"evil" <&>\'\x1b\u202e\n\udcff.goal', "a.b")
    fix = Fix("write `<a.c>`", (), safe=False)
    text = render(
        found(hint="did you mean\n`a.c`?", fix=fix),
        Diagnostic(UNREAD, SOURCE, Span(0, 4), "no predicate reads this fact"),
        found("]]> <!-- &amp; \x00\x0b\ufffe\u2028 -->\n\"'", hostile),
    )
    golden(GOLDEN / "junit.xml", text)


def test_a_finding_is_a_failed_test_of_its_file() -> None:
    [test] = suite(found(hint="use `a.c`"))
    assert test.attrib == {"classname": "goals/été.goal", "name": "GS201 2:9 no such fact"}
    [failure] = test
    assert failure.tag == "failure"
    assert failure.attrib == {"type": "error", "message": "no such fact"}
    assert failure.text == (
        "goals/été.goal:2:9: error[GS201] no such fact\n"
        "hint: use `a.c`\n"
        "explain: goalspec explain GS201"
    )


def test_no_findings_are_a_test_that_passed() -> None:
    [test] = suite()
    assert test.attrib == {"classname": "goalspec", "name": "no findings"}
    assert list(test) == []


def test_findings_at_different_places_are_different_tests() -> None:
    same = [Diagnostic(UNREAD, SOURCE, Span(n, n + 1), "unread") for n in (0, 5)]
    names = [(test.get("classname"), test.get("name")) for test in suite(*same, found())]
    assert len(set(names)) == 3


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("a < b && c > \"d\" or 'e'", "a < b && c > \"d\" or 'e'"),
        ("]]>", "]]>"),
        ("<![CDATA[x]]>", "<![CDATA[x]]>"),
        ("&#x1b;", "&#x1b;"),
        ("two\nlines\ttabbed", "two\\u{a}lines\\u{9}tabbed"),
        ("\x00\x1b\x7f\x9b", "\\u{0}\\u{1b}\\u{7f}\\u{9b}"),
        ("\ufffe\uffff", "\\u{fffe}\\u{ffff}"),
        ("\u202eevil\u2066", "\\u{202e}evil\\u{2066}"),
        ("\udc80", "\\u{dc80}"),
        ("漢🎉", "漢🎉"),
    ],
)
def test_a_message_is_read_back_as_a_terminal_would_show_it(message: str, shown: str) -> None:
    [[failure]] = suite(found(message))
    assert failure.get("message") == shown
    assert failure.text is not None
    assert failure.text.startswith(f"goals/été.goal:2:9: error[GS201] {shown}\n")


def test_order_is_that_of_the_places_whatever_the_input() -> None:
    diagnostics = [found(), Diagnostic(UNREAD, SOURCE, Span(0, 4), "unread")]
    assert render(*diagnostics) == render(*reversed(diagnostics))
