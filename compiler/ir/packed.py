"""A document as small JSON values and back, without a word about its validity: for caches only.

A node is an array of its class's number and its fields' values; numbers hold for one version of
goalspec's code. Reading makes each node without checking it: whoever wrote it had it checked.
"""

from __future__ import annotations

from typing import Any

from . import document, expressions, types
from .document import Document
from .node import Node

_CLASSES: tuple[Any, ...] = tuple(
    kind
    for module in (types, expressions, document)
    for _, kind in sorted(vars(module).items())
    if isinstance(kind, type) and issubclass(kind, Node) and kind.__module__ == module.__name__
)
_NUMBERS = {kind: number for number, kind in enumerate(_CLASSES)}
_TUPLE, _LIST = -1, -2  # a list is a value of a test, and JSON already


def pack(document: Document) -> Any:
    """*document* as JSON values."""
    return _pack(document)


def _pack(value: Any) -> Any:
    if isinstance(value, Node):
        fields = (getattr(value, name) for name in value.field_names)
        return [_NUMBERS[type(value)], *map(_pack, fields)]
    if isinstance(value, tuple):
        return [_TUPLE, *map(_pack, value)]
    if isinstance(value, list):
        return [_LIST, value]
    if isinstance(value, dict):
        return {key: _pack(item) for key, item in value.items()}
    return value


def unpack(packed: Any) -> Document:
    """The document that was packed."""
    made: Document = _unpack(packed)
    return made


def _unpack(value: Any) -> Any:
    if type(value) is list:
        number, *values = value
        if number == _TUPLE:
            return tuple(map(_unpack, values))
        if number == _LIST:
            return values[0]
        kind = _CLASSES[number]
        return kind(**dict(zip(kind.field_names, map(_unpack, values), strict=True)))
    if type(value) is dict:
        return {key: _unpack(item) for key, item in value.items()}
    return value
