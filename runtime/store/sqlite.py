"""SQLite: one file, which is made whole or not at all, checked before it is opened, and never
written over where something is wrong with it."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from .. import held_files
from .host_time import Uptime, read_clock
from .mounts import network_type
from .port import StoreError
from .sql import PATIENCE, Database, HostTime, SqlStore

APPLICATION_ID = int.from_bytes(b"goal")  # says in a file's header whose it is
_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes of a file's header
_WAL = "journal_mode = WAL"  # writers stop no readers, and a commit is one sync


def open_sqlite(
    path: Path, clock: Callable[[], datetime], uptime: Callable[[], Uptime | None]
) -> SqlStore:
    """The store in the file *path*, which is made where it is not there. Raises StoreError."""
    time = HostTime(lambda: read_clock(clock), uptime)
    path = path.absolute()
    try:
        _refuse_network(path)
        if not path.exists():
            _create(path, time)
        with held_files.LOCK:
            if not held_files.is_held(str(path)):  # it was looked into when it was opened first
                _check(path)
        return _store(path, path, time)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be opened for writing ({error.strerror}): give a file, in a folder, "
            "that you may read and write"
        ) from error


def _store(path: Path, named: Path, time: HostTime) -> SqlStore:
    """The store in the file *path*, which messages call *named*."""
    reader, snapshots, writer = _engines(path)
    return SqlStore(
        Database(
            where=str(named),
            reader=reader,
            snapshots=snapshots,
            writer=writer,
            insert=sqlite.insert,
            passes=_passes,
            explain=lambda error: _explain(named, error),
            time=time,
        )
    )


def _engines(path: Path) -> tuple[Engine, Engine, Engine]:
    """One that reads, one that reads in a transaction, and one that writes."""

    opened = os.stat(path)

    def check(*connection: object) -> None:
        # A file that is moved or removed stays open, and what is written to it is lost.
        try:
            now = os.stat(path)
        except OSError:
            now = None
        if now is None or not os.path.samestat(now, opened):
            raise StoreError(
                f"{path} was moved, removed or replaced while it was open, and nothing was "
                "written: put it back, and open the store again"
            )

    def connect() -> sqlite3.Connection:
        with held_files.LOCK:
            check()
            # rw: a file that goes at this very moment is not made anew, empty.
            connection = sqlite3.connect(
                f"{path.as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None,
                check_same_thread=False, factory=_Holding,
            )  # fmt: skip
            held_files.hold(connection, str(path))
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = 1")  # macOS: a sync waits for the disk itself
        return connection

    reader = create_engine("sqlite://", creator=connect, poolclass=QueuePool, max_overflow=-1)
    snapshots, writer = reader.execution_options(), reader.execution_options()
    event.listen(reader, "checkout", check)

    @event.listens_for(snapshots, "begin")
    def begin_reading(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    @event.listens_for(writer, "begin")
    def begin_writing(connection: Connection) -> None:
        # A transaction that reads first and writes then cannot wait: once another has written it
        # fails at once, whatever the timeout is. So it takes the write lock at its beginning.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return reader, snapshots, writer


class _Holding(sqlite3.Connection):
    """A connection whose file nobody of this process opens otherwise."""

    def close(self) -> None:
        super().close()
        held_files.release(self)


def _refuse_network(path: Path) -> None:
    network = network_type(path.resolve())
    if network is not None:
        raise StoreError(
            f"{path} is on a network file system ({network}), where SQLite's locks do not hold: "
            "put the store on a local disk, or use PostgreSQL for several hosts"
        )


# --- a new file


def _create(path: Path, time: HostTime) -> None:
    """Make a store beside *path*, then give it that name: no one sees half of it, and a store that
    another process made meanwhile stands."""
    if not path.parent.is_dir():
        raise StoreError(
            f"{path} cannot be made, since there is no folder {path.parent}: make it "
            f"(`mkdir -p -m 700 {path.parent}`), or give another file"
        )
    if _has_log(path):
        raise StoreError(
            f"{path} is missing, but its log {path.name}-wal is there: put the file back from "
            f"where it went, or from a backup, or remove {path.name}-wal to begin anew without it"
        )
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    os.close(descriptor)
    new = Path(name)
    try:
        _fill(new, path, time)
        try:
            os.link(new, path)
        except FileExistsError:
            return
        _sync_folder(path.parent)
    finally:
        for leftover in (new, Path(f"{new}-wal"), Path(f"{new}-shm")):
            leftover.unlink(missing_ok=True)


def _fill(new: Path, path: Path, time: HostTime) -> None:
    _set(new, f"application_id = {APPLICATION_ID}", path)
    _set(new, _WAL, path)
    _store(new, path, time).close()  # the last connection's end brings the log into the file


def _set(path: Path, pragma: str, named: Path) -> None:
    """Write into the file what it has for every connection."""
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error as error:
        raise StoreError(f"{named} cannot be opened for writing: {error}") from error


def _sync_folder(folder: Path) -> None:
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# --- a file that is there


def _check(path: Path) -> None:
    """Refuse what is no store of ours, without touching it."""
    if path.is_dir():
        raise StoreError(f"{path} is a folder: give a file in it")
    with path.open("r+b") as file:
        header = file.read(_HEADER)
    size = path.stat().st_size
    if not header:
        raise StoreError(
            f"{path} is empty, which no store is, not even a new one: restore a backup, or remove "
            "it to begin anew"
        )
    if not header.startswith(_MAGIC):
        raise StoreError(
            f"{path} is not an SQLite file: nothing was written to it; restore a backup, or give "
            "another file"
        )
    whole = _whole_size(header)
    if size < whole and not _has_log(path):
        raise StoreError(_damaged(path, f"{size} bytes are left of {whole}"))
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise StoreError(
            f"{path} is an SQLite file of something else, not a store of goals: nothing was "
            "written to it; give another file"
        )
    if header[18:20] != b"\2\2":  # as a copy by VACUUM INTO has it
        _set(path, _WAL, path)


def _has_log(path: Path) -> bool:
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _whole_size(header: bytes) -> int:
    """How large a file is by its header, which has the size of a page and how many there are."""
    if len(header) < _HEADER:
        return _HEADER
    page = int.from_bytes(header[16:18])
    return (65_536 if page == 1 else page) * int.from_bytes(header[28:32])


# --- what went wrong


def _code(error: DBAPIError) -> int:
    """SQLite's code without what it adds to it; 0 where it gives none."""
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF


