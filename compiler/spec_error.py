"""What is raised for a goal file that has errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..grammar.diagnostics import Diagnostic


class SpecError(Exception):
    """A goal file with errors; *diagnostics* has them all."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0]
        more = f" (and {len(diagnostics) - 1} more)" if len(diagnostics) > 1 else ""
        place = f"{first.path}:{first.start.line}:{first.start.column}"
        super().__init__(f"{place}: {first.message}{more}")
