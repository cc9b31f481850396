"""What a fact weighs, against the 1 MiB that one may have.

Weighing looks at each value; most facts are so small that their type and length say enough.
"""

from __future__ import annotations

from typing import Any

from ..compiler.ir.types import (
    EnumType,
    ListType,
    MapType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from ..compiler.kernel import Map
from ..compiler.typing import MAX_STRING

MAX_FACT = 2**20


def surely_fit(type: Type) -> int:
    """How many elements of *type* surely lie within a fact's 1 MiB, whatever they are."""
    match type:
        case ListType(of=of) | SetType(of=of):
            return MAX_FACT // _most(of)
        case MapType(of=of):
            return MAX_FACT // (MAX_STRING + _most(of))
        case RecordType(fields=fields) if _most(type) <= MAX_FACT:
            return len(fields)
    return 0


def _most(type: Type) -> int:
    """The most that a value of *type* weighs; of collections only that it may be too much."""
    match type:
        case ScalarType(kind="string" | "path"):
            return MAX_STRING
        case ScalarType(kind="version"):
            return 256 * 16  # as if each of its characters were a part of the pre-release
        case EnumType(members=members):
            return max(map(weight, members))
        case OptionalType(of=of):
            return max(8, _most(of))
        case RecordType(fields=fields):
            return sum(_most(field.type) for field in fields)
        case ListType() | SetType() | MapType():
            return MAX_FACT + 1
    return 8


def weight(value: Any) -> int:
    """The bytes of a fact's texts, and eight for each other value in it."""
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode())
    if isinstance(value, Map):
        return sum(weight(key) + weight(item) for key, item in value.items())
    if isinstance(value, tuple | frozenset):
        return sum(map(weight, value))
    return 8
