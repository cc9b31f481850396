"""The layout of statements, blocks and whole files: one method a rule of `goal.lark`."""

from __future__ import annotations

import re
from typing import Any, TypeGuard

from .declarations import Declarations, arranged
from .documents import (
    INDENT,
    SPACE,
    WIDTH,
    Align,
    Comments,
    Concat,
    Doc,
    Group,
    Line,
    Nest,
    Pad,
    Space,
    Word,
)
from .predicates import Predicates
from .tokens import Children, enumerated, inside, is_logical, spaced, then
from .trivia import NOTHING, Trivia

# Behind a number on the same line, such a word would be read as its currency.
_CURRENCY = re.compile(r"[A-Z]{3}")


class _Block(Concat):
    """A statement of the file's level with a body; blank lines set it apart."""

    __slots__ = ()


class _Row(Concat):
    """A statement of two cells, of which the second aligns with those of its neighbours' of the
    same *family*."""

    __slots__ = ("family", "head", "pad")

    def __init__(self, family: str, head: Doc, tail: Doc) -> None:
        self.family = family
        self.head = head
        self.pad = Pad()
        super().__init__(head, self.pad, tail)


class Layout(Predicates, Declarations):
    """The whole grammar: a concrete tree becomes one document."""

    def __init__(self, trivia: Trivia, end: int) -> None:
        super().__init__(trivia)
        self._at_end = trivia.before.get(end, NOTHING).comments

    # --- file level

    def start(self, c: Children) -> Doc:
        file = Concat()
        statements: list[Doc] = list(c)
        if self._at_end:
            statements.append(Comments(self._at_end, self._at_end[0].blank))
        previous: Doc | None = None
        for statement in statements:
            if previous is not None:
                apart = isinstance(previous, _Block) or isinstance(statement, _Block)
                file.append(Line(hard=True, spaced=apart or statement.blank))
            file.append(statement)
            previous = statement
        return file

    def edition(self, c: Children) -> Doc:
        return spaced(*c)

    use_file = edition
    use_std = edition

    def let(self, c: Children) -> Doc:
        *head, value = c
        return spaced(*head, Nest(value) if is_logical(value) else value)

    def facts(self, c: Children) -> Doc:
        facts, lasting, origin, opening, *rows, closing = c
        head = spaced(facts, lasting)
        if origin is not None:
            head = Nest(then(head, origin))
        return _block(spaced(head, opening), arranged(rows), closing)

    def goal(self, c: Children) -> Doc:
        keyword, name, opening, *parts, closing = c
        return _block(spaced(keyword, name, opening), _aligned(parts), closing)

    preset = goal

    def test(self, c: Children) -> Doc:
        keyword, name, for_, goal, opening, *steps, closing = c
        return _block(spaced(keyword, name, for_, goal, opening), steps, closing)

    # --- parts of goals and presets

    def preset_use(self, c: Children) -> Doc:
        keyword, *names = c
        return spaced(keyword, enumerated(names))

    keep = preset_use

    def objective(self, c: Children) -> Doc:
        return then(*c)

    def criterion(self, c: Children) -> Doc:
        words = [child for child in c if not isinstance(child, list)]
        clauses: list[list[Any]] = [child for child in c if isinstance(child, list)]
        *head, text = words
        part = Concat(then(spaced(*head), text))
        width = len("check") if len(clauses) > 1 else 0
        for keyword, predicate in clauses:
            gap = Space(max(width - keyword.width, 0) + 1)
            part.append(Nest(Concat(Line(hard=True), keyword, gap, _predicate(predicate))))
        return part

    constraint = criterion
    stop = criterion

    def clause(self, c: Children) -> Children:
        return c

    def protect(self, c: Children) -> Doc:
        keyword, globs, allow, new, exempt = c
        head = spaced(keyword, globs)
        return head if allow is None else then(head, allow, new, exempt)

    def strings(self, c: Children) -> Doc:
        return enumerated(c)

    def budget(self, c: Children) -> Doc:
        keyword, advisory, opening, *settings, closing = c
        return _settings(spaced(keyword, advisory), opening, settings, closing)

    def judge(self, c: Children) -> Doc:
        keyword, opening, *settings, closing = c
        return _settings(keyword, opening, settings, closing)

    pins = judge

    def pin(self, c: Children) -> Doc:
        keyword, kind, content = c
        return _Row("pin", spaced(keyword, kind), Group(Nest(Concat(Line(), content))))

    def kind(self, c: Children) -> Doc:
        return spaced(*c)

    setting = kind
    quorum = kind

    # --- tests

    def observe(self, c: Children) -> Doc:
        keyword, at, time, rev, revision, opening, *assignments, closing = c
        head = spaced(keyword, at, time, rev, revision)
        return spaced(head, _braced(opening, assignments, closing))

    def baseline(self, c: Children) -> Doc:
        keyword, opening, *assignments, closing = c
        return spaced(keyword, _braced(opening, assignments, closing))

    def assignment(self, c: Children) -> Doc:
        name, equals, value = c
        return _Row("assignment", name, Concat(SPACE, equals, SPACE, value))

    def expect(self, c: Children) -> Doc:
        return spaced(*c)

    expect_done = expect


