"""From the parser's reductions to the syntax tree: one method a rule of `goal.lark`.

Runs inside the LALR parse, so no intermediate tree is made. The builder keeps no state: one serves
every parse and every thread.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from . import syntax as s
from .literals import (
    LiteralError,
    read_date,
    read_money,
    read_quantity,
    read_string,
    read_time,
    read_version,
)
from .source import Span

_COMPARISONS = {
    "EQUAL": "==",
    "UNEQUAL": "!=",
    "LESS": "<",
    "AT_MOST": "<=",
    "MORE": ">",
    "AT_LEAST": ">=",
}


def _span(token: Token) -> Span:
    return Span(token.start_pos or 0, token.end_pos or 0)


def _start(child: Token | Any) -> int:
    return (child.start_pos or 0) if isinstance(child, Token) else child.span.start


def _end(child: Token | Any) -> int:
    return (child.end_pos or 0) if isinstance(child, Token) else child.span.end


def _over(children: list[Any]) -> Span:
    """The span of a rule's children, of which the outer ones may be absent."""
    first = next(child for child in children if child is not None)
    last = next(child for child in reversed(children) if child is not None)
    return Span(_start(first), _end(last))


def _name(token: Token) -> s.Name:
    return s.Name(_span(token), str(token))


def _maybe_name(token: Token | None) -> s.Name | None:
    return None if token is None else _name(token)


def _literal(token: Token) -> s.Literal | s.BadLiteral:
    span, text = _span(token), str(token)
    try:
        match token.type:
            case "QUANTITY":
                kind, value = read_quantity(text)
                return s.Literal(span, kind, value, text)
            case "STRING":
                return s.Literal(span, "string", read_string(text), text)
            case "MONEY":
                amount, currency = read_money(text)
                return s.Literal(span, "money", amount, text, currency)
            case "TRUE" | "FALSE":
                return s.Literal(span, "bool", token.type == "TRUE", text)
            case "TIME":
                return s.Literal(span, "time", read_time(text), text)
            case "DATE":
                return s.Literal(span, "date", read_date(text), text)
            case "VERSION":
                return s.Literal(span, "version", read_version(text), text)
            case _:
                return s.Literal(span, "null", None, text)
    except LiteralError as error:
        return s.BadLiteral(span, error.message, error.hint)


def _maybe_literal(token: Token | None) -> Any:
    return None if token is None else _literal(token)


def _negated(sign: Token, literal: s.Literal | s.BadLiteral) -> s.Literal | s.BadLiteral:
    span = Span(_start(sign), literal.span.end)
    if isinstance(literal, s.BadLiteral):
        return literal
    value: Any = literal.value
    negative = (
        -value if value and isinstance(value, int) else value.copy_negate() if value else value
    )
    return s.Literal(span, literal.kind, negative, "-" + literal.text, literal.currency)


def _without_tokens(children: list[Any], *types: str) -> list[Any]:
    """The children that are neither absent nor punctuation of the given types."""
    return [c for c in children if c is not None and not (isinstance(c, Token) and c.type in types)]


def _capped(node: Any) -> Any:
    return s.TooDeep(node.span) if node.depth > s.MAX_DEPTH else node


