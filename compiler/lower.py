"""Predicates and values: from the syntax tree to the typed IR.

One method a form. A method lowers all operands before it gives up, so that every mistake of a
predicate is reported in one run; a form with a broken operand is None and says nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..grammar import syntax as s
from ..grammar.diagnostics import Code, Diagnostic, Label, nearest
from ..grammar.literals import (
    LiteralError,
    write_date,
    write_duration,
    write_money,
    write_number,
    write_percent,
    write_size,
    write_time,
    write_version,
)
from ..grammar.codes import LITERAL, NESTING
from ..grammar.source import Source, Span
from . import codes, typing as t
from .ir import expressions as ir
from .ir.document import Fact
from .ir.types import EnumType, ListType, MapType, OptionalType, SetType, Type
from .paths import PathError, normal_path
from .patterns import PatternError, compile_glob, compile_regex
from .shape import check_shape

MAX_DEPTH = 64
MAX_CHAIN = 1_000
MAX_NODES = 20_000


@dataclass(slots=True)
class Lowered:
    """A checked expression: its IR, its type, how many nodes it has and how deep it nests."""

    ir: ir.Expr
    type: t.AnyType
    size: int
    depth: int
    literal: bool = False


@dataclass
class Report:
    """Where findings go: a list, and the source that spans refer to."""

    source: Source
    found: list[Diagnostic]

    def __call__(
        self,
        code: Code,
        span: Span,
        message: str,
        hint: str | None = None,
        labels: tuple[Label, ...] = (),
    ) -> None:
        self.found.append(Diagnostic(code, self.source, span, message, hint, labels))


@dataclass
class Names:
    """What names mean in a predicate: facts, and the `let`s before it."""

    facts: Mapping[str, Type]
    lets: dict[str, Lowered | None] = field(default_factory=dict)
    incomplete: bool = False  # a file with syntax errors: a missing name may be one of its
    declared: Mapping[str, Fact] = field(default_factory=dict)


_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "number": write_number,
    "percent": write_percent,
    "duration": write_duration,
    "size": write_size,
    "time": write_time,
    "date": write_date,
    "version": write_version,
}


def canonical_literal(node: s.Literal) -> ir.Literal:
    """A literal of the file in the IR's canonical spelling."""
    value: Any = node.value
    if node.kind == "money":
        return ir.Literal(type="money", value=write_money(value, node.currency or ""))
    writer = _WRITERS.get(node.kind)
    return ir.Literal(type=node.kind, value=writer(value) if writer else value)  # type: ignore[arg-type]


def literal_type(node: s.Literal) -> t.AnyType:
    if node.kind == "money":
        return t.MoneyType(currency=node.currency or "")
    return t.NULL if node.kind == "null" else t.SCALARS[node.kind]


def literal_for(type: t.AnyType, node: s.Literal) -> str | None:
    """How a literal of another type would be written as *type*: `85` as a percent is `85%`."""
    target = t.base(type).kind
    if node.kind in ("int", "number"):
        unit = {"percent": "%", "duration": "m", "size": "MB", "money": None}.get(target, "")
        if unit:
            return f"write `{node.text}{unit}`" + (
                " (or another unit)" if target in ("duration", "size") else ""
            )
        if target == "money":
            return f"write `{node.text} {t.base(type).currency}`"  # type: ignore[union-attr]
    if node.kind == "percent" and target in ("int", "number"):
        return f"write `{node.text.rstrip('%')}`, or convert with `percent(…)`"
    if node.kind == "string":
        text = str(node.value)
        readers = {"version": f"v{text.removeprefix('v')}", "date": text, "time": text}
        if target in readers:
            return f"write `{readers[target]}` without quotes"
        if target == "bool" and text in ("true", "false"):
            return f"write `{text}` without quotes"
        if target in ("int", "number", "percent", "duration", "size") and text[:1].isdigit():
            return f"write `{text}` without quotes"
    if node.kind == "date" and target == "time":
        return f"write `{node.text}T00:00Z`"
    return None