def _predicate(predicate: Doc) -> Doc:
    """`and` and `or` stand below the beginning of a clause's predicate."""
    return Align(predicate) if is_logical(predicate) else predicate


def _block(head: Doc, items: list[Doc], closing: Word) -> Doc:
    """A block whose statements stand on lines of their own."""
    contents, closing = inside(_lines(items, hard=True), closing)
    if contents is None:
        return _Block(Group(Concat(head, Line(), closing)))
    return _Block(head, Nest(Concat(Line(hard=True), contents)), Line(hard=True), closing)


def _settings(head: Doc, opening: Word, settings: list[Doc], closing: Word) -> Doc:
    block = Concat(SPACE, _braced(opening, settings, closing))
    if block.broken or INDENT + head.width + block.width > WIDTH:
        return Concat(head, block)
    return _Row("settings", head, block)


def _braced(opening: Word, items: list[Doc], closing: Word) -> Doc:
    """A block whose statements stand on one line if they fit."""
    contents, closing = inside(_lines(_aligned(items)), closing)
    if contents is None:
        return Group(Concat(opening, Line(), closing))
    return Group(Concat(opening, Nest(Concat(Line(), contents)), Line(), closing))


def _lines(items: list[Doc], *, hard: bool = False) -> Doc | None:
    """Statements below each other, or behind each other where they need not be."""
    if not items:
        return None
    lines = Concat(items[0])
    for item in items[1:]:
        ends = hard or _CURRENCY.fullmatch(_first_word(item)) is not None
        lines.append(Line("  ", hard=ends, spaced=item.blank))
        lines.append(item)
    return lines


def _first_word(document: Doc) -> str:
    while isinstance(document, Concat):
        document = document.parts[0]
    return document.text if isinstance(document, Word) else ""


def _aligned(items: list[Doc]) -> list[Doc]:
    """The items, the second cells of neighbouring rows of one family in one column."""
    run: list[_Row] = []
    for item in items:
        if item.blank or item.opens or not _continues(run, item):
            _pad(run)
            run = []
        if _is_row(item):
            run.append(item)
    _pad(run)
    return items


def _continues(run: list[_Row], item: Doc) -> bool:
    return not run or (_is_row(item) and item.family == run[-1].family)


def _is_row(item: Doc) -> TypeGuard[_Row]:
    """Is it a row whose second cell stands on the line of the first?"""
    return isinstance(item, _Row) and not (item.head.closes or item.head.broken)


def _pad(run: list[_Row]) -> None:
    width = max((row.head.width for row in run), default=0)
    for row in run:
        row.pad.size = width - row.head.width
