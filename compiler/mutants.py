"""Mutants: a part of a goal with one small change of what it means, such as an author makes by a
slip of the hand. Tests that are worth something notice them.

Each kind of expression has its changes; a change keeps the types right and is made in one place
only. Left out is what the compiler would refuse, what only spells the same in another way (`n < 3`
is `n <= 2` among whole numbers), and all beyond MOST of one predicate.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeVar
from typing import Literal as Choice

from . import typing as t
from .analysis import MIRRORED, never, silent
from .ir import expressions as ir
from .ir.document import Condition, Fact
from .ir.node import Node
from .ir.text import write_expression
from .ir.types import EnumType, Type
from .literal_steps import discrete, rescaled, stepped
from .patterns import PatternError, compile_regex
from .ranges import decided
from .reads import clock_facts, walk

MOST: Final = 40

Clause = Choice["when", "given", "check"]
_CLAUSES: Final[tuple[Clause, ...]] = ("when", "given", "check")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A *condition* in which one *clause*, that was *before*, is *after* (None: it is left out).
    *what* says the change in words. Names of `let` around the change are written out."""

    condition: Condition
    clause: Clause
    what: str
    before: ir.Expr
    after: ir.Expr | None


def mutants_of(condition: Condition, facts: Mapping[str, Fact]) -> tuple[list[Mutant], int]:
    """The mutants of a part, in the order of its text, and how many more there would be."""
    found: list[Mutant] = []
    more = 0
    for clause in _CLAUSES:
        expr: ir.Expr | None = getattr(condition, clause)
        if expr is None:
            continue
        if clause != "check":
            without = _with(condition, **{clause: None})
            found.append(Mutant(without, clause, f"`{clause}` is left out", expr, None))
        changes = list(_good_changes(expr, clause, facts))
        for change in _spread(changes, MOST):
            changed = _with(condition, **{clause: change.after})
            found.append(Mutant(changed, clause, change.what, change.before, change.after))
        more += max(0, len(changes) - MOST)
    return found, more


def predicates_of(condition: Condition) -> Iterator[ir.Expr]:
    """What the clauses of a part say."""
    for clause in _CLAUSES:
        expr: ir.Expr | None = getattr(condition, clause)
        if expr is not None:
            yield expr


class Change(NamedTuple):
    """What is changed, and the expression before and after."""

    what: str
    before: ir.Expr
    after: ir.Expr


_Item = TypeVar("_Item")


