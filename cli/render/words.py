"""The words that the forms share: a finding's text and notes, and the lines that sum up a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...grammar.diagnostics import Diagnostic, Severity


def statement(diagnostic: Diagnostic) -> str:
    """The message and, below it, the hint: what a form says that has one text for a finding."""
    return "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))


def notes(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    """What stands below a finding, each with its name: hint, fix, and where to read on."""
    if diagnostic.hint is not None:
        yield "hint", diagnostic.hint
    if diagnostic.fix is not None:
        yield ("fix" if diagnostic.fix.safe else "unsafe fix"), diagnostic.fix.title
    yield "explain", f"goalspec explain {diagnostic.code.id}"


def has_safe_fix(diagnostic: Diagnostic) -> bool:
    return diagnostic.fix is not None and diagnostic.fix.safe


def summary(diagnostics: Sequence[Diagnostic], files: int) -> str:
    """How much was found, and on a second line what can be fixed, if anything can."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counts = [(severities.count(severity), severity.value) for severity in Severity]
    found = ", ".join(count(number, noun) for number, noun in counts if number)
    return f"{found or 'no findings'} in {count(files, 'file')}\n{fixable(diagnostics)}"


def fixable(diagnostics: Sequence[Diagnostic]) -> str:
    """The line that says how many findings can be fixed, and how; empty where none can."""
    safe = sum(map(has_safe_fix, diagnostics))
    unsafe = sum(diagnostic.fix is not None for diagnostic in diagnostics) - safe
    if not safe and not unsafe:
        return ""
    fixed = f"{count(safe or unsafe, 'finding')} can be fixed with goalspec lint --fix"
    if not safe:
        return f"{fixed} --unsafe-fixes\n"
    return f"{fixed} ({unsafe} more with --unsafe-fixes)\n" if unsafe else f"{fixed}\n"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
