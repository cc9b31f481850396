"""The findings as one JSON object, for programs; its members change only with `version`.

    {"version": 1, "files": n, "errors": n, "warnings": n,
     "diagnostics": [{"code", "name", "severity", "message", "hint", "path", "start", "end",
                      "labels": [{"path", "start", "end", "text"}],
                      "fix": {"title", "safe", "edits": [{"start", "end", "text"}]}}]}

A place is {"line", "column", "offset"}: lines and columns count from 1, offsets from 0, all in code
points; an end is exclusive. `hint` and `fix` are null where there is none. Diagnostics are sorted
by path and place, and so are the edits of a fix, which are all in the finding's file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...grammar.diagnostics import Diagnostic, Fix, Label, Severity
from ...grammar.source import Source
from ..terminal import json_text

_VERSION = 1


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The object that the module describes."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    severities = [diagnostic.severity for diagnostic in found]
    return json_text(
        {
            "version": _VERSION,
            "files": files,
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
            "diagnostics": [_record(diagnostic) for diagnostic in found],
        }
    )


def _record(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code.id,
        "name": diagnostic.code.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "path": diagnostic.path,
        "start": _place(diagnostic.source, diagnostic.span.start),
        "end": _place(diagnostic.source, diagnostic.span.end),
        "labels": [_label(label) for label in diagnostic.labels],
        "fix": diagnostic.fix and _fix(diagnostic.source, diagnostic.fix),
    }


def _label(label: Label) -> dict[str, Any]:
    return {
        "path": label.source.path,
        "start": _place(label.source, label.span.start),
        "end": _place(label.source, label.span.end),
        "text": label.text,
    }


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title,
        "safe": fix.safe,
        "edits": [
            {
                "start": _place(source, edit.span.start),
                "end": _place(source, edit.span.end),
                "text": edit.text,
            }
            for edit in sorted(fix.edits, key=lambda edit: edit.span)
        ],
    }


def _place(source: Source, offset: int) -> dict[str, int]:
    line, column = source.position(offset)
    return {"line": line, "column": column, "offset": offset}
