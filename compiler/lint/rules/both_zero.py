from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ...analysis import conjuncts, limit
from ...codegen import literal_value
from ...ir import expressions as ir
from ...kernel import COMPARISONS
from ...reads import facts_read
from ...resolve import Declared
from ..conjunctions import joined, momentary, of_the_moment
from ..rule import Place, Rule

_Facts = Mapping[str, Declared]


class BothZero(Rule):
    """`passed == total`, which 0 of 0 meets."""

    code = Code(
        "GS444", "both-zero", "lint", Severity.WARNING,
        "Two counts are equal too where both are 0: no test was collected, the folder was not "
        "there, the query failed and gave nothing. A criterion that rests on the equality alone is "
        "then met. Say how many there must be at least, beside it or as what `given` asks.",
        """\
facts {
  tests.passed : int in 0..
  tests.total  : int in 0..
}

goal g {
  objective "Ship it."
  criterion green "Every test passed"
    check tests.passed == tests.total
}
""",
        """\
facts {
  tests.passed : int in 0..
  tests.total  : int in 0..
}

goal g {
  objective "Ship it."
  criterion green "Every test passed"
    given tests.total > 0
    check tests.passed == tests.total
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        if node.kind != "criterion" or not node.clauses or node.clauses[-1].keyword != "check":
            return
        facts = at.checked.facts
        guarded = set().union(*(_guarded(expr, facts) for expr in _said(node, at)))
        for part in _parts(node.clauses[-1].expr):
            if not isinstance(part, s.Compare) or part.op != "==":
                continue
            meaning = at.meaning(part)
            if meaning is None or not isinstance(meaning.ir, ir.Compare):
                continue
            if not _are_counts(meaning.ir, facts):
                continue
            left, right = facts_read(meaning.ir.left), facts_read(meaning.ir.right)
            if left != right and guarded.isdisjoint(left | right):
                text = at.briefly(part)
                yield self.finding(
                    at, part.span, f"`{text}` holds too where both are 0",
                    f"say how many there must be: `{at.briefly(part.right)} > 0 and {text}`",
                )  # fmt: skip


def _parts(expr: s.Expr) -> Iterator[s.Expr]:
    """What *expr* joins, also under `for 2 runs` and the like."""
    for part in joined(expr):
        inner = of_the_moment(part)
        if inner is part:
            yield part
        else:
            yield from _parts(inner)


def _said(node: s.Part, at: Place) -> Iterator[ir.Expr]:
    """Whatever must be true for the part to be met."""
    waiting = [meaning.ir for c in node.clauses if (meaning := at.meaning(c.expr)) is not None]
    while waiting:
        for expr in conjuncts(waiting.pop()):
            inner = momentary(expr)
            if inner is expr:
                yield expr
            else:
                waiting.append(inner)


def _are_counts(node: ir.Compare, facts: _Facts) -> bool:
    return all(_is_count(side, facts) for side in (node.left, node.right))


def _is_count(expr: ir.Expr, facts: _Facts) -> bool:
    """May *expr* be 0, and is it never less?"""
    match momentary(expr):
        case ir.FactRead(name=name):
            declared = facts[name].fact
            low = declared.range.low if declared.range is not None else None
            return declared.type.kind == "int" and low is not None and literal_value(low) == 0
        case ir.Aggregate(op="count" | "streak" | "longest") | ir.Call(function="len"):
            return True
        case ir.Arithmetic(first=first, rest=rest):
            return all(step.op == "+" and _is_count(step.value, facts) for step in rest) and (
                _is_count(first, facts)
            )
        case _:
            return False


def _guarded(expr: ir.Expr, facts: _Facts) -> set[str]:
    """The facts of which *expr* says that there is something."""
    match expr:
        case ir.Quantifier(op="any" | "each", over=of) | ir.Member(of=of):
            return facts_read(of)
        case ir.Between(of=of, low=ir.Literal() as low):
            return facts_read(of) if _is_count(of, facts) and literal_value(low) > 0 else set()
        case ir.Compare(op="<" | ">" | "!=") if _are_counts(expr, facts):
            return facts_read(expr)
        case ir.Compare():
            found = limit(expr)
            if found is None or not _is_count(found[0], facts):
                return set()
            return set() if COMPARISONS[found[1]](0, found[2]) else facts_read(found[0])
        case _:
            return set()
