from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ...ir import expressions as ir
from ...reads import walk
from ..rule import Place, Rule


class NeverShown(Rule):
    """`always` over what the first observation cannot know."""

    code = Code(
        "GS448", "never-shown", "lint", Severity.ERROR,
        "`always P` holds where P held in every observation, the first one too. In the first one "
        "`at start` and `previous` have nothing to look back at, so P is unknown there, and that "
        "stays: the part can be broken and never be met, and the goal never be done. Without "
        "`always` it is looked at anew in every observation.",
        """\
facts {
  coverage.line : percent
}

goal g {
  objective "Tidy the tests."
  criterion covered "Line coverage is never below where it began"
    check always coverage.line >= coverage.line at start
}
""",
        """\
facts {
  coverage.line : percent
}

goal g {
  objective "Tidy the tests."
  criterion covered "Line coverage is not below where it began"
    check coverage.line >= coverage.line at start
}
""",
    )  # fmt: skip
    on = (s.History,)

    def look(self, node: s.History, at: Place) -> Iterator[Diagnostic]:
        meaning = at.meaning(node.inner)
        if node.op != "always" or meaning is None:
            return
        views = {r.view for r in walk(meaning.ir) if isinstance(r, ir.FactRead)}
        for view, words in (("start", "at start"), ("previous", "previous")):
            if view in views:
                yield self.finding(
                    at, node.span,
                    f"with `{words}` under `always`, the first observation is unknown for ever",
                    f"leave `always` out: `{at.written(node.inner)}`",
                )  # fmt: skip
                return
