"""The findings of one file as JSON values and back: what a cache keeps and a worker sends.

Reading a record needs neither the parser nor the rules, so that a file whose record is known costs
little more than reading it. A finding's codes, and other files' texts where it points into them,
stand in the record; the file's own text does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...grammar.diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity
from ...grammar.source import DecodeError, Source, Span, decode
from ..cache import Record


def source_of(data: bytes, name: str) -> Source:
    """The source that findings about *data* refer to: what could be decoded of it."""
    try:
        return Source(name, decode(data))
    except DecodeError as error:
        return Source(name, error.before)


def write_record(source: Source, found: Sequence[Diagnostic]) -> Record:
    """What was found in the file of *source*."""
    others: list[Source] = []

    def place(other: Source) -> int:
        if other.path == source.path and other.text == source.text:
            return 0
        if other not in others:
            others.append(other)
        return 1 + others.index(other)

    findings = [_finding(diagnostic, place) for diagnostic in found]
    codes = {diagnostic.code.id: diagnostic.code for diagnostic in found}
    return {
        "codes": {id: _code(code) for id, code in codes.items()},
        "sources": [[other.path, other.text] for other in others],
        "found": findings,
    }


def _finding(diagnostic: Diagnostic, place: Any) -> list[Any]:
    fix = diagnostic.fix
    return [
        diagnostic.code.id, place(diagnostic.source), *diagnostic.span,
        diagnostic.message, diagnostic.hint,
        [[place(label.source), *label.span, label.text] for label in diagnostic.labels],
        fix and [fix.title, fix.safe, [[*edit.span, edit.text] for edit in fix.edits]],
    ]  # fmt: skip


def _code(code: Code) -> list[Any]:
    return [code.name, code.stage, code.severity, code.why, code.bad, code.good, code.conceals]


def read_record(record: Record, source: Source) -> tuple[Diagnostic, ...]:
    """The findings of *record* about the file of *source*."""
    if not record["found"]:
        return ()
    sources = [source, *(Source(path, text) for path, text in record["sources"])]
    codes = {
        id: Code(id, name, stage, Severity(severity), *page)
        for id, (name, stage, severity, *page) in record["codes"].items()
    }
    return tuple(_diagnostic(finding, codes, sources) for finding in record["found"])


def _diagnostic(finding: Any, codes: dict[str, Code], sources: list[Source]) -> Diagnostic:
    id, place, start, end, message, hint, labels, fix = finding
    return Diagnostic(
        codes[id], sources[place], Span(start, end), message, hint,
        tuple(Label(sources[at], Span(low, high), text) for at, low, high, text in labels),
        fix and Fix(fix[0], tuple(Edit(Span(a, b), t) for a, b, t in fix[2]), fix[1]),
    )  # fmt: skip
