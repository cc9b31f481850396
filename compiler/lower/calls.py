"""Functions, aggregates and lists that are written out."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...grammar import syntax as s
from ...grammar.diagnostics import nearest
from ...grammar.literals import write_percent
from .. import codes
from .. import typing as t
from ..context import Lowered, element_or_none, null_tests, ungrouped
from ..ir import expressions as ir
from ..ir.types import ListType
from .lowering import Lowering, form


@form(s.ListLiteral)
def list_literal(lowering: Lowering, node: s.ListLiteral, want: t.AnyType | None) -> Lowered | None:
    inner = element_or_none(want) if want is not None else None
    parts = [lowering.lower(item, inner) for item in node.items]
    if not parts:
        type = ListType(of=inner if inner is not None else t.STRING)  # type: ignore[arg-type]
        return Lowered(ir.ListOf(items=()), type, 1, 0, literal=node)
    whole = [part for part in parts if part is not None]
    if len(whole) < len(parts):
        return None
    type_ = whole[0].type
    for item, part in zip(node.items, whole, strict=True):
        merged = t.joined(type_, part.type)
        if merged is None or isinstance(part.type, t.NullType):
            fault = t.TypeFault(
                f"a list holds one type: {t.describe(type_)} here, {t.describe(part.type)} there"
            )
            lowering.mismatch(item.span, fault, (item, part), (item, whole[0]))
            return None
        type_ = merged
    lowered = lowering.made(
        ir.ListOf(items=tuple(part.ir for part in whole)),
        ListType(of=type_),  # type: ignore[arg-type]
        *whole,
    )
    if all(part.literal for part in whole):  # a list of literals is no nesting (ruling 72)
        lowered.depth, lowered.literal = 0, node
    return lowered


@form(s.Call)
def call(lowering: Lowering, node: s.Call, _: t.AnyType | None) -> Lowered | None:
    name = node.name.text
    if name == "known":
        return _known(lowering, node)
    if name in t.AGGREGATES:
        return _aggregate(lowering, node)
    if name not in t.FUNCTIONS:
        _unknown_function(lowering, node.name)
        return None
    if len(node.arguments) != 1 or node.arguments[0].var or node.arguments[0].where:
        lowering.report(codes.ARGUMENTS, node.span, f"`{name}` takes one value: `{name}(x)`")
        return None
    argument = lowering.lower(node.arguments[0].value)
    if argument is None:
        return None
    try:
        type = t.call(name, argument.type)
    except t.TypeFault as fault:
        lowering.fault(node.span, fault)
        return None
    lowering.guard(argument, node.arguments[0].span)
    return lowering.made(ir.Call(function=name, argument=argument.ir), type, argument)  # type: ignore[arg-type]


def _unknown_function(lowering: Lowering, name: s.Name) -> None:
    known = [*t.FUNCTIONS, *t.AGGREGATES, "known"]
    near = nearest(name.text, known)
    hint = _WRONG_FUNCTIONS.get(name.text)
    if hint is None:
        hint = f"did you mean `{near}`?" if near else "there are " + ", ".join(sorted(known))
    lowering.report(codes.UNKNOWN_FUNCTION, name.span, f"there is no function `{name.text}`", hint)


def _known(lowering: Lowering, node: s.Call) -> Lowered | None:
    value = node.arguments[0].value if len(node.arguments) == 1 else None
    if not isinstance(value, s.Path) or node.arguments[0].var or node.arguments[0].where:
        lowering.report(codes.ARGUMENTS, node.span, "`known` takes a fact: `known(suite.passed)`")
        return None
    if value.text not in lowering.names.facts:
        if lowering.fact_of(value.text) or value.text.split(".")[0] in lowering.variables:
            lowering.report(
                codes.ARGUMENTS, value.span, f"`known` takes a fact, and `{value.text}` is a part",
                f"ask whether it is null: `{value.text} != null`",
            )  # fmt: skip
        else:
            lowering.undeclared(value)
        return None
    return Lowered(ir.Known(name=value.text), t.BOOL, 1, 1)


def _aggregate(lowering: Lowering, node: s.Call) -> Lowered | None:
    name, arguments = node.name.text, node.arguments
    rank = None
    if name == "percentile":
        if len(arguments) != 2 or arguments[1].var or arguments[1].where:
            lowering.report(
                codes.ARGUMENTS, node.span, "`percentile` takes values and a percent",
                "write `percentile(r.took for r in runs, 95%)`",
            )  # fmt: skip
            return None
        rank = _rank(lowering, arguments[1].value)
        if rank is None:
            return None
    elif len(arguments) != 1:
        lowering.report(
            codes.ARGUMENTS, node.span, f"`{name}` takes one argument",
            f"write `{name}({_AGGREGATE_EXAMPLES.get(name, 'x.f for x in xs')})`",
        )  # fmt: skip
        return None
    return _comprehension(lowering, node, arguments[0], rank)


def _rank(lowering: Lowering, node: s.Expr) -> str | None:
    value = lowering.setting(node, "percent", "the percentile's rank", "{}")
    if value is None:
        return None
    if not 0 < value <= 1:
        lowering.report(codes.BAD_COUNT, node.span, "a percentile lies above 0% and up to 100%")
        return None
    return write_percent(value)


def _comprehension(
    lowering: Lowering, node: s.Call, argument: s.Argument, rank: str | None
) -> Lowered | None:
    name = node.name.text
    value_node, var, domain, where_node = (
        argument.value, argument.var, argument.domain, argument.where,
    )  # fmt: skip
    if var is None:
        member = ungrouped(value_node) if isinstance(value_node, s.Member) else None
        counted = isinstance(member, s.Member) and isinstance(member.item, s.Path)
        if counted and isinstance(member, s.Member) and "." not in member.item.text:  # type: ignore[union-attr]
            if name != "count" or member.negated or isinstance(member.of, s.Range):
                _comprehension_form(lowering, node, name)
                return None
            item: Any = member.item
            var, domain, value_node = s.Name(item.span, item.text), member.of, None  # type: ignore[assignment]
        elif where_node is not None:
            _comprehension_form(lowering, node, name)
            return None
    if var is None or domain is None:
        return _plain_aggregate(lowering, node, name, value_node, rank)

    def inside() -> _Inside | None:
        where = lowering.condition(where_node, "`where`")
        if where is not None:
            lowering.not_null |= null_tests(where.ir, "!=")
        value = lowering.lower(value_node) if value_node is not None else None
        if value is not None and value_node is not None and name not in ("count", "distinct"):
            lowering.guard(value, value_node.span)
        if (where_node and where is None) or (value_node is not None and value is None):
            return None
        try:
            type = t.aggregate(name, t.BOOL if value is None else value.type)
        except t.TypeFault as fault:
            lowering.fault((value_node or node).span, fault)
            return None
        return _Inside(where, value, type)

    found = lowering.each(var, domain, inside)
    if found is None or not _is_list(lowering, name, found[0], node):
        return None
    over, (where, value, type) = found
    made = ir.Aggregate(
        op=name,  # type: ignore[arg-type]
        var=var.text,
        over=over.ir,
        where=where.ir if where else None,
        value=value.ir if value else None,
        rank=rank,
    )
    return lowering.made(made, type, *(p for p in (over, where, value) if p is not None))


class _Inside(NamedTuple):
    """What stands inside an aggregate's comprehension, and the type of the whole."""

    where: Lowered | None
    value: Lowered | None
    type: t.AnyType


