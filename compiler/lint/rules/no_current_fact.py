from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ...ir import expressions as ir
from ...reads import walk
from ..rule import Place, Rule


class NoCurrentFact(Rule):
    """A clause that nothing can change during the run."""

    code = Code(
        "GS405", "no-current-fact", "lint", Severity.WARNING,
        "The check reads no fact as it is now, only literals or what stood `at start` or `at "
        "baseline`. Whatever the agent does, it comes out the same. Most often the view was meant "
        "for one side of a comparison only. A `when` or `given` over the start is let be, one that "
        "reads no fact at all decides nothing.",
        """\
facts {
  suite.total : int in 0..
}

goal g {
  objective "Ship it."
  criterion kept "No test was deleted"
    check suite.total at start >= 40
}
""",
        """\
facts {
  suite.total : int in 0..
}

goal g {
  objective "Ship it."
  criterion kept "No test was deleted"
    check suite.total >= suite.total at start
}
""",
    )  # fmt: skip
    on = (s.Clause,)

    def look(self, node: s.Clause, at: Place) -> Iterator[Diagnostic]:
        meaning = at.meaning(node.expr)
        if meaning is None or any(_moves(inner) for inner in walk(meaning.ir)):
            return
        reads = any(isinstance(inner, ir.FactRead) for inner in walk(meaning.ir))
        if node.keyword == "check" or not reads:
            yield self.finding(
                at, node.expr.span,
                f"this `{node.keyword}` reads no fact as it is now, so it comes out the same all "
                "through the run",
                "compare with the fact of the moment: `x >= x at start`"
                if reads else f"leave the `{node.keyword}` out, or read a fact",
            )  # fmt: skip


def _moves(node: ir.Expr) -> bool:
    """May the value of *node* itself change from one observation to the next?"""
    match node:
        case ir.FactRead(view=view):
            return view not in ("start", "baseline")
        case ir.Known():
            return True
        case ir.Call(function=function):
            return function in ("age", "past")  # the clock moves
        case _:
            return False
