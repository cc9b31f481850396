"""The store on an SQL database: its rows by SQLAlchemy Core, and a transaction that is tried again
while what stands in its way passes. What differs between databases is in a `Database`."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import (
    BindParameter,
    Connection,
    Engine,
    Executable,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError

from .encoding import UnreadableRow, read_time
from .host_time import Start, Uptime
from .migrating import migrate
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
from .tables import AUDIT, CLOCK, EXHIBITS, HISTORY, INBOX, JOURNAL, MONITORS, SESSIONS, TOKENS

PATIENCE = 10.0  # seconds in which a transaction is tried again
_PAUSES = (0.005, 0.5)  # the first one at most, and the longest

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class HostTime:
    """The time by the host, for a database that has none of its own."""

    clock: Callable[[], str]
    uptime: Callable[[], Uptime | None]


@dataclass(frozen=True, slots=True)
class Database:
    """An open database. *reader* runs each query by itself, *snapshots* a transaction whose queries
    see one moment, *writer* one that others cannot upset. *insert* is the dialect's, which can
    leave a row that is there."""

    where: str  # how messages call it
    reader: Engine
    snapshots: Engine
    writer: Engine
    insert: Callable[..., Any]
    passes: Callable[[DBAPIError], bool]  # may the same transaction go through later?
    explain: Callable[[DBAPIError], str]  # what is wrong, where, and what to do
    time: HostTime | None = None  # in place of the database's own


class SqlStore(RowStore):
    """A Store on one SQL database, which is brought up to this goalspec first. Threads may share
    it; a process that forks opens its own."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._closed = False
        self._place = f"{database.where}: "
        self._statements = _Statements(database)
        try:
            migrate(database.reader, database.writer, database.where)
        except DBAPIError as error:
            self.close()
            raise StoreError(database.explain(error)) from error
        except StoreError:
            self.close()
            raise

    def _write(self, work: Callable[[Rows], _T]) -> _T:
        return self._in_transaction(self._database.writer, work)

    def _read(self, work: Callable[[Rows], _T]) -> _T:
        def query() -> _T:
            with self._database.reader.connect() as connection:
                return work(_SqlRows(connection, self._statements))

        return self._patiently(query)

    def _snapshot(self, work: Callable[[Rows], _T]) -> _T:
        return self._in_transaction(self._database.snapshots, work)

    def _in_transaction(self, engine: Engine, work: Callable[[Rows], _T]) -> _T:
        def transaction() -> _T:
            with engine.begin() as connection:
                return work(_SqlRows(connection, self._statements))

        return self._patiently(transaction)

    def _patiently(self, act: Callable[[], _T]) -> _T:
        if self._closed:
            raise StoreError(f"{self._place}the store was closed: open it again")
        pause, longest = _PAUSES
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                return act()
            except DBAPIError as error:
                if not self._database.passes(error) or time.monotonic() > give_up:
                    raise StoreError(self._database.explain(error)) from error
            except UnreadableRow as error:
                raise StoreError(f"{self._place}{error}") from None
            time.sleep(random.uniform(0, pause))
            pause = min(2 * pause, longest)

    def close(self) -> None:
        self._closed = True
        self._database.writer.dispose()  # and the reader's connections, which are the same


