"""Records, commands and events as the text of a row, and back. A row that cannot be read is a
StoreError that names it; it is never taken for an empty one, nor written over."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from ...compiler.ir.canonical import canonical, plain
from ..lifecycle.commands import Command
from ..lifecycle.events import Event
from ..lifecycle.reading import read_command, read_event
from ..record import reading
from ..record.json_values import json_problems, parse
from ..record.parts import Actor, Record
from .port import Entry, Posted, StoreError
from .rows import InboxRow, JournalRow


def write_json(value: Any, what: str) -> str:
    """*value* as compact JSON that every store can keep and read again."""
    try:
        text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{what} is not JSON, and nothing was written: {error}") from None
    return text


def read_json(text: str, what: str) -> Any:
    """The JSON of a row. Raises StoreError."""
    try:
        value = parse(text)
        if "N" in text or "I" in text:  # `NaN`, `Infinity`: looked for where they may be
            for problem in json_problems(value):
                raise ValueError(problem)
        return value
    except ValueError as error:
        raise StoreError(
            f"{what} cannot be read ({error}), and nothing was written over it: restore a backup "
            "of the store"
        ) from None


def write_event(event: Event) -> str:
    """The event's canonical JSON, which the journal's chain is over."""
    try:
        return canonical(plain(event)).decode()
    except (TypeError, ValueError, RecursionError) as error:
        what = f"the event `{event.kind}`"
        raise StoreError(f"{what} is not JSON, and nothing was written: {error}") from None


def write_record(record: Record) -> tuple[str, str | None]:
    """The record's text and its monitor's."""
    what = f"the record of session {record.session}"
    monitor = None if record.monitor is None else write_json(record.monitor, what)
    return write_json(replace(record, monitor=None), what), monitor


def read_record(session: str, text: str | None, monitor: str | None) -> Record:
    """The record of a row, an empty one where it has none yet."""
    if text is None:
        return Record(session=session)
    what = f"the record of session {session}"
    record: Record = _read(Record, text, reading.read_record, what)
    if monitor is None:
        return record
    return replace(record, monitor=read_json(monitor, f"the monitor's state of session {session}"))


def read_posted(session: str, row: InboxRow) -> Posted:
    what = f"command {row.number} in the inbox of session {session}"
    return Posted(
        row.number, _read(Command, row.command, read_command, what), cast(Actor, row.actor), row.at
    )


def read_entry(session: str, row: JournalRow) -> Entry:
    what = f"entry {row.number} in the journal of session {session}"
    return Entry(row.number, _read(Event, row.event, read_event, what), row.digest)


def _read(kind: Any, text: str, carefully: Callable[[str], Any], what: str) -> Any:
    """What this goalspec wrote has its shape, which is all that is looked at; *carefully* brings up
    what an older one wrote, and says what is wrong."""
    from pydantic import ValidationError

    try:
        return reading.adapter(kind).validate_json(text)
    except ValidationError:
        pass
    try:
        return carefully(text)
    except reading.BadRecord as error:
        problems = "; ".join(error.problems)
        raise StoreError(
            f"{what} cannot be read ({problems}), and nothing was written over it: install the "
            "goalspec that wrote it, or restore a backup of the store"
        ) from None
