"""The findings as workflow commands, which GitHub Actions turns into annotations of a change.

One command a line and nothing else. Escaping is that of the runner: `%` and line ends everywhere,
`:` and `,` in a property too. What a terminal would obey or hide is written out before, for the
commands stand in a log that people read. The runner refuses columns where a finding ends in another
line, so they are left out there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from ...compiler.characters import visible
from ...grammar.diagnostics import Diagnostic
from .words import statement


def render(diagnostics: Sequence[Diagnostic], files: int, *, color: bool) -> str:
    """A line for each finding; the empty text where there is none."""
    found = sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)
    return "".join(_command(diagnostic) + "\n" for diagnostic in found)


def _command(diagnostic: Diagnostic) -> str:
    properties = ",".join(f"{name}={_property(text)}" for name, text in _properties(diagnostic))
    return f"::{diagnostic.severity.value} {properties}::{_data(statement(diagnostic))}"


def _properties(diagnostic: Diagnostic) -> list[tuple[str, str]]:
    start, end = diagnostic.start, diagnostic.end
    columns = start.line == end.line
    return [
        ("file", PurePath(diagnostic.path).as_posix()),
        ("line", str(start.line)),
        *([("col", str(start.column))] if columns else []),
        ("endLine", str(end.line)),
        *([("endColumn", str(end.column))] if columns else []),
        ("title", f"{diagnostic.code.id} {diagnostic.code.name}"),
    ]


def _data(text: str) -> str:
    return "%0A".join(visible(line).replace("%", "%25") for line in text.split("\n"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
