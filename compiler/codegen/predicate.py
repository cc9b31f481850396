"""A compiled predicate: both forms as functions of one moment's Facts."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ...grammar.literals import DECIMAL
from .. import kernel as k
from .. import typing as t
from ..ir import expressions as ir
from ..ir.types import Type
from . import pieces as p
from .pieces import Site
from .straight import Straight
from .three_valued import ThreeValued


@dataclass(frozen=True)
class Predicate:
    """A compiled predicate.

    *decide* gives True, False or Unknown; *explain* gives the Truth with its reasons, whose sites
    index *sites*.
    """

    node: ir.Expr
    decide: Callable[[k.Facts], Any]
    explain: Callable[[k.Facts], k.Truth]
    sites: tuple[Site, ...]


def compile_predicate(node: ir.Expr, facts: dict[str, Type]) -> Predicate:
    """Compile a checked predicate over facts of these types."""
    scope = t.Scope(facts, {})
    names = p.Names()
    straight = Straight(names).sure(node, scope)
    folded = ThreeValued(names).truth(node, scope)
    module = _module(straight, folded)
    namespace: dict[str, Any] = {**_KERNEL, **names.constants}
    exec(compile(module, "<predicate>", "exec"), namespace)  # the ast is built here, node by node
    return Predicate(node, namespace["decide"], namespace["explain"], tuple(names.sites))


def _module(straight: ast.expr, folded: ast.expr) -> ast.Module:
    """`decide(F)` tries the straight form and falls to `explain(F)`."""
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg("F")], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    explained = ast.Attribute(p.call("explain", p.name("F")), "value", ast.Load())
    decide = ast.FunctionDef(
        name="decide",
        args=arguments,
        body=[
            ast.Try(
                body=[ast.Return(straight)],
                handlers=[ast.ExceptHandler(p.name("UNDECIDED"), None, [ast.Return(explained)])],
                orelse=[],
                finalbody=[],
            )
        ],
        decorator_list=[],
    )
    explain = ast.FunctionDef(
        name="explain", args=arguments, body=[ast.Return(folded)], decorator_list=[]
    )
    for function in (decide, explain):
        function.__dict__["type_params"] = []  # required from Python 3.12 on
    return ast.fix_missing_locations(ast.Module([explain, decide], []))


_KERNEL: dict[str, Any] = {
    name: getattr(k, name)
    for name in (
        "UNDECIDED", "ASCII_LOWER", "present", "whole", "scale", "unscale", "move_date", "age",
        "each", "member", "total", "mean", "whole_mean", "least", "greatest", "nearest_rank",
        "streak", "longest", "share", "read", "truth", "plain", "leaf", "apply", "is_null",
        "element_leaf", "value_at", "field", "first_known", "first_known_truth", "conjunction",
        "disjunction", "negation", "named", "quantifier", "aggregate", "quickly", "gather", "join",
        "looked_up", "same_content", "other_content", "stepped", "applied", "DAY",
    )
}  # fmt: skip
_KERNEL |= {
    "add": DECIMAL.add,
    "subtract": DECIMAL.subtract,
    "multiply": DECIMAL.multiply,
    "divide": DECIMAL.divide,
    "minus": DECIMAL.minus,
    "absolute": DECIMAL.abs,
    "Decimal": Decimal,
}
