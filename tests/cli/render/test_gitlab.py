"""The Code Quality report: the members that GitLab documents, and fingerprints that tell apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goalspec.cli.render import FORMATS
from goalspec.grammar.diagnostics import Code, Diagnostic, Severity
from goalspec.grammar.source import Source, Span

GOLDEN = Path(__file__).parent / "golden"
UNDECLARED = Code("GS201", "undeclared-fact", "resolve", Severity.ERROR, "why", "bad", "good")
UNREAD = Code("GS401", "unread-fact", "lint", Severity.WARNING, "why", "bad", "good")
SOURCE = Source("goals/été.goal", "goal g {\n  check a.b\n  check a.b\n}\n")


def render(*diagnostics: Diagnostic) -> str:
    return FORMATS["gitlab"](diagnostics, 1, color=False)


def report(*diagnostics: Diagnostic) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads(render(*diagnostics))
    return loaded


def found(message: str = "no such fact", source: Source = SOURCE, **rest: Any) -> Diagnostic:
    start = source.text.index("a.b")
    return Diagnostic(UNDECLARED, source, Span(start, start + 3), message, **rest)


def test_the_report_is_the_golden_one(golden: Callable[[Path, str], None]) -> None:
    hostile = Source("evil\x1b\u202e\udcff.goal", "a.b")
    text = render(
        found(hint="did you mean `a.c`?"),
        Diagnostic(UNREAD, SOURCE, Span(0, 4), "no predicate reads this fact"),
        found('"quoted"\n\x1b[31m\u2028\x9b', hostile),
    )
    golden(GOLDEN / "gitlab.json", text)
    assert not {"\x1b", "\x9b", "\u202e", "\u2028"}.intersection(text)


def test_no_findings_are_an_empty_report() -> None:
    assert render() == "[]\n"


def test_an_error_is_major_and_a_warning_minor() -> None:
    warning = Diagnostic(UNREAD, SOURCE, Span(0, 4), "unread")
    assert [item["severity"] for item in report(found(), warning)] == ["minor", "major"]


def test_a_path_is_not_led_by_a_dot() -> None:
    [item] = report(found(source=Source("./goals/g.goal", "a.b")))
    assert item["location"] == {"path": "goals/g.goal", "lines": {"begin": 1}}


def prints(*diagnostics: Diagnostic) -> list[str]:
    return [item["fingerprint"] for item in report(*diagnostics)]


def test_a_fingerprint_is_that_of_sarif() -> None:
    [run] = json.loads(FORMATS["sarif"]([found()], 1, color=False))["runs"]
    [result] = run["results"]
    assert prints(found()) == list(result["partialFingerprints"].values())


def test_a_fingerprint_survives_text_added_above() -> None:
    moved = Source(SOURCE.path, "# a comment\n" + SOURCE.text)
    assert prints(found()) == prints(found(source=moved))


def test_no_two_findings_have_one_fingerprint() -> None:
    second = SOURCE.text.rindex("a.b")
    same = Diagnostic(UNDECLARED, SOURCE, Span(second, second + 3), "no such fact")
    assert len(set(prints(found(), same, found("another")))) == 3


@pytest.mark.parametrize("count", [2, 5])
def test_order_is_that_of_the_places_whatever_the_input(count: int) -> None:
    diagnostics = [Diagnostic(UNREAD, SOURCE, Span(n, n + 1), "unread") for n in range(count)]
    assert render(*diagnostics) == render(*reversed(diagnostics))