# PostgreSQL's, which is one for all hosts.
_SERVER_CLOCK = """to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""

_ROW = [SESSIONS.c[field.name] for field in fields(Row)]
_INBOX_ROW = [INBOX.c[field.name] for field in fields(InboxRow)]
_WITH_MONITOR = select(*_ROW, MONITORS.c.state).join_from(
    SESSIONS, MONITORS, SESSIONS.c.session == MONITORS.c.session, isouter=True
)
_SESSION: BindParameter[str] = bindparam("session")


class _Statements:
    """The store's statements, made once."""

    lock = select(*_ROW).where(SESSIONS.c.session == _SESSION).with_for_update()
    get = _WITH_MONITOR.where(SESSIONS.c.session == _SESSION)
    all = _WITH_MONITOR.where(SESSIONS.c.record.is_not(None)).order_by(
        SESSIONS.c.updated_at.desc(), SESSIONS.c.session
    )
    due = (
        select(*_ROW)
        .where(
            SESSIONS.c.wake_at <= bindparam("at"),
            or_(SESSIONS.c.expires_at.is_(None), SESSIONS.c.expires_at <= bindparam("at")),
        )
        .order_by(SESSIONS.c.wake_at, SESSIONS.c.session)
        .limit(bindparam("limit"))
        .with_for_update(skip_locked=True)
    )
    start = select(CLOCK.c.start, CLOCK.c.boot, CLOCK.c.uptime)
    save_start = update(CLOCK)
    save_time = update(CLOCK).where(CLOCK.c.high < bindparam("at")).values(high=bindparam("at"))
    drop_monitor = delete(MONITORS).where(MONITORS.c.session == _SESSION)
    append = insert(JOURNAL)
    journal = (
        select(*(JOURNAL.c[field.name] for field in fields(JournalRow)))
        .where(JOURNAL.c.session == _SESSION, JOURNAL.c.number > bindparam("after"))
        .order_by(JOURNAL.c.number)
    )
    archive = insert(HISTORY)
    history = (
        select(HISTORY.c.record).where(HISTORY.c.session == _SESSION).order_by(HISTORY.c.number)
    )
    note = insert(AUDIT)
    # What is older than the last ones.
    forget_refusals = delete(AUDIT).where(
        AUDIT.c.session == bindparam("of"),
        AUDIT.c.number
        <= select(AUDIT.c.number)
        .where(AUDIT.c.session == bindparam("of"))
        .order_by(AUDIT.c.number.desc())
        .limit(1)
        .offset(MAX_REFUSALS)
        .scalar_subquery(),
    )
    audit = (
        select(*(AUDIT.c[field.name] for field in fields(AuditRow)))
        .where(AUDIT.c.session == _SESSION)
        .order_by(AUDIT.c.number)
    )
    inbox = (
        select(*_INBOX_ROW)
        .where(INBOX.c.session == _SESSION, INBOX.c.taken.is_(False))
        .order_by(INBOX.c.number)
    )
    posted = select(*_INBOX_ROW).where(INBOX.c.id == bindparam("id"))
    take = update(INBOX).where(INBOX.c.number == bindparam("taking")).values(taken=True)
    forget_taken = delete(INBOX).where(INBOX.c.at < bindparam("before"), INBOX.c.taken.is_(True))
    # Those of evaluations that are none of the last ones.
    forget_exhibits = delete(EXHIBITS).where(
        EXHIBITS.c.session == bindparam("of"),
        EXHIBITS.c.evaluation.in_(
            select(EXHIBITS.c.evaluation)
            .where(EXHIBITS.c.session == bindparam("of"))
            .group_by(EXHIBITS.c.evaluation)
            .order_by(func.max(EXHIBITS.c.number).desc())
            .offset(MAX_EVALUATIONS)
        ),
    )
    exhibits = (
        select(*(EXHIBITS.c[field.name] for field in fields(ExhibitRow)))
        .where(EXHIBITS.c.session == _SESSION)
        .order_by(EXHIBITS.c.number)
    )
    token = select(TOKENS.c.expires_at).where(
        TOKENS.c.session == _SESSION, TOKENS.c.digest == bindparam("digest")
    )
    drop_tokens = delete(TOKENS).where(TOKENS.c.expires_at <= bindparam("at"))

    def __init__(self, database: Database) -> None:
        self.host = database.time
        clock: Any = bindparam("clock") if database.time else literal_column(_SERVER_CLOCK)
        high = select(CLOCK.c.high).scalar_subquery()
        seen = select(func.max(SESSIONS.c.seen_at)).scalar_subquery()
        self.time = select(clock, high, seen)
        monitor = select(MONITORS.c.state).where(MONITORS.c.session == _SESSION)
        self.beside = select(
            clock, high, seen, monitor.scalar_subquery(), exists(self.inbox).label("waiting")
        )
        self.add = database.insert(SESSIONS).on_conflict_do_nothing()
        self.post = database.insert(INBOX).on_conflict_do_nothing()
        self.file = database.insert(EXHIBITS).on_conflict_do_nothing()
        self.save_monitor = _upsert(database.insert(MONITORS), ["session"], "state")
        self.save_token = _upsert(database.insert(TOKENS), ["session", "digest"], "expires_at")


def _upsert(statement: Any, key: list[str], column: str) -> Executable:
    upserting: Executable = statement.on_conflict_do_update(
        index_elements=key, set_={column: statement.excluded[column]}
    )
    return upserting


