"""Places in the text that several rules report or take out."""

from __future__ import annotations

import re
from typing import Any

from ...grammar.source import Source, Span, line_end, line_start

_GAP = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")


def tail(source: Source, inner: Any, outer: Any) -> Span:
    """What the node *outer* says behind its operand *inner*: `for 2 runs` of `x for 2 runs`."""
    gap = _GAP.match(source.text, inner.span.end)
    return Span(gap.end() if gap else inner.span.end, outer.span.end)


def may_hold_comment(source: Source, span: Span) -> bool:
    """Might taking *span* out lose a comment? A `#` in a string counts too."""
    return "#" in source.text[span.start : span.end]


def with_line(source: Source, span: Span) -> Span:
    """*span* with its whole lines where nothing else stands on them, else with the blanks before
    it."""
    text = source.text
    start, end = line_start(text, span.start), line_end(text, span.end)
    if not text[start : span.start].strip() and not text[span.end : end].strip():
        newline = 2 if text.startswith("\r\n", end) else 1
        return Span(start, min(len(text), end + newline))
    return Span(start + len(text[start : span.start].rstrip(" \t")), span.end)
