"""What earlier runs made of files, kept by content: findings, and compiled documents.

One SQLite database in the user's cache folder, of JSON texts under keys that are digests, so that
it holds no code, may be copied to another machine, and may be deleted at any time. A key covers
goalspec's own code, the file's bytes, and whatever else the answer depends on; the files that it
uses are named in the entry with their digests, and looked at again (`used_files`). An entry is
checked against its own digest: what cannot be read as it was written is as if it were not there. A
damaged database is deleted; one that cannot be used is not.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..grammar.cache_folder import cache_folder, is_private

Record = dict[str, Any]  # JSON

_PACKAGE = Path(__file__).resolve().parents[1]
_CODE = (".py", ".lark", ".goal")
_DAYS = 30  # an entry that no run has asked for in that time is dropped
_FILE = "cache-1.sqlite"  # the number is the table's: one of another form has another file
_TABLE = (
    "CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, day INTEGER, entry BLOB) WITHOUT ROWID"
)
_WAIT = 1.0  # seconds for another run that writes; waiting longer costs more than linting
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@cache
def code_digest() -> bytes:
    """A digest of goalspec's own code, packs included, and of the Python that runs it."""
    digest = sha256(sys.version.encode())
    top = len(str(_PACKAGE))
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = sorted(
            name for name in folders if name not in _ELSEWHERE and not name.startswith(".")
        )
        for name in sorted(files):
            if name.endswith(_CODE):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    content = file.read()
                digest.update(f"{path[top:]}\0{len(content)}\0".encode())
                digest.update(content)
    return digest.digest()


# What a checkout has beside the package, and what takes no part in compiling.
_ELSEWHERE = {"tests", "benchmarks", "docs", "build", "dist", "venv", "__pycache__", "runtime"}


class Cache:
    """The entries of one database. A cache that cannot be opened has none and keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self._connection: sqlite3.Connection | None = None
        self._today = int(time.time() // 86_400)
        self._asked: list[bytes] = []
        if folder is not None:
            self._path = folder / _FILE
            with self._harmless():
                self._open()
            if not self._path.exists():  # it was damaged: begin anew
                with self._harmless():
                    self._open()

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Record]:
        """The records under *keys*, of those that there are."""
        found: dict[bytes, Record] = {}
        if self._connection is None:
            return found
        with self._harmless():
            for key in keys:
                day, entry = self._connection.execute(_GET, (key,)).fetchone() or (0, None)
                record = _unpacked(key, entry)
                if record is not None:
                    found[key] = record
                    if day != self._today:
                        self._asked.append(key)
        return found

    def put(self, records: Iterable[tuple[bytes, Record]]) -> None:
        """Keep *records*, and drop what was not asked for in a long time."""
        rows = [(key, self._today, _packed(key, record)) for key, record in records]
        if self._connection is None or not (rows or self._asked):
            return
        with self._harmless(), self._connection:
            self._connection.executemany(_PUT, rows)
            self._connection.executemany(_TOUCH, [(self._today, key) for key in self._asked])
            self._connection.execute(_DROP, (self._today - _DAYS,))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> None:
        self._connection = sqlite3.connect(self._path, timeout=_WAIT)
        if not is_private(self._path.stat()):
            self.close()
            return
        self._connection.execute("PRAGMA synchronous = OFF")  # losing it costs one slow run
        self._connection.execute(_TABLE)

    @contextlib.contextmanager
    def _harmless(self) -> Iterator[None]:
        """Where the database fails, the run goes on without it; a damaged one is deleted."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.close()
            if getattr(error, "sqlite_errorcode", None) in _DAMAGED:
                with contextlib.suppress(OSError):
                    self._path.unlink()


_GET = "SELECT day, entry FROM entry WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO entry VALUES (?, ?, ?)"
_TOUCH = "UPDATE entry SET day = ? WHERE key = ?"
_DROP = "DELETE FROM entry WHERE day < ?"


def _packed(key: bytes, record: Record) -> bytes:
    text = json.dumps(record).encode()
    return sha256(key + text).digest() + text


def _unpacked(key: bytes, entry: object) -> Record | None:
    if not isinstance(entry, bytes) or sha256(key + entry[32:]).digest() != entry[:32]:
        return None
    record: Record = json.loads(entry[32:])
    return record


def default_cache() -> Cache:
    """The user's cache; none where the folder cannot be had or `GOALSPEC_CACHE_DIR` is empty."""
    return Cache(cache_folder())
