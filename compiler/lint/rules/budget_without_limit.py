from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ..rule import Place, Rule


class BudgetWithoutLimit(Rule):
    """`budget { }`."""

    code = Code(
        "GS407", "budget-without-limit", "lint", Severity.WARNING,
        "A budget without a key limits nothing, though whoever skims the file sees a budget. Write "
        "the limits that shall hold. If the run shall have none, leave the block out, so that the "
        "file says so.",
        """\
goal g {
  objective "Write the handbook."
  criterion written "A newcomer can install the program with it"
  budget { }
  judge { max_invocations 3 }
}
""",
        """\
goal g {
  objective "Write the handbook."
  criterion written "A newcomer can install the program with it"
  budget { cost 5.00 USD  turns 25 }
  judge { max_invocations 3 }
}
""",
    )  # fmt: skip
    on = (s.Budget,)

    def look(self, node: s.Budget, at: Place) -> Iterator[Diagnostic]:
        if not node.settings:
            what = "advisory budget" if node.advisory else "budget"
            yield self.finding(
                at, node.span, f"the {what} has no key, so it limits nothing",
                "write its limits, such as `cost 5.00 USD  turns 25  runtime 4h`, or leave it out",
            )  # fmt: skip
