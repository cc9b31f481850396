"""What declared ranges tell of a comparison before any fact is known (ruling 68)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .codegen import literal_value
from .ir import expressions as ir
from .ir.document import Fact


@dataclass(frozen=True)
class Interval:
    """Closed bounds of a value, None where it is open."""

    low: Any = None
    high: Any = None


def bounds(expr: ir.Expr, facts: Mapping[str, Fact]) -> Interval:
    """Between which values *expr* lies, as far as declarations and forms tell."""
    match expr:
        case ir.Literal() if expr.type not in ("null", "bool", "string", "path", "enum"):
            value = literal_value(expr)
            return Interval(value, value)
        case ir.FactRead(name=name) if name in facts and facts[name].range is not None:
            declared = facts[name].range
            assert declared is not None
            low, high = (
                literal_value(end) if end is not None else None
                for end in (declared.low, declared.high)
            )
            return Interval(low, high)
        case ir.Aggregate(op="share"):
            return Interval(Decimal(0), Decimal(1))
        case ir.Aggregate(op="count" | "streak" | "longest") | ir.Call(function="len"):
            return Interval(0)
        case ir.Call(function="age" | "abs"):
            return Interval(0)
        case ir.Named(of=of):
            return bounds(of, facts)
        case _:
            return Interval()


def decided(node: ir.Expr, facts: Mapping[str, Fact]) -> bool | None:
    """Does a range decide the comparison whatever the value? True, False, or None."""
    match node:
        case ir.Compare(op=op, left=left, right=right):
            return _decided(op, bounds(left, facts), bounds(right, facts))
        case ir.Between(of=of, low=low, high=high):
            value = bounds(of, facts)
            ends = [True if end is None else None for end in (low, high)]
            if low is not None:
                ends[0] = _decided(">=", value, bounds(low, facts))
            if high is not None:
                ends[1] = _decided("<=", value, bounds(high, facts))
            if False in ends:
                return False
            return True if ends == [True, True] else None
        case _:
            return None


def _decided(op: str, left: Interval, right: Interval) -> bool | None:
    match op:
        case "<" | "<=":
            return _decided({"<": ">", "<=": ">="}[op], right, left)
        case ">=":
            if _known(left.low, right.high) and left.low >= right.high:
                return True
            return False if _known(left.high, right.low) and left.high < right.low else None
        case ">":
            if _known(left.low, right.high) and left.low > right.high:
                return True
            return False if _known(left.high, right.low) and left.high <= right.low else None
        case _:
            apart = (_known(left.low, right.high) and left.low > right.high) or (
                _known(left.high, right.low) and left.high < right.low
            )
            return (op == "!=") if apart else None


def _known(*ends: Any) -> bool:
    return all(end is not None for end in ends)
