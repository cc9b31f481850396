"""The patterns of `like` and `matches`: where each stands in the file, and the pieces of a regular
expression."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...grammar import syntax as s
from ...grammar.literals import place_in_string
from ...grammar.source import Span
from ..context import ungrouped
from ..ir import expressions as ir
from .rule import Place

_PIECE = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|[\s\S])"  # an escape
    r"|\[\^?(?:\\[\s\S]|[^\]\\])*\]"  # a class
    r"|\{\d+(?:,\d*)?\}\??|[*+?]\??"  # a quantifier
    r"|\(\?[a-z]*[:)]|[\s\S]"  # flags, a group's beginning, or one character
)


class Piece(NamedTuple):
    """A smallest part of a regular expression, and where it begins."""

    start: int
    text: str


def pieces(regex: str) -> list[Piece]:
    """The pieces of a good *regex*, in order."""
    return [Piece(match.start(), match[0]) for match in _PIECE.finditer(regex)]


def patterns(node: s.TextTest, at: Place) -> list[tuple[str, Span]]:
    """The patterns of a `like` or `matches`. What comes through a `let` stands where it is used."""
    meaning = at.meaning(node)
    if meaning is None or not isinstance(meaning.ir, ir.Like | ir.Matches):
        return []
    texts = meaning.ir.patterns
    leaves = list(_leaves(node.right))
    if any(isinstance(leaf, s.Path) for leaf in leaves):
        return [(text, node.right.span) for text in texts]
    return [(text, leaf.span) for text, leaf in zip(texts, leaves, strict=True)]


def _leaves(node: s.Expr) -> Iterator[s.Expr]:
    node = ungrouped(node)
    if isinstance(node, s.ListLiteral):
        for item in node.items:
            yield from _leaves(item)
    else:
        yield node


def within(pattern: Span, start: int, end: int, at: Place) -> Span:
    """The characters from *start* to *end* of the pattern that stands at *pattern*; all of it where
    they cannot be told apart: in a string over several lines, behind a `let`."""
    token = at.source.text[pattern.start : pattern.end]
    if not token.startswith(('"', 'r"')) or token.startswith('"""'):
        return pattern
    ends = (pattern.start + place_in_string(token, index) for index in (start, end))
    return Span(*ends)
