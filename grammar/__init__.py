"""Text to syntax tree: the grammar, its parser, and the values diagnostics are made of.

Knows nothing of meaning: names are unresolved here, types are words.
"""

from typing import TYPE_CHECKING

from ..exports import exporting

if TYPE_CHECKING:
    from .diagnostics import Code, Diagnostic, Edit, Fix, Label, Severity, nearest
    from .parser import Parsed, parse, parse_bytes, parse_file
    from .source import Position, Source, Span
    from .syntax import File

_HOMES = {
    **dict.fromkeys(
        ("Code", "Diagnostic", "Edit", "Fix", "Label", "Severity", "nearest"), "diagnostics"
    ),
    **dict.fromkeys(("Parsed", "parse", "parse_bytes", "parse_file"), "parser"),
    **dict.fromkeys(("Position", "Source", "Span"), "source"),
    "File": "syntax",
}

__all__ = [
    "Code",
    "Diagnostic",
    "Edit",
    "File",
    "Fix",
    "Label",
    "Parsed",
    "Position",
    "Severity",
    "Source",
    "Span",
    "nearest",
    "parse",
    "parse_bytes",
    "parse_file",
]

__getattr__ = exporting(__name__, _HOMES)
