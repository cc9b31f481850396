"""The findings as a SARIF 2.1.0 log, for code scanning services and editors.

One run of the tool `goalspec`, whose rules are the codes that occur. A result's fingerprint is
made of code, file and message, not of the line, so that it stays the same when text is added above;
equal ones are told apart by counting. Section numbers are those of the OASIS standard.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePath
from textwrap import indent
from typing import Any
from urllib.parse import quote

from ...grammar.diagnostics import Code, Diagnostic
from ...grammar.source import Source, Span
from ..terminal import json_text

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
    seen: Counter[str] = Counter()
    driver = {"name": "goalspec", "version": _version(), "rules": [_rule(code) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "results": [_result(diagnostic, ranks, seen) for diagnostic in found],
    }
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _version() -> str:
    try:
        return version("goalspec")
    except PackageNotFoundError:
        return "0"


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


def _result(diagnostic: Diagnostic, ranks: dict[Code, int], seen: Counter[str]) -> _Object:
    fingerprint = _fingerprint(diagnostic)
    seen[fingerprint] += 1
    text = "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))
    result: _Object = {
        "ruleId": diagnostic.code.id,
        "ruleIndex": ranks[diagnostic.code],
        "level": diagnostic.severity.value,
        "message": _message(text),
        "locations": [_location(diagnostic.source, diagnostic.span)],
        "partialFingerprints": {_FINGERPRINT: f"{fingerprint}:{seen[fingerprint]}"},
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {"id": number, **_location(label.source, label.span), "message": _message(label.text)}
            for number, label in enumerate(diagnostic.labels)
        ]
    return result


def _message(text: str) -> _Object:
    """A message object that says *text* literally.

    A brace opens a placeholder unless it is doubled (3.11.5); a square bracket before a round one
    closes the text of a link unless a backslash stands before it (3.11.6).
    """
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "\\](")}


def _location(source: Source, span: Span) -> _Object:
    start, end = source.position(span.start), source.position(span.end)
    region = {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
    artifact = {"uri": _uri(source.path)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _uri(path: str) -> str:
    """*path* as a reference relative to where the tool ran; an absolute path as a `file` URI."""
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix(), errors="surrogateescape")


def _fingerprint(diagnostic: Diagnostic) -> str:
    parts = (diagnostic.code.id, _uri(diagnostic.path), diagnostic.message)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
