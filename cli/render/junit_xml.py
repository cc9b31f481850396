"""What JUnit XML is made of: suites of cases, of which some failed. Services that read it count on
the numbers that each suite and the whole carry.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'


def document(suites: Sequence[ElementTree.Element]) -> str:
    """The whole text of a report."""
    names = ("tests", "failures", "errors")
    totals = {name: str(sum(int(suite.get(name, "0")) for suite in suites)) for name in names}
    root = ElementTree.Element("testsuites", totals)
    root.extend(suites)
    ElementTree.indent(root)
    return _DECLARATION + ElementTree.tostring(root, encoding="unicode") + "\n"


def suite(name: str, cases: Sequence[ElementTree.Element]) -> ElementTree.Element:
    """A suite with its numbers."""
    counts = {kind: sum(case.find(kind) is not None for case in cases) for kind in _KINDS}
    made = ElementTree.Element(
        "testsuite",
        name=name,
        tests=str(len(cases)),
        failures=str(counts["failure"]),
        errors=str(counts["error"]),
    )
    made.extend(cases)
    return made


_KINDS = ("failure", "error")
