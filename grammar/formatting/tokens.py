"""What the layouts of all rules share: tokens with their comments, brackets, operators."""

from __future__ import annotations

from typing import Any

from lark import Token
from lark.visitors import Transformer_NonRecursive

from .documents import (
    SPACE,
    Align,
    Comments,
    Concat,
    Doc,
    Group,
    Line,
    Nest,
    Space,
    Word,
)
from .trivia import NOTHING, Trivia

Children = list[Any]  # of a rule: documents, and None for what is optional and absent


class Bracketed(Group):
    """`( … )`, `[ … ]` or `{ … }`, perhaps with a function's name: it breaks behind its opening."""

    __slots__ = ()


class Operation(Group):
    """Operands of one precedence with their operators, one below the other where they break."""

    __slots__ = ("family", "operands")

    def __init__(self, family: str, first: Doc) -> None:
        self.family = family
        self.operands = Concat(_operand(first))
        logical = family in ("and", "or")
        super().__init__(self.operands if logical else Nest(self.operands))

    def add(self, operator: Doc, operand: Doc) -> None:
        self.operands.append(Line())
        self.operands.append(Concat(operator, SPACE, _operand(operand)))


def _operand(operand: Doc) -> Doc:
    return Nest(operand) if is_logical(operand) else operand


def is_logical(document: Doc) -> bool:
    """Does it break before `and` or `or`, in the column where it begins?"""
    return isinstance(document, Operation) and document.family in ("and", "or")


class Tokens(Transformer_NonRecursive[Token, Any]):
    """Makes each token a word with the comments that stand at it."""

    def __init__(self, trivia: Trivia) -> None:
        super().__init__()
        self._trivia = trivia

    def __default_token__(self, token: Token) -> Word:
        before = self._trivia.before.get(token.start_pos or 0, NOTHING)
        after = self._trivia.after.get(token.end_pos or 0)
        comments = before.comments
        blank = comments[0].blank if comments else before.blank
        return Word(str(token), comments, after, blank, before.blank)


def present(children: Children) -> list[Doc]:
    return [child for child in children if child is not None]


def spaced(*parts: Doc | None) -> Doc:
    """The parts that are there, with a space between any two."""
    found = present(list(parts))
    if len(found) == 1:
        return found[0]
    joined = Concat()
    for part in found:
        if joined.parts:
            joined.append(SPACE)
        joined.append(part)
    return joined


def then(left: Doc, *rest: Doc | None) -> Doc:
    """*left* and, where it does not fit behind it, *rest* on the next line."""
    return Concat(left, Group(Nest(Concat(Line(), spaced(*rest)))))


def filled(items: list[Doc]) -> Doc:
    """The items with a space between them, as many on a line as fit."""
    joined = Concat(items[0])
    for item in items[1:]:
        joined.append(Group(Concat(Line(), item)))
    return joined


def listed(children: Children) -> list[Doc]:
    """Items, each with the comma that follows it."""
    words = present(children)
    return [Concat(*words[place : place + 2]) for place in range(0, len(words), 2)]


def enumerated(children: Children) -> Doc:
    """`a, b, c`, as many on a line as fit, below each other."""
    return Align(filled(listed(children)))


def inside(items: Doc | None, closing: Word) -> tuple[Doc | None, Word]:
    """The contents of brackets, to which comments before the closing one belong."""
    if not closing.before:
        return items, closing
    end = Comments(closing.before, closing.blank)
    contents = end if items is None else Concat(items, Line(spaced=end.blank), end)
    return contents, Word(closing.text, after=closing.after)


def bracketed(opening: Doc, children: Children, closing: Word, edge: str = "") -> Doc:
    """Items between brackets: on one line, or on lines of their own between the brackets'; small
    ones share a line. *edge* stands beside the brackets on one line."""
    items = listed(children)
    if len(items) == 1 and isinstance(children[0], Bracketed) and not edge and not closing.before:
        return Bracketed(Concat(opening, items[0], closing))
    joined: Doc | None = None
    if items and all(_is_plain(item) for item in items):
        joined = filled(items)
    elif items:
        joined = Concat(items[0])
        for item in items[1:]:
            joined.append(Line())
            joined.append(item)
    contents, closing = inside(joined, closing)
    if contents is None:
        return Bracketed(Concat(opening, Line(edge), closing) if edge else Concat(opening, closing))
    return Bracketed(Concat(opening, Nest(Concat(Line(edge), contents)), Line(edge), closing))


def _is_plain(document: Doc) -> bool:
    """Has it no place where a line may end?"""
    if isinstance(document, Concat):
        return all(_is_plain(part) for part in document.parts)
    return isinstance(document, Word | Space)
