"""A predicate's code: a few statements of Python's `ast`, and what they compile to here."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from .. import folding, kernel, patterns
from .. import typing as t
from ..ir import expressions as ir
from ..ir.types import Type
from ..program import Predicate, Wording
from . import pieces as p
from .pieces import Site
from .straight import Straight
from .three_valued import ThreeValued

# What a predicate's code may call.
_NAMES: dict[str, Any] = {
    **vars(kernel),
    **vars(folding),
    "compile_globs": patterns.compile_globs,
    "compile_regexes": patterns.compile_regexes,
}


@dataclass(frozen=True, slots=True)
class Code:
    """The statements that define a predicate's constants, `explain` and `decide`, names ending in
    the suffix that was asked for, and its sites."""

    statements: list[ast.stmt]
    sites: tuple[Site, ...]


def predicate_code(node: ir.Expr, facts: Mapping[str, Type], suffix: str = "") -> Code:
    """The code of a checked predicate over facts of these types."""
    return _code(node, t.Scope(facts, {}), suffix)


def compile_predicate(node: ir.Expr, facts: Mapping[str, Type]) -> Predicate:
    """Compile a checked predicate over facts of these types."""
    return _compiled(node, t.Scope(facts, {}))


def _compiled(node: ir.Expr, scope: t.Scope) -> Predicate:
    code = _code(node, scope, "")
    module = ast.fix_missing_locations(ast.Module(code.statements, []))
    names = dict(_NAMES)
    exec(compile(module, "<predicate>", "exec"), names)  # the ast is built here, node by node

    @cache
    def wordings() -> tuple[Wording, ...]:
        from .wordings import wording  # which only an explanation needs

        return tuple(wording(site, _compiled) for site in code.sites)

    return Predicate(decide=names["decide"], explain=names["explain"], wordings=wordings)


def _code(node: ir.Expr, scope: t.Scope, suffix: str) -> Code:
    names = p.Names(suffix)
    straight = Straight(names).sure(node, scope)
    folded = ThreeValued(names).truth(node, scope)
    constants: list[ast.stmt] = [
        ast.Assign([ast.Name(key, ast.Store())], value) for key, value in names.constants.items()
    ]
    return Code([*constants, *_forms(straight, folded, suffix)], tuple(names.sites))


def _forms(straight: ast.expr, folded: ast.expr, suffix: str) -> list[ast.stmt]:
    """`decide(F)` tries the straight form and falls to `explain(F)`."""
    explained = ast.Attribute(p.call(f"explain{suffix}", p.name("F")), "value", ast.Load())
    otherwise = ast.ExceptHandler(p.name("UNDECIDED"), None, [ast.Return(explained)])
    attempt = ast.Try([ast.Return(straight)], [otherwise], [], [])
    return [
        _function(f"explain{suffix}", "Truth", ast.Return(folded)),
        _function(f"decide{suffix}", "Any", attempt),
    ]


def _function(name: str, result: str, body: ast.stmt) -> ast.stmt:
    moment = ast.arg("F", p.name("Facts"))
    arguments = ast.arguments(
        posonlyargs=[], args=[moment], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    function = ast.FunctionDef(name, arguments, [body], [], p.name(result))
    function.__dict__["type_params"] = []  # required from Python 3.12 on
    return function
