"""The findings as a SARIF 2.1.0 log, for code scanning services and editors.

One run of the tool `goalspec`, whose rules are the codes that occur. A fix says in its property
`safe` whether it leaves every verdict as it is. Section numbers are those of the OASIS standard.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import Any

from ... import __version__
from ...grammar.diagnostics import Code, Diagnostic, Fix
from ...grammar.source import Source, Span
from ..terminal import json_text
from .fingerprints import fingerprints, uri
from .words import statement

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_FINGERPRINT = "goalspec/v1"

_Object = dict[str, Any]


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The log as JSON text."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    codes = sorted({diagnostic.code for diagnostic in found}, key=lambda code: code.id)
    ranks = {code: rank for rank, code in enumerate(codes)}
    driver = {"name": "goalspec", "version": __version__, "rules": [_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [
            _result(diagnostic, ranks[diagnostic.code], fingerprint)
            for diagnostic, fingerprint in zip(found, fingerprints(found), strict=True)
        ],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: Code) -> _Object:
    return {
        "id": code.id,
        "name": "".join(word.capitalize() for word in code.name.split("-")),
        "shortDescription": {"text": code.name.replace("-", " ").capitalize()},
        "fullDescription": {"text": code.why},
        "help": {"text": _help(code)},
        "defaultConfiguration": {"level": code.severity.value},
    }


def _help(code: Code) -> str:
    examples = (("Refused", code.bad), ("Accepted", code.good))
    parts = [f"{title}:\n\n{indent(text.strip(), '    ')}" for title, text in examples]
    return "\n\n".join([code.why, *parts])


def _result(diagnostic: Diagnostic, rank: int, fingerprint: str) -> _Object:
    result: _Object = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": rank,
        "level": diagnostic.severity.value,
        "message": _message(statement(diagnostic)),
        "locations": [_location(diagnostic.source, diagnostic.span)],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {"id": number, **_location(label.source, label.span), "message": _message(label.text)}
            for number, label in enumerate(diagnostic.labels)
        ]
    if diagnostic.fix is not None:
        result["fixes"] = [_fix(diagnostic.source, diagnostic.fix)]
    return result


def _fix(source: Source, fix: Fix) -> _Object:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}}
        for edit in sorted(fix.edits, key=lambda edit: edit.span)
    ]
    change = {"artifactLocation": {"uri": uri(source.path)}, "replacements": replacements}
    return {
        "description": _message(fix.title),
        "artifactChanges": [change],
        "properties": {"safe": fix.safe},
    }


def _message(text: str) -> _Object:
    """A message object that says *text* literally.

    A brace opens a placeholder unless it is doubled (3.11.5); a square bracket before a round one
    closes the text of a link unless a backslash stands before it (3.11.6).
    """
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")}


def _location(source: Source, span: Span) -> _Object:
    artifact = {"uri": uri(source.path)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": _region(source, span)}}


def _region(source: Source, span: Span) -> _Object:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
