"""How the classes of the syntax tree are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(eq_default=False)
def node(cls: type[_Class]) -> type[_Class]:
    """Make *cls* a dataclass with slots; a node is itself and equal to no other."""
    return dataclass(slots=True, eq=False, repr=False)(cls)
