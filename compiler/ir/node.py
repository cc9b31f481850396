"""What every part of the IR is: a frozen dataclass, which pydantic validates where JSON enters.

Its classes need no pydantic to be made, compared or read; `schema` builds the validator when a
document is read, or its JSON Schema is asked for. What `dataclass` would generate for each class
stands in one base here: generating it takes 20 ms at every start of a command, which is more than a
command that has its goal in the cache needs for the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from operator import attrgetter
from typing import Annotated, Any, ClassVar, NoReturn, TypeVar, dataclass_transform

_Class = TypeVar("_Class")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def node(cls: type[_Class]) -> type[_Class]:
    """Make *cls*, a Node, a dataclass with slots, its fields given by name."""
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)(cls)
    made.field_names = tuple(field.name for field in fields(made))
    made._defaults = {f.name: f.default for f in fields(made) if f.default is not MISSING}
    made._factories = {
        f.name: f.default_factory for f in fields(made) if f.default_factory is not MISSING
    }
    made._values = attrgetter(*made.field_names)
    return made  # type: ignore[no-any-return]


class Node:
    """The base of the IR's classes: frozen, compared by value, closed and strict about its JSON."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid", "strict": True}
    field_names: ClassVar[tuple[str, ...]]
    _defaults: ClassVar[dict[str, Any]]
    _factories: ClassVar[dict[str, Callable[[], Any]]]
    _values: ClassVar[attrgetter[Any]]  # of all fields, to compare or hash

    def __init__(self, **values: Any) -> None:
        for name in self.field_names:
            if name in values:
                value = values.pop(name)
            elif name in self._defaults:
                value = self._defaults[name]
            elif name in self._factories:
                value = self._factories[name]()
            else:
                raise TypeError(f"{type(self).__name__} needs {name}")
            object.__setattr__(self, name, value)
        if values:
            raise TypeError(f"{type(self).__name__} has no {', '.join(values)}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete {name}")

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        for name, value in state[1].items():
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return bool(self._values(self) == self._values(other))

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._values(self)))

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.field_names)
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
