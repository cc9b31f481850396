"""What every part of the IR is: a frozen dataclass, which pydantic validates where JSON enters.

The classes need no pydantic to be made, compared or read, since a command that only reads a cached
goal would spend most of its time on importing it; `schema` builds the validator when a document is
read, or its JSON Schema is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def node(cls: type[_Class]) -> type[_Class]:
    """Make *cls* a frozen dataclass with slots, its fields given by name."""
    return dataclass(frozen=True, slots=True, kw_only=True, repr=False)(cls)


class Node:
    """The base of the IR's classes: closed, and strict about its JSON."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "strict": True}

    def __repr__(self) -> str:
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self))  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"


class ByKind:
    """Marks a union whose members are told apart by their `kind`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[..., Any]) -> Any:
        from pydantic import Field

        return handler.generate_schema(Annotated[source, Field(discriminator="kind")])  # type: ignore[attr-defined]


class _AnyJson:
    """Marks a value that is any JSON."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[..., Any]) -> Any:
        from pydantic import JsonValue

        return handler.generate_schema(JsonValue)  # type: ignore[attr-defined]


Json = Annotated[Any, _AnyJson()]
