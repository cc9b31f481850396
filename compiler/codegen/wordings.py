"""From a site of a predicate to its wording: what an explanation says of it, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from .. import program as w
from .. import typing as t
from ..ir import expressions as ir
from ..ir.text import write_expression
from ..ir.types import RecordType, Type
from .keys import fact_key, known_key, literal_value, temporal_key
from .pieces import Site

Compile = Callable[[ir.Expr, t.Scope], w.Predicate]

_VIEWS = {
    "start": "at start it was",
    "previous": "before it was",
    "baseline": "its baseline is",
}
_BARE = (ir.FactRead, ir.FieldRead, ir.Variable, ir.Index, ir.Known)


def wording(site: Site, compile: Compile) -> w.Wording:
    """The wording of a site; *compile* is for the predicate that names what a count found."""
    node, scope = site.node, site.scope
    variables = {name: _shown_as(type) for name, type in scope.variables.items()}
    match node:
        case ir.Named(name=name):
            return w.Wording(form=w.LetWording(name=name), variables=variables)
        case ir.Quantifier():
            return w.Wording(form=_quantifier(node, scope), variables=variables)
        case ir.Runs() | ir.Held() | ir.History():
            form = w.FormWording(key=temporal_key(node), text=write_expression(node))
            return w.Wording(form=form, variables=variables)
        case _:
            return w.Wording(form=_leaf(node, scope, compile), variables=variables)


def _quantifier(node: ir.Quantifier, scope: t.Scope) -> w.QuantifierWording:
    where = None if node.where is None else write_expression(node.where)
    return w.QuantifierWording(
        op=node.op, over=write_expression(node.over), reads=_mentions(node.over, scope),
        where=where, body=write_expression(node.body),
    )  # fmt: skip


def _leaf(node: ir.Expr, scope: t.Scope, compile: Compile) -> w.LeafWording:
    text, reads = write_expression(node), _mentions(node, scope)
    if not isinstance(node, ir.Compare):
        return w.LeafWording(text=text, reads=reads, bare=isinstance(node, _BARE))
    return w.LeafWording(
        text=text, reads=reads, change=_change(node, scope),
        computed=_computed(node, scope, compile), distance=_distance(node, scope),
    )  # fmt: skip


def _distance(node: ir.Compare, scope: t.Scope) -> w.Distance | None:
    type_ = t.base(t.infer(node.left, scope))
    if node.op in ("==", "!=") or not _subtracts(type_):
        return None
    side: Literal["short", "over"] = "short" if node.op in (">", ">=") else "over"
    return w.Distance(type=_sure(type_), side=side)


def _change(node: ir.Compare, scope: t.Scope) -> w.Change | None:
    left, right = node.left, node.right
    base = right.first if isinstance(right, ir.Arithmetic) else right
    if not (isinstance(left, ir.FactRead) and left.view == "now"):
        return None
    if not (isinstance(base, ir.FactRead) and base.name == left.name and base.view in _VIEWS):
        return None
    type_ = t.base(t.infer(left, scope))
    if not _subtracts(type_):
        return None
    allowed = None
    if isinstance(right, ir.Arithmetic):
        step = right.rest[0]
        if len(right.rest) != 1 or step.op not in "+-" or not isinstance(step.value, ir.Literal):
            return None
        allowed = literal_value(step.value)
    return w.Change(
        key=left.name, base=fact_key(base), said=_VIEWS[base.view], type=_sure(type_),
        allowed=allowed,
    )  # fmt: skip


def _computed(node: ir.Compare, scope: t.Scope, compile: Compile) -> w.Computed | None:
    left = node.left
    if not isinstance(left, ir.Aggregate | ir.Arithmetic | ir.Call | ir.Negate):
        return None
    return w.Computed(
        left=write_expression(left), type=_shown_as(t.infer(left, scope)),
        reads=_mentions(node.right, scope), test=f"{node.op} {write_expression(node.right)}",
        counted=_counted(left, scope, compile),
    )  # fmt: skip


def _counted(node: ir.Expr, scope: t.Scope, compile: Compile) -> w.Counted | None:
    if not isinstance(node, ir.Aggregate) or node.op != "count" or scope.variables:
        return None
    if node.var is None or node.where is None:
        return w.Counted(reads=_mentions(node.over, scope))
    any_of_them = ir.Quantifier(op="any", var=node.var, over=node.over, body=node.where)
    element = _shown_as(t.element(t.infer(node.over, scope)))
    return w.Counted(found=compile(any_of_them, scope), var=node.var, type=element)


# --- what was read


def _mentions(node: ir.Expr, scope: t.Scope) -> tuple[w.Mention, ...]:
    return tuple(dict.fromkeys(_mentioned(node, scope)))


def _mentioned(node: ir.Expr, scope: t.Scope) -> Iterator[w.Mention]:
    """`coverage.line is 83.2%` for each read; quantified bodies have leaves of their own, and a
    line begins with what variables stand for."""
    match node:
        case ir.FactRead(name=name):
            yield w.FactMention(key=fact_key(node), type=scope.facts.get(name))
        case ir.Known(name=name):
            yield w.KnownMention(name=name, key=known_key(name))
        case ir.FieldRead() | ir.Index():
            inner = (m for child in ir.children(node) for m in _mentioned(child, scope))
            route, type_ = _route(node, scope), _shown_as(t.infer(node, scope))
            yield w.ElementMention(
                text=write_expression(node), type=type_, route=route, otherwise=tuple(inner)
            )
        case ir.Aggregate(over=over):
            yield from _mentioned(over, scope)
        case ir.Quantifier() | ir.Runs() | ir.Held() | ir.History() | ir.Literal() | ir.Variable():
            return
        case _:
            for child in ir.children(node):
                yield from _mentioned(child, scope)


def _route(node: ir.Expr, scope: t.Scope) -> w.Route:
    match node:
        case ir.Variable(name=name):
            return ("variable", name)
        case ir.Literal(value=str(text)):
            return ("text", text)
        case ir.FactRead():
            return ("fact", fact_key(node))
        case ir.FieldRead(of=of, name=name):
            record = t.base(t.infer(of, scope))
            if isinstance(record, RecordType):
                return ("field", _route(of, scope), [f.name for f in record.fields].index(name))
        case ir.Index(of=of, key=key):
            return ("entry", _route(of, scope), _route(key, scope))
    return ()


# --- types


def _shown_as(type: t.AnyType | None) -> Type | None:
    return None if type is None or isinstance(type, t.NullType) else type


def _sure(type: t.AnyType) -> Type:
    assert not isinstance(type, t.NullType)  # of which nothing subtracts
    return type


def _subtracts(type: t.AnyType) -> bool:
    return type.kind in ("int", "number", "percent", "duration", "size", "money")
