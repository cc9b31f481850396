"""Reading files that an agent may have put there: nothing hangs, and folders end.

What is no regular file is not opened, or not waited for; no walk follows a link or goes into the
folders that tools fill by themselves.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from ..held_files import is_held

MAX_FILES = 100_000  # that one look follows
MAX_BYTES = 1024**3  # of one file
# What tools write beside the files that are worked on: no work, and no part of a protection that
# does not name it.
TOOL_NAMES = frozenset({
    ".git", ".hg", ".svn", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache",
    ".hypothesis", ".tox", ".nox", ".coverage", ".venv", "venv", "node_modules", ".gradle",
})  # fmt: skip
_CHUNK = 1024 * 1024
# A pipe that nobody writes is opened without waiting; a link is not followed.
_SAFELY = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)


class TooManyFiles(Exception):
    """A look that met more than MAX_FILES."""


class Met:
    """The count of the files that one look met, whatever folders it went through."""

    def __init__(self) -> None:
        self._count = 0

    def one_more(self) -> None:
        self._count += 1
        if self._count > MAX_FILES:
            raise TooManyFiles


def open_regular(path: str) -> int:
    """A handle of a regular file, for reading. Raises OSError of anything else."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", path)
    if is_held(path):
        raise OSError(errno.EBUSY, "it is a store that is open", path)
    handle = os.open(path, _SAFELY)
    if not stat.S_ISREG(os.fstat(handle).st_mode):  # it became another in between
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no regular file", path)
    return handle


def file_hash(path: str) -> str | None:
    """SHA-256 of what a regular file holds; None of anything else, of more than MAX_BYTES, and
    where it cannot be read."""
    try:
        handle = open_regular(path)
    except (OSError, ValueError):
        return None
    try:
        digest, read = sha256(), 0
        while chunk := os.read(handle, _CHUNK):
            digest.update(chunk)
            read += len(chunk)
            if read > MAX_BYTES:
                return None
        return digest.hexdigest()
    except OSError:
        return None
    finally:
        os.close(handle)


def link_text(path: str) -> str | None:
    """Where a symbolic link says that it leads; None of anything else."""
    try:
        return os.readlink(path)
    except (OSError, ValueError):
        return None


class Walk:
    """The files, links and the rest below a folder, in no order, but no store that is open.
    *unlistable* has the folders that could not be looked into. Raises TooManyFiles."""

    def __init__(self, folder: str, met: Met) -> None:
        self._folder = folder
        self._met = met
        self.unlistable: list[str] = []

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        left = [self._folder]
        while left:
            folder = left.pop()
            for entry in self._entries(folder):
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                    continue
                self._met.one_more()
                yield entry

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return [
                    entry
                    for entry in entries
                    if entry.name not in TOOL_NAMES and not is_held(entry.path)
                ]
        except (FileNotFoundError, NotADirectoryError):  # it went just now, or never was
            return []
        except OSError:
            self.unlistable.append(folder)
            return []


def name_below(root: str | Path, path: str) -> str:
    """The name of *path* as from *root*, with `/`. Bytes that are no UTF-8 are written out, so that
    every name can be stored."""
    name = path.removeprefix(os.path.join(root, ""))
    return os.fsencode(name.replace(os.sep, "/")).decode("utf-8", "backslashreplace")
