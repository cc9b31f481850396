from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ...context import ungrouped
from ..rule import Place, Rule


class EscapedPattern(Rule):
    """`matches "\\\\d+"` where `matches r"\\d+"` says the same."""

    code = Code(
        "GS445", "escaped-pattern", "lint", Severity.WARNING,
        "In a string with escapes each backslash of a regular expression is written twice, and a "
        "reader has to halve them to see the pattern. `r\"…\"` has no escapes: what stands there "
        "is the pattern, as people know it from other tools.",
        """\
facts {
  pr.title : string lasting
}

goal g {
  objective "Ship it."
  criterion titled "The title begins with the ticket's key"
    check pr.title matches "^[A-Z]+-\\\\d+\\\\b"
}
""",
        """\
facts {
  pr.title : string lasting
}

goal g {
  objective "Ship it."
  criterion titled "The title begins with the ticket's key"
    check pr.title matches r"^[A-Z]+-\\d+\\b"
}
""",
    )  # fmt: skip
    on = (s.TextTest,)
    fix = "safe"

    def look(self, node: s.TextTest, at: Place) -> Iterator[Diagnostic]:
        if node.op != "matches":
            return
        right = ungrouped(node.right)
        for item in right.items if isinstance(right, s.ListLiteral) else [right]:
            pattern = ungrouped(item)
            if isinstance(pattern, s.Literal) and _is_doubled(at.written(pattern)):
                text = f'r"{pattern.value}"'
                yield self.finding(
                    at, pattern.span, "the pattern's backslashes are written twice",
                    f"write `{text}`", _fix(pattern, text, at),
                )  # fmt: skip


def _is_doubled(token: str) -> bool:
    """Does the string have backslashes, and no other escape?"""
    bare = token.replace(r"\\", "")
    return bare != token and "\\" not in bare and not token.startswith(('r"', '"""'))


def _fix(pattern: s.Literal, text: str, at: Place) -> Fix:
    before = at.source.text[pattern.span.start - 1]
    gap = " " if before.isalnum() else ""  # `matches"…"`: the r would join the word
    return Fix(f"write `{text}`", (Edit(pattern.span, gap + text),), safe=True)
