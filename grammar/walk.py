"""The nodes directly inside a node, whatever its kind, in the order they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from . import syntax

_NODES = {
    name: kind
    for name, kind in vars(syntax).items()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == syntax.__name__
}
_UNIONS = {"Expr", "TypeNode", "GoalPart", "Value", "Statement"}


def _holds_nodes(annotation: str) -> bool:
    return any(word in _NODES or word in _UNIONS for word in re.findall(r"\w+", annotation))


_FIELDS = {
    kind: tuple(field.name for field in fields(kind) if _holds_nodes(str(field.type)))
    for kind in _NODES.values()
}


def children(node: Any) -> Sequence[Any]:
    """The nodes directly inside *node*, a node of the syntax tree."""
    names = _FIELDS[type(node)]
    if not names:
        return ()
    found: list[Any] = []
    for name in names:
        value = getattr(node, name)
        if type(value) is list:
            found += value
        elif value is not None:
            found.append(value)
    return found
