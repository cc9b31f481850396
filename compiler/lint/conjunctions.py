"""The parts that a predicate joins by `and`, as they are written and as they are meant."""

from __future__ import annotations

from collections.abc import Iterator

from ...grammar import syntax as s
from ..context import ungrouped
from ..ir import expressions as ir


def joined(expr: s.Expr) -> Iterator[s.Expr]:
    """The parts of *expr*, groups inside groups; *expr* itself where it is no `and`."""
    bare = ungrouped(expr)
    if isinstance(bare, s.Chain) and bare.op == "and":
        for item in bare.items:
            yield from joined(item)
    else:
        yield bare


def of_the_moment(expr: s.Expr) -> s.Expr:
    """What *expr* says of each observation: without `for 2 runs` and the like."""
    bare = ungrouped(expr)
    while isinstance(bare, s.Runs | s.Held | s.History):
        bare = ungrouped(bare.inner)
    return bare


def momentary(expr: ir.Expr) -> ir.Expr:
    """The same of its meaning, without the name of a `let` around it."""
    while isinstance(expr, ir.Runs | ir.Held | ir.History | ir.Named):
        expr = expr.of
    return expr
