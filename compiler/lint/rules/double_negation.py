from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ...context import ungrouped
from ..rule import Place, Rule

# What reads in one way wherever a `not …` may stand.
_CLOSED = (
    s.Path, s.Group, s.Call, s.FieldOf, s.Index, s.View, s.Compare, s.Member, s.TextTest, s.Not,
)  # fmt: skip


class DoubleNegation(Rule):
    """`not not x`, `not (not x)`."""

    code = Code(
        "GS438", "double-negation", "lint", Severity.WARNING,
        "Two negations cancel each other, for what is unknown too. Mostly one of them was left "
        "from an edit, and then the check says the opposite of what was meant: look twice before "
        "both are taken away.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion green "Every test passes"
    check not (not suite.passed)
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion green "Every test passes"
    check suite.passed
}
""",
    )  # fmt: skip
    on = (s.Not,)
    fix = "safe"

    def look(self, node: s.Not, at: Place) -> Iterator[Diagnostic]:
        second = ungrouped(node.inner)
        if not isinstance(second, s.Not) or _is_negated(at):
            return
        left = "{}" if isinstance(second.inner, _CLOSED) else "({})"
        title = f"write `{left.format(at.briefly(second.inner))}`"
        yield self.finding(
            at, node.span, f"`{at.briefly(node)}` negates twice",
            title, _fix(node, second, left.format(at.written(second.inner)), title, at),
        )  # fmt: skip


def _is_negated(at: Place) -> bool:
    """Is the node itself what another `not` negates?"""
    return isinstance(
        next(node for node in reversed(at.around) if not isinstance(node, s.Group)), s.Not
    )


def _fix(node: s.Not, second: s.Not, left: str, title: str, at: Place) -> Fix | None:
    """Write what is *left* without the two, unless a comment stands among them."""
    before = at.source.text[node.span.start : second.inner.span.start]
    after = at.source.text[second.inner.span.end : node.span.end]
    return None if "#" in before + after else Fix(title, (Edit(node.span, left),), safe=True)