class Lowering:
    """Lowers the expressions of one goal, preset or test."""

    def __init__(self, names: Names, report: Report) -> None:
        self.names = names
        self.report = report
        self._variables: dict[str, Type] = {}
        self._not_null: set[ir.Expr] = set()

    # --- entry points

    def predicate(self, node: s.Expr, where: str, not_null: frozenset[ir.Expr]) -> Lowered | None:
        """*node* as a predicate; *where* names its place in a message (`check`)."""
        self._not_null = set(not_null)
        check_shape(node, self.report)
        lowered = self.lower(node)
        if lowered is None or not self._is_truth(lowered, node, where):
            return None
        return self._bounded(lowered, node)

    def value(self, node: s.Expr) -> Lowered | None:
        """*node* as a value or a predicate, as `let` takes it."""
        self._not_null = set()
        check_shape(node, self.report)
        lowered = self.lower(node)
        return None if lowered is None else self._bounded(lowered, node)

    def _bounded(self, lowered: Lowered, node: s.Expr) -> Lowered | None:
        if lowered.depth > MAX_DEPTH:
            self.report(
                NESTING, node.span, f"the predicate nests {lowered.depth} deep, {MAX_DEPTH} is "
                "the most", "name its parts with `let`, or say it in several criteria",
            )  # fmt: skip
            return None
        if lowered.size > MAX_NODES:
            self.report(
                codes.TOO_COSTLY, node.span,
                f"with its `let`s written out the predicate has {lowered.size} parts, {MAX_NODES} "
                "is the most", "say it in several criteria",
            )  # fmt: skip
            return None
        return lowered

    # --- one form each

    def lower(self, node: s.Expr, want: t.AnyType | None = None) -> Lowered | None:
        """*node* in the IR; *want* is the type that its place asks of string literals."""
        method = getattr(self, f"_{type(node).__name__.lower()}")
        result: Lowered | None = method(node, want)
        return result

    def _fault(self, span: Span, fault: t.TypeFault, code: Code = codes.TYPE) -> None:
        self.report(code, span, fault.message, fault.hint)

    def _made(self, node: ir.Expr, type: t.AnyType, *parts: Lowered) -> Lowered:
        size = 1 + sum(part.size for part in parts)
        depth = 1 + max((part.depth for part in parts), default=0)
        return Lowered(node, type, size, depth)

    def _literal(self, node: s.Literal, want: t.AnyType | None) -> Lowered | None:
        inner = t.base(want) if want is not None else None
        if node.kind == "string" and inner is not None:
            text = str(node.value)
            if isinstance(inner, EnumType):
                return self._enum_literal(node, text, inner)
            if inner.kind == "path":
                return self._path_literal(node, text)
        return Lowered(canonical_literal(node), literal_type(node), 1, 0, literal=True)

    def _enum_literal(self, node: s.Literal, text: str, type: EnumType) -> Lowered | None:
        if text not in type.members:
            near = nearest(text, type.members)
            hint = f'did you mean "{near}"? ' if near else ""
            self.report(
                codes.ENUM_MEMBER, node.span, f'"{text}" is none of the fact\'s values',
                f"{hint}it is one of {t.describe(type)}",
            )  # fmt: skip
            return None
        return Lowered(ir.Literal(type="enum", value=text), type, 1, 0, literal=True)

    def _path_literal(self, node: s.Literal, text: str) -> Lowered | None:
        try:
            path = normal_path(text)
        except PathError as error:
            self.report(codes.PATH, node.span, error.message, error.hint)
            return None
        return Lowered(ir.Literal(type="path", value=path), t.PATH, 1, 0, literal=True)

    def _badliteral(self, node: s.BadLiteral, _: t.AnyType | None) -> None:
        self.report(LITERAL, node.span, node.message, node.hint)

    def _toodeep(self, node: s.TooDeep, _: t.AnyType | None) -> None:
        self.report(
            NESTING, Span(node.span.start, min(node.span.end, node.span.start + 80)),
            f"the predicate nests deeper than {MAX_DEPTH}",
            "name its parts with `let`, or say it in several criteria",
        )  # fmt: skip

    def _group(self, node: s.Group, want: t.AnyType | None) -> Lowered | None:
        return self.lower(node.inner, want)

    def _path(self, node: s.Path, _: t.AnyType | None) -> Lowered | None:
        first, *rest = node.text.split(".")
        if first in self._variables:
            variable = Lowered(ir.Variable(name=first), self._variables[first], 1, 0)
            return self._fields(variable, rest, node.span)
        if first in self.names.lets:
            named = self.names.lets[first]
            if named is None:
                return None
            if named.literal:
                return named
            expr = Lowered(ir.Named(name=first, of=named.ir), named.type, named.size, named.depth)
            return self._fields(expr, rest, node.span) if rest else expr
        fact = self._fact_of(node.text)
        if fact is None:
            self._undeclared(node)
            return None
        read = Lowered(ir.FactRead(name=fact), self.names.facts[fact], 1, 0)
        remaining = node.text[len(fact) + 1 :]
        return self._fields(read, remaining.split(".") if remaining else [], node.span)

    def _fact_of(self, path: str) -> str | None:
        """The declared fact that *path* is, or whose fields it reads."""
        parts = path.split(".")
        for count in range(len(parts), 0, -1):
            candidate = ".".join(parts[:count])
            if candidate in self.names.facts:
                return candidate
        return None

    def _fields(self, of: Lowered, names: list[str], span: Span) -> Lowered | None:
        for name in names:
            try:
                type = t.field(of.type, name)
            except t.TypeFault as fault:
                self._fault(span, fault)
                return None
            self._guard(of, span)
            of = Lowered(ir.FieldRead(of=of.ir, name=name), type, of.size + 1, of.depth)
        return of

    def _undeclared(self, node: s.Path) -> None:
        if self.names.incomplete:
            return
        known = {*self.names.facts, *self.names.lets, *self._variables}
        below = [name for name in self.names.facts if name.startswith(node.text + ".")]
        near = nearest(node.text, known)
        if below:
            hint = f"facts below it are {_some(below)}"
        elif near:
            hint = f"did you mean `{near}`?"
        elif node.text in _WRONG_NAMES:
            hint = _WRONG_NAMES[node.text]
        else:
            hint = f"declare it: `facts {{ {node.text} : TYPE }}`, or import its pack with `use`"
        self.report(
            codes.UNDECLARED_FACT, node.span, f"the fact `{node.text}` is not declared", hint
        )

    # --- logic

    def _chain(self, node: s.Chain, _: t.AnyType | None) -> Lowered | None:
        if len(node.items) > MAX_CHAIN:
            self._too_long(node.span, node.op)
            return None
        before = set(self._not_null)
        parts: list[Lowered | None] = []
        for item in node.items:
            lowered = self.lower(item)
            if lowered is not None and not self._is_truth(lowered, item, f"`{node.op}`"):
                lowered = None
            parts.append(lowered)
            if lowered is not None:
                self._not_null |= null_tests(lowered.ir, "!=" if node.op == "and" else "==")
        self._not_null = before
        whole = [part for part in parts if part is not None]
        if len(whole) < len(parts):
            return None
        items = tuple(part.ir for part in whole)
        made = ir.And(items=items) if node.op == "and" else ir.Or(items=items)
        return self._made(made, t.BOOL, *whole)

    def _not(self, node: s.Not, _: t.AnyType | None) -> Lowered | None:
        inner = self.lower(node.inner)
        if inner is None or not self._is_truth(inner, node.inner, "`not`"):
            return None
        return self._made(ir.Not(of=inner.ir), t.BOOL, inner)

    def _is_truth(self, lowered: Lowered, node: s.Expr, where: str) -> bool:
        try:
            t.truth(lowered.type, where)
        except t.TypeFault as fault:
            self._fault(node.span, fault, codes.NOT_A_PREDICATE)
            return False
        self._guard(lowered, node.span)
        return True

    def _guard(self, lowered: Lowered, span: Span) -> None:
        """Warn where a value that may be null is used without a test."""
        if not isinstance(lowered.type, OptionalType) or lowered.ir in self._not_null:
            return
        text = self.report.source.text[span.start : span.end]
        self.report(
            codes.UNGUARDED_NULL, span, f"`{text}` may be null, and is then unknown here",
            f"test it first: `{text} != null and …`, or give a value: `({text} ?? …)`",
        )  # fmt: skip

    def _quantifier(self, node: s.Quantifier, _: t.AnyType | None) -> Lowered | None:
        over = self._domain(node.domain)
        if over is None:
            return None
        outer = self._variables
        bound = self._bind(node.var, over)
        before = set(self._not_null)
        where = self._condition(node.where, "`where`")
        if where is not None:
            self._not_null |= null_tests(where.ir, "!=")
        body = self._condition(node.body, f"`{node.op}`")
        self._not_null = before
        self._variables = outer
        if body is None or not bound or (node.where and where is None):
            return None
        parts = [part for part in (over, where, body) if part is not None]
        made = ir.Quantifier(
            op=node.op, var=node.var.text, over=over.ir,
            where=where.ir if where else None, body=body.ir,
        )  # fmt: skip
        return self._made(made, t.BOOL, *parts)

    def _condition(self, node: s.Expr | None, where: str) -> Lowered | None:
        if node is None:
            return None
        lowered = self.lower(node)
        return lowered if lowered and self._is_truth(lowered, node, where) else None

    def _domain(self, node: s.Expr) -> Lowered | None:
        over = self.lower(node)
        if over is None:
            return None
        try:
            t.element(over.type)
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        self._guard(over, node.span)
        return over

    def _bind(self, var: s.Name, over: Lowered) -> bool:
        """Bind *var* to the elements of *over*; False where its name is taken."""
        taken = None
        if var.text in self._variables:
            taken = "already bound around it"
        elif var.text in self.names.lets:
            taken = "the name of a `let`"
        elif any(fact == var.text or fact.startswith(var.text + ".") for fact in self.names.facts):
            taken = "also the first part of a fact's name"
        if taken:
            self.report(
                codes.BOUND_NAME, var.span, f"`{var.text}` is {taken}", "choose another name"
            )
        self._variables = {var.text: t.element(over.type), **self._variables}
        return taken is None

    # --- time

    def _runs(self, node: s.Runs, _: t.AnyType | None) -> Lowered | None:
        inner = self._condition(node.inner, "`for … runs`")
        count = self._setting(node.count, "int", "the number of runs")
        clock = self._clock(node.clock) if node.clock else None
        if inner is None or count is None or (node.clock and clock is None):
            return None
        if not isinstance(count, int) or count < 1:
            self.report(codes.BAD_COUNT, node.count.span, "a streak has at least one run")
            return None
        made = ir.Runs(of=inner.ir, count=count, clock=clock, one_revision=node.one_revision)
        return self._made(made, t.BOOL, inner)

    def _clock(self, node: s.Path) -> str | None:
        if node.text in self.names.facts:
            return node.text
        self._undeclared(node)
        return None

    def _held(self, node: s.Held, _: t.AnyType | None) -> Lowered | None:
        inner = self._condition(node.inner, "`for`")
        duration = self._duration(node.duration)
        every = self._duration(node.every) if node.every else None
        if inner is None or duration is None or (node.every and every is None):
            return None
        return self._made(ir.Held(of=inner.ir, duration=duration, every=every), t.BOOL, inner)

    def _duration(self, node: s.Expr) -> str | None:
        value = self._setting(node, "duration", "how long it holds")
        if value is None:
            return None
        if not isinstance(value, int) or value <= 0:
            self.report(codes.BAD_COUNT, node.span, "the duration is longer than 0s")
            return None
        return write_duration(value)

    def _setting(self, node: s.Expr, kind: str, what: str) -> object | None:
        """The value of a literal of *kind* that a form takes."""
        if isinstance(node, s.BadLiteral):
            self._badliteral(node, None)
            return None
        if isinstance(node, s.Literal) and node.kind == kind:
            return node.value
        text = self.report.source.text[node.span.start : node.span.end]
        hint = None
        if kind == "duration" and isinstance(node, s.Literal) and node.kind == "int":
            hint = f"write `for {text} runs`, or a unit: `for {text}m`"
        elif kind == "int" and isinstance(node, s.Literal) and node.kind == "duration":
            hint = f"write `for {text}`"
        self.report(codes.BAD_COUNT, node.span, f"`{text}` is no {kind}: {what} is due", hint)
        return None

    def _history(self, node: s.History, _: t.AnyType | None) -> Lowered | None:
        inner = self._condition(node.inner, f"`{node.op}`")
        if inner is None:
            return None
        return self._made(ir.History(op=node.op, of=inner.ir), t.BOOL, inner)

    def _view(self, node: s.View, _: t.AnyType | None) -> Lowered | None:
        inner = node.inner
        fact = self._fact_of(inner.text) if isinstance(inner, s.Path) else None
        if not isinstance(inner, s.Path) or fact is None:
            if isinstance(inner, s.Path) and inner.text.split(".")[0] not in (
                *self._variables, *self.names.lets,
            ):  # fmt: skip
                self._undeclared(inner)
            elif not isinstance(inner, s.View):  # stacked views are the shape's business
                self.report(
                    codes.VIEW_PLACE, inner.span,
                    f"{_VIEW_WORDS[node.view]} is said of a fact, and this is none",
                    f"say it of each fact: `{_VIEW_EXAMPLES[node.view]}`",
                )  # fmt: skip
            return None
        within = None
        if node.within is not None:
            within = self._duration(node.within)
            if within is None:
                return None
        read = ir.FactRead(name=fact, view=node.view, within=within)
        lowered = Lowered(read, self.names.facts[fact], 1, 0)
        rest = inner.text[len(fact) + 1 :]
        return self._fields(lowered, rest.split(".") if rest else [], node.span)

    # --- comparison and membership

    def _compare(self, node: s.Compare, _: t.AnyType | None) -> Lowered | None:
        if isinstance(node.left, s.Compare):
            self._chained(node)
            return None
        left, right = self._pair(node.left, node.right)
        if left is None or right is None:
            return None
        try:
            if node.op in ("==", "!="):
                t.equality(left.type, right.type)
            else:
                t.order(left.type, right.type)
        except t.TypeFault as fault:
            self._mismatch(node.span, fault, (node.left, left), (node.right, right))
            return None
        nulls = isinstance(left.type, t.NullType) or isinstance(right.type, t.NullType)
        if not nulls:
            self._guard(left, node.left.span)
            self._guard(right, node.right.span)
        return self._made(ir.Compare(op=node.op, left=left.ir, right=right.ir), t.BOOL, left, right)

    def _chained(self, node: s.Compare) -> None:
        assert isinstance(node.left, s.Compare)
        text = self.report.source.text
        first = text[node.left.span.start : node.left.span.end]
        middle = text[node.left.right.span.start : node.left.right.span.end]
        last = text[node.right.span.start : node.right.span.end]
        hint = f"write `{first} and {middle} {node.op} {last}`"
        inner = node.left
        if node.op in ("<", "<=") and inner.op in ("<", "<="):
            low = text[inner.left.span.start : inner.left.span.end]
            hint += f", or the closed range `{middle} in {low}..{last}`"
        self.report(codes.CHAINED, node.span, "comparisons do not chain", hint)

    def _pair(self, left: s.Expr, right: s.Expr) -> tuple[Lowered | None, Lowered | None]:
        """Both operands; a string literal takes the type of what stands beside it."""
        if _is_literal(left) and not _is_literal(right):
            second = self.lower(right)
            return self.lower(left, second.type if second else None), second
        first = self.lower(left)
        return first, self.lower(right, first.type if first else None)

    def _mismatch(
        self, span: Span, fault: t.TypeFault, *sides: tuple[s.Expr, Lowered]
    ) -> None:
        """Report a fault of two operands; a literal of the wrong unit gets the one to write."""
        for (node, _), (_, other) in (sides, sides[::-1]):
            inner = _ungrouped(node)
            if isinstance(inner, s.Literal):
                hint = literal_for(other.type, inner)
                if hint is not None:
                    kinds = "a unit is missing or wrong: " if inner.kind != "string" else ""
                    self.report(codes.UNIT, node.span, kinds + fault.message, hint)
                    return
        self._fault(span, fault)

    def _member(self, node: s.Member, _: t.AnyType | None) -> Lowered | None:
        lowered = (
            self._between(node, node.of)
            if isinstance(node.of, s.Range)
            else self._in_collection(node, node.of)
        )
        if lowered is None or not node.negated:
            return lowered
        return self._made(ir.Not(of=lowered.ir), t.BOOL, lowered)

    def _between(self, node: s.Member, bounds: s.Range) -> Lowered | None:
        item = self.lower(node.item)
        low = self._bound(bounds.low, item)
        high = self._bound(bounds.high, item)
        if item is None or (bounds.low and low is None) or (bounds.high and high is None):
            return None
        if not t.is_ordered(t.base(item.type)):
            self._fault(node.item.span, t.TypeFault(f"{t.describe(item.type)} has no ranges"))
            return None
        if not check_bounds(bounds, self.report):
            return None
        self._guard(item, node.item.span)
        return self._made(ir.Between(of=item.ir, low=low, high=high), t.BOOL, item)

    def _bound(self, node: s.Expr | None, item: Lowered | None) -> ir.Literal | None:
        if node is None:
            return None
        bound = self.lower(node)
        if bound is None or item is None:
            return None
        assert isinstance(bound.ir, ir.Literal)
        if t.joined(bound.type, item.type) is None:
            fault = t.TypeFault(
                f"a range of {t.describe(bound.type)} for {t.describe(item.type)}"
            )
            self._mismatch(node.span, fault, (node, bound), (node, item))
            return None
        return bound.ir

    def _in_collection(self, node: s.Member, of: s.Expr) -> Lowered | None:
        if _is_literal(node.item):
            collection = self.lower(of)
            want = None if collection is None else _element_or_none(collection.type)
            item = self.lower(node.item, want)
        else:
            item = self.lower(node.item)
            collection = self.lower(of, ListType(of=t.base(item.type)) if item else None)  # type: ignore[arg-type]
        if item is None or collection is None:
            return None
        try:
            t.membership(item.type, collection.type)
        except t.TypeFault as fault:
            self._mismatch(node.span, fault, (node.item, item), (node.item, _of_element(collection)))
            return None
        self._guard(item, node.item.span)
        self._guard(collection, of.span)
        return self._made(ir.Member(item=item.ir, of=collection.ir), t.BOOL, item, collection)

    def _texttest(self, node: s.TextTest, _: t.AnyType | None) -> Lowered | None:
        left = self.lower(node.left)
        if node.op == "contains":
            return self._contains(node, left)
        patterns = self._patterns(node)
        if left is None or patterns is None:
            return None
        try:
            t.text_test(node.op, left.type)
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        self._guard(left, node.left.span)
        form = ir.Like if node.op == "like" else ir.Matches
        return self._made(form(of=left.ir, patterns=patterns), t.BOOL, left)

    def _contains(self, node: s.TextTest, left: Lowered | None) -> Lowered | None:
        right = self.lower(node.right)
        if left is None or right is None:
            return None
        try:
            t.text_test("contains", left.type)
            if t.base(right.type).kind not in ("string", "path"):
                raise t.TypeFault(f"`contains` looks for a string, not {t.describe(right.type)}")
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        self._guard(left, node.left.span)
        self._guard(right, node.right.span)
        return self._made(ir.Contains(of=left.ir, text=right.ir), t.BOOL, left, right)

    def _patterns(self, node: s.TextTest) -> tuple[str, ...] | None:
        """The globs or regular expressions on the right: literals, one or a list."""
        items = self._pattern_literals(node.right)
        if items is None:
            self.report(
                codes.PATTERN, node.right.span, f"`{node.op}` takes patterns that stand in the file",
                'write a string, or a list of them: `["a/**", "b/**"]`',
            )  # fmt: skip
            return None
        good = [p for p in items if self.pattern(node.op, *p)]
        if len(good) < len(items) or not items:
            if not items:
                self.report(codes.PATTERN, node.right.span, "the list of patterns is empty")
            return None
        return tuple(text for text, _ in items)

    def _pattern_literals(self, node: s.Expr) -> list[tuple[str, Span]] | None:
        node = _ungrouped(node)
        if isinstance(node, s.ListLiteral):
            parts = [self._pattern_literals(item) for item in node.items]
            return None if None in parts else [p for part in parts if part for p in part]
        if isinstance(node, s.Literal) and node.kind == "string":
            return [(str(node.value), node.span)]
        if isinstance(node, s.BadLiteral):
            self._badliteral(node, None)
            return []
        if isinstance(node, s.Path) and node.text in self.names.lets:
            named = self.names.lets[node.text]
            if named is None:
                return []
            literals = named.ir.items if isinstance(named.ir, ir.ListOf) else (named.ir,)
            if all(isinstance(i, ir.Literal) and i.type == "string" for i in literals):
                return [(str(i.value), node.span) for i in literals]  # type: ignore[union-attr]
        return None

    def pattern(self, op: str, text: str, span: Span) -> bool:
        """Is *text* a good glob (`like`) or regular expression (`matches`)? Reports if not."""
        try:
            (compile_glob if op == "like" else compile_regex)(text)
        except PatternError as error:
            place = span
            literal = self.report.source.text[span.start : span.end]
            if literal[1:-1] == text or literal.startswith('r"'):
                start = span.start + literal.index('"') + 1 + error.offset
                place = Span(min(start, span.end - 1), min(start + 1, span.end))
            self.report(codes.PATTERN, place, error.message, error.hint)
            return False
        return True

    # --- arithmetic

    def _binary(self, node: s.Binary, want: t.AnyType | None) -> Lowered | None:
        if node.op == "??":
            return self._fallback(node, want)
        family = ("+", "-") if node.op in "+-" else ("*", "/")
        steps: list[s.Binary] = []
        first: s.Expr = node
        while isinstance(first, s.Binary) and first.op in family:
            steps.append(first)
            first = first.left
        if len(steps) >= MAX_CHAIN:
            self._too_long(node.span, node.op)
            return None
        return self._arithmetic(first, steps[::-1])

    def _arithmetic(self, first: s.Expr, steps: list[s.Binary]) -> Lowered | None:
        result = self.lower(first)
        operands = [self.lower(step.right) for step in steps]
        if result is None or None in operands:
            return None
        parts, type, left = [result], result.type, first
        rest: list[ir.Step] = []
        for step, operand in zip(steps, operands, strict=True):
            assert operand is not None
            try:
                before, type = type, t.arithmetic(step.op, type, operand.type)
            except t.TypeFault as fault:
                so_far = Lowered(result.ir, type, 1, 0)
                self._mismatch(step.span, fault, (left, so_far), (step.right, operand))
                return None
            self._guard(operand, step.right.span)
            if not self._whole_days(before, step.right, operand):
                return None
            rest.append(ir.Step(op=step.op, value=operand.ir))  # type: ignore[arg-type]
            parts.append(operand)
            left = step
        self._guard(result, first.span)
        return self._made(ir.Arithmetic(first=result.ir, rest=tuple(rest)), type, *parts)

    def _whole_days(self, left: t.AnyType, node: s.Expr, operand: Lowered) -> bool:
        """A date moves by whole days; a literal that is none is a mistake already here."""
        inner = _ungrouped(node)
        if t.base(left).kind != "date" or operand.type.kind != "duration":
            return True
        if isinstance(inner, s.Literal) and isinstance(inner.value, int):
            if inner.value % (86_400 * 10**9):
                self.report(
                    codes.UNIT, node.span, f"a date moves by whole days, not by {inner.text}",
                    "write `2d`, or use a time",
                )  # fmt: skip
                return False
        return True

    def _too_long(self, span: Span, op: str) -> None:
        self.report(
            NESTING, Span(span.start, min(span.end, span.start + 80)),
            f"more than {MAX_CHAIN} parts in one chain of `{op}`",
            "quantify over a list, or say it in several criteria",
        )  # fmt: skip

    def _fallback(self, node: s.Binary, want: t.AnyType | None) -> Lowered | None:
        of = self.lower(node.left, want)
        value = self.lower(node.right, of.type if of else want)
        if of is None or value is None:
            return None
        try:
            type = t.fallback(of.type, value.type)
        except t.TypeFault as fault:
            self._mismatch(node.span, fault, (node.left, of), (node.right, value))
            return None
        return self._made(ir.Default(of=of.ir, fallback=value.ir), type, of, value)

    def _negative(self, node: s.Negative, _: t.AnyType | None) -> Lowered | None:
        inner = self.lower(node.inner)
        if inner is None:
            return None
        try:
            type = t.signed(inner.type, "`-`")
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        self._guard(inner, node.inner.span)
        return self._made(ir.Negate(of=inner.ir), type, inner)

    # --- access, calls, lists

    def _fieldof(self, node: s.FieldOf, _: t.AnyType | None) -> Lowered | None:
        inner = self.lower(node.inner)
        return None if inner is None else self._fields(inner, [node.name.text], node.span)

    def _index(self, node: s.Index, _: t.AnyType | None) -> Lowered | None:
        of, key = self.lower(node.inner), self.lower(node.key)
        if of is None or key is None:
            return None
        try:
            type = t.index(of.type, key.type)
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        self._guard(of, node.inner.span)
        self._guard(key, node.key.span)
        return self._made(ir.Index(of=of.ir, key=key.ir), type, of, key)

    def _listliteral(self, node: s.ListLiteral, want: t.AnyType | None) -> Lowered | None:
        inner = _element_or_none(want) if want is not None else None
        parts = [self.lower(item, inner) for item in node.items]
        if not parts:
            type = ListType(of=inner if inner is not None else t.STRING)  # type: ignore[arg-type]
            return Lowered(ir.ListOf(items=()), type, 1, 0, literal=True)
        whole = [part for part in parts if part is not None]
        if len(whole) < len(parts):
            return None
        type_ = whole[0].type
        for item, part in zip(node.items, whole, strict=True):
            merged = t.joined(type_, part.type)
            if merged is None or isinstance(part.type, t.NullType):
                fault = t.TypeFault(
                    f"a list holds one type: {t.describe(type_)} here, {t.describe(part.type)} there"
                )
                self._mismatch(item.span, fault, (item, part), (item, whole[0]))
                return None
            type_ = merged
        lowered = self._made(
            ir.ListOf(items=tuple(part.ir for part in whole)), ListType(of=type_), *whole  # type: ignore[arg-type]
        )
        if all(part.literal for part in whole):  # a list of literals is no nesting (ruling 72)
            lowered.depth, lowered.literal = 0, True
        return lowered

    def _call(self, node: s.Call, _: t.AnyType | None) -> Lowered | None:
        name = node.name.text
        if name == "known":
            return self._known(node)
        if name in t.AGGREGATES:
            return self._aggregate(node)
        if name not in t.FUNCTIONS:
            self._unknown_function(node.name)
            return None
        if len(node.arguments) != 1 or node.arguments[0].var or node.arguments[0].where:
            self.report(codes.ARGUMENTS, node.span, f"`{name}` takes one value: `{name}(x)`")
            return None
        argument = self.lower(node.arguments[0].value)
        if argument is None:
            return None
        try:
            type = t.call(name, argument.type)
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        self._guard(argument, node.arguments[0].span)
        return self._made(ir.Call(function=name, argument=argument.ir), type, argument)  # type: ignore[arg-type]

    def _unknown_function(self, name: s.Name) -> None:
        known = [*t.FUNCTIONS, *t.AGGREGATES, "known"]
        near = nearest(name.text, known)
        hint = _WRONG_FUNCTIONS.get(name.text)
        if hint is None:
            hint = f"did you mean `{near}`?" if near else "there are " + ", ".join(sorted(known))
        self.report(
            codes.UNKNOWN_FUNCTION, name.span, f"there is no function `{name.text}`", hint
        )

    def _known(self, node: s.Call) -> Lowered | None:
        value = node.arguments[0].value if len(node.arguments) == 1 else None
        if not isinstance(value, s.Path) or node.arguments[0].var or node.arguments[0].where:
            self.report(codes.ARGUMENTS, node.span, "`known` takes a fact: `known(suite.passed)`")
            return None
        if value.text not in self.names.facts:
            self._undeclared(value)
            return None
        return Lowered(ir.Known(name=value.text), t.BOOL, 1, 1)

    def _aggregate(self, node: s.Call) -> Lowered | None:
        name, arguments = node.name.text, node.arguments
        rank = None
        if name == "percentile":
            if len(arguments) != 2 or arguments[1].var or arguments[1].where:
                self.report(
                    codes.ARGUMENTS, node.span, "`percentile` takes values and a percent",
                    "write `percentile(r.took for r in runs, 95%)`",
                )  # fmt: skip
                return None
            rank = self._rank(arguments[1].value)
            if rank is None:
                return None
        elif len(arguments) != 1:
            self.report(
                codes.ARGUMENTS, node.span, f"`{name}` takes one argument",
                f"write `{name}({_AGGREGATE_EXAMPLES.get(name, 'x.f for x in xs')})`",
            )  # fmt: skip
            return None
        return self._comprehension(node, arguments[0], rank)

    def _rank(self, node: s.Expr) -> str | None:
        value = self._setting(node, "percent", "the percentile's rank")
        if value is None:
            return None
        if not 0 < value <= 1:  # type: ignore[operator]
            self.report(codes.BAD_COUNT, node.span, "a percentile lies above 0% and up to 100%")
            return None
        return write_percent(value)  # type: ignore[arg-type]

    def _comprehension(self, node: s.Call, argument: s.Argument, rank: str | None) -> Lowered | None:
        name = node.name.text
        value_node, var, domain, where_node = (
            argument.value, argument.var, argument.domain, argument.where,
        )  # fmt: skip
        if var is None:
            member = _ungrouped(value_node) if isinstance(value_node, s.Member) else None
            counted = isinstance(member, s.Member) and isinstance(member.item, s.Path)
            if counted and isinstance(member, s.Member) and "." not in member.item.text:  # type: ignore[union-attr]
                if name != "count" or member.negated or isinstance(member.of, s.Range):
                    self._comprehension_form(node, name)
                    return None
                item: Any = member.item
                var, domain, value_node = s.Name(item.span, item.text), member.of, None  # type: ignore[assignment]
            elif where_node is not None:
                self._comprehension_form(node, name)
                return None
        if var is None or domain is None:
            return self._plain_aggregate(node, name, value_node, rank)
        if name == "count" and value_node is not None:
            self._comprehension_form(node, name)
            return None
        over = self._domain(domain)
        if over is None:
            return None
        outer = self._variables
        bound = self._bind(var, over)
        before = set(self._not_null)
        where = self._condition(where_node, "`where`")
        if where is not None:
            self._not_null |= null_tests(where.ir, "!=")
        value = self.lower(value_node) if value_node is not None else None
        if value is not None and value_node is not None:
            self._guard(value, value_node.span)
        self._not_null = before
        self._variables = outer
        if not bound or (where_node and where is None):
            return None
        if value_node is not None and value is None:
            return None
        try:
            type = t.aggregate(name, t.BOOL if value is None else value.type)
        except t.TypeFault as fault:
            self._fault((value_node or node).span, fault)
            return None
        if not self._is_list(name, over, node):
            return None
        made = ir.Aggregate(
            op=name, var=var.text, over=over.ir, where=where.ir if where else None,
            value=value.ir if value else None, rank=rank,
        )  # type: ignore[arg-type]  # fmt: skip
        return self._made(made, type, *(p for p in (over, where, value) if p is not None))

    def _plain_aggregate(
        self, node: s.Call, name: str, value: s.Expr, rank: str | None
    ) -> Lowered | None:
        if name in ("streak", "longest", "share"):
            self._comprehension_form(node, name)
            return None
        over = self._domain(value)
        if over is None:
            return None
        try:
            type = t.aggregate(name, t.element(over.type))
        except t.TypeFault as fault:
            self._fault(node.span, fault)
            return None
        return self._made(ir.Aggregate(op=name, over=over.ir, rank=rank), type, over)  # type: ignore[arg-type]

    def _is_list(self, name: str, over: Lowered, node: s.Call) -> bool:
        if name in ("streak", "longest") and not isinstance(t.base(over.type), ListType):
            self.report(
                codes.TYPE, node.span, f"`{name}` needs an order, and a {t.base(over.type).kind} "
                "has none", "declare the fact as a list",
            )  # fmt: skip
            return False
        return True

    def _comprehension_form(self, node: s.Call, name: str) -> None:
        example = _AGGREGATE_EXAMPLES.get(name, "x.f for x in xs where P")
        self.report(
            codes.ARGUMENTS, node.span, f"`{name}` takes another form", f"write `{name}({example})`"
        )


