from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..rule import Place, Rule

_WORD = re.compile(r"[^\W_]+")
_ARTICLES = ("a", "an", "the")


class RepeatedId(Rule):
    """`criterion tests-pass "Tests pass"`."""

    code = Code(
        "GS410", "repeated-id", "lint", Severity.WARNING,
        "The description is what prompts, judges and verdicts show to people and models. One that "
        "only spells out the id tells them nothing that they did not have: say what shows that the "
        "part holds. Articles, case and punctuation make no difference, in English.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the login."
  criterion suite-passes "The suite passes."
    check suite.passed for 2 runs
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the login."
  criterion suite-passes "Every test passes, twice in a row"
    check suite.passed for 2 runs
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        if node.id is None or not isinstance(node.text, s.Literal):
            return
        text = str(node.text.value)
        if len(text) > 3 * len(node.id.text) + 20:  # too long to be the id and articles
            return
        if _words(text) == _words(node.id.text):
            yield self.finding(
                at, node.text.span, f"the description says no more than the id `{node.id.text}`",
                f"say what shows that the {node.kind} holds",
            )  # fmt: skip


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _ARTICLES]
