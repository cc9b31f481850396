"""Values as JavaScript source: what a generated module says of its goal, laid out for readers.

A node of the program is an object with the same names in camel case. A whole number is BigInt,
as the library computes with it; what counts elements or says where something stands is an ordinary
number.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from ...ir.node import Node
from ...ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordField,
    RecordType,
    ScalarType,
    SetType,
)
from ...program import (
    ElementMention,
    FactMention,
    FormWording,
    KnownMention,
    LeafWording,
    LetWording,
    QuantifierWording,
)
from ..spelling import WIDTH, Reference, inline

# What tells the members of a union apart.
_KINDS = {
    FactMention: "fact",
    KnownMention: "known",
    ElementMention: "element",
    LetWording: "let",
    QuantifierWording: "quantifier",
    FormWording: "form",
    LeafWording: "leaf",
}
# Fields whose whole numbers are counts and places.
_ORDINARY = ("count", "max", "route")


_Parts: TypeAlias = tuple[str, list[tuple[str, Any]], str]


class Speller:
    """Spells values. A type that is more than a scalar is spelled once, as one of the *statements*,
    and then by its name."""

    def __init__(self, statements: list[str]) -> None:
        self.statements = statements
        self.types: dict[Node, Reference] = {}

    def spell(self, value: Any, indent: int = 0, before: int = 0, ordinary: bool = False) -> str:
        """*value* as an expression; on several lines, indented by *indent* and more, where it and
        the *before* characters of its first line do not fit on one."""
        line = self._on_one_line(value, ordinary)
        if indent + before + len(line) <= WIDTH:
            return line
        return self._on_lines(self._parts(value, ordinary), indent, ordinary)

    def _on_lines(self, parts: _Parts, indent: int, ordinary: bool) -> str:
        opening, inside, closing = parts
        if not inside:
            return opening + closing
        inner = indent + 2
        lines = [
            f"{' ' * inner}{name}"
            f"{self.spell(part, inner, len(name) + 1, _is_ordinary(name, ordinary))},\n"
            for name, part in inside
        ]
        return f"{opening.rstrip()}\n{''.join(lines)}{' ' * indent}{closing.lstrip()}"

    def _on_one_line(self, value: Any, ordinary: bool) -> str:
        opening, parts, closing = self._parts(value, ordinary)
        inside = ", ".join(
            name + self._on_one_line(part, _is_ordinary(name, ordinary)) for name, part in parts
        )
        return f"{opening}{inside}{closing}"

    def _parts(self, value: Any, ordinary: bool) -> _Parts:
        """How a value begins, what stands in it, each with what is before it, and how it ends."""
        match value:
            case Reference():
                return str(value), [], ""
            case None:
                return "null", [], ""
            case bool():
                return str(value).lower(), [], ""
            case int():
                return str(value) if ordinary else spell_number(value), [], ""
            case str():
                return spell_text(value), [], ""
            case Decimal():
                return f"decimal({spell_text(str(value))})", [], ""
            case tuple():
                return "[", [("", item) for item in value], "]"
            case frozenset():
                return "[", [("", item) for item in sorted(value)], "]"
            case Mapping():
                return "new Map([", [("", pair) for pair in value.items()], "])"
            case ScalarType() | RecordField():
                return _type(value)
            case EnumType() | MoneyType() | OptionalType() | RecordType():
                return self._named(value), [], ""
            case ListType() | SetType() | MapType():
                return self._named(value), [], ""
            case Node():
                said = [(name, getattr(value, name)) for name in value.field_names]
                return _object([("is", _KINDS.get(type(value))), *said])
        raise TypeError(f"a {type(value).__name__} has no spelling in JavaScript")

    def _named(self, type: Node) -> Reference:
        if type not in self.types:
            spelled = self._on_lines(_type(type), 0, False)
            self.types[type] = Reference(f"TYPE_{len(self.types)}")
            self.statements.append(f"const {self.types[type]} = {spelled};")
        return self.types[type]


def _is_ordinary(name: str, ordinary: bool) -> bool:
    return ordinary or name.removesuffix(": ") in _ORDINARY


def _type(type: Node) -> _Parts:
    return _object([(name, getattr(type, name)) for name in type.field_names])


def _object(said: list[tuple[str, Any]]) -> _Parts:
    """An object, in which what is absent, false or empty is left out."""
    given = [(name, item) for name, item in said if not _is_nothing(item)]
    return "{ ", [(f"{camel(name)}: ", item) for name, item in given], " }"


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or value == () or value == {}


def spell_number(value: int) -> str:
    return f"{value}n"


def spell_text(text: str) -> str:
    return f'"{inline(text)}"'


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
