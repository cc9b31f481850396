"""The report as JUnit XML: a suite for each file, a case for each test. What XML cannot hold, and
what would trick a reader, is written out as in a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

from ...compiler.characters import visible
from ...runtime.testing import FinishedTest
from ..render.junit_xml import document, suite
from . import FileReport, Report
from .text import failure


def render(report: Report) -> str:
    """The document. Files without a test that was run have no suite."""
    files = (file for file in report.files if file.tested)
    return document([suite(visible(file.name), list(_cases(file))) for file in files])


def _cases(file: FileReport) -> Iterator[ElementTree.Element]:
    """Services take tests of one name for one test, so that a name which is there twice gets its
    line; others stay the same wherever they stand."""
    names = Counter(_name(tested) for _, tested in file.tested)
    for number, tested in file.tested:
        name = _name(tested)
        if names[name] > 1:
            name += f" (line {file.line(number)})"
        case = ElementTree.Element("testcase", classname=visible(file.name), name=name)
        if not tested.passed:
            case.append(_failed(file, number, tested))
        yield case


def _name(tested: FinishedTest) -> str:
    return visible(f"{tested.test.goal}: {tested.test.name}")


def _failed(file: FileReport, number: int, tested: FinishedTest) -> ElementTree.Element:
    if tested.fault is not None:
        kind, message = "error", tested.fault.message
    else:
        first = tested.misses[0]
        kind, message = "failure", f"expected {first.expected}, seen {first.seen}"
    element = ElementTree.Element(kind, message=visible(message))
    element.text = "\n".join(failure(file, number, tested))
    return element
