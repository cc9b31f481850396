"""What the straight and the three-valued form share.

Small pieces of `ast`, the choice of the helper for an arithmetic step or an aggregate, and which
quantifiers are joins.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from .. import typing as t
from ..ir import expressions as ir
from ..ir.canonical import digest, plain
from ..ir.types import EnumType, RecordType
from ..reads import walk


@dataclass(frozen=True)
class Site:
    """A leaf of the predicate, with the types of the variables around it."""

    node: ir.Expr
    scope: t.Scope


@dataclass
class Names:
    """The constants and sites that a predicate's code refers to. *suffix* ends the names of its
    constants, so that several predicates fit in one module."""

    suffix: str = ""
    constants: dict[str, ast.expr] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    _made: dict[str, str] = field(default_factory=dict)  # the name of each constant's expression

    def constant(self, value: Any) -> ast.expr:
        """*value* in place where Python has a literal for it, else made once."""
        if value is None or isinstance(value, bool | int | str):
            return ast.Constant(value)
        return self.made(_spelled(value))

    def made(self, value: ast.expr) -> ast.expr:
        """What *value* computes, under a name: it is made once, with the module."""
        key = self._made.setdefault(ast.dump(value), f"K{len(self._made)}{self.suffix}")
        self.constants[key] = value
        return name(key)

    def site(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        self.sites.append(Site(node, scope))
        return ast.Constant(len(self.sites) - 1)


def _spelled(value: Any) -> ast.expr:
    """The expression of a literal's value."""
    match value:
        case Decimal():
            return call("Decimal", ast.Constant(str(value)))
        case tuple():
            return ast.Tuple([_spelled(item) for item in value], ast.Load())
        case dict():
            keys: list[ast.expr | None] = [_spelled(key) for key in value]
            return ast.Dict(keys, [_spelled(item) for item in value.values()])
        case _:
            return ast.Constant(value)


# --- small pieces of ast


def name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def call(function: str | ast.expr, *arguments: ast.expr) -> ast.Call:
    callee = name(function) if isinstance(function, str) else function
    return ast.Call(callee, list(arguments), [])


def function(parameters: list[str], body: ast.expr) -> ast.Lambda:
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in parameters],
        kwonlyargs=[], kw_defaults=[], defaults=[],
    )  # fmt: skip
    return ast.Lambda(arguments, body)


def inverted(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), value)


def operated(left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, op, right)


def compared(left: ast.expr, *rest: tuple[ast.cmpop, ast.expr]) -> ast.expr:
    return ast.Compare(left, [op for op, _ in rest], [value for _, value in rest])


def subscript(value: ast.expr, key: ast.expr) -> ast.expr:
    return ast.Subscript(value, key, ast.Load())


def variable(name: str) -> str:
    return f"v_{name}"


COMPARE: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip


# --- what both forms share


def join_sides(node: ir.Quantifier, scope: t.Scope) -> tuple[ir.Expr, ir.Expr] | None:
    """The element's side and the other of a join's equation, where the quantifier is one.

    `any b in ys: b.k == a.k` inside another loop looks a key up in a fact: an index that is built
    once serves for the inner loop.
    """
    body = node.body
    if not scope.variables or not isinstance(node.over, ir.FactRead):
        return None
    if node.op not in ("any", "none") or node.where is not None:
        return None
    if not isinstance(body, ir.Compare) or body.op != "==" or null_test(body) is not None:
        return None
    for own, other in ((body.left, body.right), (body.right, body.left)):
        if _is_element(own, node.var) and not any(
            isinstance(inner, ir.Variable) and inner.name == node.var for inner in walk(other)
        ):
            return own, other
    return None


def _is_element(node: ir.Expr, var: str) -> bool:
    while isinstance(node, ir.FieldRead):
        node = node.of
    return isinstance(node, ir.Variable) and node.name == var


def join_key(node: ir.Quantifier, own: ir.Expr) -> str:
    """The name of the index over the element's side *own*."""
    return digest([plain(node.over), plain(own), node.var])


def domain_type(over: ir.Expr, scope: t.Scope) -> t.AnyType:
    return t.base(t.infer(over, scope))


def bind(var: str, over: ir.Expr, scope: t.Scope) -> t.Scope:
    return scope.bind(var, t.element(t.infer(over, scope)))


def _is_null(node: ir.Expr) -> bool:
    return isinstance(node, ir.Literal) and node.type == "null"


def null_test(node: ir.Compare) -> ir.Expr | None:
    """What a `== null` or `!= null` asks about."""
    if _is_null(node.right):
        return node.left
    return node.right if _is_null(node.left) else None


def patterns(names: Names, function: str, texts: tuple[str, ...]) -> ast.expr:
    """A matcher of any of the patterns, compiled once by *function*."""
    return names.made(call(function, _spelled(texts)))


