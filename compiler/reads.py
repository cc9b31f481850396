"""Which facts an expression reads."""

from __future__ import annotations

from collections.abc import Iterator

from .ir import expressions as ir


def walk(expr: ir.Expr) -> Iterator[ir.Expr]:
    """*expr* and everything in it."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(ir.children(node))


def facts_read(expr: ir.Expr) -> set[str]:
    """The names of the facts that *expr* reads in any view, clocks included."""
    names: set[str] = set()
    for node in walk(expr):
        if isinstance(node, ir.FactRead | ir.Known):
            names.add(node.name)
        elif isinstance(node, ir.Runs) and node.clock is not None:
            names.add(node.clock)
    return names


def clock_facts(node: ir.Runs | ir.Held | ir.History) -> frozenset[str]:
    """The facts that an observation must supply to count for a temporal form (ruling 1): the named
    clock, or all that it reads of the moment; what stands at the start or in the baseline is no
    news."""
    if isinstance(node, ir.Runs) and node.clock is not None:
        return frozenset([node.clock])
    return frozenset(
        inner.name
        for inner in walk(node.of)
        if isinstance(inner, ir.Known)
        or (isinstance(inner, ir.FactRead) and inner.view in ("now", "fresh", "previous"))
    )
