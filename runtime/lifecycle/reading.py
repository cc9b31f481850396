"""Commands and events as JSON, and back: closed and strict as records are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...compiler.ir.canonical import plain
from ..record.reading import BadRecord, Upcaster, read_as, read_object, upcast
from .commands import Command
from .events import EVENT_VERSION, Event

# What turns an event's JSON of one version into that of the next, by the version it reads.
EVENT_UPCASTERS: dict[int, Upcaster] = {}


def write_command(command: Command) -> dict[str, Any]:
    written: dict[str, Any] = plain(command)
    return written


def read_command(source: str | bytes | Mapping[str, Any]) -> Command:
    """The command that *source*, JSON or its text, holds. Raises BadRecord."""
    values = read_object(source)
    if "kind" not in values:
        raise BadRecord(["kind: it is missing: a command says what it asks for"])
    read: Command = read_as(Command, values)
    return read


def write_event(event: Event) -> dict[str, Any]:
    written: dict[str, Any] = plain(event)
    return written


def read_event(source: str | bytes | Mapping[str, Any]) -> Event:
    """The event that *source*, JSON or its text, holds. Raises BadRecord."""
    values = upcast(read_object(source), "version", EVENT_VERSION, EVENT_UPCASTERS)
    read: Event = read_as(Event, values)
    return read
