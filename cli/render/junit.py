"""The findings as JUnit XML, which Jenkins, GitLab and CircleCI read as results of tests.

Each finding is a failed test of the class that its file is; its name holds place and message,
because services take tests of one name for one test. Where nothing was found there is one test that
passed, so that no service complains of an empty report. Characters that XML cannot hold, and those
that would trick a reader, are written out as in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from ...compiler.characters import visible
from ...grammar.diagnostics import Diagnostic
from .concise import line
from .junit_xml import document, suite
from .words import notes


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The document, with one suite."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    passed = ElementTree.Element("testcase", classname="goalspec", name="no findings")
    return document([suite("goalspec", [_failed(one) for one in found] or [passed])])


def _failed(diagnostic: Diagnostic) -> ElementTree.Element:
    start, message = diagnostic.start, visible(diagnostic.message)
    name = f"{diagnostic.code.id} {start.line}:{start.column} {message}"
    test = ElementTree.Element("testcase", classname=visible(diagnostic.path), name=name)
    severity = diagnostic.severity.value
    failure = ElementTree.SubElement(test, "failure", type=severity, message=message)
    failure.text = "\n".join(_lines(diagnostic))
    return test


def _lines(diagnostic: Diagnostic) -> Iterator[str]:
    yield line(diagnostic, color=False)
    for name, text in notes(diagnostic):
        for number, part in enumerate(text.split("\n")):
            yield visible(part) if number else f"{name}: {visible(part)}"
