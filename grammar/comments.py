"""Where a file's comments stand: a scan that knows strings, so that `"#"` is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .source import Span


@dataclass(slots=True)
class Comment:
    """`# …` to the end of its line, the mark included."""

    span: Span
    text: str


_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|r?"(?:[^"\\\r\n]|\\[^\r\n])*"|(#[^\r\n]*)'
)


def find_comments(text: str) -> Iterator[Comment]:
    for match in _STRING_OR_COMMENT.finditer(text):
        if match[1] is not None:
            yield Comment(Span(*match.span()), match[0])