def _passes(error: DBAPIError) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _explain(path: Path, error: DBAPIError) -> str:
    code, said = _code(error), str(error.orig)
    if _passes(error):
        return (
            f"{path} was locked by another process for more than {PATIENCE:.0f} s, and nothing "
            "was written: find what holds it (a backup, an open `sqlite3`), and try again"
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return _damaged(path, said)
    if code == sqlite3.SQLITE_FULL:
        return (
            f"there is no room for {path} ({said}), and nothing of the change was written: free "
            "some of the disk, and try again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return (
            f"{path} cannot be written ({said}), and nothing was: it, its folder and its -wal and "
            "-shm files must be writable for you"
        )
    if code == sqlite3.SQLITE_CANTOPEN:
        return f"{path} cannot be opened ({said}): is it there, and may you read and write it?"
    if code == sqlite3.SQLITE_IOERR:
        return (
            f"{path} cannot be read or written ({said}): look at the disk; whether the last "
            "change is there is not known before the store is read again"
        )
    return f"{path}: {said}"


def _damaged(path: Path, how: str) -> str:
    return (
        f"{path} is damaged ({how}), and nothing was written to it: keep a copy of it with its "
        f"-wal file, then restore a backup, or try `sqlite3 {path.name} .recover` on the copy"
    )
