"""Text to syntax tree: the grammar, its parser, and the values diagnostics are made of.

Knows nothing of meaning: names are unresolved here, types are words.
"""

from .diagnostics import Code, Diagnostic, Label, Severity, nearest
from .parser import Parsed, parse, parse_bytes, parse_file
from .source import Position, Source, Span
from .syntax import File

__all__ = [
    "Code",
    "Diagnostic",
    "File",
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
