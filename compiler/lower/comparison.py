"""Comparison and membership."""

from __future__ import annotations

from ...grammar import syntax as s
from ...grammar.source import Span
from .. import codes
from .. import typing as t
from ..context import Lowered, element_or_none, is_literal
from ..ir import expressions as ir
from ..ir.types import ListType
from ..ranges import decided
from .literals import check_bounds
from .lowering import Lowering, form


@form(s.Compare)
def compare(lowering: Lowering, node: s.Compare, _: t.AnyType | None) -> Lowered | None:
    if is_chained(lowering, node, node.left):
        return None
    left, right = _pair(lowering, node.left, node.right)
    if left is None or right is None:
        return None
    try:
        if node.op in ("==", "!="):
            t.equality(left.type, right.type)
        else:
            t.order(left.type, right.type)
    except t.TypeFault as fault:
        lowering.mismatch(node.span, fault, (node.left, left), (node.right, right))
        return None
    nulls = isinstance(left.type, t.NullType) or isinstance(right.type, t.NullType)
    if not nulls:
        lowering.guard(left, node.left.span)
        lowering.guard(right, node.right.span)
    made = lowering.made(ir.Compare(op=node.op, left=left.ir, right=right.ir), t.BOOL, left, right)
    return made if _is_open(lowering, made, node.span) else None


def _is_open(lowering: Lowering, made: Lowered, span: Span) -> bool:
    """Can the comparison come out either way? Reports one that a declared range decides."""
    value = decided(made.ir, lowering.names.declared)
    if value is not None:
        word = "holds for every" if value else "can hold for no"
        lowering.report(
            codes.CONSTANT, span, f"the comparison {word} value of the declared range",
            "compare with a value inside the range, or correct the range",
        )  # fmt: skip
    return value is None


def is_chained(
    lowering: Lowering, node: s.Compare | s.Member | s.TextTest, inner: s.Expr
) -> bool:  # fmt: skip
    """Is *inner*, the left operand of a comparison, one itself? Reports that."""
    match inner:
        case s.Compare(right=shared) | s.Member(of=shared) | s.TextTest(right=shared):
            pass
        case _:
            return False
    text = lowering.report.source.text
    first = text[inner.span.start : inner.span.end]
    middle = text[shared.span.start : shared.span.end]
    rest = text[inner.span.end : node.span.end].strip()
    hint = f"write `{first} and {middle} {rest}`"
    match inner, node:
        case s.Compare(op="<" | "<="), s.Compare(op="<" | "<="):
            low = text[inner.left.span.start : inner.left.span.end]
            last = text[node.right.span.start : node.right.span.end]
            hint += f", or the closed range `{middle} in {low}..{last}`"
        case s.Member() | s.TextTest(), s.Compare():
            hint = f"write `({first}) {rest}`"
    lowering.report(codes.CHAINED, node.span, "comparisons do not chain", hint)
    return True


def _pair(lowering: Lowering, left: s.Expr, right: s.Expr) -> tuple[Lowered | None, Lowered | None]:
    """Both operands; a string literal takes the type of what stands beside it."""
    if is_literal(left) and not is_literal(right):
        second = lowering.lower(right)
        return lowering.lower(left, second.type if second else None), second
    first = lowering.lower(left)
    return first, lowering.lower(right, first.type if first else None)


@form(s.Member)
def member(lowering: Lowering, node: s.Member, _: t.AnyType | None) -> Lowered | None:
    if is_chained(lowering, node, node.item):
        return None
    lowered = (
        _between(lowering, node, node.of)
        if isinstance(node.of, s.Range)
        else _in_collection(lowering, node, node.of)
    )
    if lowered is None or not node.negated:
        return lowered
    return lowering.made(ir.Not(of=lowered.ir), t.BOOL, lowered)


def _between(lowering: Lowering, node: s.Member, bounds: s.Range) -> Lowered | None:
    item = lowering.lower(node.item)
    if item is not None and not t.is_ordered(t.base(item.type)):
        fault = t.TypeFault(f"{t.a(item.type)} has no ranges")
        lowering.fault(node.item.span, fault)
        return None
    low = _bound(lowering, bounds.low, item)
    high = _bound(lowering, bounds.high, item)
    if item is None or (bounds.low and low is None) or (bounds.high and high is None):
        return None
    if not check_bounds(bounds, lowering.report):
        return None
    lowering.guard(item, node.item.span)
    made = lowering.made(ir.Between(of=item.ir, low=low, high=high), t.BOOL, item)
    return made if _is_open(lowering, made, node.span) else None


def _bound(lowering: Lowering, node: s.Expr | None, item: Lowered | None) -> ir.Literal | None:
    if node is None:
        return None
    bound = lowering.lower(node)
    if bound is None or item is None:
        return None
    assert isinstance(bound.ir, ir.Literal)
    if t.joined(bound.type, item.type) is None:
        fault = t.TypeFault(f"a range of {t.describe(bound.type)} for {t.describe(item.type)}")
        lowering.mismatch(node.span, fault, (node, bound), (node, item))
        return None
    return bound.ir


def _in_collection(lowering: Lowering, node: s.Member, of: s.Expr) -> Lowered | None:
    if is_literal(node.item):
        collection = lowering.lower(of)
        want = None if collection is None else element_or_none(collection.type)
        item = lowering.lower(node.item, want)
    else:
        item = lowering.lower(node.item)
        collection = lowering.lower(of, ListType(of=t.base(item.type)) if item else None)  # type: ignore[arg-type]
    if item is None or collection is None:
        return None
    try:
        t.membership(item.type, collection.type)
    except t.TypeFault as fault:
        lowering.mismatch(node.span, fault, (node.item, item), (node.item, _of_element(collection)))
        return None
    lowering.guard(item, node.item.span)
    lowering.guard(collection, of.span)
    return lowering.made(ir.Member(item=item.ir, of=collection.ir), t.BOOL, item, collection)


def _of_element(collection: Lowered) -> Lowered:
    inner = element_or_none(collection.type)
    return Lowered(collection.ir, inner if inner is not None else t.STRING, 1, 0)
