"""The findings as JUnit XML, which Jenkins, GitLab and CircleCI read as results of tests.

Each finding is a failed test of the class that its file is; its name holds place and message,
because services take tests of one name for one test. Where nothing was found there is one test that
passed, so that no service complains of an empty report. Characters that XML cannot hold, and those
that would trick a reader, are written out as in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from ...grammar.diagnostics import Diagnostic
from .characters import visible
from .concise import line
from .words import notes

_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The document, with one suite."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name="goalspec",
        tests=str(max(1, len(found))),
        failures=str(len(found)),
        errors="0",
    )
    if not found:
        ElementTree.SubElement(suite, "testcase", classname="goalspec", name="no findings")
    suite.extend(map(_failed, found))
    ElementTree.indent(root)
    return _DECLARATION + ElementTree.tostring(root, encoding="unicode") + "\n"


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
