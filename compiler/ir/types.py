"""The types of facts and of the expressions over them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

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