_AGGREGATE_EXAMPLES = {
    "count": "x in xs where P",
    "streak": "r.passed for r in runs where Q",
    "longest": "r.passed for r in runs where Q",
    "share": "r.passed for r in runs where Q",
    "percentile": "r.took for r in runs, 95%",
}
_WRONG_FUNCTIONS = {
    "length": "write `len(s)` for a string, `count(xs)` for a collection",
    "size": "write `len(s)` for a string, `count(xs)` for a collection",
    "avg": "write `mean(…)`",
    "average": "write `mean(…)`",
    "median": "write `percentile(…, 50%)`",
    "p95": "write `percentile(…, 95%)`",
    "now": "there is no clock in a predicate; `age(t)` is the observation's time minus t",
    "today": "there is no *today*; `age(t)` is the observation's time minus t",
    "exists": "write `any x in xs: …`, or `known(fact)`",
    "defined": "write `known(fact)`",
    "startswith": 'write `s matches r"^…"` or `p like "…/**"`',
    "unique": "write `distinct(…)`",
    "upper": "write `lower(s)`",
}
_WRONG_NAMES = {
    "True": "write `true`",
    "False": "write `false`",
    "None": "write `null`",
    "nil": "write `null`",
    "now": "there is no clock in a predicate; `age(t)` is the observation's time minus t",
}
_VIEW_WORDS = {
    "start": "`at start`",
    "baseline": "`at baseline`",
    "previous": "`previous`",
    "fresh": "`fresh`",
}
_VIEW_EXAMPLES = {
    "start": "x at start",
    "baseline": "x at baseline",
    "previous": "previous x",
    "fresh": "x fresh 10m",
}


