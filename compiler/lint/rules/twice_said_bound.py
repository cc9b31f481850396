from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Label, Severity
from ...analysis import conjuncts, limit
from ...codegen import literal_value
from ...ir import expressions as ir
from ...kernel import COMPARISONS
from ..conjunctions import joined
from ..rule import Place, Rule


@dataclass(frozen=True, slots=True)
class _Bound:
    """`x >= 3`: where it is written, and what it says of x."""

    node: s.Expr
    op: str
    value: Any


class TwiceSaidBound(Rule):
    """`x >= 3 and x >= 5`."""

    code = Code(
        "GS446", "twice-said-bound", "lint", Severity.WARNING,
        "Of two bounds in one `and`, the stricter one decides and the other says nothing. Perhaps "
        "a limit was raised and the old one left in place, or the second was to be about another "
        "fact, which then nothing checks.",
        """\
facts {
  coverage.line   : percent
  coverage.branch : percent
}

goal g {
  objective "Ship it."
  criterion covered "Lines and branches are covered"
    check coverage.line >= 85% and coverage.line >= 70% and coverage.branch < 100%
}
""",
        """\
facts {
  coverage.line   : percent
  coverage.branch : percent
}

goal g {
  objective "Ship it."
  criterion covered "Lines and branches are covered"
    check coverage.line >= 85% and coverage.branch >= 70%
}
""",
    )  # fmt: skip
    on = (s.Chain,)

    def look(self, node: s.Chain, at: Place) -> Iterator[Diagnostic]:
        if node.op != "and" or _is_part_of_another(at):
            return
        bounds: dict[ir.Expr, list[_Bound]] = {}
        for part in joined(node):
            meaning = at.meaning(part)
            if meaning is not None:
                for of, op, value in _limits(meaning.ir):
                    bounds.setdefault(of, []).append(_Bound(part, op, value))
        for found in bounds.values():
            if len(found) > 1:
                yield from self._implied(found, at)

    def _implied(self, bounds: list[_Bound], at: Place) -> Iterator[Diagnostic]:
        strictest = _strictest(bounds)
        for bound in bounds:
            other = next(
                (b for b in strictest if b.node is not bound.node and _implies(b, bound)), None
            )
            if other is not None:
                yield self.finding(
                    at, bound.node.span,
                    f"`{at.briefly(bound.node)}` says nothing beside `{at.briefly(other.node)}`",
                    "delete it, or correct one of the two",
                    labels=(Label(at.source, other.node.span, "this decides"),),
                )  # fmt: skip


def _is_part_of_another(at: Place) -> bool:
    outer = next(node for node in reversed(at.around) if not isinstance(node, s.Group))
    return isinstance(outer, s.Chain) and outer.op == "and"


def _limits(expr: ir.Expr) -> Iterator[tuple[ir.Expr, str, Any]]:
    for part in conjuncts(expr):
        if isinstance(part, ir.Between):
            if part.low is not None:
                yield part.of, ">=", literal_value(part.low)
            if part.high is not None:
                yield part.of, "<=", literal_value(part.high)
        elif (found := limit(part)) is not None:
            yield found


def _strictest(bounds: list[_Bound]) -> list[_Bound]:
    """The bounds that may imply others: an exact value, the highest low end, the lowest high one;
    of equal ones the first."""
    exact = [bound for bound in bounds if bound.op == "=="][:1]
    lows = [bound for bound in bounds if bound.op in (">", ">=")]
    highs = [bound for bound in bounds if bound.op in ("<", "<=")]
    low = [max(lows, key=lambda bound: (bound.value, bound.op == ">"))] if lows else []
    high = [min(highs, key=lambda bound: (bound.value, bound.op == "<="))] if highs else []
    return exact + low + high


def _implies(bound: _Bound, other: _Bound) -> bool:
    """Does *other* hold of every value for which *bound* does?"""
    if bound.op == "==":
        return bool(COMPARISONS[other.op](bound.value, other.value))
    beyond = COMPARISONS[bound.op[0]]  # `<` or `>`, strictly
    if beyond(bound.value, other.value):
        return other.op in (bound.op[0], bound.op[0] + "=", "!=")
    if bound.value != other.value:
        return False
    return other.op == bound.op or (len(bound.op) == 1 and other.op in (bound.op + "=", "!="))