class _SqlRows:
    """One transaction's rows."""

    def __init__(self, connection: Connection, statements: _Statements) -> None:
        self._run = connection.execute
        self._statements = statements

    def lock(self, session: str) -> Locked:
        found = self._run(self._statements.lock, {"session": session}).first()
        if found is None:
            self._run(self._statements.add, _columns(Row(session)))
            found = self._run(self._statements.lock, {"session": session}).one()
        # The time is asked for after the lock, which may have taken long to get.
        parameters = {**self._clock(), "session": session}
        *times, monitor, waiting = self._run(self._statements.beside, parameters).one()
        return Locked(Row(*found), self._latest(*times), monitor, bool(waiting))

    def time(self) -> str:
        return self._latest(*self._run(self._statements.time, self._clock()).one())

    def _latest(self, clock: str, high: Any, seen: Any) -> str:
        """The clock's time, or a later one that was seen: *high* by `now`, *seen* by a session."""
        if high:
            read_time(high, "the time in goalspec_clock")
        if seen:
            read_time(seen, "a session's time in goalspec_sessions.seen_at")
        latest = max(high or "", seen or "")
        return clock if latest <= clock else self._going_on(latest)

    def _going_on(self, latest: str) -> str:
        """The store's time where the clock is behind it. From the first such look on it goes with
        the host's uptime, so that a clock that was ahead once stops nothing for good; nor does it
        go faster than that, however many clocks differ."""
        host = self._statements.host
        up = None if host is None else host.uptime()
        if up is None:
            return latest
        start = Start(*self._run(self._statements.start).one())
        at = start.time_at(up)
        if at >= latest:
            return at
        self._run(self._statements.save_start, Start(latest, *up)._asdict())
        return latest

    def _clock(self) -> dict[str, str]:
        host = self._statements.host
        return {} if host is None else {"clock": host.clock()}

    def save_time(self, at: str) -> None:
        self._run(self._statements.save_time, {"at": at})

    def save(self, before: Row, after: Row) -> None:
        changed = {
            name: value
            for name, value in _columns(after).items()
            if value != getattr(before, name)
        }  # fmt: skip
        if changed:
            self._run(_saving(tuple(changed)), {"of": after.session, **changed})

    def save_monitor(self, session: str, monitor: str | None) -> None:
        if monitor is None:
            self._run(self._statements.drop_monitor, {"session": session})
        else:
            self._run(self._statements.save_monitor, {"session": session, "state": monitor})

    def get(self, session: str) -> tuple[Row, str | None] | None:
        found = self._run(self._statements.get, {"session": session}).first()
        return None if found is None else (Row(*found[:-1]), found[-1])

    def all(self) -> list[tuple[Row, str | None]]:
        return [(Row(*found[:-1]), found[-1]) for found in self._run(self._statements.all)]

    def due(self, at: str, limit: int) -> list[Row]:
        found = self._run(self._statements.due, {"at": at, "limit": limit})
        return [Row(*row) for row in found]

    def append(self, session: str, entries: Sequence[JournalRow]) -> None:
        for row in entries:
            self._run(self._statements.append, {"session": session, **_columns(row)})

    def journal(self, session: str, after: int, limit: int | None) -> list[JournalRow]:
        statement = self._statements.journal
        if limit is not None:
            statement = statement.limit(limit)
        found = self._run(statement, {"session": session, "after": after})
        return [JournalRow(*row) for row in found]

    def archive(self, session: str, records: Iterable[str]) -> None:
        for record in records:  # one by one: they are numbered in their order
            self._run(self._statements.archive, {"session": session, "record": record})

    def history(self, session: str) -> list[str]:
        return list(self._run(self._statements.history, {"session": session}).scalars())

    def note(self, session: str, refusals: Iterable[AuditRow]) -> None:
        for row in refusals:
            self._run(self._statements.note, {"session": session, **_columns(row)})
        self._run(self._statements.forget_refusals, {"of": session})

    def audit(self, session: str) -> list[AuditRow]:
        return [AuditRow(*row) for row in self._run(self._statements.audit, {"session": session})]

    def post(self, id: str, session: str, command: str, actor: str, at: str) -> InboxRow:
        values = {
            "id": id, "session": session, "command": command, "actor": actor, "at": at,
            "taken": False,
        }  # fmt: skip
        self._run(self._statements.post, values)
        return InboxRow(*self._run(self._statements.posted, {"id": id}).one())

    def inbox(self, session: str) -> list[InboxRow]:
        return [InboxRow(*row) for row in self._run(self._statements.inbox, {"session": session})]

    def take(self, numbers: Sequence[int]) -> None:
        # Exactly these: another may have come between with a lower number, and was not decided on.
        for number in numbers:
            self._run(self._statements.take, {"taking": number})

    def forget_taken(self, before: str) -> None:
        self._run(self._statements.forget_taken, {"before": before})

    def file(self, id: str, session: str, evaluation: str, kind: str, content: str) -> None:
        values = {
            "id": id, "session": session, "evaluation": evaluation, "kind": kind,
            "content": content,
        }  # fmt: skip
        self._run(self._statements.file, values)
        self._run(self._statements.forget_exhibits, {"of": session})

    def exhibits(self, session: str, evaluation: str | None) -> list[ExhibitRow]:
        statement = self._statements.exhibits
        if evaluation is not None:
            statement = statement.where(EXHIBITS.c.evaluation == evaluation)
        return [ExhibitRow(*row) for row in self._run(statement, {"session": session})]

    def save_token(self, session: str, digest: str, expires_at: str) -> None:
        values = {"session": session, "digest": digest, "expires_at": expires_at}
        self._run(self._statements.save_token, values)

    def token(self, session: str, digest: str) -> str | None:
        found = self._run(self._statements.token, {"session": session, "digest": digest})
        ends: str | None = found.scalar()
        return ends

    def drop_tokens(self, at: str) -> None:
        self._run(self._statements.drop_tokens, {"at": at})


@cache
def _saving(names: tuple[str, ...]) -> Executable:
    """Sets these columns of a session's row, and leaves a long record that stays where it is."""
    statement = update(SESSIONS).where(SESSIONS.c.session == bindparam("of"))
    return statement.values({name: bindparam(name) for name in names})


def _columns(row: Any) -> dict[str, Any]:
    return {field.name: getattr(row, field.name) for field in fields(row)}