def _plain_aggregate(
    lowering: Lowering, node: s.Call, name: str, value: s.Expr, rank: str | None
) -> Lowered | None:
    if name in ("streak", "longest", "share"):
        _comprehension_form(lowering, node, name)
        return None
    over = lowering.domain(value)
    if over is None:
        return None
    try:
        type = t.aggregate(name, t.element(over.type))
    except t.TypeFault as fault:
        lowering.fault(node.span, fault)
        return None
    return lowering.made(ir.Aggregate(op=name, over=over.ir, rank=rank), type, over)  # type: ignore[arg-type]


def _is_list(lowering: Lowering, name: str, over: Lowered, node: s.Call) -> bool:
    if name in ("streak", "longest") and not isinstance(t.base(over.type), ListType):
        lowering.report(
            codes.TYPE, node.span, f"`{name}` needs an order, and a {t.base(over.type).kind} "
            "has none", "declare the fact as a list",
        )  # fmt: skip
        return False
    return True


def _comprehension_form(lowering: Lowering, node: s.Call, name: str) -> None:
    example = _AGGREGATE_EXAMPLES.get(name, "x.f for x in xs where P")
    lowering.report(
        codes.ARGUMENTS, node.span, f"`{name}` takes another form", f"write `{name}({example})`"
    )


_AGGREGATE_EXAMPLES = {
    "count": "x in xs where P",
    "streak": "r.passed for r in runs where Q",
    "longest": "r.passed for r in runs where Q",
    "share": "r.passed for r in runs where Q",
    "percentile": "r.took for r in runs, 95%",
}


_WRONG_FUNCTIONS = {
    "length": "write `len(s)` for a string, `count(xs)` for a collection",
    "size": "write `len(s)` for a string, `count(xs)` for a collection",
    "avg": "write `mean(…)`",
    "average": "write `mean(…)`",
    "median": "write `percentile(…, 50%)`",
    "p95": "write `percentile(…, 95%)`",
    "now": "there is no clock in a predicate; `age(t)` is the observation's time minus t",
    "today": "there is no *today*; `age(t)` is the observation's time minus t",
    "exists": "write `any x in xs: …`, or `known(fact)`",
    "defined": "write `known(fact)`",
    "startswith": 'write `s matches r"^…"` or `p like "…/**"`',
    "unique": "write `distinct(…)`",
    "upper": "write `lower(s)`",
}
