"""Values as Python source: what a generated module says of its goal, laid out for readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from typing import Any

from ..ir.node import Node

WIDTH = 100


class Reference(str):
    """A name of the module, spelled as it is."""

    __slots__ = ()


def spell(value: Any, indent: int = 0, before: int = 0) -> str:
    """*value* as an expression; on several lines, indented by *indent* and more, where it and the
    *before* characters of its first line do not fit on one."""
    line = _on_one_line(value)
    if indent + before + len(line) <= WIDTH:
        return line
    opening, parts, closing = _parts(value)
    if not parts:
        return line
    inner = indent + 4
    lines = [f"{' ' * inner}{name}{spell(part, inner, len(name) + 1)},\n" for name, part in parts]
    return f"{opening}\n{''.join(lines)}{' ' * indent}{closing}"


def _on_one_line(value: Any) -> str:
    opening, parts, closing = _parts(value)
    inside = ", ".join(name + _on_one_line(part) for name, part in parts)
    comma = "," if isinstance(value, tuple) and len(parts) == 1 else ""
    return f"{opening}{inside}{comma}{closing}"


def _parts(value: Any) -> tuple[str, list[tuple[str, Any]], str]:
    """How a value begins, what stands in it, each with what is before it, and how it ends."""
    match value:
        case Reference():
            return str(value), [], ""
        case tuple():
            return "(", [("", item) for item in value], ")"
        case frozenset() if value:
            return "frozenset({", [("", item) for item in sorted(value)], "})"
        case frozenset():
            return "frozenset()", [], ""
        case Decimal():
            return f"Decimal({str(value)!r})", [], ""
        case Mapping():
            return "{", [(f"{spell(key)}: ", item) for key, item in value.items()], "}"
        case Node():
            return _made(
                value, {**value._defaults, **{n: f() for n, f in value._factories.items()}}
            )
        case _ if is_dataclass(value):
            return _made(value, {f.name: _default(f) for f in fields(value)})
        case _:
            return repr(value), [], ""


def _made(value: Any, defaults: Mapping[str, Any]) -> tuple[str, list[tuple[str, Any]], str]:
    """A call of the value's class with what differs from the defaults, by name."""
    names = value.field_names if isinstance(value, Node) else [f.name for f in fields(value)]
    given = [(name, getattr(value, name)) for name in names]
    said = [(f"{name}=", item) for name, item in given if item != defaults.get(name, MISSING)]
    return f"{type(value).__name__}(", said, ")"


def _default(field: Any) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