def null_tests(expr: ir.Expr, op: str) -> set[ir.Expr]:
    """What is certainly not null where *expr* held (`!=`) or did not hold (`==`)."""
    expr = expr.of if isinstance(expr, ir.Named) else expr
    if isinstance(expr, ir.Compare) and expr.op == op:
        for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(other, ir.Literal) and other.type == "null":
                return {side}
    if isinstance(expr, ir.Not):
        return null_tests(expr.of, "==" if op == "!=" else "!=")
    chain = ir.And if op == "!=" else ir.Or
    if isinstance(expr, chain):
        return set().union(*(null_tests(item, op) for item in expr.items))
    return set()


def check_bounds(bounds: s.Range, report: Report) -> bool:
    """Is the range of literals possible? Both ends of one type, the low one not above the high."""
    low, high = bounds.low, bounds.high
    if not isinstance(low, s.Literal) or not isinstance(high, s.Literal):
        return True
    if t.joined(literal_type(low), literal_type(high)) is None:
        report(
            codes.BAD_RANGE, bounds.span,
            f"the range goes from {t.describe(literal_type(low))} to "
            f"{t.describe(literal_type(high))}",
        )  # fmt: skip
        return False
    if low.value > high.value:  # type: ignore[operator]
        report(
            codes.BAD_RANGE, bounds.span, "the range holds nothing: its low end is above its high",
            f"write `{high.text}..{low.text}`",
        )  # fmt: skip
        return False
    return True


def _is_literal(node: s.Expr) -> bool:
    node = _ungrouped(node)
    if isinstance(node, s.ListLiteral):
        return all(_is_literal(item) for item in node.items)
    return isinstance(node, s.Literal)


def _ungrouped(node: s.Expr) -> s.Expr:
    while isinstance(node, s.Group):
        node = node.inner
    return node


def _element_or_none(type: t.AnyType) -> t.AnyType | None:
    inner = t.base(type)
    return inner.of if isinstance(inner, ListType | SetType) else None


def _of_element(collection: Lowered) -> Lowered:
    inner = _element_or_none(collection.type)
    return Lowered(collection.ir, inner if inner is not None else t.STRING, 1, 0)


def _some(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in sorted(names)[:5])
    return shown + (", …" if len(names) > 5 else "")
