"""The parse tables of `goal.lark`, built once and kept in the user's cache folder.

Building takes some 200 ms, loading 10. The cache is a pickle, so it is read only from a folder
that belongs to the user alone; its name carries the versions of goalspec's grammar, Lark and
Python, and it appears by an atomic rename, so that concurrent first runs cannot see half a file.
Where the folder cannot be had the tables are built in memory, and nothing else changes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import lark

from .build import Builder

GRAMMAR_FILE = Path(__file__).with_name("goal.lark")


@lru_cache(maxsize=1)
def parser() -> lark.Lark:
    """The LALR(1) parser with the contextual lexer; it yields the file's list of statements."""
    grammar = GRAMMAR_FILE.read_text(encoding="utf-8")
    folder = cache_folder()
    if folder is None:
        return _build(grammar, cache=False)
    with contextlib.suppress(OSError):
        return _cached(grammar, folder / _cache_name(grammar))
    return _build(grammar, cache=False)


def _cached(grammar: str, path: Path) -> lark.Lark:
    if path.exists():
        return _build(grammar, cache=str(path))
    handle, name = tempfile.mkstemp(prefix="tables-", dir=path.parent)
    os.close(handle)
    os.unlink(name)  # Lark reads a file that exists; it shall write this one
    try:
        built = _build(grammar, cache=name)
        os.replace(name, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)
    return built


def _build(grammar: str, cache: str | bool) -> lark.Lark:
    return lark.Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=Builder(),
        cache=cache,
    )


def _cache_name(grammar: str) -> str:
    key = "\0".join((grammar, lark.__version__, sys.version, Builder.__module__))
    return f"tables-{hashlib.sha256(key.encode()).hexdigest()[:24]}"


def cache_folder() -> Path | None:
    """The folder for goalspec's caches, made if need be; None where it is not the user's alone.

    `GOALSPEC_CACHE_DIR` names another; empty, it turns caching off.
    """
    named = os.environ.get("GOALSPEC_CACHE_DIR")
    if named == "":
        return None
    base = Path(named) if named else _user_cache() / "goalspec"
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = base.stat()
    except (OSError, RuntimeError):
        return None
    if hasattr(os, "getuid") and (
        status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o022
    ):
        return None
    return base


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
