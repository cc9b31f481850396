from __future__ import annotations

from collections.abc import Iterator

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Edit, Fix, Severity
from ....grammar.source import Span
from ...ir import expressions as ir
from ..rule import Place, Rule


class VacuousCriterion(Rule):
    """A criterion that `all` or `none` of nothing would meet."""

    code = Code(
        "GS403", "vacuous-criterion", "lint", Severity.ERROR,
        "`all` and `none` of nothing are true. A criterion that rests on that alone is met by a "
        "report without a single entry: no test collected, no file found, no owner named. `each` "
        "is `all`, but of nothing it is unknown; or say how many there must be: "
        "`count(xs) >= 1 and (all x in xs: …)`. Where an empty list is the good news, of findings "
        "for example, `count(x in xs where …) == 0` says so, and is left alone; ask with `given` "
        "that somebody looked.",
        """\
facts {
  services : list of { name: string, healthy: bool }
}

goal g {
  objective "Bring every service back."
  criterion healthy "Every service is healthy"
    check all s in services: s.healthy
}
""",
        """\
facts {
  services : list of { name: string, healthy: bool }
}

goal g {
  objective "Bring every service back."
  criterion healthy "Every service is healthy"
    check each s in services: s.healthy
}
""",
    )  # fmt: skip
    on = (s.Part,)
    fix = "unsafe"

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        if node.kind != "criterion":
            return
        clauses = {clause.keyword: clause for clause in node.clauses}
        check = clauses.get("check")
        if check is None or any(
            _of_nothing(meaning.ir) is False
            for clause in node.clauses
            if clause is not check and (meaning := at.meaning(clause.expr)) is not None
        ):
            return
        meaning = at.meaning(check.expr)
        if meaning is None or _of_nothing(meaning.ir) is not True:
            return
        quantifiers = [q for q in _open(check.expr) if q.op in ("all", "none")]
        span = quantifiers[0].span if quantifiers else check.expr.span
        yield self.finding(
            at, span, "the criterion is met where there is nothing to look at",
            _HINTS[quantifiers[0].op if quantifiers else "all"],
            _fix(quantifiers[0], at) if len(quantifiers) == 1 else None,
        )  # fmt: skip


_HINTS = {
    "all": "write `each` for `all`, or say how many there must be: `count(…) >= 1 and (…)`",
    "none": "write `each … : not (…)`, or, where nothing is what you want to see, "
    "`count(… where …) == 0`",
}


def _of_nothing(expr: ir.Expr) -> bool | None:
    """What *expr* is where every collection is empty and nothing else is known."""
    match expr:
        case ir.Quantifier(op=op, over=over) if not isinstance(over, ir.ListOf):
            return {"all": True, "none": True, "any": False, "each": None}[op]
        case ir.Named(of=of) | ir.Runs(of=of) | ir.Held(of=of) | ir.History(of=of):
            return _of_nothing(of)
        case ir.Not(of=of):
            inner = _of_nothing(of)
            return None if inner is None else not inner
        case ir.And(items=items):
            values = {_of_nothing(item) for item in items}
            return False if False in values else None if None in values else True
        case ir.Or(items=items):
            values = {_of_nothing(item) for item in items}
            return True if True in values else None if None in values else False
        case ir.Compare(op=op, left=left, right=right):
            return _counted(op, left, right)
        case _:
            return None


def _counted(op: str, left: ir.Expr, right: ir.Expr) -> bool | None:
    """A comparison of a count, or a length, with a number: of nothing it is 0. Where that is
    enough, the author said so: no open blocker is what `count(blockers) == 0` asks for."""
    from ...kernel import COMPARISONS

    sides = [_number(side) for side in (left, right)]
    if None in sides or not any(isinstance(side, ir.Aggregate) for side in (left, right)):
        return None
    return None if COMPARISONS[op](*sides) else False


def _number(side: ir.Expr) -> int | None:
    match side:
        case ir.Aggregate(op="count" | "streak" | "longest"):
            return 0
        case ir.Literal(type="int", value=int() as value):
            return value
        case _:
            return None


def _open(expr: s.Expr) -> Iterator[s.Quantifier]:
    """The quantifiers that the predicate joins, none inside another."""
    match expr:
        case s.Quantifier():
            yield expr
        case s.Chain(items=items):
            for item in items:
                yield from _open(item)
        case s.Group(inner=inner) | s.Runs(inner=inner) | s.Held(inner=inner):
            yield from _open(inner)
        case s.History(inner=inner):
            yield from _open(inner)


def _fix(node: s.Quantifier, at: Place) -> Fix:
    word = Edit(Span(node.span.start, node.span.start + len(node.op)), "each")
    if node.op == "all":
        return Fix("write `each`", (word,), safe=False)
    body = Edit(node.body.span, f"not ({at.written(node.body)})")
    return Fix("write `each … : not (…)`", (word, body), safe=False)
