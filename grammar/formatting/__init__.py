"""The canonical layout of goal files: `format_text` and `format_bytes`.

The concrete tree becomes a document (`statements`, `predicates`, `declarations`), in which every
token stands with its comments (`trivia`), and the document becomes text (`documents`). A file with
mistakes in its text is left alone. Before a layout is handed out it is read again: it must have the
same tokens in the same order, with the same comments at each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lark import Token, Tree

from .. import codes, syntax
from ..diagnostics import Diagnostic
from ..parser import Parsed, parse, parse_bytes
from ..tables import concrete_parser
from ..walk import children
from .documents import render
from .statements import Layout
from .trivia import NOTHING, Trivia, read_trivia

__all__ = ["FormatFault", "Formatted", "format_bytes", "format_text"]

_LINE_END = re.compile(r"\r\n?")


class FormatFault(AssertionError):
    """A bug of the formatter's: the layout that it made says something else than its source."""


@dataclass(frozen=True)
class Formatted:
    """A text in its canonical layout, or the *diagnostics* for which it has none."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def format_bytes(data: bytes, name: str) -> Formatted:
    """Lay out a file's bytes; any bytes at all give a text or diagnostics."""
    return _format(parse_bytes(data, name))


def format_text(text: str, name: str = "<text>") -> Formatted:
    """Lay out *text*, called *name* in messages."""
    return _format(parse(text, name))


def _format(parsed: Parsed) -> Formatted:
    found = parsed.diagnostics or tuple(_unreadable(parsed))
    if found:
        return Formatted(None, found)
    text = _LINE_END.sub("\n", parsed.file.source.text)
    tree, trivia = concrete_parser().parse(text), read_trivia(text)
    formatted = render(Layout(trivia, len(text)).transform(tree))
    if list(_account(tree, trivia, text)) != list(_read_again(formatted)):
        raise FormatFault(f"{parsed.file.source.path}: the layout differs in what it says")
    return Formatted(formatted, ())


def _unreadable(parsed: Parsed) -> Iterator[Diagnostic]:
    """What the parser took and yet could not read: bad literals, and what nests too deep."""
    waiting: list[Any] = list(reversed(parsed.file.statements))
    while waiting:
        node = waiting.pop()
        if isinstance(node, syntax.BadLiteral):
            source = parsed.file.source
            yield Diagnostic(codes.LITERAL, source, node.span, node.message, node.hint)
        elif isinstance(node, syntax.TooDeep):
            yield Diagnostic(codes.NESTING, parsed.file.source, node.span, "it nests too deep")
        waiting.extend(reversed(list(children(node))))


def _account(tree: Tree[Token], trivia: Trivia, text: str) -> Iterator[tuple[object, ...]]:
    """Each token of a text with its comments, in order; the tokens make the tree, so texts of one
    account have the same tree."""
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Tree):
            waiting.extend(reversed(node.children))
        elif node is not None:
            before = trivia.before.get(node.start_pos, NOTHING).comments
            after = trivia.after.get(node.end_pos)
            yield node.type, str(node), *(comment.text for comment in before), after
    yield "end", *(comment.text for comment in trivia.before.get(len(text), NOTHING).comments)


def _read_again(text: str) -> Iterator[tuple[object, ...]]:
    return _account(concrete_parser().parse(text), read_trivia(text), text)
