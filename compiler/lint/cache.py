"""What earlier runs found, kept by content: a file whose text, surroundings and questions are the
same has the same findings.

One SQLite database in the user's cache folder, of JSON texts under keys that are digests, so that
it holds no code, may be copied to another machine, and may be deleted at any time. A key covers
goalspec's own code, what was asked for, where the file stands in its project, how it was named, and
its bytes; the files that it uses are named in the entry with their digests, and looked at again.
What cannot be read as it was written is as if it were not there.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from ...grammar.cache_folder import cache_folder, is_private
from .records import Record

_PACKAGE = Path(__file__).resolve().parents[2]
_CODE = (".py", ".lark", ".goal")
_DAYS = 30  # an entry that no run has asked for in that time is dropped
_TABLE = (
    "CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, day INTEGER, text TEXT) WITHOUT ROWID"
)


@cache
def code_digest() -> bytes:
    """A digest of goalspec's own code, packs included, and of the Python that runs it."""
    digest = sha256(sys.version.encode())
    for folder, folders, files in os.walk(_PACKAGE):
        folders[:] = sorted(
            name for name in folders if name not in _ELSEWHERE and not name.startswith(".")
        )
        for name in sorted(files):
            if name.endswith(_CODE):
                path = Path(folder, name)
                digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0")
                digest.update(sha256(path.read_bytes()).digest())
    return digest.digest()


# What a checkout has beside the package, and what takes no part in linting.
_ELSEWHERE = {"tests", "benchmarks", "docs", "build", "dist", "venv", "__pycache__", "runtime"}


class Cache:
    """The entries of one database. A cache that cannot be opened has none and keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self._connection: sqlite3.Connection | None = None
        if folder is not None:
            with contextlib.suppress(sqlite3.Error, OSError):
                self._connection = _open(folder / "lint.sqlite")
        self._today = int(time.time() // 86_400)
        self._asked: list[bytes] = []

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Record]:
        """The records under *keys*, of those that there are."""
        if self._connection is None:
            return {}
        found: dict[bytes, Record] = {}
        with contextlib.suppress(sqlite3.Error):
            for key in keys:
                row = self._connection.execute(_GET, (key,)).fetchone()
                if row is None:
                    continue
                with contextlib.suppress(ValueError):
                    found[key] = json.loads(row[1])
                    if row[0] != self._today:
                        self._asked.append(key)
        return found

    def put(self, records: Iterable[tuple[bytes, Record]]) -> None:
        """Keep *records*, and drop what was not asked for in a long time."""
        if self._connection is None:
            return
        rows = [(key, self._today, json.dumps(record)) for key, record in records]
        if not rows and not self._asked:
            return
        with contextlib.suppress(sqlite3.Error), self._connection:
            self._connection.executemany(_PUT, rows)
            self._connection.executemany(_TOUCH, [(self._today, key) for key in self._asked])
            self._connection.execute(_DROP, (self._today - _DAYS,))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


_GET = "SELECT day, text FROM entry WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO entry VALUES (?, ?, ?)"
_TOUCH = "UPDATE entry SET day = ? WHERE key = ?"
_DROP = "DELETE FROM entry WHERE day < ?"


def _open(path: Path) -> sqlite3.Connection | None:
    try:
        return _connect(path)
    except sqlite3.DatabaseError:  # not a database, or a damaged one: begin anew
        path.unlink(missing_ok=True)
        return _connect(path)


def _connect(path: Path) -> sqlite3.Connection | None:
    connection = sqlite3.connect(path, timeout=1)
    if not is_private(path.stat()):
        connection.close()
        return None
    connection.execute("PRAGMA synchronous = OFF")  # losing it costs one slow run
    connection.execute(_TABLE)
    return connection


def default_cache() -> Cache:
    """The user's cache; none where the folder cannot be had or `GOALSPEC_CACHE_DIR` is empty."""
    return Cache(cache_folder())
