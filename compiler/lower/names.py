"""Facts, variables and `let`s by their names, the views of a fact, fields and keys."""

from __future__ import annotations

from ...grammar import syntax as s
from .. import codes
from .. import typing as t
from ..context import Lowered
from ..ir import expressions as ir
from .lowering import Lowering, form


@form(s.Path)
def path(lowering: Lowering, node: s.Path, want: t.AnyType | None) -> Lowered | None:
    first, *rest = node.text.split(".")
    if first in lowering.variables:
        variable = Lowered(ir.Variable(name=first), lowering.variables[first], 1, 0)
        return lowering.fields(variable, rest, node.span)
    if first in lowering.names.lets:
        named = lowering.names.lets[first]
        if named is None:
            return None
        if named.literal is not None:  # takes the type that its use asks for (ruling 67)
            return lowering.lower(named.literal, want)
        inner = named.ir.of if isinstance(named.ir, ir.Named) else named.ir
        expr = Lowered(ir.Named(name=first, of=inner), named.type, named.size, named.depth)
        return lowering.fields(expr, rest, node.span) if rest else expr
    fact = lowering.fact_of(node.text)
    if fact is None:
        lowering.undeclared(node)
        return None
    read = Lowered(ir.FactRead(name=fact), lowering.names.facts[fact], 1, 0)
    remaining = node.text[len(fact) + 1 :]
    return lowering.fields(read, remaining.split(".") if remaining else [], node.span)


@form(s.View)
def view(lowering: Lowering, node: s.View, _: t.AnyType | None) -> Lowered | None:
    inner = node.inner
    fact = lowering.fact_of(inner.text) if isinstance(inner, s.Path) else None
    if not isinstance(inner, s.Path) or fact is None:
        if isinstance(inner, s.Path) and inner.text.split(".")[0] not in (
            *lowering.variables, *lowering.names.lets,
        ):  # fmt: skip
            lowering.undeclared(inner)
        elif not isinstance(inner, s.View):  # stacked views are the shape's business
            lowering.report(
                codes.VIEW_PLACE, inner.span,
                f"{_VIEW_WORDS[node.view]} is said of a fact, and this is none",
                f"say it of each fact: `{_VIEW_EXAMPLES[node.view]}`",
            )  # fmt: skip
        return None
    within = None
    if node.within is not None:
        within = lowering.duration(node.within, "how old it may be", "fresh {}")
        if within is None:
            return None
    read = ir.FactRead(name=fact, view=node.view, within=within)
    lowered = Lowered(read, lowering.names.facts[fact], 1, 0)
    rest = inner.text[len(fact) + 1 :]
    return lowering.fields(lowered, rest.split(".") if rest else [], node.span)


@form(s.FieldOf)
def field_of(lowering: Lowering, node: s.FieldOf, _: t.AnyType | None) -> Lowered | None:
    inner = lowering.lower(node.inner)
    return None if inner is None else lowering.fields(inner, [node.name.text], node.span)


@form(s.Index)
def index(lowering: Lowering, node: s.Index, _: t.AnyType | None) -> Lowered | None:
    of, key = lowering.lower(node.inner), lowering.lower(node.key)
    if of is None or key is None:
        return None
    try:
        type = t.index(of.type, key.type)
    except t.TypeFault as fault:
        lowering.fault(node.span, fault)
        return None
    lowering.guard(of, node.inner.span)
    lowering.guard(key, node.key.span)
    return lowering.made(ir.Index(of=of.ir, key=key.ir), type, of, key)


_VIEW_WORDS = {
    "start": "`at start`",
    "baseline": "`at baseline`",
    "previous": "`previous`",
    "fresh": "`fresh`",
}


_VIEW_EXAMPLES = {
    "start": "x at start",
    "baseline": "x at baseline",
    "previous": "previous x",
    "fresh": "x fresh 10m",
}
