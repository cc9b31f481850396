"""From a predicate's IR to Python's `ast`, twice: straight and three-valued.

The straight form is what a person would write by hand; where it raises, the three-valued form of
the same predicate is evaluated, which also gives the reasons. Both read a Facts dictionary by the
same keys, so that what a key means (now, at start, a streak) is the Monitor's business alone.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ..grammar.literals import (
    DECIMAL,
    read_date,
    read_money,
    read_signed,
    read_time,
    read_version,
)
from . import kernel as k, typing as t
from .ir import expressions as ir
from .ir.canonical import digest, plain
from .ir.types import (
    EnumType,
    ListType,
    MapType,
    OptionalType,
    RecordType,
    SetType,
    Type,
)
from .patterns import compile_globs, compile_regexes

NOW = "the observation's time"


def fact_key(read: ir.FactRead) -> str:
    """The key under which Facts holds a read: the fact's name, or its view as it is written."""
    match read.view:
        case "now":
            return read.name
        case "previous":
            return f"previous {read.name}"
        case "fresh":
            return f"{read.name} fresh {read.within}"
        case view:
            return f"{read.name} at {view}"


def known_key(name: str) -> str:
    return f"known({name})"


def temporal_key(node: ir.Runs | ir.Held | ir.History) -> str:
    """The key of a streak, a hold or a history: the canonical hash of its form and the edition, so
    that no edit elsewhere in the file moves it (ruling 9)."""
    return f"1:{digest(_unnamed(plain(node)))}"


def _unnamed(value: Any) -> Any:
    if isinstance(value, dict):
        if value.get("kind") == "named":
            return _unnamed(value["of"])
        return {key: _unnamed(item) for key, item in value.items()}
    return [_unnamed(item) for item in value] if isinstance(value, list) else value


def literal_value(node: ir.Literal) -> Any:
    """The Python value of a literal (grammar.literals says which)."""
    if not isinstance(node.value, str):
        return node.value
    match node.type:
        case "money":
            return read_money(node.value)[0]
        case "time":
            return read_time(node.value)
        case "date":
            return read_date(node.value)
        case "version":
            return read_version(node.value)
        case "number":
            return Decimal(read_signed(node.value)[1])
        case "percent" | "duration" | "size":
            return read_signed(node.value)[1]
        case _:
            return node.value


@dataclass(frozen=True)
class Site:
    """A leaf of the predicate, with the types of the variables around it."""

    node: ir.Expr
    scope: t.Scope


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
    names = _Names()
    straight = _Straight(names).expr(node, scope)
    folded = _ThreeValued(names).truth(node, scope)
    module = _module(straight, folded)
    namespace: dict[str, Any] = {**_KERNEL, **names.constants}
    exec(compile(module, "<predicate>", "exec"), namespace)  # the ast is built here, node by node
    return Predicate(node, namespace["decide"], namespace["explain"], tuple(names.sites))


