"""The forms of literals, whose type may depend on their place, and of what could not be read."""

from __future__ import annotations

from ...grammar import syntax as s
from ...grammar.codes import LITERAL, NESTING
from ...grammar.diagnostics import nearest
from ...grammar.source import Span
from .. import codes
from .. import typing as t
from ..context import MAX_DEPTH, Lowered
from ..ir import expressions as ir
from ..ir.types import EnumType
from ..paths import PathError, normal_path
from .literals import canonical_literal, literal_type
from .lowering import Lowering, form


@form(s.Literal)
def literal(lowering: Lowering, node: s.Literal, want: t.AnyType | None) -> Lowered | None:
    inner = t.base(want) if want is not None else None
    if node.kind == "string" and inner is not None:
        text = str(node.value)
        if isinstance(inner, EnumType):
            return _enum_literal(lowering, node, text, inner)
        if inner.kind == "path":
            return _path_literal(lowering, node, text)
    return Lowered(canonical_literal(node), literal_type(node), 1, 0, literal=node)


def _enum_literal(lowering: Lowering, node: s.Literal, text: str, type: EnumType) -> Lowered | None:
    if text not in type.members:
        near = nearest(text, type.members)
        hint = f'did you mean "{near}"? ' if near else ""
        lowering.report(
            codes.ENUM_MEMBER, node.span, f'"{text}" is none of the fact\'s values',
            f"{hint}it is one of {t.describe(type)}",
        )  # fmt: skip
        return None
    return Lowered(ir.Literal(type="enum", value=text), type, 1, 0, literal=node)


def _path_literal(lowering: Lowering, node: s.Literal, text: str) -> Lowered | None:
    try:
        path = normal_path(text)
    except PathError as error:
        lowering.report(codes.PATH, node.span, error.message, error.hint)
        return None
    return Lowered(ir.Literal(type="path", value=path), t.PATH, 1, 0, literal=node)


@form(s.BadLiteral)
def bad_literal(lowering: Lowering, node: s.BadLiteral, _: t.AnyType | None) -> None:
    lowering.report(LITERAL, node.span, node.message, node.hint)


@form(s.TooDeep)
def too_deep(lowering: Lowering, node: s.TooDeep, _: t.AnyType | None) -> None:
    place = lowering.place
    lowering.report(
        NESTING, Span(place.start, min(place.end, place.start + 80)),
        f"the predicate nests deeper than {MAX_DEPTH}",
        "name its parts with `let`, or say it in several criteria",
    )  # fmt: skip
