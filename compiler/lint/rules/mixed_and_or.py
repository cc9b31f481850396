from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ..rule import Place, Rule


class MixedAndOr(Rule):
    """`a or b and c`."""

    code = Code(
        "GS409", "mixed-and-or", "lint", Severity.WARNING,
        "`and` binds tighter than `or`, and not every reviewer has that in mind at the moment that "
        "counts. Parentheses make the file say what it means to everybody.",
        """\
facts {
  ci.passed   : bool
  pr.hotfix   : bool lasting
  pr.approved : bool lasting
}

goal g {
  objective "Ship it."
  criterion ready "It may land"
    check pr.hotfix or ci.passed and pr.approved
}
""",
        """\
facts {
  ci.passed   : bool
  pr.hotfix   : bool lasting
  pr.approved : bool lasting
}

goal g {
  objective "Ship it."
  criterion ready "It may land"
    check pr.hotfix or (ci.passed and pr.approved)
}
""",
    )  # fmt: skip
    on = (s.Chain,)
    fix = "safe"

    def look(self, node: s.Chain, at: Place) -> Iterator[Diagnostic]:
        if node.op != "or":
            return
        for item in node.items:
            if isinstance(item, s.Chain):
                text = f"({at.written(item)})"
                yield self.finding(
                    at, item.span, "`and` beside `or` without parentheses",
                    f"write `{text}`", Fix("add parentheses", (Edit(item.span, text),), safe=True),
                )  # fmt: skip
