"""The types of facts and of the expressions over them."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from .node import ByKind, Node, node

ScalarKind: TypeAlias = Literal[
    "bool", "int", "number", "string", "percent", "duration", "size", "time", "date", "version",
    "path",
]  # fmt: skip


@node
class ScalarType(Node):
    """A scalar. *unit* says how a bare JSON number is read (`duration as ms`); *max* caps a
    string's code points."""

    kind: ScalarKind
    unit: str | None = None
    max: int | None = None


@node
class MoneyType(Node):
    kind: Literal["money"] = "money"
    currency: str


@node
class EnumType(Node):
    """One of the members; *ordered* ones compare in the order they are written."""

    kind: Literal["enum"] = "enum"
    members: tuple[str, ...]
    ordered: bool = False


@node
class ListType(Node):
    """At most *max* elements (3,000 where it is not said); *by* names the record field that sorts
    it when it enters."""

    kind: Literal["list"] = "list"
    of: Type
    max: int | None = None
    by: str | None = None


@node
class SetType(Node):
    kind: Literal["set"] = "set"
    of: Type
    max: int | None = None


@node
class MapType(Node):
    """String keys to values of one type."""

    kind: Literal["map"] = "map"
    of: Type
    max: int | None = None


@node
class RecordField(Node):
    name: str
    type: Type


@node
class RecordType(Node):
    kind: Literal["record"] = "record"
    fields: tuple[RecordField, ...]


@node
class OptionalType(Node):
    """`T?`: null is a known value, the thing is known to be absent."""

    kind: Literal["optional"] = "optional"
    of: Type


Type: TypeAlias = Annotated[
    ScalarType | MoneyType | EnumType | ListType | SetType | MapType | RecordType | OptionalType,
    ByKind(),
]


@node
class NullType(Node):
    """The type of the literal `null`; no fact has it."""

    kind: Literal["null"] = "null"


AnyType: TypeAlias = Type | NullType

# The caps of ruling 26: elements of a collection that says none, and bytes of a string.
MAX_ELEMENTS: Final = 3_000
MAX_STRING: Final = 65_536

_PLURALS = {"list": "list of", "set": "set of", "map": "map of"}


def describe(type: AnyType) -> str:
    """The type as the language writes it."""
    match type:
        case OptionalType(of=of):
            inner = describe(of)
            return f"({inner})?" if isinstance(of, ListType | SetType | MapType) else f"{inner}?"
        case MoneyType(currency=currency):
            return f"money {currency}"
        case EnumType(members=members, ordered=ordered):
            return (" < " if ordered else " | ").join(f'"{member}"' for member in members)
        case ListType(of=of) | SetType(of=of) | MapType(of=of):
            return f"{_PLURALS[type.kind]} {describe(of)}"
        case RecordType(fields=fields):
            return "{ " + ", ".join(f"{f.name}: {describe(f.type)}" for f in fields) + " }"
        case _:
            return type.kind