class Builder:
    """The callbacks of the grammar's rules; each takes the rule's children."""

    def start(self, children: list[Any]) -> list[s.Statement]:
        return children

    # --- file level

    def edition(self, c: list[Any]) -> s.Edition:
        return s.Edition(_over(c), _literal(c[1]))

    def use_file(self, c: list[Any]) -> s.Use:
        return s.Use(_over(c), False, _literal(c[1]))

    def use_std(self, c: list[Any]) -> s.Use:
        return s.Use(_over(c), True, _literal(c[2]))

    def let(self, c: list[Any]) -> s.Let:
        return s.Let(_over(c), _name(c[1]), c[3])

    # --- facts

    def facts(self, c: list[Any]) -> s.Facts:
        facts = [child for child in c if isinstance(child, s.Fact)]
        return s.Facts(_over(c), c[1] is not None, c[2], facts)

    def fact(self, c: list[Any]) -> s.Fact:
        name, _, type_, _, range_, lasting, description, origin, _, selector = c
        return s.Fact(
            _over(c), _name(name), type_, range_, lasting is not None,
            _maybe_literal(description), origin, _maybe_literal(selector),
        )  # fmt: skip

    def origin(self, c: list[Any]) -> s.Origin:
        _, name, argument, _, directory, _, timeout = c
        return s.Origin(
            _over(c), _name(name), _maybe_literal(argument),
            _maybe_literal(directory), _maybe_literal(timeout),
        )  # fmt: skip

    def optional_type(self, c: list[Any]) -> Any:
        return _capped(s.OptionalType(_over(c), c[0], c[0].depth + 1))

    def list_type(self, c: list[Any]) -> Any:
        return self._collection("list", c, _maybe_name(c[6]) if len(c) > 5 else None)

    def set_type(self, c: list[Any]) -> Any:
        return self._collection("set", c, None)

    def map_type(self, c: list[Any]) -> Any:
        return self._collection("map", c, None)

    def _collection(self, kind: Any, c: list[Any], by: s.Name | None) -> Any:
        max_, of = _maybe_literal(c[2]), c[4]
        return _capped(s.CollectionType(_over(c), kind, of, max_, by, of.depth + 1))

    def scalar_type(self, c: list[Any]) -> s.ScalarType:
        name, currency, _, max_, _, unit = c
        return s.ScalarType(
            _over(c), _name(name), _maybe_name(currency), _maybe_literal(max_), _maybe_name(unit)
        )

    def enum_type(self, c: list[Any]) -> s.EnumType:
        return s.EnumType(_over(c), [_literal(token) for token in c[::2]], False)

    def ordered_enum_type(self, c: list[Any]) -> s.EnumType:
        return s.EnumType(_over(c), [_literal(token) for token in c[::2]], True)

    def record_type(self, c: list[Any]) -> Any:
        fields = [child for child in c if isinstance(child, s.FieldType)]
        depth = 1 + max((field.type.depth for field in fields), default=0)
        return _capped(s.RecordType(_over(c), fields, depth))

    def field_type(self, c: list[Any]) -> s.FieldType:
        return s.FieldType(_over(c), _name(c[0]), c[2])

    def grouped_type(self, c: list[Any]) -> Any:
        return c[1]

    def range(self, c: list[Any]) -> s.Range:
        return s.Range(_over(c), c[0], c[2])

    def range_from(self, c: list[Any]) -> s.Range:
        return s.Range(_over(c), c[0], None)

    def range_to(self, c: list[Any]) -> s.Range:
        return s.Range(_over(c), None, c[1])

    def bound(self, c: list[Any]) -> Any:
        literal = _literal(c[-1])
        return _negated(c[0], literal) if len(c) == 2 and c[0] is not None else literal

    # --- goals

    def goal(self, c: list[Any]) -> s.Goal:
        return s.Goal(_over(c), _name(c[1]), c[3:-1])

    def preset(self, c: list[Any]) -> s.Preset:
        return s.Preset(_over(c), _name(c[1]), c[3:-1])

    def preset_use(self, c: list[Any]) -> s.PresetUse:
        return s.PresetUse(_over(c), [_name(token) for token in c[1::2]])

    def objective(self, c: list[Any]) -> s.Objective:
        return s.Objective(_over(c), _literal(c[1]))

    def criterion(self, c: list[Any]) -> s.Part:
        return self._condition("criterion", c)

    def constraint(self, c: list[Any]) -> s.Part:
        return self._condition("constraint", c)

    def _condition(self, kind: Any, c: list[Any]) -> s.Part:
        modifier, _, id_, text, *clauses = c
        return s.Part(
            _over(c), kind, _maybe_name(modifier), _maybe_name(id_), _literal(text), clauses
        )

    def stop(self, c: list[Any]) -> s.Part:
        return s.Part(_over(c), "stop", None, _maybe_name(c[1]), _literal(c[2]), c[3:])

    def clause(self, c: list[Any]) -> s.Clause:
        keyword: Any = str(c[0])
        return s.Clause(_over(c), keyword, c[1])

    def protect(self, c: list[Any]) -> s.Protect:
        return s.Protect(_over([c[0], c[1][-1], c[4][-1] if c[4] else None]), c[1], c[4] or [])

    def strings(self, c: list[Any]) -> list[Any]:
        return [_literal(token) for token in c[::2]]

    def budget(self, c: list[Any]) -> s.Budget:
        return s.Budget(_over(c), c[1] is not None, c[3:-1])

    def judge(self, c: list[Any]) -> s.Judge:
        return s.Judge(_over(c), c[2:-1])

    def pins(self, c: list[Any]) -> s.Pins:
        return s.Pins(_over(c), c[2:-1])

    def keep(self, c: list[Any]) -> s.Keep:
        return s.Keep(_over(c), [_name(token) for token in c[1::2]])

    def kind(self, c: list[Any]) -> s.Kind:
        return s.Kind(_over(c), _name(c[1]), _name(c[3]))

    def pin(self, c: list[Any]) -> s.Pin:
        return s.Pin(_over(c), _name(c[1]), _literal(c[2]))

    def setting(self, c: list[Any]) -> s.Setting:
        return s.Setting(_over(c), _name(c[0]), c[1])

    def quorum(self, c: list[Any]) -> s.Setting:
        return s.Setting(_over(c), _name(c[0]), _literal(c[1]), _literal(c[3]))

    # --- tests

    def test(self, c: list[Any]) -> s.Test:
        return s.Test(_over(c), _literal(c[1]), _name(c[3]), c[5:-1])

    def observe(self, c: list[Any]) -> s.Observe:
        _, _, at, _, rev, _, *assignments, _ = c
        return s.Observe(_over(c), _maybe_literal(at), _maybe_literal(rev), assignments)

    def baseline(self, c: list[Any]) -> s.Baseline:
        return s.Baseline(_over(c), c[2:-1])

    def assignment(self, c: list[Any]) -> s.Assignment:
        return s.Assignment(_over(c), _name(c[0]), c[2])

    def expect(self, c: list[Any]) -> s.Expect:
        return s.Expect(_over(c), _name(c[1]), _name(c[2]), False)

    def expect_done(self, c: list[Any]) -> s.Expect:
        return s.Expect(_over(c), None, _name(c[2]), c[1] is not None)

    def negative_value(self, c: list[Any]) -> Any:
        return _negated(c[0], _literal(c[1]))

    def word_value(self, c: list[Any]) -> s.Word:
        return s.Word(_over(c), str(c[0]))

    negative_setting = negative_value
    word_setting = word_value

    def unknown_value(self, c: list[Any]) -> s.UnknownValue:
        return s.UnknownValue(_over(c), _name(c[0]), _name(c[2]))

    def list_value(self, c: list[Any]) -> Any:
        items = _without_tokens(c, "LBRACKET", "COMMA", "RBRACKET")
        return _capped(s.ListValue(_over(c), items, 1 + max((i.depth for i in items), default=0)))

    def record_value(self, c: list[Any]) -> Any:
        entries = [child for child in c if isinstance(child, s.Entry)]
        depth = 1 + max((entry.value.depth for entry in entries), default=0)
        return _capped(s.RecordValue(_over(c), entries, depth))

    def entry(self, c: list[Any]) -> s.Entry:
        key = _literal(c[0]) if c[0].type == "STRING" else _name(c[0])
        return s.Entry(_over(c), key, c[2])

    # --- predicates and values

    def disjunction_list(self, c: list[Any]) -> list[Any]:
        return [c[0]]

    conjunction_list = disjunction_list

    def extend(self, c: list[Any]) -> list[Any]:
        items: list[Any] = c[0]
        items.append(c[2])
        return items

    def disjunction(self, c: list[Any]) -> Any:
        return self._chain("or", c)

    def conjunction(self, c: list[Any]) -> Any:
        return self._chain("and", c)

    def _chain(self, op: Any, c: list[Any]) -> Any:
        items = [*c[0], c[2]]
        span = Span(items[0].span.start, items[-1].span.end)
        return _capped(s.Chain(span, op, items, 1 + max(item.depth for item in items)))

    def negation(self, c: list[Any]) -> Any:
        return _capped(s.Not(_over(c), c[1], c[1].depth + 1))

    def history(self, c: list[Any]) -> Any:
        op: Any = str(c[0])
        return _capped(s.History(_over(c), op, c[1], c[1].depth + 1))

    def quantifier(self, c: list[Any]) -> Any:
        op: Any
        op, var, _, domain, _, where, _, body = c
        depth = 1 + max(domain.depth, body.depth, where.depth if where else 0)
        op = str(op)
        return _capped(s.Quantifier(_over(c), op, _name(var), domain, where, body, depth))

    def runs(self, c: list[Any]) -> Any:
        inner, _, count, _, _, clock, on, _, _ = c
        depth = inner.depth + 1
        return _capped(s.Runs(_over(c), inner, _literal(count), clock, on is not None, depth))

    def held(self, c: list[Any]) -> Any:
        inner, _, duration, _, every = c
        depth = inner.depth + 1
        return _capped(s.Held(_over(c), inner, _literal(duration), _maybe_literal(every), depth))

    def compare(self, c: list[Any]) -> Any:
        op: Any = _COMPARISONS[c[1].type]
        return _capped(s.Compare(_over(c), op, c[0], c[2], 1 + max(c[0].depth, c[2].depth)))

    def member(self, c: list[Any]) -> Any:
        item, negated, _, of = c
        depth = 1 + max(item.depth, of.depth)
        return _capped(s.Member(_over(c), negated is not None, item, of, depth))

    def text_test(self, c: list[Any]) -> Any:
        op: Any = str(c[1])
        return _capped(s.TextTest(_over(c), op, c[0], c[2], 1 + max(c[0].depth, c[2].depth)))

    def binary(self, c: list[Any]) -> Any:
        # A chain of one operator is long, not deep: its left spine does not count (ruling 26).
        op: Any = str(c[1])
        flat = op != "??" and isinstance(c[0], s.Binary) and c[0].op in _family(op)
        left = c[0].depth if flat else c[0].depth + 1
        return _capped(s.Binary(_over(c), op, c[0], c[2], max(left, c[2].depth + 1)))

    def negative(self, c: list[Any]) -> Any:
        inner = c[1]
        if (
            isinstance(inner, s.Literal)
            and inner.kind in _SIGNED
            and not inner.text.startswith("-")
        ):
            return _negated(c[0], inner)
        return _capped(s.Negative(_over(c), inner, inner.depth + 1))

    def previous(self, c: list[Any]) -> Any:
        return self._view(c, "previous", c[1], None)

    def at_view(self, c: list[Any]) -> Any:
        return self._view(c, str(c[2]), c[0], None)

    def fresh(self, c: list[Any]) -> Any:
        return self._view(c, "fresh", c[0], _literal(c[2]))

    def _view(self, c: list[Any], view: Any, inner: Any, within: Any) -> Any:
        return _capped(s.View(_over(c), view, inner, within, inner.depth + 1))

    def field(self, c: list[Any]) -> Any:
        node, start = c[0], c[2].start_pos or 0
        for part in str(c[2]).split("."):
            span = Span(start, start + len(part))
            node = s.FieldOf(node.span.to(span), node, s.Name(span, part), node.depth + 1)
            start = span.end + 1
        return _capped(node)

    def index(self, c: list[Any]) -> Any:
        return _capped(s.Index(_over(c), c[0], c[2], 1 + max(c[0].depth, c[2].depth)))

    def call(self, c: list[Any]) -> Any:
        arguments = [child for child in c if isinstance(child, s.Argument)]
        depth = 1 + max((argument.depth for argument in arguments), default=0)
        return _capped(s.Call(_over(c), _name(c[0]), arguments, depth))

    def argument(self, c: list[Any]) -> s.Argument:
        return s.Argument(c[0].span, c[0], None, None, None, c[0].depth)

    def comprehension(self, c: list[Any]) -> s.Argument:
        value, _, var, _, domain, _, where = c
        depth = max(value.depth, domain.depth, where.depth if where else 0)
        return s.Argument(_over(c), value, _name(var), domain, where, depth)

    def filtered(self, c: list[Any]) -> s.Argument:
        return s.Argument(_over(c), c[0], None, None, c[2], max(c[0].depth, c[2].depth))

    def list_literal(self, c: list[Any]) -> Any:
        # A list of literals is not nesting (ruling 72).
        items = _without_tokens(c, "LBRACKET", "COMMA", "RBRACKET")
        depth = max((1 + i.depth for i in items if not isinstance(i, s.Literal)), default=0)
        return _capped(s.ListLiteral(_over(c), items, depth))

    def group(self, c: list[Any]) -> Any:
        return _capped(s.Group(_over(c), c[1], c[1].depth + 1))

    def path(self, c: list[Any]) -> s.Path:
        return s.Path(_span(c[0]), str(c[0]))

    def literal(self, c: list[Any]) -> Any:
        return _literal(c[0])


_SIGNED = {"int", "number", "percent", "duration", "size", "money"}


def _family(op: str) -> tuple[str, ...]:
    return ("+", "-") if op in "+-" else ("*", "/") if op in "*/" else (op,)
