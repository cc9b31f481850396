"""The store that lives in one process: for tests, for simulations, and for hosts that keep nothing.
What it gives is read from text, like any store's, so that nobody shares a mutable value with it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import TypeVar

from .host_time import read_clock, utc_now
from .port import StoreError
from .row_store import RowStore
from .rows import (
    MAX_EVALUATIONS,
    MAX_REFUSALS,
    AuditRow,
    ExhibitRow,
    InboxRow,
    JournalRow,
    Locked,
    Row,
    Rows,
)

_T = TypeVar("_T")


class MemoryStore(RowStore):
    """A Store without a file. Threads may share it. *clock* gives the time, in UTC."""

    def __init__(self, clock: Callable[[], datetime] = utc_now) -> None:
        self._clock = clock
        self._tables = _Tables()
        self._lock = threading.RLock()
        self._closed = False

    def _write(self, work: Callable[[Rows], _T]) -> _T:
        with self._lock:
            rows = self._rows()
            result = work(rows)
            rows.commit()
            return result

    def _read(self, work: Callable[[Rows], _T]) -> _T:
        with self._lock:
            return work(self._rows())

    _snapshot = _read

    def _rows(self) -> _MemoryRows:
        if self._closed:
            raise StoreError("the store in memory was closed")
        return _MemoryRows(self._tables, self._clock)

    def close(self) -> None:
        self._closed = True


class _Tables:
    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.monitors: dict[str, str] = {}
        self.journal: defaultdict[str, list[JournalRow]] = defaultdict(list)
        self.history: defaultdict[str, list[str]] = defaultdict(list)
        self.audit: defaultdict[str, list[AuditRow]] = defaultdict(list)
        self.inbox: dict[int, tuple[str, InboxRow]] = {}
        self.posted = 0
        self.exhibits: defaultdict[str, list[ExhibitRow]] = defaultdict(list)
        self.filed = 0
        self.tokens: dict[tuple[str, str], str] = {}
        self.high = ""  # the latest time that was seen


class _MemoryRows:
    """One transaction: what it writes is put into the tables when it ends."""

    def __init__(self, tables: _Tables, clock: Callable[[], datetime]) -> None:
        self._tables = tables
        self._clock = clock
        self._writes: list[Callable[[], object]] = []

    def commit(self) -> None:
        for write in self._writes:
            write()

    def lock(self, session: str) -> Locked:
        row = self._tables.rows.get(session, Row(session))
        monitor = self._tables.monitors.get(session)
        return Locked(row, self.time(), monitor, bool(self.inbox(session)))

    def time(self) -> str:
        return max(read_clock(self._clock), self._tables.high)

    def save_time(self, at: str) -> None:
        self._writes.append(lambda: setattr(self._tables, "high", max(at, self._tables.high)))

    def save(self, before: Row, after: Row) -> None:
        self._writes.append(lambda: self._tables.rows.update({after.session: after}))
        self.save_time(after.seen_at)

    def save_monitor(self, session: str, monitor: str | None) -> None:
        monitors = self._tables.monitors
        if monitor is None:
            self._writes.append(lambda: monitors.pop(session, None))
        else:
            self._writes.append(lambda: monitors.update({session: monitor}))

    def get(self, session: str) -> tuple[Row, str | None] | None:
        row = self._tables.rows.get(session)
        return None if row is None else (row, self._tables.monitors.get(session))

    def all(self) -> list[tuple[Row, str | None]]:
        rows = sorted(self._tables.rows.values(), key=attrgetter("session"))
        rows.sort(key=attrgetter("updated_at"), reverse=True)
        monitors = self._tables.monitors
        return [(row, monitors.get(row.session)) for row in rows if row.record is not None]

    def due(self, at: str, limit: int) -> list[Row]:
        due = [
            (row.wake_at, row.session, row)
            for row in self._tables.rows.values()
            if row.wake_at is not None and row.wake_at <= at
            and (row.expires_at is None or row.expires_at <= at)
        ]  # fmt: skip
        return [row for _, _, row in sorted(due)[:limit]]

    def append(self, session: str, entries: Sequence[JournalRow]) -> None:
        self._writes.append(lambda: self._tables.journal[session].extend(entries))

    def journal(self, session: str, after: int, limit: int | None) -> list[JournalRow]:
        entries = self._tables.journal.get(session, [])
        return entries[after : None if limit is None else after + limit]

    def archive(self, session: str, records: Iterable[str]) -> None:
        self._writes.append(lambda: self._tables.history[session].extend(records))

    def history(self, session: str) -> list[str]:
        return list(self._tables.history.get(session, []))

    def note(self, session: str, refusals: Iterable[AuditRow]) -> None:
        audit = self._tables.audit
        self._writes.append(
            lambda: audit.update({session: [*audit[session], *refusals][-MAX_REFUSALS:]})
        )

    def audit(self, session: str) -> list[AuditRow]:
        return list(self._tables.audit.get(session, []))

    def post(self, id: str, session: str, command: str, actor: str, at: str) -> InboxRow:
        number = self._tables.posted + 1
        row = InboxRow(number, command, actor, at)
        self._writes.append(lambda: self._tables.inbox.update({number: (session, row)}))
        self._writes.append(lambda: setattr(self._tables, "posted", number))
        return row

    def inbox(self, session: str) -> list[InboxRow]:
        return [row for owner, row in self._tables.inbox.values() if owner == session]

    def take(self, numbers: Sequence[int]) -> None:
        self._writes.extend(partial(self._tables.inbox.pop, number) for number in numbers)

    def forget_taken(self, before: str) -> None:
        pass  # no answer is ever lost here, so that what was taken is gone

    def file(self, id: str, session: str, evaluation: str, kind: str, content: str) -> None:
        number = self._tables.filed + 1
        row = ExhibitRow(number, evaluation, kind, content)
        kept = _of_last_evaluations([*self._tables.exhibits.get(session, []), row])
        self._writes.append(lambda: self._tables.exhibits.update({session: kept}))
        self._writes.append(lambda: setattr(self._tables, "filed", number))

    def exhibits(self, session: str, evaluation: str | None) -> list[ExhibitRow]:
        rows = self._tables.exhibits.get(session, [])
        return [row for row in rows if evaluation in (None, row.evaluation)]

    def save_token(self, session: str, digest: str, expires_at: str) -> None:
        tokens = self._tables.tokens
        self._writes.append(lambda: tokens.update({(session, digest): expires_at}))

    def token(self, session: str, digest: str) -> str | None:
        return self._tables.tokens.get((session, digest))

    def drop_tokens(self, at: str) -> None:
        ended = [key for key, expires_at in self._tables.tokens.items() if expires_at <= at]
        self._writes.extend(partial(self._tables.tokens.pop, key) for key in ended)


def _of_last_evaluations(rows: Sequence[ExhibitRow]) -> list[ExhibitRow]:
    last = dict.fromkeys(row.evaluation for row in reversed(rows))
    kept = set(list(last)[:MAX_EVALUATIONS])
    return [row for row in rows if row.evaluation in kept]
