"""What can be told of a predicate before any fact is known.

Its cost (ruling 26), comparisons that a range decides (68), conditions that can never hold,
predicates that silence opens (14), and `??` that would hide an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..grammar import syntax as s
from . import codes
from . import typing as t
from .codegen import compile_predicate, join_sides, known_key, literal_value
from .context import Names, Report
from .ir import expressions as ir
from .ir.text import write_expression
from .ir.types import MAX_ELEMENTS, ListType, MapType, SetType, Type
from .kernel import COMPARISONS, Facts
from .reads import clock_facts, facts_read, walk

MAX_COST = 10_000_000
MAX_QUANTIFIERS = 2
_TEMPORAL = {ir.Runs, ir.Held, ir.History}
_COLLECTING = {ir.Quantifier, ir.Aggregate, ir.Member}  # what can cost more than it is long


def check_predicate(expr: ir.Expr, clause: s.Clause, names: Names, report: Report) -> None:
    """Report what is wrong with a whole predicate; *clause* is its place."""
    span = clause.expr.span
    kinds = {type(node) for node in walk(expr)}
    if ir.Named in kinds and misplaced(expr):
        report(
            codes.TEMPORAL_PLACE, span, "with its `let`s written out, a temporal form stands "
            "inside another, a quantifier, an aggregate or `??`",
            "it stands outside: `(all s in xs: s.ok) for 2m`",
        )  # fmt: skip
        return
    if kinds & _TEMPORAL and any(
        isinstance(node, ir.Runs | ir.Held | ir.History) and not clock_facts(node)
        for node in walk(expr)
    ):
        report(
            codes.NO_CLOCK, span, "the predicate reads no fact of the moment, so no observation "
            "counts for it", "leave the temporal form out, or name a clock: `for 2 runs of x`",
        )  # fmt: skip
        return
    if kinds & _COLLECTING and not _check_cost(expr, span, names, report):
        return
    if never(expr):
        report(
            codes.NEVER, span, f"this `{clause.keyword}` can never hold",
            "its parts contradict each other, or it is false as it stands",
        )  # fmt: skip
        return
    if clause.keyword == "when":
        return
    if silent(expr, names.facts) is True:
        report(
            codes.SILENCE, span, f"this `{clause.keyword}` holds when nothing at all is known",
            "say what must be known: `known(x) and …`, or leave `??` out"
            if facts_read(expr)
            else "it reads no fact; compare with one",
        )  # fmt: skip
        return
    if ir.Default not in kinds:
        return
    for leaf in _hiding(expr, names.facts, positive=True):
        report(
            codes.HIDDEN_ERROR, span, f"`{write_expression(leaf)}` may also hold where the fact "
            "could not be measured",
            "leave `??` out: unknown is never met; or test `known(x)` first",
        )  # fmt: skip


def misplaced(expr: ir.Expr, inside: bool = False) -> bool:
    """Does a temporal form stand where ruling 8 forbids it? Direct ones are reported by shape; what
    is left came through a `let`."""
    temporal = isinstance(expr, ir.Runs | ir.Held | ir.History)
    if temporal and inside:
        return True
    encloses = isinstance(expr, ir.Quantifier | ir.Aggregate | ir.Default)
    return any(misplaced(child, inside or temporal or encloses) for child in ir.children(expr))


# --- cost


def _check_cost(expr: ir.Expr, span: Any, names: Names, report: Report) -> bool:
    depth = quantifier_depth(expr)
    if depth > MAX_QUANTIFIERS:
        report(
            codes.TOO_COSTLY, span, f"quantifiers nest {depth} deep over facts, {MAX_QUANTIFIERS} "
            "is the most", "let the host supply the joined fact, or split the predicate",
        )  # fmt: skip
        return False
    total = cost(expr, t.Scope(names.facts, {}))
    if total > MAX_COST:
        report(
            codes.TOO_COSTLY, span, f"the predicate may cost {total:,} steps, {MAX_COST:,} is the "
            "most", "lower the caps of its collections: `list max 100 of …`",
        )  # fmt: skip
        return False
    return True


def quantifier_depth(expr: ir.Expr) -> int:
    inner = max((quantifier_depth(child) for child in ir.children(expr)), default=0)
    quantifies = isinstance(expr, ir.Quantifier) or (
        isinstance(expr, ir.Aggregate) and expr.var is not None
    )
    return inner + 1 if quantifies and not isinstance(expr.over, ir.ListOf) else inner  # type: ignore[union-attr]


def cost(expr: ir.Expr, scope: t.Scope) -> int:
    """An upper bound of the steps of one evaluation: the sum of the products of the caps."""
    match expr:
        case ir.Quantifier(over=over, var=var):
            inner = scope.bind(var, t.element(t.infer(over, scope)))
            if join_sides(expr, scope) is not None:  # one look into an index
                return 1 + cost(over, scope)
            where = 0 if expr.where is None else cost(expr.where, inner)
            return cost(over, scope) + cap(over, scope) * (where + cost(expr.body, inner))
        case ir.Aggregate(over=over, var=var) if var is not None:
            inner = scope.bind(var, t.element(t.infer(over, scope)))
            parts = [part for part in (expr.where, expr.value) if part is not None]
            each = sum(cost(part, inner) for part in parts) or 1
            return cost(over, scope) + cap(over, scope) * each
        case ir.Aggregate(over=over):
            return cost(over, scope) + cap(over, scope)
        case ir.Member(of=of) if isinstance(t.base(t.infer(of, scope)), ListType):
            return 1 + cap(of, scope)
        case ir.And() | ir.Or() | ir.Not() | ir.Named() | ir.Default():
            return sum(cost(child, scope) for child in ir.children(expr))
        case ir.Compare() | ir.Between() | ir.Like() | ir.Matches() | ir.Contains():
            inside = sum(cost(child, scope) - 1 for child in ir.children(expr))
            return 1 + max(0, inside)
        case _:
            return max(1, sum(cost(child, scope) for child in ir.children(expr)))


def cap(over: ir.Expr, scope: t.Scope) -> int:
    """How many elements a collection may have."""
    if isinstance(over, ir.ListOf):
        return len(over.items)
    type = t.base(t.infer(over, scope))
    if isinstance(type, ListType | SetType | MapType) and type.max is not None:
        return type.max
    return MAX_ELEMENTS


# --- contradictions


def never(expr: ir.Expr) -> bool:
    """Can *expr* certainly never hold, since its parts contradict each other?"""
    match expr:
        case ir.Literal(value=False) | ir.Not(of=ir.Literal(value=True)):
            return True
        case ir.Named(of=of):
            return never(of)
        case ir.Or(items=items):
            return all(never(item) for item in items)
        case ir.And():
            parts = conjuncts(expr)
            return any(never(part) for part in parts) or _contradict(parts)
        case _:
            return False


def conjuncts(expr: ir.Expr) -> list[ir.Expr]:
    """What *expr* joins by `and`, the `let`s written out."""
    if isinstance(expr, ir.Named):
        return conjuncts(expr.of)
    if isinstance(expr, ir.And):
        return [part for item in expr.items for part in conjuncts(item)]
    return [expr]


def _contradict(items: list[ir.Expr]) -> bool:
    plain = set(items)
    if any(isinstance(item, ir.Not) and item.of in plain for item in items) or _opposed(items):
        return True
    limits: dict[ir.Expr, list[tuple[str, Any]]] = {}
    for item in items:
        found = limit(item)
        if found is not None:
            limits.setdefault(found[0], []).append(found[1:])
    return any(not _satisfiable(values) for values in limits.values())


# How a comparison reads from its other side.
MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SIGNS = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def _opposed(items: list[ir.Expr]) -> bool:
    """Is a pair of operands compared in ways of which no order of the two is left?"""
    left: dict[tuple[ir.Expr, ir.Expr], set[str]] = {}
    for item in items:
        if isinstance(item, ir.Compare):
            pair, op = (item.left, item.right), item.op
            if pair[::-1] in left:
                pair, op = pair[::-1], MIRRORED[op]  # type: ignore[assignment]
            left[pair] = left.get(pair, set("<=>")) & set(_SIGNS[op])
    return not all(left.values())


def limit(item: ir.Expr) -> tuple[ir.Expr, str, Any] | None:
    """`x >= 3` as (x, ">=", 3)."""
    if not isinstance(item, ir.Compare):
        return None
    left, op, right = item.left, item.op, item.right
    if isinstance(left, ir.Literal):
        left, right = right, left
        op = MIRRORED[op]  # type: ignore[assignment]
    if not isinstance(right, ir.Literal) or right.type == "null" or isinstance(left, ir.Literal):
        return None
    if right.type == "enum" and op not in ("==", "!="):
        return None
    return left, op, literal_value(right)


def _satisfiable(limits: list[tuple[str, Any]]) -> bool:
    equal = [value for op, value in limits if op == "=="]
    if equal:
        return all(_test(equal[0], op, value) for op, value in limits)
    lows = [(value, op == ">") for op, value in limits if op in (">", ">=")]
    highs = [(value, op == "<") for op, value in limits if op in ("<", "<=")]
    if not lows or not highs:
        return True
    low, high = max(lows), min(highs, key=lambda end: (end[0], not end[1]))
    return bool(low[0] < high[0] or (low[0] == high[0] and not low[1] and not high[1]))


def _test(value: Any, op: str, other: Any) -> bool:
    return bool(COMPARISONS[op](value, other))


# --- silence


def silent(expr: ir.Expr, facts: Mapping[str, Type]) -> bool | None:
    """What *expr* is while every fact is unknown; None is unknown."""
    match expr:
        case ir.Named(of=of):
            return silent(of, facts)
        case ir.Not(of=of):
            inner = silent(of, facts)
            return None if inner is None else not inner
        case ir.And(items=items):
            values = {silent(item, facts) for item in items}
            return False if False in values else None if None in values else True
        case ir.Or(items=items):
            values = {silent(item, facts) for item in items}
            return True if True in values else None if None in values else False
        case _:
            return _silent_leaf(expr, facts)


def _silent_leaf(expr: ir.Expr, facts: Mapping[str, Type]) -> bool | None:
    nodes = list(walk(expr))
    if any(isinstance(node, ir.Runs | ir.Held | ir.History) for node in nodes):
        return None
    reads = any(isinstance(node, ir.FactRead) for node in nodes)
    known = [node.name for node in nodes if isinstance(node, ir.Known)]
    if reads and not known and not any(isinstance(node, ir.Default) for node in nodes):
        return None
    nothing = Facts({known_key(name): False for name in known})
    value = compile_predicate(expr, dict(facts)).decide(nothing)
    return value if isinstance(value, bool) else None


def _hiding(
    expr: ir.Expr, facts: Mapping[str, Type], positive: bool, known: frozenset[str] = frozenset()
) -> list[ir.Expr]:
    """The leaves that a `??` may let pass though its fact could not be measured; *known* are the
    facts that a `known(…)` beside it vouches for."""
    match expr:
        case ir.Named(of=of):
            return _hiding(of, facts, positive, known)
        case ir.Not(of=of):
            return _hiding(of, facts, not positive, known)
        case ir.And(items=items) | ir.Or(items=items):
            if isinstance(expr, ir.And) is positive:
                known |= {item.name for item in items if isinstance(item, ir.Known)}
            return [leaf for item in items for leaf in _hiding(item, facts, positive, known)]
        case ir.Runs(of=of) | ir.Held(of=of) | ir.History(of=of):
            return _hiding(of, facts, positive, known)
    defaults = [node.of for node in walk(expr) if isinstance(node, ir.Default)]
    if all(facts_read(of) and facts_read(of) <= known for of in defaults):
        return []
    closed = _silent_leaf(expr, facts) is (not positive)  # the fallback fails: it hides nothing
    return [] if closed else [expr]
