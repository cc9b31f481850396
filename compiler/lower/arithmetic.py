"""`+ - * /`, unary minus and `??`."""

from __future__ import annotations

from ...grammar import syntax as s
from ...grammar.literals import DURATION_UNITS
from .. import codes
from .. import typing as t
from ..context import MAX_CHAIN, Lowered, ungrouped
from ..ir import expressions as ir
from .lowering import Lowering, form


@form(s.Binary)
def binary(lowering: Lowering, node: s.Binary, want: t.AnyType | None) -> Lowered | None:
    if node.op == "??":
        return _fallback(lowering, node, want)
    family = ("+", "-") if node.op in "+-" else ("*", "/")
    steps: list[s.Binary] = []
    first: s.Expr = node
    while isinstance(first, s.Binary) and first.op in family:
        steps.append(first)
        first = first.left
    if len(steps) >= MAX_CHAIN:
        lowering.too_long(node.span, node.op)
        return None
    return _arithmetic(lowering, first, steps[::-1])


def _arithmetic(lowering: Lowering, first: s.Expr, steps: list[s.Binary]) -> Lowered | None:
    result = lowering.lower(first)
    operands = [lowering.lower(step.right) for step in steps]
    if result is None or None in operands:
        return None
    parts, type, left = [result], result.type, first
    rest: list[ir.Step] = []
    for step, operand in zip(steps, operands, strict=True):
        assert operand is not None
        try:
            before, type = type, t.arithmetic(step.op, type, operand.type)
        except t.TypeFault as fault:
            so_far = Lowered(result.ir, type, 1, 0)
            lowering.mismatch(step.span, fault, (left, so_far), (step.right, operand))
            return None
        lowering.guard(operand, step.right.span)
        if not _whole_days(lowering, before, step.right, operand):
            return None
        rest.append(ir.Step(op=step.op, value=operand.ir))  # type: ignore[arg-type]
        parts.append(operand)
        left = step
    lowering.guard(result, first.span)
    return lowering.made(ir.Arithmetic(first=result.ir, rest=tuple(rest)), type, *parts)


def _whole_days(lowering: Lowering, left: t.AnyType, node: s.Expr, operand: Lowered) -> bool:
    """A date moves by whole days; a literal that is none is a mistake already here."""
    inner = ungrouped(node)
    if t.base(left).kind != "date" or operand.type.kind != "duration":
        return True
    if not isinstance(inner, s.Literal) or not isinstance(inner.value, int):
        return True
    if inner.value % DURATION_UNITS["d"] == 0:
        return True
    lowering.report(
        codes.UNIT, node.span, f"a date moves by whole days, not by {inner.text}",
        "write `2d`, or use a time",
    )  # fmt: skip
    return False


def _fallback(lowering: Lowering, node: s.Binary, want: t.AnyType | None) -> Lowered | None:
    of = lowering.lower(node.left, want)
    value = lowering.lower(node.right, of.type if of else want)
    if of is None or value is None:
        return None
    try:
        type = t.fallback(of.type, value.type)
    except t.TypeFault as fault:
        lowering.mismatch(node.span, fault, (node.left, of), (node.right, value))
        return None
    return lowering.made(ir.Default(of=of.ir, fallback=value.ir), type, of, value)


@form(s.Negative)
def negative(lowering: Lowering, node: s.Negative, _: t.AnyType | None) -> Lowered | None:
    inner = lowering.lower(node.inner)
    if inner is None:
        return None
    try:
        type = t.signed(inner.type, "`-`")
    except t.TypeFault as fault:
        lowering.fault(node.span, fault)
        return None
    lowering.guard(inner, node.inner.span)
    return lowering.made(ir.Negate(of=inner.ir), type, inner)
