"""The types of facts and of the expressions over them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

ScalarKind: TypeAlias = Literal[
    "bool", "int", "number", "string", "percent", "duration", "size", "time", "date", "version",
    "path",
]  # fmt: skip


class Node(BaseModel):
    """What every part of the IR is: frozen, closed, and strict about its JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ScalarType(Node):
    """A scalar. *unit* says how a bare JSON number is read (`duration as ms`); *max* caps a
    string's code points."""

    kind: ScalarKind
    unit: str | None = None
    max: int | None = None


class MoneyType(Node):
    kind: Literal["money"] = "money"
    currency: str


class EnumType(Node):
    """One of the members; *ordered* ones compare in the order they are written."""

    kind: Literal["enum"] = "enum"
    members: tuple[str, ...]
    ordered: bool = False


class ListType(Node):
    """At most *max* elements (3,000 where it is not said); *by* names the record field that sorts
    it when it enters."""

    kind: Literal["list"] = "list"
    of: Type
    max: int | None = None
    by: str | None = None


class SetType(Node):
    kind: Literal["set"] = "set"
    of: Type
    max: int | None = None


class MapType(Node):
    """String keys to values of one type."""

    kind: Literal["map"] = "map"
    of: Type
    max: int | None = None


class RecordField(Node):
    name: str
    type: Type


class RecordType(Node):
    kind: Literal["record"] = "record"
    fields: tuple[RecordField, ...]


class OptionalType(Node):
    """`T?`: null is a known value, the thing is known to be absent."""

    kind: Literal["optional"] = "optional"
    of: Type


Type: TypeAlias = Annotated[
    ScalarType | MoneyType | EnumType | ListType | SetType | MapType | RecordType | OptionalType,
    Field(discriminator="kind"),
]

for _model in (ListType, SetType, MapType, RecordField, RecordType, OptionalType):
    _model.model_rebuild()
