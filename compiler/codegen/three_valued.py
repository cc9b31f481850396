"""The three-valued form: calls of the kernel that fold unknowns and keep the reasons."""

from __future__ import annotations

import ast

from ...grammar.literals import read_signed
from .. import typing as t
from ..ir import expressions as ir
from ..ir.types import ListType, MapType, RecordType, SetType
from ..program import NOW
from . import pieces as p
from .keys import fact_key, host_key, known_key, temporal_key
from .straight import Straight


class ThreeValued:
    """Calls of the kernel: `truth` for predicates (a Truth), `value` for values (or Unknown)."""

    def __init__(self, names: p.Names) -> None:
        self.names = names
        self.straight = Straight(names)

    def truth(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        if isinstance(node, _FORMS):
            result: ast.expr = getattr(self, f"_{type(node).__name__.lower()}")(node, scope)
            return result
        return p.call("truth", self.names.site(node, scope), self._plain_value(node, scope))

    def value(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        if t.base(t.infer(node, scope)).kind == "bool" and _is_form(node):
            return p.call("plain", self.truth(node, scope))
        return self._plain_value(node, scope)

    # --- values

    def _plain_value(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        match node:
            case ir.Literal() | ir.Variable():
                return self.straight.expr(node, scope)
            case ir.FactRead():
                return self._read(fact_key(node))
            case ir.Known():
                return self._read(known_key(node.name))
            case ir.HostCheck():
                return self._read(host_key(node.name))
            case ir.Runs() | ir.Held() | ir.History():
                return self._read(temporal_key(node))
            case ir.ListOf(items=items):
                if all(isinstance(item, ir.Literal) for item in items):
                    return self.straight.expr(node, scope)
                return p.call(
                    "apply", p.name("gather"), *(self.value(item, scope) for item in items)
                )
            case ir.FieldRead(of=of, name=name):
                place = p.place_of(t.infer(of, scope), name)
                return p.call("field_of", self.value(of, scope), ast.Constant(place))
            case ir.Index(of=of, key=key):
                return p.call("value_at", self.value(of, scope), self.value(key, scope))
            case ir.Arithmetic():
                return self._arithmetic(node, scope)
            case ir.Negate(of=of):
                operand = self.straight._negate(ir.Negate(of=ir.Variable(name="x")), _x(of, scope))
                return self._applied(operand, self.value(of, scope))
            case ir.Default(of=of, fallback=fallback):
                return p.call(
                    "first_known",
                    self.value(of, scope),
                    p.function([], self.value(fallback, scope)),
                )
            case ir.Aggregate():
                return self._aggregate(node, scope)
            case ir.Call():
                return self._call(node, scope)
            case ir.Named(of=of):
                return self.value(of, scope)
            case _:
                return p.call("plain", self.truth(node, scope))

    def _domain(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        """A collection whose elements are looked at one by one: a list that is written out keeps
        its unknown elements, so that one of them does not hide the others."""
        while isinstance(node, ir.Named):
            node = node.of
        if isinstance(node, ir.ListOf):
            return p.call("gather", *(self.value(item, scope) for item in node.items))
        return self.value(node, scope)

    def _read(self, key: str) -> ast.expr:
        return p.call("read", p.name("F"), ast.Constant(key))

    def _applied(self, body: ast.expr, *operands: ast.expr) -> ast.expr:
        """`apply` of a function whose parameters are v_x, v_y."""
        parameters = ["v_x", "v_y"][: len(operands)]
        return p.call("apply", p.function(parameters, body), *operands)

    def _arithmetic(self, node: ir.Arithmetic, scope: t.Scope) -> ast.expr:
        result = self.value(node.first, scope)
        steps = [
            (p.step_function(helper), self.value(step.value, scope))
            for helper, step in p.steps(node, scope)
        ]
        if len(steps) > p.MOST_NESTED:
            return p.chained("applied", result, steps)
        for function, value in steps:
            result = p.call("apply", function, result, value)
        return result

    def _call(self, node: ir.Call, scope: t.Scope) -> ast.expr:
        argument = self.value(node.argument, scope)
        type_ = t.infer(node.argument, scope)
        if node.function == "age":
            return p.call("apply", p.name("age"), self._read(NOW), argument)
        if node.function == "past":
            body = p.compared(p.name("v_x"), (ast.LtE(), p.name("v_y")))
            return self._applied(body, argument, self._read(NOW))
        return self._applied(
            p.builtin(node.function, p.name("v_x"), type_, p.name("v_y")), argument
        )

    def _aggregate(self, node: ir.Aggregate, scope: t.Scope) -> ast.expr:
        where: ast.expr = ast.Constant(None)
        value: ast.expr = ast.Constant(None)
        if node.var is None:
            type_: t.AnyType = t.element(t.infer(node.over, scope))
        else:
            inner = p.bind(node.var, node.over, scope)
            parameter = [p.variable(node.var)]
            if node.where is not None:
                where = p.function(parameter, self.value(node.where, inner))
            if node.value is not None:
                value = p.function(parameter, self.value(node.value, inner))
            type_ = t.BOOL if node.value is None else t.infer(node.value, inner)
        callee = p.finish(self.names, node.op, type_)
        rank = [] if node.rank is None else [self.names.constant(read_signed(node.rank)[1])]
        folded = p.call("aggregate", callee, self._domain(node.over, scope), where, value, *rank)
        straight = self.straight.expr(node, scope)
        return p.call("quickly", p.name("F"), p.function([], straight), p.function([], folded))

    # --- predicates

    def _and(self, node: ir.And, scope: t.Scope) -> ast.expr:
        return p.call("conjunction", *(self.truth(item, scope) for item in node.items))

    def _or(self, node: ir.Or, scope: t.Scope) -> ast.expr:
        return p.call("disjunction", *(self.truth(item, scope) for item in node.items))

    def _not(self, node: ir.Not, scope: t.Scope) -> ast.expr:
        return p.call("negation", self.truth(node.of, scope))

    def _compare(self, node: ir.Compare, scope: t.Scope) -> ast.expr:
        asked = p.null_test(node)
        site = self.names.site(node, scope)
        if asked is not None:
            negated = ast.Constant(node.op == "!=")
            return p.call("is_null", site, self.value(asked, scope), negated)
        left_type = t.infer(node.left, scope)
        if isinstance(t.base(left_type), ListType | SetType | MapType | RecordType):
            test_name = p.name("same_content" if node.op == "==" else "other_content")
            sides = (self.value(node.left, scope), self.value(node.right, scope))
            return p.call("leaf", site, test_name, *sides)
        test = p.COMPARE[node.op]
        ranks = p.ranks(self.names, t.infer(node.left, scope), t.infer(node.right, scope), node.op)
        left: ast.expr = p.name("v_x")
        right: ast.expr = p.name("v_y")
        if ranks is not None:
            left, right = p.subscript(ranks, left), p.subscript(ranks, right)
        return self._leaf(
            site, p.compared(left, (test(), right)),
            self.value(node.left, scope), self.value(node.right, scope),
        )  # fmt: skip

    def _leaf(self, site: ast.expr, body: ast.expr, *operands: ast.expr) -> ast.expr:
        parameters = ["v_x", "v_y"][: len(operands)]
        return p.call("leaf", site, p.function(parameters, body), *operands)

    def _between(self, node: ir.Between, scope: t.Scope) -> ast.expr:
        body = self.straight._between(
            ir.Between(of=ir.Variable(name="x"), low=node.low, high=node.high), _x(node.of, scope)
        )
        return self._leaf(self.names.site(node, scope), body, self.value(node.of, scope))

    def _member(self, node: ir.Member, scope: t.Scope) -> ast.expr:
        site = self.names.site(node, scope)
        return p.call(
            "element_leaf", site, self.value(node.item, scope), self._domain(node.of, scope)
        )

    def _like(self, node: ir.Like, scope: t.Scope) -> ast.expr:
        return self._matched(node, "compile_globs", scope)

    def _matches(self, node: ir.Matches, scope: t.Scope) -> ast.expr:
        return self._matched(node, "compile_regexes", scope)

    def _matched(self, node: ir.Like | ir.Matches, function: str, scope: t.Scope) -> ast.expr:
        site = self.names.site(node, scope)
        matcher = p.patterns(self.names, function, node.patterns)
        return p.call("leaf", site, matcher, self.value(node.of, scope))

    def _contains(self, node: ir.Contains, scope: t.Scope) -> ast.expr:
        body = p.compared(p.name("v_y"), (ast.In(), p.name("v_x")))
        return self._leaf(
            self.names.site(node, scope), body,
            self.value(node.of, scope), self.value(node.text, scope),
        )  # fmt: skip

    def _default(self, node: ir.Default, scope: t.Scope) -> ast.expr:
        fallback = p.function([], self.truth(node.fallback, scope))
        return p.call("first_known_truth", self.truth(node.of, scope), fallback)

    def _named(self, node: ir.Named, scope: t.Scope) -> ast.expr:
        return p.call("named", self.names.site(node, scope), self.truth(node.of, scope))

    def _quantifier(self, node: ir.Quantifier, scope: t.Scope) -> ast.expr:
        inner = p.bind(node.var, node.over, scope)
        parameter = [p.variable(node.var)]
        sides = p.join_sides(node, scope)
        if sides is not None:
            own, other = sides
            return p.call(
                "join", p.name("F"), ast.Constant(p.join_key(node, own)),
                self.names.site(node, inner), ast.Constant(node.op), ast.Constant(node.var),
                self.value(node.over, scope),
                p.function(parameter, self.value(own, inner)), self.value(other, scope),
            )  # fmt: skip
        where: ast.expr = ast.Constant(None)
        if node.where is not None:
            where = p.function(parameter, self.truth(node.where, inner))
        return p.call(
            "quantifier", self.names.site(node, scope), ast.Constant(node.op),
            ast.Constant(node.var), self._domain(node.over, scope), where,
            p.function(parameter, self.truth(node.body, inner)),
            self._quick(node, inner),
        )  # fmt: skip

    def _quick(self, node: ir.Quantifier, inner: t.Scope) -> ast.expr:
        """The body's straight form, for the elements that need no reasons; none where an unknown
        may stand inside of a fact."""
        if node.where is not None:
            return ast.Constant(None)
        quick = p.function([p.variable(node.var)], self.straight.sure(node.body, inner))
        tainted = ast.Attribute(p.name("F"), "tainted", ast.Load())
        return ast.IfExp(tainted, ast.Constant(None), quick)


def _x(of: ir.Expr, scope: t.Scope) -> t.Scope:
    """A scope in which the variable x has the type of *of*, never null: `apply` saw to that."""
    return t.Scope({}, {"x": t.base(t.infer(of, scope))})  # type: ignore[dict-item]


_FORMS = (
    ir.And, ir.Or, ir.Not, ir.Compare, ir.Between, ir.Member, ir.Like, ir.Matches, ir.Contains,
    ir.Quantifier, ir.Default, ir.Named,
)  # fmt: skip


def _is_form(node: ir.Expr) -> bool:
    return _is_form(node.of) if isinstance(node, ir.Named) else isinstance(node, _FORMS)
