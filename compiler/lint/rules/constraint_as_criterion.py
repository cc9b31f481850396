from __future__ import annotations

import re
from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...ir import expressions as ir
from ..rule import Place, Rule

# What says of a sentence that it is about something that lasts.
_LASTING = re.compile(
    r"(?i)\b(?:always|cannot|keeps?|may|must|never|no|nobody|not|nothing|only|remains?|stays?|"
    r"still|unchanged|untouched|until|while|without)\b"
)
# States that something comes to, as `suite.passed` and `deploy.done` name them.
_REACHED = re.compile(r"(?:\w{2,}ed|complete|done|finished|gone|green|live|ready|shipped|up)")


class ConstraintAsCriterion(Rule):
    """A constraint that says when the goal is reached."""

    code = Code(
        "GS420", "constraint-as-criterion", "lint", Severity.WARNING,
        "No criterion of the goal has a check, and this constraint has one that reads like an end: "
        "a state that is reached. What must *become* true is a criterion: it is worked for, and "
        "counts for done. What must *stay* true is a constraint: it is violated from the start "
        "where it does not hold yet. Descriptions that speak of staying (English: *stay*, *never*, "
        "*not*) are let be.",
        """\
facts {
  rollout.state : "waiting" | "half" | "complete"
}

goal g {
  objective "Roll the new parser out."
  criterion explained "The release note says what changes for users"
  constraint rolled-out "Every region runs the new parser"
    check rollout.state == "complete"
  judge { max_invocations 3 }
}
""",
        """\
facts {
  rollout.state : "waiting" | "half" | "complete"
}

goal g {
  objective "Roll the new parser out."
  criterion explained "The release note says what changes for users"
  criterion rolled-out "Every region runs the new parser"
    check rollout.state == "complete"
  judge { max_invocations 3 }
}
""",
    )  # fmt: skip
    on = (s.File,)
    fix = "unsafe"

    def look(self, node: s.File, at: Place) -> Iterator[Diagnostic]:
        tested = {test.goal.text for test in node.statements if isinstance(test, s.Test)}
        for goal in node.statements:
            if not isinstance(goal, s.Goal):
                continue
            merged = at.merged(goal)
            if merged is None or any(criterion.check for criterion in merged.criteria):
                continue
            for part in goal.parts:
                if isinstance(part, s.Part) and part.kind == "constraint" and _is_end(part, at):
                    yield self._finding(part, goal.id.text in tested, at)

    def _finding(self, part: s.Part, tested: bool, at: Place) -> Diagnostic:
        keyword = Span(part.span.start, part.span.start + len("constraint"))
        fix = Fix("write `criterion`", (Edit(keyword, "criterion"),), safe=False)
        return self.finding(
            at, keyword, f"{f'`{part.id.text}`' if part.id else 'this'} is a state to be reached, "
            "and no criterion of the goal has a check",
            "write `criterion`: it must become true, not stay true",
            None if tested else fix,  # a test expects `held` of it, which no criterion is
        )  # fmt: skip


def _is_end(part: s.Part, at: Place) -> bool:
    if part.modifier or len(part.clauses) != 1 or not isinstance(part.text, s.Literal):
        return False
    clause = part.clauses[0]
    meaning = at.meaning(clause.expr)
    if clause.keyword != "check" or meaning is None or not _is_reached(meaning.ir):
        return False
    return _LASTING.search(str(part.text.value)) is None


def _is_reached(expr: ir.Expr) -> bool:
    match expr:
        case ir.Named(of=of) | ir.Runs(of=of) | ir.Held(of=of):
            return _is_reached(of)
        case ir.And(items=items):
            return all(_is_reached(item) for item in items)
        case ir.Compare(op="==", left=ir.FactRead(view="now"), right=ir.Literal(type="enum")):
            return True
        case ir.FactRead(name=name, view="now"):
            return _REACHED.fullmatch(name.rpartition(".")[2].rpartition("_")[2]) is not None
        case _:
            return False
