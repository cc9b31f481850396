from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ... import typing as t
from ...context import ungrouped
from ...ir import expressions as ir
from ...reads import walk
from ..rule import Place, Rule

_FLIPPED: dict[str, Literal[">=", ">"]] = {"<=": ">=", "<": ">"}
_KINDS = ("int", "number", "percent", "duration", "size", "money")
# Words of what may well lie below zero, so that zero is a threshold.
_SIGNED = frozenset(
    "balance budget change changes delta diff difference drift gain growth headroom left loss "
    "margin net offset overhead profit remaining saved savings score skew slack slope temperature "
    "trend variance".split()
)


class IdleThreshold(Rule):
    """`x >= 0` of what is never below zero."""

    code = Code(
        "GS414", "idle-threshold", "lint", Severity.WARNING,
        "Counts, times and sizes are not below zero, so the comparison holds whatever was "
        "measured. Compare with a real threshold, and declare the fact `in 0..`: then such a "
        "comparison is an error, and a negative value is refused as it enters. To ask whether it "
        "was measured at all, write `known(x)`. Facts with words such as `left`, `delta` or "
        "`balance` in their names are let be.",
        """\
facts {
  suite.failed : int
}

goal g {
  objective "Mend the login."
  criterion green "No test fails"
    check suite.failed >= 0
}
""",
        """\
facts {
  suite.failed : int in 0..
}

goal g {
  objective "Mend the login."
  criterion green "No test fails"
    check suite.failed == 0
}
""",
    )  # fmt: skip
    on = (s.Compare, s.Member)

    def look(self, node: s.Compare | s.Member, at: Place) -> Iterator[Diagnostic]:
        found = _from_zero(node)
        if found is None or _has_upper_bound(node, found[0], at):
            return
        side, zero = found
        meaning = at.meaning(side)
        if meaning is None or t.base(meaning.type).kind not in _KINDS:
            return
        if zero.value and t.base(meaning.type).kind != "int":  # `x > -1` is `x >= 0` of an int
            return
        value = meaning.ir.of if isinstance(meaning.ir, ir.Named) else meaning.ir
        if not _is_measured(value) or (meaning.type.kind != "size" and _may_be_negative(value, at)):
            return
        hint = "compare with a number that not every run reaches"
        if isinstance(value, ir.FactRead):
            start = "0" if zero.value else zero.text
            hint = f"declare `{value.name}` with `in {start}..`, and {hint}"
        yield self.finding(at, node.span, f"`{at.briefly(node)}` holds whatever was measured", hint)


def _from_zero(node: s.Compare | s.Member) -> tuple[s.Expr, s.Literal] | None:
    """The value that *node* asks to be zero or more, and the literal that says so."""
    if isinstance(node, s.Member):
        if isinstance(node.of, s.Range) and node.of.high is None and not node.negated:
            low = node.of.low
            return (node.item, low) if isinstance(low, s.Literal) and not low.value else None
        return None
    left, right = ungrouped(node.left), ungrouped(node.right)
    side, limit, op = left, right, node.op
    if op in _FLIPPED:
        side, limit, op = right, left, _FLIPPED[op]
    if not isinstance(limit, s.Literal) or limit.kind not in _KINDS:
        return None
    idle = (op == ">=" and not limit.value) or (op == ">" and limit.text == "-1")
    return (side, limit) if idle else None


def _has_upper_bound(node: s.Compare | s.Member, side: s.Expr, at: Place) -> bool:
    """Does another comparison beside it make it one end of a range?"""
    chain = at.outer
    if not isinstance(chain, s.Chain) or len(chain.items) > 10:
        return False
    text = at.written(side)
    return any(
        isinstance(item, s.Compare)
        and item is not node
        and text in (at.written(item.left), at.written(item.right))
        for item in map(ungrouped, chain.items)
    )


def _is_measured(value: ir.Expr) -> bool:
    aggregates = ("sum", "min", "max", "mean", "percentile")
    return isinstance(value, ir.FactRead | ir.FieldRead | ir.Index) or (
        isinstance(value, ir.Aggregate) and value.op in aggregates
    )


def _may_be_negative(value: ir.Expr, at: Place) -> bool:
    """Do ranges, names or descriptions speak of what may lie below zero?"""
    for node in walk(value):
        match node:
            case ir.Arithmetic() | ir.Negate():
                return True
            case ir.FactRead(name=name) if name in at.checked.facts:
                fact = at.checked.facts[name].fact
                described = fact.description or ""
                if fact.range is not None and fact.range.low is not None:
                    return True
                if "negative" in described or "below zero" in described or _is_signed(name):
                    return True
            case ir.FieldRead(name=name) if _is_signed(name):
                return True
    return False


def _is_signed(name: str) -> bool:
    return not _SIGNED.isdisjoint(name.lower().replace("_", ".").split("."))
