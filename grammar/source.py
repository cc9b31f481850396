"""A source text and the places in it.

Owns decoding (bytes to code points, refusing what is not UTF-8), the span of a node, and the
translation of an offset into the line and column a person counts. Offsets and columns are code
points; lines and columns count from 1; a tab is one column; LF, CRLF and a lone CR end a line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\r|\n")


class Span(NamedTuple):
    """A half-open range of code-point offsets, ``text[start:end]``."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of *other*."""
        return Span(self.start, other.end)


class Position(NamedTuple):
    """A place as a person counts it: line and column from 1."""

    line: int
    column: int


class DecodeError(ValueError):
    """Bytes that are not a goal file's text; *offset* counts bytes from the file's start."""

    def __init__(self, message: str, offset: int, before: str) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.before = before


@dataclass(frozen=True)
class Source:
    """A text with its name, as the user spelled the path."""

    path: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of line *number* (from 1) without its line end."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


def line_start(text: str, offset: int) -> int:
    """Where the line of *offset* begins."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Where the line of *offset* ends, its line end left out."""
    match = _LINE_END.search(text, offset)
    return len(text) if match is None else match.start()


def decode(data: bytes) -> str:
    """The text of a file's *data*: UTF-8, one byte-order mark at the start accepted.

    Raises DecodeError with the byte's offset for other encodings and for NUL bytes.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DecodeError("the file is UTF-16, not UTF-8", 0, "")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix(BYTE_ORDER_MARK)
        byte = data[error.start]
        raise DecodeError(f"byte 0x{byte:02x} is not UTF-8", error.start, before) from None
    nul = data.find(b"\0")
    if nul >= 0:
        before = data[:nul].decode("utf-8").removeprefix(BYTE_ORDER_MARK)
        alike = ", as UTF-16 does" if nul < 2 else ""
        raise DecodeError(f"the file holds a NUL byte{alike}", nul, before)
    return text.removeprefix(BYTE_ORDER_MARK)


def byte_order_mark(data: bytes) -> str:
    """The mark that `decode` leaves out of the text of *data*; empty where there is none."""
    return BYTE_ORDER_MARK if data.startswith(BYTE_ORDER_MARK.encode()) else ""
