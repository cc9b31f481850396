"""Fact declarations: from the syntax tree to typed facts."""

from __future__ import annotations

from dataclasses import replace

from ..grammar import syntax as s
from ..grammar.codes import LITERAL, NESTING
from ..grammar.diagnostics import nearest
from ..grammar.literals import FOREIGN_UNITS, SIZE_UNITS, write_duration
from ..grammar.source import Span
from . import codes
from . import typing as t
from .context import Report
from .ir.document import Fact, FactSource, Range
from .ir.types import (
    MAX_STRING,
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordField,
    RecordType,
    SetType,
    Type,
)
from .lower import canonical_literal, check_bounds, literal_for, literal_type
from .paths import PathError, normal_path

UNITS = {
    "percent": ("ratio", "points"),
    "duration": ("ns", "us", "ms", "s", "m", "h", "d", "w"),
    "size": tuple(SIZE_UNITS),
}
MAX_TYPE_DEPTH = 16
# Facts about people and the outside are not about one revision of the tree (ruling 64).
LASTING_SOURCES = ("github", "person", "env")

_WRONG_TYPES = {
    "boolean": "bool", "integer": "int", "float": "number", "decimal": "number", "str": "string",
    "text": "string", "datetime": "time", "timestamp": "time", "semver": "version", "file": "path",
    "bytes": "size", "percentage": "percent", "array": "list", "dict": "map", "object": "map",
}  # fmt: skip


def declare(block: s.Facts, node: s.Fact, report: Report) -> Fact | None:
    """The fact that *node* declares, or None where its type is broken (which is reported)."""
    type = lower_type(node.type, report)
    description = text_of(node.description, report)
    origin = node.origin or block.origin
    source = _source(origin, node, report) if origin else None
    if node.selector is not None and origin is None:
        report(
            codes.BAD_TYPE, node.selector.span, "`at` selects from a source, and there is none",
            'write `from run "…" at "/pointer"`',
        )  # fmt: skip
    if type is None:
        return None
    range_ = _range(node.range, type, report) if node.range else None
    lasting = (
        node.lasting or block.lasting or (source is not None and source.name in LASTING_SOURCES)
    )
    return Fact(
        name=node.name.text, type=type, range=range_, lasting=lasting,
        description=description, source=source,
    )  # fmt: skip


def text_of(node: s.Literal | s.BadLiteral | None, report: Report) -> str | None:
    """A string's text; a broken one is reported and None."""
    if node is None:
        return None
    if isinstance(node, s.BadLiteral):
        report(LITERAL, node.span, node.message, node.hint)
        return None
    return str(node.value)


def lower_type(node: s.TypeNode, report: Report) -> Type | None:
    match node:
        case s.TooDeep():
            report(NESTING, node.span, "the type nests too deep")
            return None
        case s.ScalarType():
            return _scalar(node, report)
        case s.EnumType():
            return _enum(node, report)
        case s.OptionalType():
            of = lower_type(node.of, report)
            return None if of is None else OptionalType(of=of)
        case s.RecordType():
            return _record(node, report)
        case s.CollectionType():
            return _collection(node, report)


def _scalar(node: s.ScalarType, report: Report) -> Type | None:
    name = node.name.text
    if name == "money":
        if node.currency is None:
            report(codes.BAD_TYPE, node.span, "money has a currency", "write `money USD`")
            return None
        return MoneyType(currency=node.currency.text)
    if name not in t.SCALARS:
        near = _WRONG_TYPES.get(name) or nearest(name, [*t.SCALARS, "money", "list", "set", "map"])
        hint = f"did you mean `{near}`?" if near else "types are " + ", ".join(sorted(t.SCALARS))
        report(codes.UNKNOWN_WORD, node.name.span, f"there is no type `{name}`", hint)
        return None
    noun = t.a(t.SCALARS[name])
    if node.currency is not None:
        report(
            codes.BAD_TYPE,
            node.currency.span,
            f"{t.a(t.SCALARS[name])} has no currency",
            "write `money USD`",
        )
        return None
    unit = None
    if node.unit is not None:
        unit = node.unit.text
        if unit not in UNITS.get(name, ()):
            allowed = UNITS.get(name)
            near = FOREIGN_UNITS.get(unit) or nearest(unit, list(allowed)) if allowed else None
            hint = f"units are {', '.join(allowed)}" if allowed else f"{noun} has no unit"
            report(
                codes.BAD_TYPE, node.unit.span, f"`{unit}` is no unit of {noun}",
                f"did you mean `{near}`? {hint}" if near else hint,
            )  # fmt: skip
            return None
    cap = _cap(node.max, MAX_STRING, report)
    if cap is not None and name != "string":
        report(
            codes.BAD_TYPE,
            node.span,
            f"`max` caps strings and collections, not {noun}",
            f"a list's cap stands before `of`: `list max 3 of {name}`",
        )
        return None
    return replace(t.SCALARS[name], unit=unit, max=cap)


