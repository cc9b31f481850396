from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Label, Severity
from ...ir.expressions import Expr
from ..rule import Place, Rule


class RepeatedCheck(Rule):
    """Two parts of one kind with the same clauses."""

    code = Code(
        "GS443", "repeated-check", "lint", Severity.WARNING,
        "Two parts that check the same are met and missed together, so that one of their "
        "descriptions is not checked at all. Often a part was copied, and its check was to be "
        "changed later. Delete one, or check what its description says.",
        """\
facts {
  suite.passed : bool
  lint.errors  : int in 0..
}

goal g {
  objective "Ship it."
  criterion green "The suite passes"
    check suite.passed
  criterion quiet "The linter finds nothing"
    check suite.passed
  constraint few-errors "Lint errors stay rare"
    check lint.errors < 20
}
""",
        """\
facts {
  suite.passed : bool
  lint.errors  : int in 0..
}

goal g {
  objective "Ship it."
  criterion green "The suite passes"
    check suite.passed
  criterion quiet "The linter finds nothing"
    check lint.errors == 0
}
""",
    )  # fmt: skip
    on = (s.Goal, s.Preset)

    def look(self, node: s.Goal | s.Preset, at: Place) -> Iterator[Diagnostic]:
        seen: dict[Hashable, s.Clause] = {}
        taken = _of_presets(node, at) if isinstance(node, s.Goal) else {}
        for part in node.parts:
            if not isinstance(part, s.Part) or (key := _key(part, at)) is None:
                continue
            check = part.clauses[-1]
            first = seen.setdefault(key, check)
            name = f"`{part.id.text}`" if part.id else f"the {part.kind}"
            hint = "delete one of the two, or check what its description says"
            if first is not check:
                yield self.finding(
                    at, check.expr.span, f"{name} checks what another {part.kind} checks already",
                    hint, labels=(Label(at.source, first.expr.span, "the first"),),
                )  # fmt: skip
            elif key in taken:
                yield self.finding(
                    at, check.expr.span,
                    f"{name} checks what `{taken[key]}`, a {part.kind} of a preset, checks already",
                    hint,
                )  # fmt: skip


def _key(part: s.Part, at: Place) -> Hashable | None:
    """What *part* says in its clauses, the `check` last; None where it has none."""
    if not part.clauses or part.clauses[-1].keyword != "check":
        return None
    said: dict[str, Expr] = {}
    for clause in part.clauses:
        meaning = at.meaning(clause.expr)
        if meaning is not None:
            said[clause.keyword] = meaning.ir
    return part.kind, said.get("when"), said.get("given"), said.get("check")


def _of_presets(goal: s.Goal, at: Place) -> dict[Hashable, str]:
    """The ids of the parts that *goal* takes from presets, by what their clauses say."""
    merged = at.merged(goal)
    if merged is None or not any(isinstance(part, s.PresetUse) for part in goal.parts):
        return {}
    own = Counter(part.kind for part in goal.parts if isinstance(part, s.Part))
    taken = {  # a goal's own come first
        "criterion": merged.criteria[own["criterion"] :],
        "constraint": merged.constraints[own["constraint"] :],
        "stop": merged.stops[own["stop"] :],
    }
    return {
        (kind, condition.when, condition.given, condition.check): condition.id
        for kind, conditions in taken.items()
        for condition in conditions
        if condition.check is not None
    }
