from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...context import ungrouped
from ...ir.types import OptionalType
from ..rule import Place, Rule
from ..spans import may_hold_comment


class BoolComparison(Rule):
    """`x == true`, `x != false` and the like."""

    code = Code(
        "GS402", "bool-comparison", "lint", Severity.WARNING,
        "A truth compared with `true` is that truth. The shorter form reads as it is meant, and "
        "leaves no room for a comparison with a string that only looks like one.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion green "The suite passes"
    check suite.passed == true
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion green "The suite passes"
    check suite.passed
}
""",
    )  # fmt: skip
    on = (s.Compare,)
    fix = "safe"

    def look(self, node: s.Compare, at: Place) -> Iterator[Diagnostic]:
        if node.op not in ("==", "!="):
            return
        for side, other in ((node.left, node.right), (node.right, node.left)):
            literal = ungrouped(other)
            if isinstance(literal, s.Literal) and literal.kind == "bool":
                yield self._finding(node, side, holds=literal.value is (node.op == "=="), at=at)
                return

    def _finding(self, node: s.Compare, side: s.Expr, holds: bool, at: Place) -> Diagnostic:
        text = at.written(side)
        if not holds:
            text = f"not {text}" if _stands_alone(side) else f"not ({text})"
            if isinstance(at.outer, s.Compare | s.Member | s.TextTest | s.Runs | s.Held):
                text = f"({text})"
        meaning = at.meaning(side)
        safe = meaning is not None and not isinstance(meaning.type, OptionalType)
        around = (Span(node.span.start, side.span.start), Span(side.span.end, node.span.end))
        lost = any(may_hold_comment(at.source, span) for span in around)
        fix = None if lost else Fix(f"write `{text}`", (Edit(node.span, text),), safe)
        return self.finding(
            at, node.span, f"`{at.briefly(node)}` compares a truth with a truth", f"write `{text}`",
            fix,
        )  # fmt: skip


def _stands_alone(node: s.Expr) -> bool:
    return isinstance(node, s.Path | s.Group | s.Call | s.FieldOf | s.Index)
