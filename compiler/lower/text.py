"""`like`, `matches` and `contains`, with the patterns that stand in the file."""

from __future__ import annotations

from ...grammar import syntax as s
from ...grammar.source import Span
from .. import codes
from .. import typing as t
from ..context import Lowered, ungrouped
from ..ir import expressions as ir
from .comparison import is_chained
from .lowering import Lowering, form


@form(s.TextTest)
def text_test(lowering: Lowering, node: s.TextTest, _: t.AnyType | None) -> Lowered | None:
    if is_chained(lowering, node, node.left):
        return None
    left = lowering.lower(node.left)
    if node.op == "contains":
        return _contains(lowering, node, left)
    patterns = _patterns(lowering, node)
    if left is None or patterns is None:
        return None
    try:
        t.text_test(node.op, left.type)
    except t.TypeFault as fault:
        lowering.fault(node.span, fault)
        return None
    lowering.guard(left, node.left.span)
    form = ir.Like if node.op == "like" else ir.Matches
    return lowering.made(form(of=left.ir, patterns=patterns), t.BOOL, left)


def _contains(lowering: Lowering, node: s.TextTest, left: Lowered | None) -> Lowered | None:
    right = lowering.lower(node.right)
    if left is None or right is None:
        return None
    try:
        t.text_test("contains", left.type)
        if t.base(right.type).kind not in ("string", "path"):
            raise t.TypeFault(f"`contains` looks for a string, not {t.a(right.type)}")
    except t.TypeFault as fault:
        lowering.fault(node.span, fault)
        return None
    lowering.guard(left, node.left.span)
    lowering.guard(right, node.right.span)
    return lowering.made(ir.Contains(of=left.ir, text=right.ir), t.BOOL, left, right)


def _patterns(lowering: Lowering, node: s.TextTest) -> tuple[str, ...] | None:
    """The globs or regular expressions on the right: literals, one or a list."""
    items = _pattern_literals(lowering, node.right)
    if items is None:
        lowering.report(
            codes.PATTERN, node.right.span, f"`{node.op}` takes patterns that stand in the file",
            'write a string, or a list of them: `["a/**", "b/**"]`',
        )  # fmt: skip
        return None
    good = [p for p in items if lowering.pattern(node.op, *p)]
    if len(good) < len(items) or not items:
        if not items:
            lowering.report(codes.PATTERN, node.right.span, "the list of patterns is empty")
        return None
    return tuple(text for text, _ in items)


def _pattern_literals(lowering: Lowering, node: s.Expr) -> list[tuple[str, Span]] | None:
    node = ungrouped(node)
    if isinstance(node, s.ListLiteral):
        parts = [_pattern_literals(lowering, item) for item in node.items]
        return None if None in parts else [p for part in parts if part for p in part]
    if isinstance(node, s.Literal) and node.kind == "string":
        return [(str(node.value), node.span)]
    if isinstance(node, s.BadLiteral):
        lowering.lower(node)
        return []
    if isinstance(node, s.Path) and node.text in lowering.names.lets:
        named = lowering.names.lets[node.text]
        if named is None:
            return []
        literals = named.ir.items if isinstance(named.ir, ir.ListOf) else (named.ir,)
        if all(isinstance(i, ir.Literal) and i.type == "string" for i in literals):
            return [(str(i.value), node.span) for i in literals]  # type: ignore[union-attr]
    return None