def ranks(names: Names, left: t.AnyType, right: t.AnyType, op: str) -> ast.expr | None:
    """The places of an ordered enumeration's members, for an ordering comparison."""
    for side in (left, right):
        inner = t.base(side)
        if op not in ("==", "!=") and isinstance(inner, EnumType) and len(inner.members) > 1:
            return names.constant({member: i for i, member in enumerate(inner.members)})
    return None


def place_of(of: t.AnyType, name: str) -> int:
    record = t.base(of)
    assert isinstance(record, RecordType)
    return [candidate.name for candidate in record.fields].index(name)


# Longer sums and products are loops: nested calls would be too deep for Python's compiler.
MOST_NESTED = 3


def steps(node: ir.Arithmetic, scope: t.Scope) -> Iterator[tuple[str, ir.Step]]:
    """The steps of a sum or product, each with its helper."""
    type_ = t.infer(node.first, scope)
    for each in node.rest:
        right = t.infer(each.value, scope)
        after = t.arithmetic(each.op, type_, right)
        yield step(each.op, type_, right, after), each
        type_ = after


def step(op: str, left: t.AnyType, right: t.AnyType, result: t.AnyType) -> str:
    """Which helper computes one step: a Python operator, or a function of the kernel."""
    a, b = t.base(left).kind, t.base(right).kind
    if result.kind == "int":
        return f"whole {op}"
    if a == "date":
        return "days between" if b == "date" else f"move {op}"
    if op in "+-":
        integral = a in ("duration", "size", "time")
        return op if integral else "add" if op == "+" else "subtract"
    if result.kind in ("duration", "size"):
        swapped = op == "*" and a not in ("duration", "size")
        return "scale swapped" if swapped else "scale" if op == "*" else "unscale"
    return "multiply" if op == "*" else "divide"


def apply_step(helper: str, left: ast.expr, right: ast.expr) -> ast.expr:
    match helper.split():
        case ["whole", op]:
            return call("whole", apply_step(op, left, right))
        case ["+"]:
            return operated(left, ast.Add(), right)
        case ["-"]:
            return operated(left, ast.Sub(), right)
        case ["*"]:
            return operated(left, ast.Mult(), right)
        case ["days", "between"]:
            return operated(operated(left, ast.Sub(), right), ast.Mult(), name("DAY"))
        case ["move", "+"]:
            return call("move_date", left, right)
        case ["move", "-"]:
            return call("move_date", left, ast.UnaryOp(ast.USub(), right))
        case ["scale", "swapped"]:
            return call("scale", right, left)
        case _:
            return call(helper, left, right)


def step_function(helper: str) -> ast.expr:
    """A step as a function of its operands; the kernel's own where its failures have words."""
    if helper in ("move +", "scale", "unscale", "add", "subtract", "multiply", "divide"):
        return name("move_date" if helper == "move +" else helper)
    return function(["v_x", "v_y"], apply_step(helper, name("v_x"), name("v_y")))


def chained(loop: str, first: ast.expr, functions: list[tuple[ast.expr, ast.expr]]) -> ast.expr:
    """A long sum or product: *loop* of the kernel over its steps, functions with operands."""
    pairs: list[ast.expr] = [ast.Tuple([*pair], ast.Load()) for pair in functions]
    return call(loop, first, ast.Tuple(pairs, ast.Load()))


def finish(names: Names, op: str, value: t.AnyType) -> ast.expr:
    """The function that ends an aggregate over values of a type."""
    kind = t.base(value)
    if op in ("min", "max", "percentile") and isinstance(kind, EnumType):
        members: list[ast.expr] = [ast.Constant(member) for member in kind.members]
        return names.made(call("ranked", name(_ENDS[op]), ast.Tuple(members, ast.Load())))
    if op == "sum":
        integral = kind.kind in ("duration", "size")
        return name("whole_sum" if kind.kind == "int" else "sum" if integral else "total")
    if op == "mean" and kind.kind in ("duration", "size"):
        return name("whole_mean")
    return name(_ENDS.get(op, op))


_ENDS = {
    "count": "len",
    "distinct": "frozenset",
    "min": "least",
    "max": "greatest",
    "percentile": "nearest_rank",
}


def is_int(type: t.AnyType) -> bool:
    return t.base(type).kind in ("int", "duration", "size")


def builtin(function: str, value: ast.expr, type: t.AnyType, now: ast.expr) -> ast.expr:
    match function:
        case "abs":
            return call("abs" if is_int(type) else "absolute", value)
        case "len":
            return call("len", value)
        case "lower":
            return call(ast.Attribute(value, "translate", ast.Load()), name("ASCII_LOWER"))
        case "age":
            return call("age", now, value)
        case "past":
            return compared(value, (ast.LtE(), now))
        case _:  # percent and number: one decimal in two units
            return call("Decimal", value)
