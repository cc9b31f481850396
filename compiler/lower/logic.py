"""`and`, `or`, `not`, quantifiers, and the temporal forms."""

from __future__ import annotations

from ...grammar import syntax as s
from .. import codes
from .. import typing as t
from ..context import MAX_CHAIN, Lowered, null_tests
from ..ir import expressions as ir
from .lowering import Lowering, form


@form(s.Group)
def group(lowering: Lowering, node: s.Group, want: t.AnyType | None) -> Lowered | None:
    return lowering.lower(node.inner, want)


@form(s.Chain)
def chain(lowering: Lowering, node: s.Chain, _: t.AnyType | None) -> Lowered | None:
    if len(node.items) > MAX_CHAIN:
        lowering.too_long(node.span, node.op)
        return None
    before = set(lowering.not_null)
    parts: list[Lowered | None] = []
    for item in node.items:
        lowered = lowering.lower(item)
        if lowered is not None and not lowering.is_truth(lowered, item, f"`{node.op}`"):
            lowered = None
        parts.append(lowered)
        if lowered is not None:
            lowering.not_null |= null_tests(lowered.ir, "!=" if node.op == "and" else "==")
    lowering.not_null = before
    whole = [part for part in parts if part is not None]
    if len(whole) < len(parts):
        return None
    items = tuple(part.ir for part in whole)
    made = ir.And(items=items) if node.op == "and" else ir.Or(items=items)
    return lowering.made(made, t.BOOL, *whole)


@form(s.Not)
def negation(lowering: Lowering, node: s.Not, _: t.AnyType | None) -> Lowered | None:
    inner = lowering.lower(node.inner)
    if inner is None or not lowering.is_truth(inner, node.inner, "`not`"):
        return None
    return lowering.made(ir.Not(of=inner.ir), t.BOOL, inner)


@form(s.Quantifier)
def quantifier(lowering: Lowering, node: s.Quantifier, _: t.AnyType | None) -> Lowered | None:
    def inside() -> tuple[Lowered | None, Lowered] | None:
        where = lowering.condition(node.where, "`where`")
        if where is not None:
            lowering.not_null |= null_tests(where.ir, "!=")
        body = lowering.condition(node.body, f"`{node.op}`")
        if body is None or (node.where and where is None):
            return None
        return where, body

    found = lowering.each(node.var, node.domain, inside)
    if found is None:
        return None
    over, (where, body) = found
    parts = [part for part in (over, where, body) if part is not None]
    made = ir.Quantifier(
        op=node.op, var=node.var.text, over=over.ir,
        where=where.ir if where else None, body=body.ir,
    )  # fmt: skip
    return lowering.made(made, t.BOOL, *parts)


@form(s.Runs)
def runs(lowering: Lowering, node: s.Runs, _: t.AnyType | None) -> Lowered | None:
    inner = lowering.condition(node.inner, "`for … runs`")
    count = lowering.setting(node.count, "int", "the number of runs", "for {} runs")
    clock = _clock(lowering, node.clock) if node.clock else None
    if inner is None or count is None or (node.clock and clock is None):
        return None
    if not isinstance(count, int) or count < 1:
        lowering.report(codes.BAD_COUNT, node.count.span, "a streak has at least one run")
        return None
    made = ir.Runs(of=inner.ir, count=count, clock=clock, one_revision=node.one_revision)
    return lowering.made(made, t.BOOL, inner)


def _clock(lowering: Lowering, node: s.Path) -> str | None:
    if node.text in lowering.names.facts:
        return node.text
    lowering.undeclared(node)
    return None


@form(s.Held)
def held(lowering: Lowering, node: s.Held, _: t.AnyType | None) -> Lowered | None:
    inner = lowering.condition(node.inner, "`for`")
    duration = lowering.duration(node.duration, "how long it holds", "for {}")
    every = lowering.duration(node.every, "the largest gap", "every {}") if node.every else None
    if inner is None or duration is None or (node.every and every is None):
        return None
    return lowering.made(ir.Held(of=inner.ir, duration=duration, every=every), t.BOOL, inner)


@form(s.History)
def history(lowering: Lowering, node: s.History, _: t.AnyType | None) -> Lowered | None:
    inner = lowering.condition(node.inner, f"`{node.op}`")
    if inner is None:
        return None
    return lowering.made(ir.History(op=node.op, of=inner.ir), t.BOOL, inner)
