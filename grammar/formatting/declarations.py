"""The layout of facts: their types, and the columns of a run of neighbours.

A run ends at a blank line and at a comment on a line of its own. In it the colons stand in one
column, and so do descriptions and sources: in the column that takes most of them in within the
width, the leftmost of these. What cannot stand there goes below its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from .documents import (
    INDENT,
    SPACE,
    WIDTH,
    Align,
    Column,
    Concat,
    Doc,
    Group,
    Line,
    Nest,
    Space,
    Word,
    end_column,
)
from .tokens import Bracketed, Children, Tokens, filled, inside, listed, present, spaced

_GAP = 2  # spaces before a description and before a source


@dataclass(slots=True)
class _Fact:
    """The cells of a fact; *rest* is its description and source, as they stand without columns."""

    name: Word
    colon: Word
    type: Doc
    description: Doc | None
    source: Doc | None
    rest: Doc | None


class Declarations(Tokens):
    """What may stand in a block of facts."""

    # --- types

    def scalar_type(self, c: Children) -> Doc:
        return spaced(*c)

    list_type = scalar_type
    set_type = scalar_type
    map_type = scalar_type

    def optional_type(self, c: Children) -> Doc:
        return Concat(*c)

    grouped_type = optional_type

    def enum_type(self, c: Children) -> Doc:
        first, *rest = c
        members = [spaced(*rest[place : place + 2]) for place in range(0, len(rest), 2)]
        return Align(Column(-INDENT, filled([first, *members])))

    ordered_enum_type = enum_type

    def record_type(self, c: Children) -> Doc:
        opening, *fields, closing = c
        items = listed(fields)
        contents, closing = inside(filled(items) if items else None, closing)
        if contents is None:
            return Bracketed(Concat(opening, Line(), closing))
        return Bracketed(Concat(opening, Nest(Concat(Line(), contents)), Line(), closing))

    def field_type(self, c: Children) -> Doc:
        name, colon, type_ = c
        return Concat(name, colon, SPACE, type_)

    # --- facts

    def origin(self, c: Children) -> Doc:
        from_, name, argument, in_, folder, timeout, longest = c
        parts = [spaced(from_, name, argument)]
        if in_ is not None:
            parts.append(spaced(in_, folder))
        if timeout is not None:
            parts.append(spaced(timeout, longest))
        return filled(parts)

    def fact(self, c: Children) -> _Fact:
        name, colon, type_, in_, range_, lasting, description, origin, at, selector = c
        sources = present([origin, spaced(at, selector) if at else None])
        source = filled(sources) if sources else None
        rest = description or source
        if description is not None and source is not None:
            rest = Concat(description, Group(Concat(Line(" " * _GAP), source)))
        return _Fact(name, colon, spaced(type_, in_, range_, lasting), description, source, rest)


def arranged(facts: list[_Fact]) -> list[Doc]:
    """The facts of a block, in columns."""
    rows: list[Doc] = []
    run: list[_Fact] = []
    for fact in facts:
        if fact.name.blank or fact.name.opens:
            rows += _columns(run)
            run = []
        run.append(fact)
    return rows + list(_columns(run))


def _columns(run: list[_Fact]) -> Iterator[Doc]:
    names = max((fact.name.width for fact in run), default=0)
    types = INDENT + names + len(" : ")
    ends = [_end(fact.type, types) + _GAP for fact in run]
    column = _column(run, ends, types)
    sources = _sources(run, ends, column)
    for fact, end in zip(run, ends, strict=True):
        name = Concat(fact.name, Space(names - fact.name.width + 1), fact.colon, SPACE)
        row = Concat(name, Align(fact.type))
        rest = fact.rest
        if rest is None:
            yield row
        elif _fits(fact, end, column):
            if fact.description is not None and fact.source is not None and sources:
                gap = max(sources - column - fact.description.width, _GAP)
                rest = Concat(fact.description, Space(gap), fact.source)
            yield Concat(row, Space(column - end + _GAP), rest)
        else:
            below = column if column + rest.width <= WIDTH else types
            yield Concat(row, Column(below - INDENT, Concat(Line(hard=True), Align(rest))))


def _end(type_: Doc, column: int) -> int:
    one_line = not type_.broken and column + type_.width <= WIDTH
    return column + type_.width if one_line else end_column(type_, column)


def _column(run: list[_Fact], ends: list[int], types: int) -> int:
    """Where most descriptions can begin; the column of the types where none can."""
    starts = [0] * (WIDTH + 2)
    for fact, end in zip(run, ends, strict=True):
        rest = fact.rest
        one_line = not fact.type.broken and types + fact.type.width + _GAP == end
        if rest is not None and one_line and _fits(fact, end, end):
            starts[end] += 1
            starts[WIDTH - rest.width + 1] -= 1
    counts = list(accumulate(starts))
    return counts.index(max(counts)) if any(counts) else types


def _fits(fact: _Fact, end: int, column: int) -> bool:
    """Can the description begin at *column* of the line on which its type ends at *end*?"""
    rest = fact.rest
    if rest is None or rest.opens or rest.broken or fact.type.closes:
        return False
    return end <= column <= WIDTH - rest.width


def _sources(run: list[_Fact], ends: list[int], column: int) -> int:
    """Where sources behind descriptions begin; 0 where they cannot all begin in one column."""
    placed = [
        (column + fact.description.width + _GAP, fact.source.width)
        for fact, end in zip(run, ends, strict=True)
        if fact.description is not None and fact.source is not None and _fits(fact, end, column)
    ]
    start = max((start for start, _ in placed), default=0)
    return start if all(start + width <= WIDTH for _, width in placed) else 0
