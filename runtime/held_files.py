"""The files that this process keeps open through SQLite, and must open in no other way.

On POSIX systems a process loses all its locks on a file when it closes any descriptor of it. So a
file that is only looked into, to hash it or to see what it is, would take the locks from the
connections that are at work on it, and another process could write into their transactions.
"""

from __future__ import annotations

import os
import threading
from weakref import WeakKeyDictionary

SIDES = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a file, under its name

LOCK = threading.RLock()
"""Held while a file is looked into that could be opened through SQLite, and while it is."""

_HELD: WeakKeyDictionary[object, tuple[int, int]] = WeakKeyDictionary()


def hold(holder: object, path: str) -> None:
    """The file at *path* is open as long as *holder* lives, or until it is released."""
    with LOCK:
        _HELD[holder] = _identity(os.stat(path))


def release(holder: object) -> None:
    with LOCK:
        _HELD.pop(holder, None)


def is_held(path: str) -> bool:
    """Is the file at *path* open through SQLite, or one that SQLite keeps beside such a file?"""
    with LOCK:
        if not _HELD:
            return False
        held = set(_HELD.values())
    for side in ("", *SIDES):
        if path.endswith(side):
            try:
                if _identity(os.stat(path.removesuffix(side))) in held:
                    return True
            except (OSError, ValueError):
                continue
    return False


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
