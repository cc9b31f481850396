"""Values as Python source: what a generated module says of its goal, laid out for readers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ..ir.node import Node

WIDTH = 100


class Reference(str):
    """A name of the module, spelled as it is."""

    __slots__ = ()


def inline(text: str) -> str:
    """*text* on one line of ASCII, for a comment or between the marks of a docstring."""
    return json.dumps(text)[1:-1].replace("\x7f", "\\u007f")


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
            made = {name: make() for name, make in value._factories.items()}
            return _made(value, {**value._defaults, **made})
        case _:
            return repr(value), [], ""


def _made(value: Node, defaults: Mapping[str, Any]) -> tuple[str, list[tuple[str, Any]], str]:
    """A call of the value's class with what differs from the defaults, by name."""
    given = [(name, getattr(value, name)) for name in value.field_names]
    said = [(f"{n}=", v) for n, v in given if n not in defaults or v != defaults[n]]
    return f"{type(value).__name__}(", said, ")"
