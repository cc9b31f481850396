"""Predicates and values: one node for each form of the language.

Values of literals are canonical strings (`grammar.literals` writes and reads them), except int,
bool and null. Types are not stored: they follow from the facts and the literals
(`compiler.typing.infer`), so that no document can lie about them.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any, TypeAlias
from typing import Literal as Choice

from .node import ByKind, Node, node
from .types import ScalarKind


@node
class Literal(Node):
    kind: Choice["literal"] = "literal"
    type: ScalarKind | Choice["money", "enum", "null"]
    value: bool | int | str | None = None


@node
class ListOf(Node):
    """`["a", "b"]`."""

    kind: Choice["list"] = "list"
    items: tuple[Expr, ...]


@node
class FactRead(Node):
    """A fact, now or in another view; *within* (a duration) belongs to `fresh`."""

    kind: Choice["fact"] = "fact"
    name: str
    view: Choice["now", "start", "previous", "baseline", "fresh"] = "now"
    within: str | None = None


@node
class Variable(Node):
    """The element that a quantifier or a comprehension bound."""

    kind: Choice["variable"] = "variable"
    name: str


@node
class FieldRead(Node):
    kind: Choice["field"] = "field"
    of: Expr
    name: str


@node
class Index(Node):
    """A map's value, unknown where the key is absent."""

    kind: Choice["index"] = "index"
    of: Expr
    key: Expr


@node
class And(Node):
    kind: Choice["and"] = "and"
    items: tuple[Expr, ...]


@node
class Or(Node):
    kind: Choice["or"] = "or"
    items: tuple[Expr, ...]


@node
class Not(Node):
    kind: Choice["not"] = "not"
    of: Expr


@node
class Compare(Node):
    kind: Choice["compare"] = "compare"
    op: Choice["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@node
class Between(Node):
    """Membership in a closed range, either end open."""

    kind: Choice["between"] = "between"
    of: Expr
    low: Literal | None = None
    high: Literal | None = None


@node
class Member(Node):
    """Membership in a list, a set, or the keys of a map."""

    kind: Choice["in"] = "in"
    item: Expr
    of: Expr


@node
class Like(Node):
    """Any of the globs."""

    kind: Choice["like"] = "like"
    of: Expr
    patterns: tuple[str, ...]


@node
class Matches(Node):
    """Any of the regular expressions, searched."""

    kind: Choice["matches"] = "matches"
    of: Expr
    patterns: tuple[str, ...]


@node
class Contains(Node):
    """Substring."""

    kind: Choice["contains"] = "contains"
    of: Expr
    text: Expr


@node
class Step(Node):
    op: Choice["+", "-", "*", "/"]
    value: Expr


@node
class Arithmetic(Node):
    """*first*, then each step applied to what is before it: a flat chain, since a sum may have a
    thousand terms. One chain has `+ -` or `* /`, never both."""

    kind: Choice["arithmetic"] = "arithmetic"
    first: Expr
    rest: tuple[Step, ...]


@node
class Negate(Node):
    kind: Choice["negate"] = "negate"
    of: Expr


@node
class Default(Node):
    """`x ?? v`: *of*, or *fallback* where it is unknown or null."""

    kind: Choice["default"] = "default"
    of: Expr
    fallback: Expr


@node
class Known(Node):
    """Is the fact supplied (null is)?"""

    kind: Choice["known"] = "known"
    name: str


@node
class Quantifier(Node):
    kind: Choice["quantifier"] = "quantifier"
    op: Choice["any", "all", "none", "each"]
    var: str
    over: Expr
    where: Expr | None = None
    body: Expr


@node
class Aggregate(Node):
    """*value* for each *var* in *over* where *where*; a plain collection has neither *var* nor
    *value*. *rank* (a percent) belongs to `percentile`."""

    kind: Choice["aggregate"] = "aggregate"
    op: Choice[
        "count", "sum", "min", "max", "mean", "percentile", "distinct", "streak", "longest", "share"
    ]
    var: str | None = None
    over: Expr
    where: Expr | None = None
    value: Expr | None = None
    rank: str | None = None


@node
class Call(Node):
    kind: Choice["call"] = "call"
    function: Choice["abs", "len", "lower", "age", "past", "percent", "number"]
    argument: Expr


@node
class Runs(Node):
    """`P for N runs [of clock] [on one revision]`."""

    kind: Choice["runs"] = "runs"
    of: Expr
    count: int
    clock: str | None = None
    one_revision: bool = False


@node
class Held(Node):
    """`P for D [every D]`; durations."""

    kind: Choice["held"] = "held"
    of: Expr
    duration: str
    every: str | None = None


@node
class History(Node):
    kind: Choice["history"] = "history"
    op: Choice["always", "ever"]
    of: Expr


@node
class HostCheck(Node):
    """A check of the host's own, a callable that is bound to its name when the goal is checked;
    unbound it is unknown (ruling 55). No file can say it: a goal that a host builds does."""

    kind: Choice["host_check"] = "host_check"
    name: str


@node
class Named(Node):
    """What a `let` named; the name is for explanations and means nothing."""

    kind: Choice["named"] = "named"
    name: str
    of: Expr


Expr: TypeAlias = Annotated[
    Literal
    | ListOf
    | FactRead
    | Variable
    | FieldRead
    | Index
    | And
    | Or
    | Not
    | Compare
    | Between
    | Member
    | Like
    | Matches
    | Contains
    | Arithmetic
    | Negate
    | Default
    | Known
    | Quantifier
    | Aggregate
    | Call
    | Runs
    | Held
    | History
    | HostCheck
    | Named,
    ByKind(),
]


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside *expr*, in the order they are written."""
    return _CHILDREN[type(expr)](expr)


def _none(_: Any) -> tuple[Expr, ...]:
    return ()


def _of(expr: Any) -> tuple[Expr, ...]:
    return (expr.of,)


def _quantifier(expr: Quantifier) -> tuple[Expr, ...]:
    if expr.where is None:
        return (expr.over, expr.body)
    return (expr.over, expr.where, expr.body)


def _aggregate(expr: Aggregate) -> tuple[Expr, ...]:
    return tuple(part for part in (expr.over, expr.where, expr.value) if part is not None)


def _arithmetic(expr: Arithmetic) -> tuple[Expr, ...]:
    return (expr.first, *(step.value for step in expr.rest))


# A table, since every check walks every predicate.
_CHILDREN: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    **dict.fromkeys((Literal, FactRead, Variable, Known, HostCheck), _none),
    **dict.fromkeys(
        (FieldRead, Not, Between, Like, Matches, Negate, Runs, Held, History, Named), _of
    ),
    **dict.fromkeys((And, Or, ListOf), attrgetter("items")),
    Compare: attrgetter("left", "right"),
    Member: attrgetter("item", "of"),
    Index: attrgetter("of", "key"),
    Contains: attrgetter("of", "text"),
    Default: attrgetter("of", "fallback"),
    Call: lambda expr: (expr.argument,),
    Arithmetic: _arithmetic,
    Quantifier: _quantifier,
    Aggregate: _aggregate,
}
