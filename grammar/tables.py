"""The parse tables of `goal.lark`, built once and kept in the user's cache folder.

Building takes some 200 ms, loading 10. The cache is a pickle, so it is read only from a folder
that belongs to the user alone; its name carries the versions of goalspec's grammar, Lark and
Python, and it appears by an atomic rename, so that concurrent first runs cannot see half a file.
Where the folder cannot be had the tables are built in memory, and nothing else changes.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import lark

from .build import Builder
from .cache_folder import cache_folder, is_private

GRAMMAR_FILE = Path(__file__).with_name("goal.lark")


@lru_cache(maxsize=1)
def parser() -> lark.Lark:
    """The LALR(1) parser with the contextual lexer; it yields the file's list of statements."""
    return _parser(Builder())


@lru_cache(maxsize=1)
def concrete_parser() -> lark.Lark:
    """The same parser, yielding a tree with every token of the text."""
    return _parser(None)


def _parser(builder: Builder | None) -> lark.Lark:
    grammar = GRAMMAR_FILE.read_text(encoding="utf-8")
    folder = cache_folder()
    if folder is None:
        return _build(grammar, builder)
    path = folder / _cache_name(grammar)
    kept = _load(path, builder)
    if kept is not None:
        return kept
    built = _build(grammar, builder)
    with contextlib.suppress(OSError):
        _keep(built, path)
    return built


def _build(grammar: str, builder: Builder | None) -> lark.Lark:
    return lark.Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=builder,
    )


def _keep(built: lark.Lark, path: Path) -> None:
    """Write the tables with their digest, all at once."""
    buffer = io.BytesIO()
    built.save(buffer, exclude_options=("transformer",))
    tables = buffer.getvalue()
    handle, name = tempfile.mkstemp(prefix="tables-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(hashlib.sha256(tables).digest() + tables)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _load(path: Path, builder: Builder | None) -> lark.Lark | None:
    """The parser from the tables at *path*; None where there are none that are whole and ours."""
    try:
        status = path.stat()
        data = path.read_bytes()
    except OSError:
        return None
    digest, tables = data[:32], data[32:]
    if not is_private(status) or hashlib.sha256(tables).digest() != digest:
        return None
    kept = pickle.loads(tables)
    # What Lark's own stand-alone parsers call; its public `load` takes no transformer.
    loaded: lark.Lark = lark.Lark._load_from_dict(  # type: ignore[no-untyped-call]
        kept["data"], kept["memo"], transformer=builder
    )
    return loaded


def _cache_name(grammar: str) -> str:
    key = "\0".join((grammar, lark.__version__, sys.version))
    return f"tables-{hashlib.sha256(key.encode()).hexdigest()[:24]}"
