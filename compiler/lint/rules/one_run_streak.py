from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ..rule import Place, Rule
from ..spans import may_hold_comment, tail


class OneRunStreak(Rule):
    """`P for 1 run`."""

    code = Code(
        "GS404", "one-run-streak", "lint", Severity.WARNING,
        "A streak of one run is no streak: a flaky suite passes it by luck. Say how many runs in a "
        "row show that it is stable, or leave the form out. `for 1 run of x` is something else, "
        "the value at the last report of x, and is let be.",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the flaky login test."
  criterion stable "The suite passes"
    check suite.passed for 1 run
}
""",
        """\
facts {
  suite.passed : bool
}

goal g {
  objective "Mend the flaky login test."
  criterion stable "The suite passes twice in a row"
    check suite.passed for 2 runs
}
""",
    )  # fmt: skip
    on = (s.Runs,)
    fix = "unsafe"  # without it, reports of other facts count too

    def look(self, node: s.Runs, at: Place) -> Iterator[Diagnostic]:
        if not isinstance(node.count, s.Literal) or node.count.value != 1 or node.clock:
            return
        form = tail(at.source, node.inner, node)
        rest = Span(node.inner.span.end, node.span.end)
        fix = Fix(f"delete `{at.source.text[form.start : form.end]}`", (Edit(rest, ""),), False)
        yield self.finding(
            at, form, "one run is no streak",
            "write how many runs in a row there must be, `for 2 runs`, or leave it out",
            None if may_hold_comment(at.source, rest) else fix,
        )  # fmt: skip
