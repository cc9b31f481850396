from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Label, Severity
from ....grammar.source import Span
from ....grammar.walk import children
from ...analysis import MIRRORED
from ...context import ungrouped
from ..prose import Prose, Quantity, quantities
from ..rule import Place, Rule

_NEIGHBORS = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}


class BoundDiffers(Rule):
    """`above 80%` in the description, `>= 80%` in the check."""

    code = Code(
        "GS431", "bound-differs", "lint", Severity.WARNING,
        "The description and the check disagree about the number itself: `above 80%` leaves 80% "
        "out, `>= 80%` does not. A judge, an agent and a reviewer read the one, the verdict "
        "follows the other, and they part exactly where it is close. Say the same in both. The "
        "words that this rule reads are English.",
        """\
facts {
  coverage.line : percent
}

goal g {
  objective "Ship it."
  criterion covered "Line coverage is above 80%"
    check coverage.line >= 80%
}
""",
        """\
facts {
  coverage.line : percent
}

goal g {
  objective "Ship it."
  criterion covered "Line coverage is at least 80%"
    check coverage.line >= 80%
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        check = next((c.expr for c in node.clauses if c.keyword == "check"), None)
        if check is None or not isinstance(node.text, s.Literal):
            return
        prose = Prose(node.text, at.source)
        bounded = [quantity for quantity in quantities(prose.text) if quantity.bound]
        if not bounded:
            return
        written: dict[tuple[str, Any], dict[str, s.Compare]] = {}
        for compare, op, literal in _comparisons(check):
            written.setdefault(_key(literal), {}).setdefault(op, compare)
        for quantity in bounded:
            found = _merged(written, quantity)
            assert quantity.bound is not None
            other = found.get(_NEIGHBORS[quantity.bound])
            if other is not None and quantity.bound not in found:
                yield self._finding(quantity, other, prose, at)

    def _finding(
        self, quantity: Quantity, compare: s.Compare, prose: Prose, at: Place
    ) -> Diagnostic:
        op = _NEIGHBORS[compare.op]
        text = f"{at.briefly(compare.left)} {op} {at.briefly(compare.right)}"
        return self.finding(
            at, _operator(compare, at),
            f"the description says `{quantity.phrase}`, and the check `{at.briefly(compare)}`",
            f"write `{text}`, or change the description",
            labels=(
                Label(at.source, prose.span(quantity.start, quantity.end), "the description"),
            ),
        )  # fmt: skip


def _comparisons(expr: s.Expr) -> Iterator[tuple[s.Compare, str, s.Literal]]:
    """Each comparison by order with a literal, as if the literal stood on the right; those that a
    negation, a filter or `none` may turn round are left out."""
    waiting: list[Any] = [expr]
    while waiting:
        node = waiting.pop()
        match node:
            case s.Not() | s.Quantifier(op="none"):
                continue
            case s.Quantifier(body=body):
                waiting.append(body)
                continue
            case s.Argument(value=value):
                waiting.append(value)
                continue
            case s.Compare(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
                first, second = ungrouped(left), ungrouped(right)
                if isinstance(second, s.Literal):
                    yield node, op, second
                elif isinstance(first, s.Literal):
                    yield node, MIRRORED[op], first
        waiting.extend(children(node))


def _key(literal: s.Literal) -> tuple[str, Any]:
    bare = literal.kind in ("int", "number")
    return "count" if bare else literal.kind, literal.value


def _merged(
    written: dict[tuple[str, Any], dict[str, s.Compare]], quantity: Quantity
) -> dict[str, s.Compare]:
    """The comparisons with *quantity*, as it is and as a bare number (`80` for 80 points)."""
    return {
        **written.get(("count", quantity.number), {}),
        **written.get((quantity.kind, quantity.value), {}),
    }


def _operator(compare: s.Compare, at: Place) -> Span:
    gap = at.source.text[compare.left.span.end : compare.right.span.start]
    start = compare.left.span.end + gap.index(compare.op)
    return Span(start, start + len(compare.op))
