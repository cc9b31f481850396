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


# A string of the language, as the grammar's STRING spells it.
STRING = (
    r'(?<![A-Za-z0-9_])r"[^"\r\n]*"|"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""'
    r'|"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"'
)
_STRING_OR_COMMENT = re.compile(STRING + r"|(#[^\r\n]*)")


def find_comments(text: str) -> Iterator[Comment]:
    for match in _STRING_OR_COMMENT.finditer(text):
        if match[1] is not None:
            yield Comment(Span(*match.span()), match[0])
