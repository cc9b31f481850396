"""The layout of predicates and values: one method a rule of `goal.lark`."""

from __future__ import annotations

from typing import Any

from .documents import SPACE, Align, Concat, Doc, Group, Line, Word
from .tokens import Bracketed, Children, Operation, Tokens, bracketed, spaced, then


class _Field(Concat):
    """`x.field`, which ends in a name."""

    __slots__ = ()


class Predicates(Tokens):
    """What may stand behind `check`, and the literals of tests."""

    # --- logic

    def disjunction_list(self, c: Children) -> list[Doc]:
        return c

    conjunction_list = disjunction_list

    def extend(self, c: Children) -> list[Doc]:
        items: list[Doc] = c[0]
        items += c[1:]
        return items

    def disjunction(self, c: Children) -> Doc:
        return self._chain("or", c)

    def conjunction(self, c: Children) -> Doc:
        return self._chain("and", c)

    def _chain(self, family: str, c: Children) -> Doc:
        items: list[Doc] = c[0] + c[1:]
        chain = Operation(family, items[0])
        for operator, operand in zip(items[1::2], items[2::2], strict=True):
            chain.add(operator, operand)
        return chain

    def negation(self, c: Children) -> Doc:
        return spaced(*c)

    history = negation
    previous = negation

    def quantifier(self, c: Children) -> Doc:
        op, var, in_, domain, where, condition, colon, body = c
        head = spaced(op, var, in_, domain)
        if where is not None:
            head = then(head, where, condition)
        return then(Concat(head, colon), body)

    # --- time

    def runs(self, c: Children) -> Doc:
        return then(*c)

    held = runs

    # --- comparison

    def compare(self, c: Children) -> Doc:
        left, operator, right = c
        if isinstance(right, Bracketed):
            return spaced(left, operator, right)
        return then(left, operator, right)

    text_test = compare

    def member(self, c: Children) -> Doc:
        item, negation, in_, of = c
        return self.compare([item, spaced(negation, in_), of])

    # --- arithmetic

    def binary(self, c: Children) -> Doc:
        left, operator, right = c
        family = {"-": "+", "/": "*"}.get(operator.text, operator.text)
        if not (isinstance(left, Operation) and left.family == family):
            left = Operation(family, left)
        left.add(operator, right)
        return left

    def negative(self, c: Children) -> Doc:
        return Concat(*c)

    negative_value = negative
    negative_setting = negative

    # --- values of facts

    def at_view(self, c: Children) -> Doc:
        return spaced(*c)

    fresh = at_view

    def field(self, c: Children) -> Doc:
        inner, dot, name = c
        # `a .b` is a field of `a`, and `a.b` would be one name.
        apart = SPACE if isinstance(inner, Word | _Field) else None
        return _Field(inner, apart, dot, name)

    def index(self, c: Children) -> Doc:
        return Concat(*c)

    def call(self, c: Children) -> Doc:
        name, opening, *arguments, closing = c
        return bracketed(Concat(name, opening), arguments, closing)

    def argument(self, c: Children) -> Any:
        return c[0]

    def comprehension(self, c: Children) -> Doc:
        value, for_, var, in_, domain, where, condition = c
        lines = Concat(value, Line(), spaced(for_, var, in_, domain))
        if where is not None:
            lines.append(Line())
            lines.append(spaced(where, condition))
        return Group(lines)

    def filtered(self, c: Children) -> Doc:
        value, where, condition = c
        return Group(Concat(value, Line(), spaced(where, condition)))

    def list_literal(self, c: Children) -> Doc:
        opening, *items, closing = c
        return bracketed(opening, items, closing)

    list_value = list_literal

    def record_value(self, c: Children) -> Doc:
        opening, *entries, closing = c
        return bracketed(opening, entries, closing, " ")

    def entry(self, c: Children) -> Doc:
        key, colon, value = c
        return Concat(key, colon, SPACE, value)

    def unknown_value(self, c: Children) -> Doc:
        return Concat(*c)

    def group(self, c: Children) -> Doc:
        opening, inner, closing = c
        return Concat(opening, Align(inner), closing)

    path = argument
    literal = argument
    word_value = argument
    word_setting = argument

    def range(self, c: Children) -> Doc:
        return Concat(*c)

    range_from = range
    range_to = range
    bound = range
