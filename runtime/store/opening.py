"""A store by its URL. What a kind of store needs is imported when one is opened."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from .host_time import uptime, utc_now
from .memory import MemoryStore
from .port import Store, StoreError


def open_store(url: str, clock: Callable[[], datetime] | None = None) -> Store:
    """The store at *url*: `memory:`, `sqlite:///FILE` or the file alone, `postgresql://…`. *clock*
    is for tests: it alone gives the time, in place of the host's or the server's. Raises
    StoreError."""
    scheme, separator, rest = url.partition("://")
    if url == "memory:":
        return MemoryStore(clock or utc_now)
    if scheme in ("postgresql", "postgres") and separator:
        from .postgres import open_postgres

        return open_postgres(url, clock)
    if scheme == "sqlite" and separator:
        if not rest.startswith("/") or rest == "/":
            raise StoreError(
                f"{url} names no file: write sqlite:///goals.db, sqlite:////var/lib/goals.db for "
                "an absolute path, or memory: for a store without one"
            )
        if "?" in rest:
            raise StoreError(
                f"{url.partition('?')[0]} takes no parameters: leave out what follows the `?`, or "
                "write the file alone where its name has one"
            )
        path = rest[1:]
    elif separator or url.startswith(":") or not url.strip() or "\0" in url:
        raise StoreError(
            f"{_shown(url)} is no store: write memory:, sqlite:///FILE or the file alone, or "
            "postgresql://USER@HOST/DATABASE"
        )
    else:
        path = url
    from .sqlite import open_sqlite

    return open_sqlite(Path(path), clock or utc_now, (lambda: None) if clock else uptime)


def _shown(url: str) -> str:
    """No more of a URL than its scheme: the rest may have a password."""
    scheme, separator, _ = url.partition("://")
    return f"{scheme}://…" if separator else repr(url)
