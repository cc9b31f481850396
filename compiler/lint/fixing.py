"""Applying what findings offer: edits to one text, none over another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...grammar.diagnostics import Diagnostic, Edit, Severity
from ...grammar.source import Source

_ROUNDS = 20  # a fix may uncover another; none uncovers that many


@dataclass(frozen=True)
class Mended:
    """A text after all fixes, how many there were, and what is still found in it."""

    source: Source
    applied: int
    found: tuple[Diagnostic, ...]


def mend(
    source: Source,
    found: tuple[Diagnostic, ...],
    lint: Callable[[str], tuple[Source, tuple[Diagnostic, ...]]],
    unsafe: bool,
) -> Mended:
    """Apply the fixes of *found*, lint the result, and so on until nothing is left to fix.

    A text that has more errors than before is not taken: its fixes were not what they said.
    """
    mended = Mended(source, 0, found)
    for _ in range(_ROUNDS):
        text, applied = apply(mended.source, fixable(mended.found, unsafe))
        if not applied:
            break
        source, found = lint(text)
        if _errors(found) > _errors(mended.found):
            break
        mended = Mended(source, mended.applied + applied, found)
    return mended


def _errors(found: Iterable[Diagnostic]) -> int:
    return sum(d.severity is Severity.ERROR for d in found)


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
