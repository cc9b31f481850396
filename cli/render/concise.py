"""One line a finding, for people with many of them and for `grep`; then the lines that sum up.

    goals/ship.goal:3:42: error[GS201] no fact named `tests.faild` is declared

A star in brackets before the message marks a finding that has a safe fix.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.characters import visible
from ...grammar.diagnostics import Diagnostic
from .style import styler
from .words import has_safe_fix, summary


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """The lines, in the order of the findings' places, coloured only if *color*."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    lines = [line(diagnostic, color=color) + "\n" for diagnostic in found]
    return "".join(lines) + summary(found, files)


def line(diagnostic: Diagnostic, *, color: bool) -> str:
    """Place, severity, code and message of *diagnostic*, with nothing that a terminal obeys."""
    style = styler(color=color)
    start, severity = diagnostic.start, diagnostic.severity.value
    place = style("strong", f"{visible(diagnostic.path)}:{start.line}:{start.column}:")
    code = style(severity, f"{severity}[{diagnostic.code.id}]")
    mark = f"{style('label', '[*]')} " if has_safe_fix(diagnostic) else ""
    return f"{place} {code} {mark}{visible(diagnostic.message)}"
