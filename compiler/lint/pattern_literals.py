"""The patterns of `like` and `matches`, each with the place where it stands in the file."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import syntax as s
from ...grammar.source import Span
from ..context import ungrouped
from ..ir import expressions as ir
from .rule import Place


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
