"""Applying what findings offer: edits to one text, none over another."""

from __future__ import annotations

from collections.abc import Iterable

from ...grammar.diagnostics import Diagnostic, Edit
from ...grammar.source import Source


def fixable(found: Iterable[Diagnostic], unsafe: bool) -> list[Diagnostic]:
    """Those of *found* whose fix may be applied."""
    return [d for d in found if d.fix is not None and (d.fix.safe or unsafe)]


def apply(source: Source, found: Iterable[Diagnostic]) -> tuple[str, int]:
    """The text of *source* with the fixes of *found*, and how many were applied.

    A fix whose edits touch those of an earlier one is left out; linting the result finds it again.
    """
    taken: list[Edit] = []
    applied = 0
    for diagnostic in sorted(found, key=lambda d: d.sort_key):
        fix = diagnostic.fix
        if fix is None or diagnostic.source is not source:
            continue
        if not any(_touch(edit, other) for edit in fix.edits for other in taken):
            taken += fix.edits
            applied += 1
    text = source.text
    for edit in sorted(taken, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text, applied


def _touch(one: Edit, other: Edit) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end
