"""What a fact weighs, against the 1 MiB that one may have.

Its weight is the bytes of its texts, and eight for each other value in it. Texts are weighed
together: the type says where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ..compiler.ir.types import EnumType, ListType, RecordType, ScalarType, SetType, Type
from ..compiler.kernel import Map

MAX_FACT = 2**20


def weigher(type: Type) -> Callable[[Collection[Any]], int]:
    """The function that weighs many values of *type* together."""
    match type:
        case EnumType() | ScalarType(kind="string" | "path"):
            return lambda values: len("".join(values).encode())
        case ScalarType(kind=kind) if kind != "version":  # which is a tuple with texts inside
            return lambda values: 8 * len(values)
        case ListType(of=of) | SetType(of=of):
            weigh = weigher(of)
            return lambda values: sum(map(weigh, values))
        case RecordType(fields=fields):
            weighers = [weigher(field.type) for field in fields]
            return lambda values: sum(
                weigh(column)
                for weigh, column in zip(weighers, zip(*values, strict=True), strict=False)
            )
        case _:
            return lambda values: sum(map(_weight, values))


def _weight(value: Any) -> int:
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, Map):
        return len("".join(value).encode()) + sum(map(_weight, value.values()))
    if isinstance(value, tuple | frozenset):
        return sum(map(_weight, value))
    return 8
