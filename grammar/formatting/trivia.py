"""What stands between tokens: comments and blank lines, kept by the token that they stand at.

A comment behind a token on its line belongs to that token; comments on lines of their own belong to
the token that follows them, or to the end of the file. Tokens are known by their offsets, so that
the parser need not know of comments.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from ..comments import STRING

_STRING_OR_GAP = re.compile(STRING + r"|((?:[ \t\n]+|#[^\n]*)+)")


class OwnLine(NamedTuple):
    """A comment on a line of its own; *blank* says that a blank line precedes it."""

    text: str
    blank: bool


@dataclass(frozen=True, slots=True)
class Before:
    """What stands on the lines before a token; *blank* is a blank line right before the token."""

    comments: tuple[OwnLine, ...]
    blank: bool


NOTHING = Before((), False)


@dataclass(frozen=True, slots=True)
class Trivia:
    """The comments and blank lines of a text whose lines end in LF."""

    before: dict[int, Before]  # by the offset where the token begins; the text's length is its end
    after: dict[int, str]  # by the offset where the token ends


def read_trivia(text: str) -> Trivia:
    before: dict[int, Before] = {}
    after: dict[int, str] = {}
    for match in _STRING_OR_GAP.finditer(text):
        gap = match[1]
        if gap is None or not ("#" in gap or gap.count("\n") > 1):
            continue
        first, *lines = gap.split("\n")
        if match.start() == 0:
            lines.insert(0, first)
        elif "#" in first:
            after[match.start()] = first.strip()
        before[match.end()] = _read_lines(lines or [""])
    return Trivia(before, after)


def _read_lines(lines: list[str]) -> Before:
    """The comments on *lines*, of which the last leads up to a token or ends the text."""
    comments = []
    blank = False
    for line in lines[:-1] if not lines[-1].strip() else lines:
        comment = line.strip()
        if comment:
            comments.append(OwnLine(comment, blank))
        blank = not comment
    return Before(tuple(comments), blank)
