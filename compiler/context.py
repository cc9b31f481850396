"""What lowering an expression needs and gives: names, where findings go, and the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..grammar import syntax as s
from ..grammar.diagnostics import Code, Diagnostic, Label
from ..grammar.source import Source, Span
from . import codes
from . import typing as t
from .ir import expressions as ir
from .ir.document import Fact
from .ir.types import ListType, SetType, Type

MAX_DEPTH = 64  # of a predicate, its `let`s written out (ruling 26)
MAX_CHAIN = 1_000  # parts of one `and`, `or`, `+` or `*`
MAX_NODES = 20_000  # of a predicate, its `let`s written out
MAX_ALL_NODES = 250_000  # of a file's predicates together


@dataclass(slots=True)
class Lowered:
    """A checked expression: its IR, its type, how many nodes it has and how deep it nests."""

    ir: ir.Expr
    type: t.AnyType
    size: int
    depth: int
    literal: s.Expr | None = None  # the literal, or list of literals, that it is


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

    def twice(self, what: str, span: Span, first: Span, hint: str | None = None) -> None:
        """Report that *what* is there again at *span*, and show the first."""
        label = Label(self.source, first, "the first")
        self(codes.DUPLICATE, span, f"{what} is there twice", hint, (label,))


@dataclass(slots=True)
class Spent:
    """How many nodes a file's predicates have so far, their `let`s written out."""

    nodes: int = 0


@dataclass
class Names:
    """What names mean in a predicate: facts, and the `let`s before it."""

    facts: Mapping[str, Type]
    lets: dict[str, Lowered | None] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()  # kinds of names that errors elsewhere may hide
    declared: Mapping[str, Fact] = field(default_factory=dict)
    lowered: dict[int, Lowered] = field(default_factory=dict)  # by id() of the node, for lint
    spent: Spent = field(default_factory=Spent)


def is_free(name: s.Name, names: Names, report: Report) -> bool:
    """May a `let` have this name? Reports why not."""
    if "-" in name.text:
        report(
            codes.LET_PLACE, name.span, "the name of a `let` has no hyphen",
            f"write `{name.text.replace('-', '_')}`",
        )  # fmt: skip
    elif name.text in names.lets:
        report(codes.DUPLICATE, name.span, f"`{name.text}` is named already")
    elif any(fact == name.text or fact.startswith(name.text + ".") for fact in names.facts):
        report(
            codes.BOUND_NAME, name.span, f"`{name.text}` is also the first part of a fact's name",
            "choose another name",
        )  # fmt: skip
    else:
        return True
    return False


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


def is_literal(node: s.Expr) -> bool:
    node = ungrouped(node)
    if isinstance(node, s.ListLiteral):
        return all(is_literal(item) for item in node.items)
    return isinstance(node, s.Literal)


def ungrouped(node: s.Expr) -> s.Expr:
    while isinstance(node, s.Group):
        node = node.inner
    return node


def element_or_none(type: t.AnyType) -> t.AnyType | None:
    inner = t.base(type)
    return inner.of if isinstance(inner, ListType | SetType) else None
