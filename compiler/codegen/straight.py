"""The straight form: an ordinary Python expression that raises where something is not known."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ...grammar.literals import read_signed
from .. import typing as t
from ..ir import expressions as ir
from ..ir.types import MapType, OptionalType
from ..program import NOW
from . import pieces as p
from .keys import fact_key, host_key, known_key, literal_value, temporal_key


class Straight:
    """An ordinary Python expression that raises where something is not known."""

    def __init__(self, names: p.Names) -> None:
        self.names = names

    def expr(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        """The value of *node*, which may be null only where its type is `T?`."""
        method: Callable[[Any, t.Scope], ast.expr] = getattr(
            self, f"_{type(node).__name__.lower()}"
        )
        return method(node, scope)

    def sure(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        """The value of *node*, which is not null."""
        value = self.expr(node, scope)
        optional = isinstance(t.infer(node, scope), OptionalType)
        return p.call("present", value) if optional else value

    def _literal(self, node: ir.Literal, _: t.Scope) -> ast.expr:
        return self.names.constant(literal_value(node))

    def _listof(self, node: ir.ListOf, scope: t.Scope) -> ast.expr:
        if all(isinstance(item, ir.Literal) for item in node.items):
            return self.names.constant(
                tuple(literal_value(i) for i in node.items if isinstance(i, ir.Literal))
            )
        return ast.Tuple([self.sure(item, scope) for item in node.items], ast.Load())

    def _factread(self, node: ir.FactRead, _: t.Scope) -> ast.expr:
        return self._read(fact_key(node))

    def _read(self, key: str) -> ast.expr:
        return p.subscript(p.name("F"), ast.Constant(key))

    def _known(self, node: ir.Known, _: t.Scope) -> ast.expr:
        return self._read(known_key(node.name))

    def _variable(self, node: ir.Variable, _: t.Scope) -> ast.expr:
        return p.name(p.variable(node.name))

    def _fieldread(self, node: ir.FieldRead, scope: t.Scope) -> ast.expr:
        place = p.place_of(t.infer(node.of, scope), node.name)
        return p.subscript(self.sure(node.of, scope), ast.Constant(place))

    def _index(self, node: ir.Index, scope: t.Scope) -> ast.expr:
        return p.subscript(self.sure(node.of, scope), self.sure(node.key, scope))

    def _and(self, node: ir.And, scope: t.Scope) -> ast.expr:
        return ast.BoolOp(ast.And(), [self.sure(item, scope) for item in node.items])

    def _or(self, node: ir.Or, scope: t.Scope) -> ast.expr:
        return ast.BoolOp(ast.Or(), [self.sure(item, scope) for item in node.items])

    def _not(self, node: ir.Not, scope: t.Scope) -> ast.expr:
        return p.inverted(self.sure(node.of, scope))

    def _compare(self, node: ir.Compare, scope: t.Scope) -> ast.expr:
        asked = p.null_test(node)
        if asked is not None:
            test = ast.Is() if node.op == "==" else ast.IsNot()
            return p.compared(self.expr(asked, scope), (test, ast.Constant(None)))
        left, right = self.sure(node.left, scope), self.sure(node.right, scope)
        ranks = p.ranks(self.names, t.infer(node.left, scope), t.infer(node.right, scope), node.op)
        if ranks is not None:
            left, right = p.subscript(ranks, left), p.subscript(ranks, right)
        return p.compared(left, (p.COMPARE[node.op](), right))

    def _between(self, node: ir.Between, scope: t.Scope) -> ast.expr:
        value = self.sure(node.of, scope)
        if node.low is None:
            assert node.high is not None
            return p.compared(value, (ast.LtE(), self._literal(node.high, scope)))
        low = self._literal(node.low, scope)
        if node.high is None:
            return p.compared(value, (ast.GtE(), low))
        high = self._literal(node.high, scope)
        return p.compared(low, (ast.LtE(), value), (ast.LtE(), high))

    def _member(self, node: ir.Member, scope: t.Scope) -> ast.expr:
        item, of = self.sure(node.item, scope), self.sure(node.of, scope)
        domain = p.domain_type(node.of, scope)
        if not isinstance(domain, MapType) and isinstance(t.element(domain), OptionalType):
            return p.call("member", item, of)
        return p.compared(item, (ast.In(), of))

    def _like(self, node: ir.Like, scope: t.Scope) -> ast.expr:
        matcher = p.patterns(self.names, "compile_globs", node.patterns)
        return p.call(matcher, self.sure(node.of, scope))

    def _matches(self, node: ir.Matches, scope: t.Scope) -> ast.expr:
        matcher = p.patterns(self.names, "compile_regexes", node.patterns)
        return p.call(matcher, self.sure(node.of, scope))

    def _contains(self, node: ir.Contains, scope: t.Scope) -> ast.expr:
        return p.compared(self.sure(node.text, scope), (ast.In(), self.sure(node.of, scope)))

    def _arithmetic(self, node: ir.Arithmetic, scope: t.Scope) -> ast.expr:
        result = self.sure(node.first, scope)
        steps = [(h, self.sure(step.value, scope)) for h, step in p.steps(node, scope)]
        if len(steps) > p.MOST_NESTED:
            return p.chained("stepped", result, [(p.step_function(h), v) for h, v in steps])
        for helper, value in steps:
            result = p.apply_step(helper, result, value)
        return result

    def _negate(self, node: ir.Negate, scope: t.Scope) -> ast.expr:
        value = self.sure(node.of, scope)
        if p.is_int(t.infer(node.of, scope)):
            return ast.UnaryOp(ast.USub(), value)
        return p.call("minus", value)

    def _default(self, node: ir.Default, scope: t.Scope) -> ast.expr:
        value, fallback = self.expr(node.of, scope), self.expr(node.fallback, scope)
        if not isinstance(t.infer(node.of, scope), OptionalType):
            return value
        test = p.compared(p.name("v_"), (ast.IsNot(), ast.Constant(None)))
        return p.call(p.function(["v_"], ast.IfExp(test, p.name("v_"), fallback)), value)

    def _quantifier(self, node: ir.Quantifier, scope: t.Scope) -> ast.expr:
        inner = p.bind(node.var, node.over, scope)
        sides = p.join_sides(node, scope)
        if sides is not None:
            found = self._join(node, sides, scope, inner)
            return p.inverted(found) if node.op == "none" else found
        body = self._comprehension(
            node.var, node.over, node.where, self.sure(node.body, inner), scope, ast.GeneratorExp
        )
        match node.op:
            case "none":
                return p.inverted(p.call("any", body))
            case op:
                return p.call(op, body)

    def _join(
        self, node: ir.Quantifier, sides: tuple[ir.Expr, ir.Expr], scope: t.Scope, inner: t.Scope
    ) -> ast.expr:
        own, other = sides
        key = p.function([p.variable(node.var)], self.expr(own, inner))
        over, value = self.sure(node.over, scope), self.sure(other, scope)
        return p.call(
            "looked_up", p.name("F"), ast.Constant(p.join_key(node, own)), over, key, value
        )

    def _comprehension(
        self, var: str, over: ir.Expr, where: ir.Expr | None, element: ast.expr, scope: t.Scope,
        form: type[ast.ListComp] | type[ast.GeneratorExp],
    ) -> ast.expr:  # fmt: skip
        inner = p.bind(var, over, scope)
        conditions = [] if where is None else [self.sure(where, inner)]
        target = ast.Name(p.variable(var), ast.Store())
        loop = ast.comprehension(target, self.sure(over, scope), conditions, 0)
        return form(element, [loop])

    def _aggregate(self, node: ir.Aggregate, scope: t.Scope) -> ast.expr:
        values, type_ = self._values(node, scope)
        callee = p.finish(self.names, node.op, type_)
        rank = [] if node.rank is None else [self.names.constant(read_signed(node.rank)[1])]
        return p.call(callee, values, *rank)

    def _values(self, node: ir.Aggregate, scope: t.Scope) -> tuple[ast.expr, t.AnyType]:
        if node.var is None:
            type_: t.AnyType = t.element(t.infer(node.over, scope))
            over = self.sure(node.over, scope)
            if not isinstance(type_, OptionalType) or node.op in ("count", "distinct"):
                return over, type_
            element: ast.expr = p.call("present", p.name("v_"))
            loop = ast.comprehension(ast.Name("v_", ast.Store()), over, [], 0)
            return ast.ListComp(element, [loop]), type_
        inner = p.bind(node.var, node.over, scope)
        if node.value is None:
            type_, element = t.BOOL, ast.Constant(True)
        else:
            type_ = t.infer(node.value, inner)
            read = self.expr if node.op in ("count", "distinct") else self.sure
            element = read(node.value, inner)
        return (
            self._comprehension(node.var, node.over, node.where, element, scope, ast.ListComp),
            type_,
        )

    def _call(self, node: ir.Call, scope: t.Scope) -> ast.expr:
        value = self.sure(node.argument, scope)
        return p.builtin(node.function, value, t.infer(node.argument, scope), self._read(NOW))

    def _runs(self, node: ir.Runs, _: t.Scope) -> ast.expr:
        return self._read(temporal_key(node))

    def _held(self, node: ir.Held, _: t.Scope) -> ast.expr:
        return self._read(temporal_key(node))

    def _history(self, node: ir.History, _: t.Scope) -> ast.expr:
        return self._read(temporal_key(node))

    def _hostcheck(self, node: ir.HostCheck, _: t.Scope) -> ast.expr:
        return self._read(host_key(node.name))

    def _named(self, node: ir.Named, scope: t.Scope) -> ast.expr:
        return self.expr(node.of, scope)
