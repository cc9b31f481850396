from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..rule import Place, Rule


class IdleJudge(Rule):
    """A judge that has nothing to decide."""

    code = Code(
        "GS422", "idle-judge", "lint", Severity.WARNING,
        "The judge decides parts without a `check`, and every part of this goal has one, those of "
        "its presets included. The block suggests a second opinion that nobody will ever ask for. "
        "Delete it, or add the part that only a reader can decide.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the login."
  criterion green "Every test passes, twice in a row"
    check suite.passed for 2 runs
  judge { max_invocations 3 }
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the login."
  criterion green "Every test passes, twice in a row"
    check suite.passed for 2 runs
  criterion explained "The commit message explains the cause"
  judge { max_invocations 3 }
}
""",
    )  # fmt: skip
    on = (s.Judge,)

    def look(self, node: s.Judge, at: Place) -> Iterator[Diagnostic]:
        goal = at.merged(at.outer) if isinstance(at.outer, s.Goal) else None
        if goal is None:
            return
        if all(part.check for part in (*goal.criteria, *goal.constraints, *goal.stops)):
            yield self.finding(
                at, node.span, "every part of the goal has a check, so the judge decides nothing",
                "delete the block, or add the part that it shall decide",
            )  # fmt: skip
