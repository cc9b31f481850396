"""A monitor's state as JSON: the facts with their times and revisions, the start observation, the
streaks by their forms' hashes, and the ids that were seen.

A goal that was amended takes over what still means the same: a fact whose type is another, and a
form that reads one, begin anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import field
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from ..compiler.ir.canonical import plain
from ..compiler.ir.node import Json, Node, node
from ..compiler.kernel import Map, Unknown
from ..compiler.program import FactSpec
from ..grammar.literals import MAX_INT


class BadState(ValueError):
    """JSON that is no monitor's state."""


@node
class KnownFact(Node):
    """Times are nanoseconds since 1970, as text, since JSON's numbers do not hold them."""

    value: Json
    at: str | None = None
    rev: str | None = None
    order: int
    previous: Json
    previous_order: int


@node
class SeenId(Node):
    """An observation's id, its place among all, what it supplied, and the forms it counted for."""

    id: str
    order: int | None = None
    facts: dict[str, Json]
    counted: tuple[str, ...] = ()


@node
class Counting(Node):
    """A form's state, and the state before the observation *last_id*."""

    state: tuple[Json, ...]
    before: tuple[Json, ...]
    last_id: str | None = None


@node
class MonitorState(Node):
    """*types* has a hash of each fact's type, by which a changed one is found out."""

    state_version: Literal[1] = 1
    types: dict[str, str] = field(default_factory=dict)
    count: int = 0
    started: bool = False
    at_start: bool = False
    start_id: str | None = None
    now: str | None = None
    timed: bool | None = None
    rev: str | None = None
    start: dict[str, Json] = field(default_factory=dict)
    facts: dict[str, KnownFact] = field(default_factory=dict)
    ids: tuple[SeenId, ...] = ()
    forms: dict[str, Counting] = field(default_factory=dict)


def read_state(state: Json) -> MonitorState:
    """Raises BadState."""
    from .record.reading import BadRecord, read_as

    try:
        read: MonitorState = read_as(MonitorState, state)
    except BadRecord as error:
        raise BadState(f"the monitor's state cannot be read: {'; '.join(error.problems)}") from None
    return read


def type_hash(fact: FactSpec) -> str:
    """What a fact's values mean: its type and range."""
    bounds = None if fact.bounds is None else fact.bounds.text
    text = json.dumps([plain(fact.type), bounds], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# --- values: JSON's own as they are, lists for sequences, and an object with one key for the rest


def write_value(value: Any) -> Json:
    """A fact's value, or a counter."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int):
        return value if -MAX_INT <= value <= MAX_INT else {"int": str(value)}
    if isinstance(value, Decimal):
        return {"number": str(value)}
    if isinstance(value, Unknown):
        return {"unknown": [value.reason, value.subject, value.words]}
    if isinstance(value, Map):
        return {"map": [[key, write_value(item)] for key, item in value.items()]}
    if isinstance(value, frozenset):
        return {"set": sorted((write_value(item) for item in value), key=json.dumps)}
    return [write_value(item) for item in value]


def read_value(value: Json) -> Any:
    """Raises BadState."""
    if isinstance(value, list):
        return tuple(map(read_value, value))
    if not isinstance(value, dict):
        return value
    try:
        [(tag, inner)] = value.items()
        match tag:
            case "int":
                return int(inner)
            case "number":
                return Decimal(inner)
            case "unknown":
                return Unknown(*inner)
            case "map":
                return Map((key, read_value(item)) for key, item in inner)
            case "set":
                return frozenset(map(read_value, inner))
    except (ValueError, TypeError, InvalidOperation):
        pass
    raise BadState(f"the monitor's state has a value that is none: {json.dumps(value)[:80]}")


def write_nanoseconds(value: int | None) -> str | None:
    return None if value is None else str(value)


def read_nanoseconds(text: str | None) -> int | None:
    """Raises BadState."""
    if text is None:
        return None
    if not (text.isascii() and text.lstrip("-").isdigit()):
        raise BadState(f"the monitor's state has a time that is none: {text[:40]!r}")
    return int(text)