def _spread(items: list[_Item], most: int) -> list[_Item]:
    """At most so many of *items*, from all over them."""
    if len(items) <= most:
        return items
    return [items[place * len(items) // most] for place in range(most)]


def _good_changes(expr: ir.Expr, clause: Clause, facts: Mapping[str, Fact]) -> Iterator[Change]:
    """The changes of a predicate that the compiler accepts, each once."""
    types = {name: fact.type for name, fact in facts.items()}
    seen: set[ir.Expr] = set()
    for change in _changes(expr, t.Scope(types, {}), truth=True):
        if change.after == change.before or change.after in seen:
            continue
        seen.add(change.after)
        if not _is_refused(change.after, clause, facts, types):
            yield change


def _is_refused(
    expr: ir.Expr, clause: Clause, facts: Mapping[str, Fact], types: Mapping[str, Type]
) -> bool:
    """Would the compiler refuse this predicate, since facts cannot change what it comes to?"""
    if never(expr):
        return True
    for node in walk(expr):
        if isinstance(node, ir.Runs | ir.Held | ir.History) and not clock_facts(node):
            return True
        if decided(node, facts) is not None:
            return True
    return clause != "when" and silent(expr, types) is True


# --- where a change is made

_TRUTHS: Final = (ir.And, ir.Or, ir.Quantifier, ir.Runs, ir.Held, ir.History)
_CONDITIONED: Final = ("streak", "longest", "share")


def _changes(node: Any, scope: t.Scope, truth: bool) -> Iterator[Change]:
    """The changes of *node* and inside it; *truth* says whether a predicate stands here."""
    if isinstance(node, ir.Named):
        yield from _changes(node.of, scope, truth)
        return
    for what, after in _CHANGES.get(type(node), _no_changes)(node, scope):
        yield Change(what, node, after)
    if truth and _is_test(node, scope):
        yield Change(f"`{write_expression(node)}` is negated", node, ir.Not(of=node))
    for field, inner, put in _parts(node):
        inside = _scope_of(node, field, scope)
        for change in _changes(inner, inside, _is_truth(node, field, truth)):
            yield Change(change.what, put(change.before), put(change.after))


def _parts(node: Node) -> Iterator[tuple[str, Any, Callable[[Any], Any]]]:
    """What stands directly inside *node*: its field, itself, and how to put another in its place.
    The literals beside a comparison or in a list have the changes of what they stand in."""
    for field in node.field_names:
        value = getattr(node, field)
        if isinstance(value, Node):
            if not (isinstance(value, ir.Literal) and isinstance(node, ir.Compare | ir.Between)):
                yield field, value, _putting(node, field)
        elif isinstance(value, tuple) and not isinstance(node, ir.ListOf):
            for place, item in enumerate(value):
                if isinstance(item, Node):
                    yield field, item, _putting_at(node, field, value, place)


def _putting(node: Any, field: str) -> Callable[[Any], Any]:
    return lambda new: _with(node, **{field: new})


def _putting_at(
    node: Any, field: str, items: tuple[Any, ...], place: int
) -> Callable[[Any], Any]:  # fmt: skip
    return lambda new: _with(node, **{field: (*items[:place], new, *items[place + 1 :])})


def _scope_of(node: Any, field: str, scope: t.Scope) -> t.Scope:
    if isinstance(node, ir.Quantifier | ir.Aggregate) and node.var and field != "over":
        return scope.bind(node.var, t.element(t.infer(node.over, scope)))
    return scope


def _is_truth(node: Any, field: str, truth: bool) -> bool:
    """Does a predicate stand in that field of *node*?"""
    if field == "where":
        return True
    if isinstance(node, ir.Aggregate):
        return field == "value" and node.op in _CONDITIONED
    return isinstance(node, _TRUTHS) and field != "over"


def _is_test(node: Any, scope: t.Scope) -> bool:
    """Is *node* a predicate that has no other form for its opposite?"""
    if isinstance(node, ir.FactRead | ir.FieldRead | ir.Index | ir.Variable):
        return t.base(t.infer(node, scope)).kind == "bool"
    if isinstance(node, ir.Call):
        return node.function == "past"
    tests = (ir.Known, ir.Member, ir.Like, ir.Matches, ir.Contains, ir.Between, ir.HostCheck)
    return isinstance(node, tests)


# --- the changes of each kind of expression

_Made = Iterator[tuple[str, Any]]


def _with(node: Any, **changes: Any) -> Any:
    """*node* with other values of some fields, whose types no checker can follow by their names."""
    return replace(node, **changes)


def _no_changes(node: Any, scope: t.Scope) -> _Made:
    return iter(())


def _runs_of(count: int) -> str:
    return f"{count} run" if count == 1 else f"{count} runs"


def _becomes(before: str, after: str) -> str:
    return f"`{before}` becomes `{after}`"


def _left_out(text: str) -> str:
    return f"`{text}` is left out"


_FLIPPED: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
# The step of the bound to which flipping such a comparison of whole values comes down.
_FLIPS_TO: Final = {"<": 1, "<=": -1, ">": -1, ">=": 1}


def _compare(node: ir.Compare, scope: t.Scope) -> _Made:
    yield _becomes(node.op, _FLIPPED[node.op]), _with(node, op=_FLIPPED[node.op])
    for side, other in (("left", node.right), ("right", node.left)):
        bound = getattr(node, side)
        if isinstance(bound, ir.Literal):
            op = node.op if side == "right" else MIRRORED[node.op]
            for what, moved in _bounds(bound, op, t.base(t.infer(other, scope))):
                yield what, _with(node, **{side: moved})


def _bounds(bound: ir.Literal, op: str, beside: t.AnyType) -> Iterator[tuple[str, ir.Literal]]:
    """Other bounds of a comparison with a value of type *beside*."""
    if isinstance(beside, EnumType):
        yield from _other_members(bound, op, beside)
        return
    for direction in (-1, 1):
        same = discrete(beside.kind) and _FLIPS_TO.get(op) == direction
        moved = None if same else stepped(bound, direction)
        if moved is not None:
            yield _becomes(str(bound.value), str(moved.value)), moved
    yield from _rescaled(bound)


def _other_members(
    bound: ir.Literal, op: str, type: EnumType
) -> Iterator[tuple[str, ir.Literal]]:  # fmt: skip
    """Another member: for `==` the next one, else the one that flipping does not come down to."""
    place = type.members.index(str(bound.value))
    beside = place - _FLIPS_TO[op] if op in _FLIPS_TO else (place + 1) % len(type.members)
    if 0 <= beside < len(type.members):
        member = type.members[beside]
        yield _becomes(f'"{bound.value}"', f'"{member}"'), _with(bound, value=member)


def _rescaled(literal: ir.Literal) -> Iterator[tuple[str, ir.Literal]]:
    scaled = rescaled(literal)
    if scaled is not None:
        yield _becomes(str(literal.value), str(scaled.value)), scaled


def _literal(node: ir.Literal, scope: t.Scope) -> _Made:
    """A value in a computation, or of a fallback."""
    if isinstance(node.value, bool):
        yield _becomes(str(node.value).lower(), str(not node.value).lower()), _with(
            node, value=not node.value
        )  # fmt: skip
        return
    for direction in (-1, 1):
        moved = stepped(node, direction)
        if moved is not None:
            yield _becomes(str(node.value), str(moved.value)), moved
    yield from _rescaled(node)


def _between(node: ir.Between, scope: t.Scope) -> _Made:
    for end in ("low", "high"):
        bound: ir.Literal | None = getattr(node, end)
        if bound is None:
            continue
        for direction in (-1, 1):
            moved = stepped(bound, direction)
            if moved is not None and not _is_empty(changed := _with(node, **{end: moved})):
                yield _becomes(str(bound.value), str(moved.value)), changed


def _is_empty(node: ir.Between) -> bool:
    if node.low is None or node.high is None:
        return False
    below = ir.Compare(op="<=", left=node.low, right=node.high)
    return decided(below, {}) is False


def _chain(node: ir.And | ir.Or, scope: t.Scope) -> _Made:
    if isinstance(node, ir.And):
        yield _becomes("and", "or"), ir.Or(items=node.items)
    else:
        yield _becomes("or", "and"), ir.And(items=node.items)
    for item, rest in _without_each(node.items):
        kept = rest[0] if len(rest) == 1 else _with(node, items=rest)
        yield _left_out(write_expression(item)), kept


def _without_each(items: tuple[_Item, ...]) -> Iterator[tuple[_Item, tuple[_Item, ...]]]:
    """Each of several items, with the others."""
    if len(items) > 1:
        for place, item in enumerate(items):
            yield item, (*items[:place], *items[place + 1 :])


def _not(node: ir.Not, scope: t.Scope) -> _Made:
    yield _left_out("not"), node.of


_QUANTIFIERS: Final[dict[str, tuple[str, ...]]] = {
    "any": ("all",),
    "all": ("any", "each"),
    "each": ("any", "all"),
    "none": ("any",),
}


def _quantifier(node: ir.Quantifier, scope: t.Scope) -> _Made:
    for op in _QUANTIFIERS[node.op]:
        yield _becomes(node.op, op), _with(node, op=op)
    if node.where is not None:
        yield _left_out(f"where {write_expression(node.where)}"), _with(node, where=None)


_AGGREGATES: Final = {
    "min": "max", "max": "min", "sum": "max", "mean": "max",
    "streak": "longest", "longest": "streak",
}  # fmt: skip


def _aggregate(node: ir.Aggregate, scope: t.Scope) -> _Made:
    if node.op in _AGGREGATES:
        op = _AGGREGATES[node.op]
        yield _becomes(node.op, op), _with(node, op=op)
    if node.where is not None:
        yield _left_out(f"where {write_expression(node.where)}"), _with(node, where=None)
    inner = node.over
    if node.op == "count" and isinstance(inner, ir.Aggregate) and inner.op == "distinct":
        yield _left_out("distinct"), _with(inner, op="count", value=None)
    if node.rank is not None:
        rank = ir.Literal(type="percent", value=node.rank)
        for direction in (-1, 1):
            moved = stepped(rank, direction)
            whole = ir.Literal(type="percent", value="100%")
            beyond = ir.Compare(op="<=", left=moved, right=whole) if moved is not None else None
            if moved is not None and beyond is not None and decided(beyond, {}) is not False:
                yield _becomes(node.rank, str(moved.value)), _with(node, rank=moved.value)


def _runs(node: ir.Runs, scope: t.Scope) -> _Made:
    for count in (node.count - 1, node.count + 1):
        if count > 0:
            yield _becomes(_runs_of(node.count), _runs_of(count)), _with(node, count=count)
    if node.clock is not None:
        yield _left_out(f"of {node.clock}"), _with(node, clock=None)
    if node.one_revision:
        yield _left_out("on one revision"), _with(node, one_revision=False)


def _held(node: ir.Held, scope: t.Scope) -> _Made:
    for field, word in (("duration", "for"), ("every", "every")):
        for text in _other_durations(getattr(node, field)):
            before = getattr(node, field)
            yield _becomes(f"{word} {before}", f"{word} {text}"), _with(node, **{field: text})
    if node.every is not None:
        yield _left_out(f"every {node.every}"), _with(node, every=None)
    yield _left_out(f"for {node.duration}"), node.of


def _other_durations(text: str | None) -> Iterator[str]:
    """A duration one step shorter and one step longer."""
    if text is not None:
        for direction in (-1, 1):
            moved = stepped(ir.Literal(type="duration", value=text), direction)
            if moved is not None:
                yield str(moved.value)


def _history(node: ir.History, scope: t.Scope) -> _Made:
    other = "ever" if node.op == "always" else "always"
    yield _becomes(node.op, other), _with(node, op=other)
    yield _left_out(node.op), node.of


_VIEWS: Final[dict[str, tuple[str, ...]]] = {
    "now": (),
    "start": ("previous", "now"),
    "previous": ("start", "now"),
    "baseline": ("start", "now"),
    "fresh": ("now",),
}


def _read(node: ir.FactRead, scope: t.Scope) -> _Made:
    for view in _VIEWS[node.view]:
        changed = _with(node, view=view, within=None)
        yield _becomes(write_expression(node), write_expression(changed)), changed
    for text in _other_durations(node.within):
        yield _becomes(f"fresh {node.within}", f"fresh {text}"), _with(node, within=text)


def _patterns(node: ir.Like | ir.Matches, scope: t.Scope) -> _Made:
    for pattern, rest in _without_each(node.patterns):
        yield _left_out(pattern), _with(node, patterns=rest)
    others = _other_globs if isinstance(node, ir.Like) else _other_regexes
    for place, pattern in enumerate(node.patterns):
        for other in others(pattern):
            patterns = (*node.patterns[:place], other, *node.patterns[place + 1 :])
            yield _becomes(pattern, other), _with(node, patterns=patterns)


def _other_globs(pattern: str) -> Iterator[str]:
    """Anchored at the root or not, and one folder deep or any number."""
    if pattern.startswith("**/"):
        yield pattern.removeprefix("**/")
    elif pattern != "**":
        yield f"**/{pattern}"
    if pattern.endswith("/**"):
        yield pattern.removesuffix("*")


_ANCHORED_START: Final = re.compile(r"((?:\(\?[ims]+\))?)\^(.+)", re.DOTALL)
_ANCHORED_END: Final = re.compile(r"((?:[^\\]|\\.)+)\$", re.DOTALL)


def _other_regexes(pattern: str) -> Iterator[str]:
    """Without the anchor at the start, and without that at the end."""
    if (start := _ANCHORED_START.fullmatch(pattern)) is not None:
        yield from _good(start[1] + start[2])
    if (end := _ANCHORED_END.fullmatch(pattern)) is not None:
        yield from _good(end[1])


def _good(pattern: str) -> Iterator[str]:
    """A regular expression, if it still is one: a `^` may have been all that `*` had before it."""
    try:
        compile_regex(pattern)
    except PatternError:
        return
    yield pattern


def _list(node: ir.ListOf, scope: t.Scope) -> _Made:
    for item, rest in _without_each(node.items):
        yield _left_out(write_expression(item)), _with(node, items=rest)


def _default(node: ir.Default, scope: t.Scope) -> _Made:
    yield _left_out(f"?? {write_expression(node.fallback)}"), node.of


_OPPOSITE: Final = {"+": "-", "-": "+", "*": "/", "/": "*"}


def _arithmetic(node: ir.Arithmetic, scope: t.Scope) -> _Made:
    type = t.infer(node, scope)
    for place, step in enumerate(node.rest):
        before, after = node.rest[:place], node.rest[place + 1 :]
        op = _OPPOSITE[step.op]
        swapped = _with(node, rest=(*before, _with(step, op=op), *after))
        if _has_type(swapped, type, scope):
            yield _becomes(step.op, op), swapped
        rest = (*before, *after)
        without = _with(node, rest=rest) if rest else node.first
        if _has_type(without, type, scope):
            yield _left_out(f"{step.op} {write_expression(step.value)}"), without


def _has_type(node: ir.Expr, type: t.AnyType, scope: t.Scope) -> bool:
    try:
        return t.same(t.infer(node, scope), type)
    except t.TypeFault:
        return False


def _negate(node: ir.Negate, scope: t.Scope) -> _Made:
    yield _left_out("-"), node.of


def _call(node: ir.Call, scope: t.Scope) -> _Made:
    if node.function in ("abs", "lower"):
        yield _left_out(node.function), node.argument


_CHANGES: Final[dict[type, Callable[[Any, t.Scope], _Made]]] = {
    ir.Compare: _compare,
    ir.Between: _between,
    ir.And: _chain,
    ir.Or: _chain,
    ir.Not: _not,
    ir.Quantifier: _quantifier,
    ir.Aggregate: _aggregate,
    ir.Runs: _runs,
    ir.Held: _held,
    ir.History: _history,
    ir.FactRead: _read,
    ir.Like: _patterns,
    ir.Matches: _patterns,
    ir.ListOf: _list,
    ir.Default: _default,
    ir.Arithmetic: _arithmetic,
    ir.Negate: _negate,
    ir.Call: _call,
    ir.Literal: _literal,
}
