"""Records, commands and events as the text of a row, and back. A row that cannot be read is a
StoreError that names it; it is never taken for an empty one, nor written over."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ...compiler.ir.canonical import plain
from ..lifecycle.commands import Command
from ..lifecycle.events import Event
from ..record.parts import Actor, Record
from .port import Entry, Posted, StoreError
from .rows import InboxRow, JournalRow

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_T = TypeVar("_T")


def write_json(value: Any, what: str) -> str:
    """*value* as compact JSON that every store can keep and read again."""
    try:
        text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{what} is not JSON, and nothing was written: {error}") from None
    return text


def read_json(text: str) -> Any:
    return json.loads(text)


def write_record(record: Record) -> tuple[str, str | None]:
    """The record's text and its monitor's."""
    what = f"the record of session {record.session}"
    monitor = None if record.monitor is None else write_json(record.monitor, what)
    return write_json(replace(record, monitor=None), what), monitor


def read_record(session: str, text: str | None, monitor: str | None) -> Record:
    """The record of a row, an empty one where it has none yet."""
    if text is None:
        return Record(session=session)
    record = cast(Record, _read(Record, text, f"the record of session {session}"))
    if monitor is None:
        return record
    return replace(record, monitor=_read(Any, monitor, f"the monitor of session {session}"))


def read_posted(session: str, row: InboxRow) -> Posted:
    command = _read(Command, row.command, f"command {row.number} in the inbox of {session}")
    return Posted(row.number, command, cast(Actor, row.actor), row.at)


def read_entry(session: str, row: JournalRow) -> Entry:
    event = cast(Event, _read(Event, row.event, f"entry {row.number} in the journal of {session}"))
    return Entry(row.number, event, row.digest)


def _read(kind: Any, text: str, what: str) -> Any:
    from pydantic import ValidationError

    try:
        return _adapter(kind).validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "its JSON"
        raise StoreError(
            f"{what} cannot be read ({place}: {first['msg']}); nothing was written over it: "
            "install the goalspec that wrote it, or restore a backup of the store"
        ) from None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
