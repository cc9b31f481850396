"""Literals: their canonical spelling in the IR, the type that their place asks of them, and how one
of another type would be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...grammar import syntax as s
from ...grammar.literals import (
    write_date,
    write_duration,
    write_money,
    write_number,
    write_percent,
    write_size,
    write_time,
    write_version,
)
from .. import codes
from .. import typing as t
from ..context import Report
from ..ir import expressions as ir
from ..ir.types import MoneyType

if TYPE_CHECKING:
    pass


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "number": write_number,
    "percent": write_percent,
    "duration": write_duration,
    "size": write_size,
    "time": write_time,
    "date": write_date,
    "version": write_version,
}


def canonical_literal(node: s.Literal) -> ir.Literal:
    """A literal of the file in the IR's canonical spelling."""
    value: Any = node.value
    if node.kind == "money":
        return ir.Literal(type="money", value=write_money(value, node.currency or ""))
    writer = _WRITERS.get(node.kind)
    return ir.Literal(type=node.kind, value=writer(value) if writer else value)  # type: ignore[arg-type]


def literal_type(node: s.Literal) -> t.AnyType:
    if node.kind == "money":
        return MoneyType(currency=node.currency or "")
    return t.NULL if node.kind == "null" else t.SCALARS[node.kind]


def literal_for(type: t.AnyType, node: s.Literal) -> str | None:
    """How a literal of another type would be written as *type*: `85` as a percent is `85%`."""
    target = t.base(type).kind
    if target == "percent" and node.kind == "number" and abs(node.value) <= 1:
        return f"write `{write_percent(node.value)}`"  # a ratio is meant: 0.85 is 85%
    if node.kind in ("int", "number"):
        unit = {"percent": "%", "duration": "m", "size": "MB", "money": None}.get(target, "")
        if unit:
            return f"write `{node.text}{unit}`" + (
                " (or another unit)" if target in ("duration", "size") else ""
            )
        if target == "money":
            return f"write `{node.text} {t.base(type).currency}`"  # type: ignore[union-attr]
        if target == "version" and node.text.replace(".", "").isdigit():
            return f"write `v{node.text}{'.0' * (2 - node.text.count('.'))}`"
    if node.kind == "percent" and target in ("int", "number"):
        return f"write `{node.text.rstrip('%')}`, or convert with `percent(…)`"
    if node.kind == "string":
        text = str(node.value)
        readers = {"version": f"v{text.removeprefix('v')}", "date": text, "time": text}
        if target in readers:
            return f"write `{readers[target]}` without quotes"
        if target == "bool" and text in ("true", "false"):
            return f"write `{text}` without quotes"
        if target in ("int", "number", "percent", "duration", "size") and text[:1].isdigit():
            return f"write `{text}` without quotes"
    if node.kind == "date" and target == "time":
        return f"write `{node.text}T00:00Z`"
    return None


def check_bounds(bounds: s.Range, report: Report) -> bool:
    """Is the range of literals possible? Both ends of one type, the low one not above the high."""
    low, high = bounds.low, bounds.high
    if not isinstance(low, s.Literal) or not isinstance(high, s.Literal):
        return True
    if t.joined(literal_type(low), literal_type(high)) is None:
        report(
            codes.BAD_RANGE, bounds.span,
            f"the range goes from {t.describe(literal_type(low))} to "
            f"{t.describe(literal_type(high))}",
        )  # fmt: skip
        return False
    if low.value > high.value:
        report(
            codes.BAD_RANGE, bounds.span, "the range holds nothing: its low end is above its high",
            f"write `{high.text}..{low.text}`",
        )  # fmt: skip
        return False
    return True
