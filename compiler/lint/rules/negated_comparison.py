from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...context import ungrouped
from ..rule import Place, Rule

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class NegatedComparison(Rule):
    """`not (a < b)`, `not (x in xs)`."""

    code = Code(
        "GS437", "negated-comparison", "lint", Severity.WARNING,
        "Each comparison has an opposite of its own, and `in` has `not in`. A `not` around one is "
        "a detour for whoever reads it, and there a bound is easily missed: the opposite of `<` is "
        "`>=`, not `>`. What is unknown stays unknown in both spellings.",
        """\
facts {
  build.warnings : int in 0..
}

goal g {
  objective "Ship it."
  criterion quiet "The build prints less than ten warnings"
    check not (build.warnings >= 10)
}
""",
        """\
facts {
  build.warnings : int in 0..
}

goal g {
  objective "Ship it."
  criterion quiet "The build prints less than ten warnings"
    check build.warnings < 10
}
""",
    )  # fmt: skip
    on = (s.Not,)
    fix = "safe"

    def look(self, node: s.Not, at: Place) -> Iterator[Diagnostic]:
        inner = ungrouped(node.inner)
        left: s.Expr
        right: s.Expr | s.Range
        if isinstance(inner, s.Compare):
            if _has_truth(inner):  # bool-comparison's
                return
            left, right, opposite = inner.left, inner.right, _OPPOSITES[inner.op]
        elif isinstance(inner, s.Member):
            left, right, opposite = inner.item, inner.of, "in" if inner.negated else "not in"
        else:
            return
        between = Span(left.span.end, right.span.start)
        title = f"write `{at.briefly(left)} {opposite} {at.briefly(right)}`"
        yield self.finding(
            at, node.span, f"`{at.briefly(node)}` negates a comparison that has an opposite",
            title, _fix(node, inner, Edit(between, f" {opposite} "), title, at),
        )  # fmt: skip


def _has_truth(node: s.Compare) -> bool:
    sides = (ungrouped(node.left), ungrouped(node.right))
    return any(isinstance(side, s.Literal) and side.kind == "bool" for side in sides)


def _fix(node: s.Not, inner: s.Expr, operator: Edit, title: str, at: Place) -> Fix | None:
    """Turn the operator round and take `not` and its parentheses away, unless a comment stands
    among them."""
    before = Span(node.span.start, inner.span.start)
    after = Span(inner.span.end, node.span.end)
    text = at.source.text
    if any("#" in text[span.start : span.end] for span in (before, operator.span, after)):
        return None
    edits = (Edit(before, ""), operator, Edit(after, ""))
    return Fix(title, tuple(edit for edit in edits if edit.span.start < edit.span.end), safe=True)
