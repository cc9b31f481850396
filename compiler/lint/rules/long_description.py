from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..rule import Place, Rule

_MOST = 200


class LongDescription(Rule):
    """A description that is a paragraph."""

    code = Code(
        "GS447", "long-description", "lint", Severity.WARNING,
        "A description is what an agent, a judge and a verdict's table say of a part. One that "
        "takes a paragraph mostly holds several demands, and a check or a judge then decides about "
        "all of them with one word. Say each in a part of its own, and keep reasons in a comment.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Ship it."
  criterion green \"\"\"
    The suite passes, and whoever changes the storage layer runs the slow tests too, since they
    found the lost writes of last spring, and says in the pull request which of them were run and
    what came of it
    \"\"\"
    check suite.passed
}
""",
        """\
facts {
  suite.passed : bool
  slow.passed  : bool
}

goal g {
  objective "Ship it."
  criterion green "The suite passes"
    check suite.passed

  # They found the lost writes of last spring.
  criterion slow-green "The slow tests of the storage layer pass"
    check slow.passed
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        length = len(str(node.text.value)) if isinstance(node.text, s.Literal) else 0
        if length > _MOST:
            yield self.finding(
                at, node.text.span,
                f"the description has {length:,} characters, {_MOST} are enough for one demand",
                "say each demand in a part of its own, and reasons in a comment",
            )  # fmt: skip
