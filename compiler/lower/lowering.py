"""Lowering: the state of one goal's, preset's or test's expressions, and what every form shares.

A form lowers all its operands before it gives up, so that every mistake of a predicate is reported
in one run; a form with a broken operand is None and says nothing more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...grammar import syntax as s
from ...grammar.codes import NESTING
from ...grammar.diagnostics import Code, Diagnostic, nearest
from ...grammar.literals import place_in_string, write_duration
from ...grammar.source import Span
from .. import codes
from .. import typing as t
from ..context import (
    MAX_ALL_NODES,
    MAX_CHAIN,
    MAX_DEPTH,
    MAX_NODES,
    Lowered,
    Names,
    Report,
    ungrouped,
)
from ..ir import expressions as ir
from ..ir.types import ListType, OptionalType, Type
from ..patterns import PatternError, compile_glob, compile_regex
from ..shape import check_shape
from .literals import literal_for

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., "Lowered | None"])
_Form = Callable[["Lowering", Any, t.AnyType | None], "Lowered | None"]
_FORMS: dict[type, _Form] = {}


def form(node: type) -> Callable[[_F], _F]:
    """Register the function that lowers *node*."""

    def register(function: _F) -> _F:
        _FORMS[node] = function
        return function

    return register


class Lowering:
    """Lowers the expressions of one goal, preset or test."""

    def __init__(self, names: Names, report: Report) -> None:
        self.names = names
        self.report = report
        self.place = Span(0, 0)  # of the whole predicate
        self.variables: dict[str, Type] = {}
        self.not_null: set[ir.Expr] = set()

    def predicate(self, node: s.Expr, where: str, not_null: frozenset[ir.Expr]) -> Lowered | None:
        """*node* as a predicate; *where* names its place in a message (`check`)."""
        if self.names.spent.nodes > MAX_ALL_NODES:
            return None
        self.not_null = set(not_null)
        self.place = node.span
        well_shaped = check_shape(node, self.report)
        lowered = self.lower(node)
        if lowered is None or not self.is_truth(lowered, node, where) or not well_shaped:
            return None
        return self.bounded(lowered, node)

    def value(self, node: s.Expr) -> Lowered | None:
        """*node* as a value or a predicate, as `let` takes it."""
        if self.names.spent.nodes > MAX_ALL_NODES:
            return None
        self.not_null = set()
        self.place = node.span
        well_shaped = check_shape(node, self.report)
        lowered = self.lower(node)
        return self.bounded(lowered, node) if lowered is not None and well_shaped else None

    def bounded(self, lowered: Lowered, node: s.Expr) -> Lowered | None:
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
        before = self.names.spent.nodes
        self.names.spent.nodes += lowered.size
        if self.names.spent.nodes <= MAX_ALL_NODES:
            return lowered
        if before <= MAX_ALL_NODES:  # the first one too many
            self.report(
                codes.TOO_COSTLY, node.span,
                f"with their `let`s written out the file's predicates have more than "
                f"{MAX_ALL_NODES:,} parts", "share fewer long lists, or split the file",
            )  # fmt: skip
        return None

    def lower(self, node: s.Expr, want: t.AnyType | None = None) -> Lowered | None:
        """*node* in the IR; *want* is the type that its place asks of string literals."""
        lowered = _FORMS[type(node)](self, node, want)
        if lowered is not None:
            self.names.lowered[id(node)] = lowered
        return lowered

    def fault(self, span: Span, fault: t.TypeFault, code: Code = codes.TYPE) -> None:
        self.report(code, span, fault.message, fault.hint)

    def made(self, node: ir.Expr, type: t.AnyType, *parts: Lowered) -> Lowered:
        size = 1 + sum(part.size for part in parts)
        depth = 1 + max((part.depth for part in parts), default=0)
        return Lowered(node, type, size, depth)

    def guard(self, lowered: Lowered, span: Span) -> None:
        """Warn where a value that may be null is used without a test."""
        if not isinstance(lowered.type, OptionalType) or lowered.ir in self.not_null:
            return
        text = self.report.source.text[span.start : span.end]
        self.report(
            codes.UNGUARDED_NULL, span, f"`{text}` may be null, and is then unknown here",
            f"test it first: `{text} != null and …`, or give a value: `({text} ?? …)`",
        )  # fmt: skip

    def is_truth(self, lowered: Lowered, node: s.Expr, where: str) -> bool:
        try:
            t.truth(lowered.type, where)
        except t.TypeFault as fault:
            self.fault(node.span, fault, codes.NOT_A_PREDICATE)
            return False
        self.guard(lowered, node.span)
        return True

    def condition(self, node: s.Expr | None, where: str) -> Lowered | None:
        if node is None:
            return None
        lowered = self.lower(node)
        return lowered if lowered and self.is_truth(lowered, node, where) else None

    def each(
        self, var: s.Name, domain: s.Expr, inside: Callable[[], _T | None]
    ) -> tuple[Lowered, _T] | None:
        """The collection *domain*, and what *inside* lowers with *var* bound to its elements.

        A list of string literals takes the type that *inside* asks for: string, path, or one of
        the enumerations (ruling 67).
        """
        variables, not_null = self.variables, set(self.not_null)
        earlier = len(self.report.found)
        first: list[Diagnostic] | None = None
        for want in self._element_types(domain):
            over = self.domain(domain, want)
            bound = over is not None and self.bind(var, over)
            result = inside() if over is not None else None
            self.variables, self.not_null = variables, set(not_null)
            if over is not None and bound and result is not None:
                return over, result
            attempt = self.report.found[earlier:]
            del self.report.found[earlier:]
            first = attempt if first is None else first
        self.report.found += first or []
        return None

    def _element_types(self, domain: s.Expr) -> list[t.AnyType | None]:
        lowered = ungrouped(domain)
        if isinstance(lowered, s.Path) and self.names.lets.get(lowered.text) is not None:
            named = self.names.lets[lowered.text]
            lowered = named.literal if named is not None and named.literal is not None else lowered
        if not isinstance(lowered, s.ListLiteral) or not all(
            isinstance(item, s.Literal) and item.kind == "string" for item in lowered.items
        ):
            return [None]
        enums = (enum for type in self.names.facts.values() for enum in t.enumerations(type))
        return [None, ListType(of=t.PATH), *(ListType(of=enum) for enum in dict.fromkeys(enums))]

    def domain(self, node: s.Expr, want: t.AnyType | None = None) -> Lowered | None:
        over = self.lower(node, want)
        if over is None:
            return None
        try:
            t.element(over.type)
        except t.TypeFault as fault:
            self.fault(node.span, fault)
            return None
        self.guard(over, node.span)
        return over

    def bind(self, var: s.Name, over: Lowered) -> bool:
        """Bind *var* to the elements of *over*; False where its name is taken."""
        taken = None
        if var.text in self.variables:
            taken = "already bound around it"
        elif var.text in self.names.lets:
            taken = "the name of a `let`"
        elif any(fact == var.text or fact.startswith(var.text + ".") for fact in self.names.facts):
            taken = "also the first part of a fact's name"
        if taken:
            self.report(
                codes.BOUND_NAME, var.span, f"`{var.text}` is {taken}", "choose another name"
            )
        self.variables = {var.text: t.element(over.type), **self.variables}
        return taken is None

    def setting(self, node: s.Expr, kind: str, what: str, example: str) -> Any:
        """The value of a literal of *kind* that a form takes; *example* has `{}` for it."""
        if isinstance(node, s.BadLiteral):
            self.lower(node)
            return None
        if isinstance(node, s.Literal) and node.kind == kind:
            return node.value
        text = self.report.source.text[node.span.start : node.span.end]
        hint = None
        if isinstance(node, s.Literal) and node.kind == "int" and kind in _UNIT_OF:
            hint = f"write `{example.format(text + _UNIT_OF[kind])}`"
            if kind == "duration" and example.startswith("for"):
                hint = f"write `for {text} runs`, or a unit: `for {text}m`"
        elif kind == "int" and isinstance(node, s.Literal) and node.kind == "duration":
            hint = f"write `for {text}`"
        noun = {"int": "a whole number", "duration": "a duration", "percent": "a percent"}[kind]
        self.report(codes.BAD_COUNT, node.span, f"`{text}` is not {noun}, as {what} is", hint)
        return None

    def duration(self, node: s.Expr, what: str, example: str) -> str | None:
        value = self.setting(node, "duration", what, example)
        if value is None:
            return None
        if not isinstance(value, int) or value <= 0:
            self.report(codes.BAD_COUNT, node.span, "the duration is longer than 0s")
            return None
        return write_duration(value)

    def fact_of(self, path: str) -> str | None:
        """The declared fact that *path* is, or whose fields it reads."""
        parts = path.split(".")
        for count in range(len(parts), 0, -1):
            candidate = ".".join(parts[:count])
            if candidate in self.names.facts:
                return candidate
        return None

    def undeclared(self, node: s.Path) -> None:
        if self.names.lost & ({"facts"} if "." in node.text else {"facts", "lets"}):
            return
        known = {*self.names.facts, *self.names.lets, *self.variables}
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

    def fields(self, of: Lowered, names: list[str], span: Span) -> Lowered | None:
        for name in names:
            try:
                type = t.field(of.type, name)
            except t.TypeFault as fault:
                self.fault(span, fault)
                return None
            self.guard(of, span)
            of = Lowered(ir.FieldRead(of=of.ir, name=name), type, of.size + 1, of.depth)
        return of

    def mismatch(self, span: Span, fault: t.TypeFault, *sides: tuple[s.Expr, Lowered]) -> None:
        """Report a fault of two operands; a literal of the wrong unit gets the one to write."""
        for (node, _), (_, other) in (sides, sides[::-1]):
            inner = ungrouped(node)
            if isinstance(inner, s.Literal):
                hint = literal_for(other.type, inner)
                if hint is not None:
                    unitless = inner.kind == "string" or t.base(other.type).kind == "version"
                    kinds = "" if unitless else "a unit is missing or wrong: "
                    self.report(codes.UNIT, node.span, kinds + fault.message, hint)
                    return
        self.fault(span, fault)

    def too_long(self, span: Span, op: str) -> None:
        self.report(
            NESTING, Span(span.start, min(span.end, span.start + 80)),
            f"more than {MAX_CHAIN} parts in one chain of `{op}`",
            "quantify over a list, or say it in several criteria",
        )  # fmt: skip

    def pattern(self, op: str, text: str, span: Span) -> bool:
        """Is *text* a good glob (`like`) or regular expression (`matches`)? Reports if not."""
        try:
            (compile_glob if op == "like" else compile_regex)(text)
        except PatternError as error:
            place = span
            literal = self.report.source.text[span.start : span.end]
            if literal.startswith(('"', 'r"')) and not literal.startswith('"""'):
                start = span.start + place_in_string(literal, error.offset)
                place = Span(min(start, span.end - 1), min(start + 1, span.end))
            self.report(codes.PATTERN, place, error.message, error.hint)
            return False
        return True


def _some(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in sorted(names)[:5])
    return shown + (", …" if len(names) > 5 else "")


_WRONG_NAMES = {
    "True": "write `true`",
    "False": "write `false`",
    "None": "write `null`",
    "nil": "write `null`",
    "now": "there is no clock in a predicate; `age(t)` is the observation's time minus t",
}


_UNIT_OF = {"duration": "m", "percent": "%"}
