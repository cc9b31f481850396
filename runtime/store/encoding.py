"""Records, commands and events as the text of a row, and back. A value of a row that is none is an
UnreadableRow that names it, whatever it is: SQLite keeps any value in any column. It is never taken
for an empty one, nor written over."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast, get_args

from ...compiler.ir.canonical import canonical, plain
from ..exhibits import Exhibit, ExhibitKind
from ..lifecycle.commands import Command
from ..lifecycle.events import Event
from ..lifecycle.reading import read_command, read_event
from ..record import reading
from ..record.checking import record_problems
from ..record.json_values import json_problems, parse
from ..record.parts import Actor, Record
from ..record.times import is_stamp
from .port import Entry, Posted, StoreError
from .rows import AuditRow, ExhibitRow, InboxRow, JournalRow, Row

MAX_NUMBER = 2**53 - 1  # of a row's counts
MAX_EXHIBIT = 1024 * 1024  # bytes of an exhibit as it is spelled

_LONE = re.compile("[\ud800-\udfff]")

_T = TypeVar("_T")


class UnreadableRow(StoreError):
    """A value of a row that is none: *what* it was to be, and the *problem*."""

    def __init__(self, what: str, problem: str) -> None:
        super().__init__(
            f"{what} cannot be read ({problem}), and nothing was written over it: install the "
            "goalspec that wrote it, or restore a backup of the store"
        )
        self.what = what
        self.problem = problem


def as_read(read: Callable[[], _T]) -> _T:
    """What is about to be written, as it will be *read*. What never could be is not written: the
    session would be lost with it. Raises StoreError."""
    try:
        return read()
    except UnreadableRow as error:
        raise StoreError(
            f"{error.what} could not be read again ({error.problem}), and nothing was written"
        ) from None


def write_json(value: Any, what: str) -> str:
    """*value* as compact JSON that every store can keep and read again."""
    try:
        text = json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{what} is not JSON, and nothing was written: {error}") from None
    return text


def read_json(text: str, what: str) -> Any:
    """The JSON of a row."""
    _check(what, text, _is_text, "a text")
    try:
        value = parse(text)
        if "N" in text or "I" in text:  # `NaN`, `Infinity`: looked for where they may be
            for problem in json_problems(value):
                raise ValueError(problem)
        return value
    except ValueError as error:
        raise UnreadableRow(what, str(error)) from None


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
    problems = "; ".join(record_problems(record, seen=record.goal))
    if problems:
        raise UnreadableRow(what, problems)
    if monitor is None:
        return record
    return replace(record, monitor=read_json(monitor, f"the monitor's state of session {session}"))


def read_posted(session: str, row: InboxRow) -> Posted:
    what = f"command {row.number} in the inbox of session {session}"
    _check(what, row.number, _is_count, "a number of its own")
    _check(what, row.actor, _is_actor, "an actor")
    _check(what, row.at, _is_time, "a time")
    command: Command = _read(Command, row.command, read_command, what)
    return Posted(row.number, command, cast(Actor, row.actor), row.at)


def read_entry(session: str, row: JournalRow) -> Entry:
    what = f"entry {row.number} in the journal of session {session}"
    _check(what, row.number, _is_count, "a number of its own")
    _check(what, row.digest, _is_text, "a digest")
    return Entry(row.number, _read(Event, row.event, read_event, what), row.digest)


def write_exhibit(exhibit: Exhibit) -> str:
    """The exhibit's content as it is kept."""
    what = f"the {exhibit.kind} of evaluation {exhibit.evaluation}"
    try:
        text = _spelled(exhibit.content)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{what} is not JSON, and nothing was written: {error}") from None
    size = len(text.encode())
    if size > MAX_EXHIBIT:
        raise StoreError(
            f"{what} has {size:,} bytes, {MAX_EXHIBIT:,} are the most, and nothing was written: "
            "shorten what the judge is shown before it is asked"
        )
    as_read(lambda: _read_exhibit(exhibit.evaluation, exhibit.kind, text, what))
    return text


def read_exhibit(session: str, row: ExhibitRow) -> Exhibit:
    what = f"exhibit {row.number} of session {session}"
    _check(what, row.number, _is_count, "a number of its own")
    return _read_exhibit(row.evaluation, row.kind, row.content, what)


def _read_exhibit(evaluation: str, kind: str, text: str, what: str) -> Exhibit:
    _check(what, evaluation, _is_text, "an evaluation's id")
    _check(what, kind, lambda value: value in get_args(ExhibitKind), "a kind of exhibit")
    _check(what, text, _is_text, "a text")
    try:
        content = parse(text)
        is_whole = _spelled(content) == text
    except (ValueError, RecursionError) as error:
        raise UnreadableRow(what, str(error)) from None
    if not is_whole:
        raise UnreadableRow(what, "it is not spelled as it was written")
    return Exhibit(evaluation, cast(ExhibitKind, kind), content)


def _spelled(content: Any) -> str:
    """*content* in the one JSON that an exhibit is kept in: evidence may hold half a character,
    which UTF-8 cannot spell and RFC 8785 does not know."""
    text = json.dumps(
        content, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    if _LONE.search(text) is None:
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return _LONE.sub(lambda half: f"\\u{ord(half[0]):x}", joined)


def read_audit(session: str, row: AuditRow) -> dict[str, Any]:
    what = f"the audit of session {session}"
    for text in (row.at, row.code, row.message):
        _check(what, text, _is_text, "a text")
    _check(what, row.actor, lambda value: value is None or _is_actor(value), "an actor")
    return {
        "at": row.at,
        "actor": row.actor,
        "command": None if row.command is None else read_json(row.command, what),
        "code": row.code,
        "message": row.message,
    }


_COLUMNS = {
    "version": "count", "events": "count", "token": "count", "digest": "text", "owner": "text",
    "updated_at": "time", "seen_at": "time", "wake_at": "time", "expires_at": "time",
}  # fmt: skip
_MAY_BE_NONE = ("owner", "wake_at", "expires_at")


def read_row(row: Row) -> Row:
    """*row*, where each of its values but the record is one."""
    what = f"the row of session {row.session}"
    kinds = {"count": _is_count, "text": _is_text, "time": _is_time_or_none}
    _check(what, row.session, _is_text, "a name")
    for name, kind in _COLUMNS.items():
        value = getattr(row, name)
        if value is not None or name not in _MAY_BE_NONE:
            _check(what, value, kinds[kind], f"a {kind}", name)
    return row


def read_time(value: Any, what: str) -> str:
    """A time of a row that stands for itself."""
    _check(what, value, _is_time, "a time")
    time: str = value
    return time


def _check(
    what: str, value: Any, holds: Callable[[Any], bool], wanted: str, column: str = ""
) -> None:
    if not holds(value):
        place = f"{column}: " if column else ""
        raise UnreadableRow(what, f"{place}{ascii(value)[:60]} is not {wanted}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value <= MAX_NUMBER


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and is_stamp(value)


def _is_time_or_none(value: Any) -> bool:
    return value == "" or _is_time(value)


def _is_actor(value: Any) -> bool:
    return value in get_args(Actor)


def _read(kind: Any, text: str, carefully: Callable[[str], Any], what: str) -> Any:
    """What this goalspec wrote has its shape, which is all that is looked at; *carefully* brings up
    what an older one wrote, and says what is wrong."""
    from pydantic import ValidationError

    _check(what, text, _is_text, "a text")
    try:
        return reading.adapter(kind).validate_json(text)
    except ValidationError:
        pass
    try:
        return carefully(text)
    except reading.BadRecord as error:
        raise UnreadableRow(what, "; ".join(error.problems)) from None