def _module(straight: ast.expr, folded: ast.expr) -> ast.Module:
    """`decide(F)` tries the straight form and falls to `explain(F)`."""
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg("F")], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    explained = ast.Attribute(_call("explain", _name("F")), "value", ast.Load())
    decide = ast.FunctionDef(
        name="decide",
        args=arguments,
        body=[
            ast.Try(
                body=[ast.Return(straight)],
                handlers=[ast.ExceptHandler(_name("UNDECIDED"), None, [ast.Return(explained)])],
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
        function.type_params = []  # required from Python 3.12 on
    return ast.fix_missing_locations(ast.Module([explain, decide], []))


_KERNEL: dict[str, Any] = {
    name: getattr(k, name)
    for name in (
        "UNDECIDED", "ASCII_LOWER", "present", "whole", "scale", "unscale", "move_date", "age",
        "each", "member", "total", "mean", "whole_mean", "least", "greatest", "nearest_rank",
        "streak", "longest", "share", "read", "truth", "plain", "leaf", "apply", "is_null",
        "element_leaf", "value_at", "field", "first_known", "first_known_truth", "conjunction",
        "disjunction", "negation", "named", "quantifier", "aggregate", "gather", "same_content",
        "other_content", "DAY",
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


@dataclass
class _Names:
    """The constants and sites that a predicate's code refers to."""

    constants: dict[str, Any] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)

    def constant(self, value: Any) -> ast.expr:
        """*value* in place where Python has a literal for it, else under a name."""
        if value is None or isinstance(value, bool | int | str):
            return ast.Constant(value)
        name = f"K{len(self.constants)}"
        self.constants[name] = value
        return _name(name)

    def site(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        self.sites.append(Site(node, scope))
        return ast.Constant(len(self.sites) - 1)


# --- small pieces of ast


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _call(function: str | ast.expr, *arguments: ast.expr) -> ast.Call:
    callee = _name(function) if isinstance(function, str) else function
    return ast.Call(callee, list(arguments), [])


def _lambda(parameters: list[str], body: ast.expr) -> ast.Lambda:
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in parameters],
        kwonlyargs=[], kw_defaults=[], defaults=[],
    )  # fmt: skip
    return ast.Lambda(arguments, body)


def _not(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), value)


def _binary(left: ast.expr, op: ast.operator, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, op, right)


def _compared(left: ast.expr, *rest: tuple[ast.cmpop, ast.expr]) -> ast.expr:
    return ast.Compare(left, [op for op, _ in rest], [value for _, value in rest])


def _subscript(value: ast.expr, key: ast.expr) -> ast.expr:
    return ast.Subscript(value, key, ast.Load())


def _variable(name: str) -> str:
    return f"v_{name}"


_COMPARE: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip


# --- what both forms share


def _domain_type(over: ir.Expr, scope: t.Scope) -> t.AnyType:
    return t.base(t.infer(over, scope))


def _bind(var: str, over: ir.Expr, scope: t.Scope) -> t.Scope:
    return scope.bind(var, t.element(t.infer(over, scope)))


def _is_null(node: ir.Expr) -> bool:
    return isinstance(node, ir.Literal) and node.type == "null"


def _null_test(node: ir.Compare) -> ir.Expr | None:
    """What a `== null` or `!= null` asks about."""
    if _is_null(node.right):
        return node.left
    return node.right if _is_null(node.left) else None


def _ranks(names: _Names, left: t.AnyType, right: t.AnyType, op: str) -> ast.expr | None:
    """The places of an ordered enumeration's members, for an ordering comparison."""
    for side in (left, right):
        inner = t.base(side)
        if op not in ("==", "!=") and isinstance(inner, EnumType) and len(inner.members) > 1:
            return names.constant({member: i for i, member in enumerate(inner.members)})
    return None


def _place_of(of: t.AnyType, name: str) -> int:
    record = t.base(of)
    assert isinstance(record, RecordType)
    return [candidate.name for candidate in record.fields].index(name)


def _step(op: str, left: t.AnyType, right: t.AnyType, result: t.AnyType) -> str:
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


def _apply_step(helper: str, left: ast.expr, right: ast.expr) -> ast.expr:
    match helper.split():
        case ["whole", op]:
            return _call("whole", _apply_step(op, left, right))
        case ["+"]:
            return _binary(left, ast.Add(), right)
        case ["-"]:
            return _binary(left, ast.Sub(), right)
        case ["*"]:
            return _binary(left, ast.Mult(), right)
        case ["days", "between"]:
            return _binary(_binary(left, ast.Sub(), right), ast.Mult(), _name("DAY"))
        case ["move", "+"]:
            return _call("move_date", left, right)
        case ["move", "-"]:
            return _call("move_date", left, ast.UnaryOp(ast.USub(), right))
        case ["scale", "swapped"]:
            return _call("scale", right, left)
        case _:
            return _call(helper, left, right)


def _finish(names: _Names, op: str, value: t.AnyType) -> tuple[Any, str | None]:
    """The function that ends an aggregate over values of a type, and its name in the kernel."""
    kind = t.base(value)
    if op in ("min", "max", "percentile") and isinstance(kind, EnumType):
        plain_ = {"min": k.least, "max": k.greatest, "percentile": k.nearest_rank}[op]
        return k.ranked(plain_, kind.members), None
    match op:
        case "count":
            return len, None
        case "distinct":
            return frozenset, None
        case "sum" if kind.kind == "int":
            return _whole_sum, None
        case "sum" if kind.kind in ("duration", "size"):
            return sum, None
        case "sum":
            return k.total, "total"
        case "mean" if kind.kind in ("duration", "size"):
            return k.whole_mean, "whole_mean"
        case "mean":
            return k.mean, "mean"
        case "min":
            return k.least, "least"
        case "max":
            return k.greatest, "greatest"
        case "percentile":
            return k.nearest_rank, "nearest_rank"
        case _:
            return getattr(k, op), op


def _whole_sum(values: list[int]) -> int:
    return k.whole(sum(values))


class _Straight:
    """An ordinary Python expression that raises where something is not known."""

    def __init__(self, names: _Names) -> None:
        self.names = names

    def expr(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        """The value of *node*, which may be null only where its type is `T?`."""
        method: Callable[[Any, t.Scope], ast.expr] = getattr(self, f"_{type(node).__name__.lower()}")
        return method(node, scope)

    def sure(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        """The value of *node*, which is not null."""
        value = self.expr(node, scope)
        optional = isinstance(t.infer(node, scope), OptionalType)
        return _call("present", value) if optional else value

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
        return _subscript(_name("F"), ast.Constant(key))

    def _known(self, node: ir.Known, _: t.Scope) -> ast.expr:
        return self._read(known_key(node.name))

    def _variable(self, node: ir.Variable, _: t.Scope) -> ast.expr:
        return _name(_variable(node.name))

    def _fieldread(self, node: ir.FieldRead, scope: t.Scope) -> ast.expr:
        place = _place_of(t.infer(node.of, scope), node.name)
        return _subscript(self.sure(node.of, scope), ast.Constant(place))

    def _index(self, node: ir.Index, scope: t.Scope) -> ast.expr:
        return _subscript(self.sure(node.of, scope), self.sure(node.key, scope))

    def _and(self, node: ir.And, scope: t.Scope) -> ast.expr:
        return ast.BoolOp(ast.And(), [self.sure(item, scope) for item in node.items])

    def _or(self, node: ir.Or, scope: t.Scope) -> ast.expr:
        return ast.BoolOp(ast.Or(), [self.sure(item, scope) for item in node.items])

    def _not(self, node: ir.Not, scope: t.Scope) -> ast.expr:
        return _not(self.sure(node.of, scope))

    def _compare(self, node: ir.Compare, scope: t.Scope) -> ast.expr:
        asked = _null_test(node)
        if asked is not None:
            test = ast.Is() if node.op == "==" else ast.IsNot()
            return _compared(self.expr(asked, scope), (test, ast.Constant(None)))
        left, right = self.sure(node.left, scope), self.sure(node.right, scope)
        ranks = _ranks(
            self.names, t.infer(node.left, scope), t.infer(node.right, scope), node.op
        )
        if ranks is not None:
            left, right = _subscript(ranks, left), _subscript(ranks, right)
        return _compared(left, (_COMPARE[node.op](), right))

    def _between(self, node: ir.Between, scope: t.Scope) -> ast.expr:
        value = self.sure(node.of, scope)
        if node.low is None:
            assert node.high is not None
            return _compared(value, (ast.LtE(), self._literal(node.high, scope)))
        low = self._literal(node.low, scope)
        if node.high is None:
            return _compared(value, (ast.GtE(), low))
        high = self._literal(node.high, scope)
        return _compared(low, (ast.LtE(), value), (ast.LtE(), high))

    def _member(self, node: ir.Member, scope: t.Scope) -> ast.expr:
        item, of = self.sure(node.item, scope), self.sure(node.of, scope)
        domain = _domain_type(node.of, scope)
        if not isinstance(domain, MapType) and isinstance(t.element(domain), OptionalType):
            return _call("member", item, of)
        return _compared(item, (ast.In(), of))

    def _like(self, node: ir.Like, scope: t.Scope) -> ast.expr:
        matcher = self.names.constant(compile_globs(node.patterns))
        return _call(matcher, self.sure(node.of, scope))

    def _matches(self, node: ir.Matches, scope: t.Scope) -> ast.expr:
        matcher = self.names.constant(compile_regexes(node.patterns))
        return _call(matcher, self.sure(node.of, scope))

    def _contains(self, node: ir.Contains, scope: t.Scope) -> ast.expr:
        return _compared(self.sure(node.text, scope), (ast.In(), self.sure(node.of, scope)))

    def _arithmetic(self, node: ir.Arithmetic, scope: t.Scope) -> ast.expr:
        result, type_ = self.sure(node.first, scope), t.infer(node.first, scope)
        for step in node.rest:
            right = t.infer(step.value, scope)
            after = t.arithmetic(step.op, type_, right)
            helper = _step(step.op, type_, right, after)
            result, type_ = _apply_step(helper, result, self.sure(step.value, scope)), after
        return result

    def _negate(self, node: ir.Negate, scope: t.Scope) -> ast.expr:
        value = self.sure(node.of, scope)
        if _is_int(t.infer(node.of, scope)):
            return ast.UnaryOp(ast.USub(), value)
        return _call("minus", value)

    def _default(self, node: ir.Default, scope: t.Scope) -> ast.expr:
        value, fallback = self.expr(node.of, scope), self.expr(node.fallback, scope)
        if not isinstance(t.infer(node.of, scope), OptionalType):
            return value
        test = _compared(_name("v_"), (ast.IsNot(), ast.Constant(None)))
        return _call(_lambda(["v_"], ast.IfExp(test, _name("v_"), fallback)), value)

    def _quantifier(self, node: ir.Quantifier, scope: t.Scope) -> ast.expr:
        inner = _bind(node.var, node.over, scope)
        body = self._comprehension(
            node.var, node.over, node.where, self.sure(node.body, inner), scope, ast.GeneratorExp
        )
        match node.op:
            case "none":
                return _not(_call("any", body))
            case op:
                return _call(op, body)

    def _comprehension(
        self, var: str, over: ir.Expr, where: ir.Expr | None, element: ast.expr, scope: t.Scope,
        form: type[ast.ListComp] | type[ast.GeneratorExp],
    ) -> ast.expr:  # fmt: skip
        inner = _bind(var, over, scope)
        conditions = [] if where is None else [self.sure(where, inner)]
        target = ast.Name(_variable(var), ast.Store())
        loop = ast.comprehension(target, self.sure(over, scope), conditions, 0)
        return form(element, [loop])

    def _aggregate(self, node: ir.Aggregate, scope: t.Scope) -> ast.expr:
        values, type_ = self._values(node, scope)
        function, name = _finish(self.names, node.op, type_)
        callee = _name(name) if name else self.names.constant(function)
        rank = [] if node.rank is None else [self.names.constant(read_signed(node.rank)[1])]
        return _call(callee, values, *rank)

    def _values(self, node: ir.Aggregate, scope: t.Scope) -> tuple[ast.expr, t.AnyType]:
        if node.var is None:
            type_ = t.element(t.infer(node.over, scope))
            over = self.sure(node.over, scope)
            if not isinstance(type_, OptionalType) or node.op == "count":
                return over, type_
            element: ast.expr = _call("present", _name("v_"))
            loop = ast.comprehension(ast.Name("v_", ast.Store()), over, [], 0)
            return ast.ListComp(element, [loop]), type_
        inner = _bind(node.var, node.over, scope)
        if node.value is None:
            type_, element = t.BOOL, ast.Constant(True)
        else:
            type_, element = t.infer(node.value, inner), self.sure(node.value, inner)  # type: ignore[assignment]
        return (
            self._comprehension(node.var, node.over, node.where, element, scope, ast.ListComp),
            type_,
        )

    def _call(self, node: ir.Call, scope: t.Scope) -> ast.expr:
        value = self.sure(node.argument, scope)
        return _function(node.function, value, t.infer(node.argument, scope), self._read(NOW))

    def _runs(self, node: ir.Runs, _: t.Scope) -> ast.expr:
        return self._read(temporal_key(node))

    def _held(self, node: ir.Held, _: t.Scope) -> ast.expr:
        return self._read(temporal_key(node))

    def _history(self, node: ir.History, _: t.Scope) -> ast.expr:
        return self._read(temporal_key(node))

    def _named(self, node: ir.Named, scope: t.Scope) -> ast.expr:
        return self.expr(node.of, scope)


def _is_int(type: t.AnyType) -> bool:
    return t.base(type).kind in ("int", "duration", "size")


def _function(function: str, value: ast.expr, type: t.AnyType, now: ast.expr) -> ast.expr:
    match function:
        case "abs":
            return _call("abs" if _is_int(type) else "absolute", value)
        case "len":
            return _call("len", value)
        case "lower":
            return _call(ast.Attribute(value, "translate", ast.Load()), _name("ASCII_LOWER"))
        case "age":
            return _call("age", now, value)
        case "past":
            return _compared(value, (ast.LtE(), now))
        case _:  # percent and number: one decimal in two units
            return _call("Decimal", value)


class _ThreeValued:
    """Calls of the kernel: `truth` for predicates (a Truth), `value` for values (or Unknown)."""

    def __init__(self, names: _Names) -> None:
        self.names = names
        self.straight = _Straight(names)

    def truth(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is not None:
            result: ast.expr = method(node, scope)
            return result
        return _call("truth", self.names.site(node, scope), self._plain_value(node, scope))

    def value(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        if t.base(t.infer(node, scope)).kind == "bool" and _is_form(node):
            return _call("plain", self.truth(node, scope))
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
            case ir.Runs() | ir.Held() | ir.History():
                return self._read(temporal_key(node))
            case ir.ListOf(items=items):
                if all(isinstance(item, ir.Literal) for item in items):
                    return self.straight.expr(node, scope)
                return _call("apply", _name("gather"), *(self.value(item, scope) for item in items))
            case ir.FieldRead(of=of, name=name):
                place = _place_of(t.infer(of, scope), name)
                return _call("field", self.value(of, scope), ast.Constant(place))
            case ir.Index(of=of, key=key):
                return _call("value_at", self.value(of, scope), self.value(key, scope))
            case ir.Arithmetic():
                return self._arithmetic(node, scope)
            case ir.Negate(of=of):
                operand = self.straight._negate(ir.Negate(of=ir.Variable(name="x")), _x(of, scope))
                return self._applied(operand, self.value(of, scope))
            case ir.Default(of=of, fallback=fallback):
                return _call(
                    "first_known", self.value(of, scope), _lambda([], self.value(fallback, scope))
                )
            case ir.Aggregate():
                return self._aggregate(node, scope)
            case ir.Call():
                return self._call(node, scope)
            case ir.Named(of=of):
                return self.value(of, scope)
            case _:
                return _call("plain", self.truth(node, scope))

    def _domain(self, node: ir.Expr, scope: t.Scope) -> ast.expr:
        """A collection whose elements are looked at one by one: a list that is written out keeps
        its unknown elements, so that one of them does not hide the others."""
        if isinstance(node, ir.ListOf):
            return _call("gather", *(self.value(item, scope) for item in node.items))
        return self.value(node, scope)

    def _read(self, key: str) -> ast.expr:
        return _call("read", _name("F"), ast.Constant(key))

    def _applied(self, body: ast.expr, *operands: ast.expr) -> ast.expr:
        """`apply` of a function whose parameters are v_x, v_y."""
        parameters = ["v_x", "v_y"][: len(operands)]
        return _call("apply", _lambda(parameters, body), *operands)

    def _arithmetic(self, node: ir.Arithmetic, scope: t.Scope) -> ast.expr:
        result, type_ = self.value(node.first, scope), t.infer(node.first, scope)
        for step in node.rest:
            right = t.infer(step.value, scope)
            after = t.arithmetic(step.op, type_, right)
            helper = _step(step.op, type_, right, after)
            operand = self.value(step.value, scope)
            if helper in ("move +", "scale", "unscale", "add", "subtract", "multiply", "divide"):
                callee = _name("move_date" if helper == "move +" else helper)
                result = _call("apply", callee, result, operand)
            else:
                body = _apply_step(helper, _name("v_x"), _name("v_y"))
                result = self._applied(body, result, operand)
            type_ = after
        return result

    def _call(self, node: ir.Call, scope: t.Scope) -> ast.expr:
        argument = self.value(node.argument, scope)
        type_ = t.infer(node.argument, scope)
        if node.function == "age":
            return _call("apply", _name("age"), self._read(NOW), argument)
        if node.function == "past":
            body = _compared(_name("v_x"), (ast.LtE(), _name("v_y")))
            return self._applied(body, argument, self._read(NOW))
        return self._applied(_function(node.function, _name("v_x"), type_, _name("v_y")), argument)

    def _aggregate(self, node: ir.Aggregate, scope: t.Scope) -> ast.expr:
        none = ast.Constant(None)
        if node.var is None:
            type_: t.AnyType = t.element(t.infer(node.over, scope))
            where = value = none
        else:
            inner = _bind(node.var, node.over, scope)
            parameter = [_variable(node.var)]
            where = none if node.where is None else _lambda(parameter, self.value(node.where, inner))
            value = none if node.value is None else _lambda(parameter, self.value(node.value, inner))
            type_ = t.BOOL if node.value is None else t.infer(node.value, inner)
        function, name = _finish(self.names, node.op, type_)
        callee = _name(name) if name else self.names.constant(function)
        rank = [] if node.rank is None else [self.names.constant(read_signed(node.rank)[1])]
        return _call("aggregate", callee, self._domain(node.over, scope), where, value, *rank)

    # --- predicates

    def _and(self, node: ir.And, scope: t.Scope) -> ast.expr:
        return _call("conjunction", *(self.truth(item, scope) for item in node.items))

    def _or(self, node: ir.Or, scope: t.Scope) -> ast.expr:
        return _call("disjunction", *(self.truth(item, scope) for item in node.items))

    def _not(self, node: ir.Not, scope: t.Scope) -> ast.expr:
        return _call("negation", self.truth(node.of, scope))

    def _compare(self, node: ir.Compare, scope: t.Scope) -> ast.expr:
        asked = _null_test(node)
        site = self.names.site(node, scope)
        if asked is not None:
            negated = ast.Constant(node.op == "!=")
            return _call("is_null", site, self.value(asked, scope), negated)
        left_type = t.infer(node.left, scope)
        if isinstance(t.base(left_type), ListType | SetType | MapType | RecordType):
            test_name = _name("same_content" if node.op == "==" else "other_content")
            sides = (self.value(node.left, scope), self.value(node.right, scope))
            return _call("leaf", site, test_name, *sides)
        test = _COMPARE[node.op]
        ranks = _ranks(
            self.names, t.infer(node.left, scope), t.infer(node.right, scope), node.op
        )
        left: ast.expr = _name("v_x")
        right: ast.expr = _name("v_y")
        if ranks is not None:
            left, right = _subscript(ranks, left), _subscript(ranks, right)
        return self._leaf(
            site, _compared(left, (test(), right)),
            self.value(node.left, scope), self.value(node.right, scope),
        )  # fmt: skip

    def _leaf(self, site: ast.expr, body: ast.expr, *operands: ast.expr) -> ast.expr:
        parameters = ["v_x", "v_y"][: len(operands)]
        return _call("leaf", site, _lambda(parameters, body), *operands)

    def _between(self, node: ir.Between, scope: t.Scope) -> ast.expr:
        body = self.straight._between(
            ir.Between(of=ir.Variable(name="x"), low=node.low, high=node.high), _x(node.of, scope)
        )
        return self._leaf(self.names.site(node, scope), body, self.value(node.of, scope))

    def _member(self, node: ir.Member, scope: t.Scope) -> ast.expr:
        site = self.names.site(node, scope)
        return _call("element_leaf", site, self.value(node.item, scope), self._domain(node.of, scope))

    def _like(self, node: ir.Like, scope: t.Scope) -> ast.expr:
        return self._matched(node, compile_globs(node.patterns), scope)

    def _matches(self, node: ir.Matches, scope: t.Scope) -> ast.expr:
        return self._matched(node, compile_regexes(node.patterns), scope)

    def _matched(self, node: ir.Like | ir.Matches, matcher: Any, scope: t.Scope) -> ast.expr:
        site = self.names.site(node, scope)
        return _call("leaf", site, self.names.constant(matcher), self.value(node.of, scope))

    def _contains(self, node: ir.Contains, scope: t.Scope) -> ast.expr:
        body = _compared(_name("v_y"), (ast.In(), _name("v_x")))
        return self._leaf(
            self.names.site(node, scope), body,
            self.value(node.of, scope), self.value(node.text, scope),
        )  # fmt: skip

    def _default(self, node: ir.Default, scope: t.Scope) -> ast.expr:
        fallback = _lambda([], self.truth(node.fallback, scope))
        return _call("first_known_truth", self.truth(node.of, scope), fallback)

    def _named(self, node: ir.Named, scope: t.Scope) -> ast.expr:
        return _call("named", self.names.site(node, scope), self.truth(node.of, scope))

    def _quantifier(self, node: ir.Quantifier, scope: t.Scope) -> ast.expr:
        inner = _bind(node.var, node.over, scope)
        parameter = [_variable(node.var)]
        where: ast.expr = ast.Constant(None)
        if node.where is not None:
            where = _lambda(parameter, self.truth(node.where, inner))
        return _call(
            "quantifier", self.names.site(node, scope), ast.Constant(node.op),
            ast.Constant(node.var), self._domain(node.over, scope), where,
            _lambda(parameter, self.truth(node.body, inner)),
        )  # fmt: skip


def _x(of: ir.Expr, scope: t.Scope) -> t.Scope:
    """A scope in which the variable x has the type of *of*, never null: `apply` saw to that."""
    return t.Scope({}, {"x": t.base(t.infer(of, scope))})  # type: ignore[dict-item]


_FORMS = (
    ir.And, ir.Or, ir.Not, ir.Compare, ir.Between, ir.Member, ir.Like, ir.Matches, ir.Contains,
    ir.Quantifier, ir.Default,
)  # fmt: skip


def _is_form(node: ir.Expr) -> bool:
    return isinstance(node, _FORMS) or (isinstance(node, ir.Named) and _is_form(node.of))
