"""The forms in which diagnostics leave the command line: FORMATS, a renderer for each name.

A renderer is pure: it sorts the diagnostics, formats them and returns the whole output with its
last newline (nothing at all where there is nothing to say), so that a command writes it as it is.
The module of a form is imported when that form is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Protocol

from ...grammar.diagnostics import Diagnostic


class Renderer(Protocol):
    """Formats the *diagnostics* found in so many *files*; *color* is for terminals only."""

    def __call__(self, diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str: ...


def _lazy(form: str) -> Renderer:
    def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
        module = import_module(f".{form}", __name__)
        rendered: str = module.render(diagnostics, files, color=color)
        return rendered

    return render


FORMATS: Mapping[str, Renderer] = MappingProxyType(
    {
        form: _lazy(form)
        for form in ("text", "concise", "json", "sarif", "github", "gitlab", "junit")
    }
)
