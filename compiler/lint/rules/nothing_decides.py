from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ....grammar.source import Span
from ...ir import document as ir
from ..rule import Place, Rule


class NothingDecides(Rule):
    """A part without a check, in a goal without a judge."""

    code = Code(
        "GS401", "nothing-decides", "lint", Severity.ERROR,
        "A part without a `check` is left to the judge, and this goal has none: neither its own "
        "`judge { … }` nor one of a preset. Nothing will ever decide the part. A criterion or a "
        "constraint of that kind keeps the goal open for ever, and a stop never fires.",
        """\
goal g {
  objective "Mend the login."
  criterion explained "The commit message explains the cause"
}
""",
        """\
goal g {
  objective "Mend the login."
  criterion explained "The commit message explains the cause"
  judge { max_invocations 3 }
}
""",
    )  # fmt: skip
    on = (s.Goal,)

    def look(self, node: s.Goal, at: Place) -> Iterator[Diagnostic]:
        goal = at.merged(node)
        if goal is None or goal.judge is not None:
            return
        conditions: dict[str, tuple[ir.Condition, ...]] = {
            "criterion": goal.criteria, "constraint": goal.constraints, "stop": goal.stops,
        }  # fmt: skip
        own = [part for part in node.parts if isinstance(part, s.Part)]
        for kind, merged in conditions.items():
            places = [(part.id or part.text).span for part in own if part.kind == kind]
            for number, condition in enumerate(merged):  # a goal's own parts come first
                if condition.check is None:
                    inherited = number >= len(places)
                    place = node.id.span if inherited else places[number]
                    yield self._finding(kind, condition.id, inherited, place, at)

    def _finding(self, kind: str, id: str, inherited: bool, place: Span, at: Place) -> Diagnostic:
        whose = f"the {kind} `{id}`" + (", which a preset brings" if inherited else "")
        return self.finding(
            at, place, f"nothing decides {whose}: it has no check, and the goal has no judge",
            "add `judge { max_invocations 3 }` to the goal"
            + ("" if inherited else f", or give the {kind} a `check`"),
        )  # fmt: skip