def _cap(node: s.Expr | None, most: int | None, report: Report) -> int | None:
    if node is None:
        return None
    value = node.value if isinstance(node, s.Literal) and node.kind == "int" else None
    if not isinstance(value, int) or value < 1 or (most is not None and value > most):
        upper = f" to {most}" if most is not None else ""
        report(codes.BAD_TYPE, node.span, f"`max` takes a whole number from 1{upper}")
        return None
    return value


def _enum(node: s.EnumType, report: Report) -> Type | None:
    members = [text_of(member, report) for member in node.members]
    if None in members:
        return None
    whole = [member for member in members if member is not None]
    if len(set(whole)) < len(whole):
        report(codes.DUPLICATE, node.span, "the enumeration has a value twice")
        return None
    return EnumType(members=tuple(whole), ordered=node.ordered)


def _record(node: s.RecordType, report: Report) -> Type | None:
    fields: list[RecordField] = []
    seen: dict[str, Span] = {}
    broken = False
    for field in node.fields:
        if "." in field.name.text:
            report(codes.BAD_TYPE, field.name.span, "a field's name has no dot")
            broken = True
        if field.name.text in seen:
            what = f"the field `{field.name.text}`"
            report.twice(what, field.name.span, seen[field.name.text])
            broken = True
        seen.setdefault(field.name.text, field.name.span)
        type = lower_type(field.type, report)
        if type is None:
            broken = True
        else:
            fields.append(RecordField(name=field.name.text, type=type))
    if not node.fields:
        report(codes.BAD_TYPE, node.span, "a record has at least one field")
        return None
    return None if broken else RecordType(fields=tuple(fields))


def _collection(node: s.CollectionType, report: Report) -> Type | None:
    if node.depth > MAX_TYPE_DEPTH:
        report(
            NESTING, node.span, f"the type nests {node.depth} deep, {MAX_TYPE_DEPTH} is the most"
        )
        return None
    of = lower_type(node.of, report)
    cap = _cap(node.max, None, report)
    if of is None:
        return None
    if node.kind == "set":
        return SetType(of=of, max=cap)
    if node.kind == "map":
        return MapType(of=of, max=cap)
    if node.by is None:
        return ListType(of=of, max=cap)
    try:
        key = t.field(of, node.by.text)
    except t.TypeFault as fault:
        report(codes.BAD_TYPE, node.by.span, fault.message, fault.hint)
        return None
    if not t.is_ordered(key):
        report(codes.BAD_TYPE, node.by.span, f"a list is not sorted by {t.describe(key)}")
        return None
    return ListType(of=of, max=cap, by=node.by.text)


def _range(node: s.Range, type: Type, report: Report) -> Range | None:
    for bound in (node.low, node.high):
        if isinstance(bound, s.BadLiteral):
            report(LITERAL, bound.span, bound.message, bound.hint)
            return None
        if bound is None or not isinstance(bound, s.Literal):
            continue
        if isinstance(t.base(type), EnumType) or not t.is_ordered(t.base(type)):
            report(
                codes.BAD_RANGE, node.span, f"{t.describe(type)} has no range",
                "cap a collection's size with `max`" if t.is_collection(type) else None,
            )  # fmt: skip
            return None
        if t.joined(literal_type(bound), type) is None or (
            t.base(type).kind == "int" and bound.kind == "number"
        ):
            report(
                codes.BAD_RANGE, bound.span,
                f"a range of {t.describe(literal_type(bound))} for {t.describe(type)}",
                literal_for(type, bound),
            )  # fmt: skip
            return None
    if not check_bounds(node, report):
        return None
    low, high = node.low, node.high
    return Range(
        low=canonical_literal(low) if isinstance(low, s.Literal) else None,
        high=canonical_literal(high) if isinstance(high, s.Literal) else None,
    )


def _source(node: s.Origin, fact: s.Fact, report: Report) -> FactSource:
    timeout = None
    if isinstance(node.timeout, s.BadLiteral):
        report(LITERAL, node.timeout.span, node.timeout.message, node.timeout.hint)
    elif (
        isinstance(node.timeout, s.Literal)
        and node.timeout.kind == "duration"
        and node.timeout.value > 0
    ):
        timeout = write_duration(node.timeout.value)
    elif node.timeout is not None:
        report(
            codes.SETTING,
            node.timeout.span,
            "a timeout is a duration above 0s",
            "write `timeout 10m`",
        )
    directory = text_of(node.directory, report)
    if directory is not None and node.directory is not None:
        try:
            directory = normal_path(directory)
        except PathError as error:
            report(codes.PATH, node.directory.span, error.message, error.hint)
    return FactSource(
        name=node.name.text, argument=text_of(node.argument, report), directory=directory,
        timeout=timeout, selector=text_of(fact.selector, report),
    )  # fmt: skip
