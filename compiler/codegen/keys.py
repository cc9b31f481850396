"""The keys under which Facts holds what a predicate reads, and the values of literals."""

from __future__ import annotations

from typing import Any

from ...grammar.literals import (
    checked_decimal,
    read_date,
    read_money,
    read_signed,
    read_time,
    read_version,
)
from ..ir import expressions as ir
from ..ir.canonical import digest, plain
from ..ir.text import write_expression


def fact_key(read: ir.FactRead) -> str:
    """The key under which Facts holds a read: the fact's name, or its view as it is written."""
    return write_expression(read)


def known_key(name: str) -> str:
    return f"known({name})"


def host_key(name: str) -> str:
    return write_expression(ir.HostCheck(name=name))


def temporal_key(node: ir.Runs | ir.Held | ir.History) -> str:
    """The key of a streak, a hold or a history: the canonical hash of its form and the edition, so
    that no edit elsewhere in the file moves it (ruling 9)."""
    return f"1:{digest(_unnamed(plain(node)))}"


def _unnamed(value: Any) -> Any:
    if isinstance(value, dict):
        if value.get("kind") == "named":
            return _unnamed(value["of"])
        return {key: _unnamed(item) for key, item in value.items()}
    return [_unnamed(item) for item in value] if isinstance(value, list) else value


def literal_value(node: ir.Literal) -> Any:
    """The Python value of a literal (grammar.literals says which)."""
    if not isinstance(node.value, str):
        return node.value
    match node.type:
        case "money":
            return read_money(node.value)[0]
        case "time":
            return read_time(node.value)
        case "date":
            return read_date(node.value)
        case "version":
            return read_version(node.value)
        case "number":
            return checked_decimal(node.value)
        case "percent" | "duration" | "size":
            return read_signed(node.value)[1]
        case _:
            return node.value
