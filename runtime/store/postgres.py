"""PostgreSQL: for several hosts. Rows are locked, not tables, and its clock is the store's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import create_engine
from sqlalchemy.dialects import postgresql
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from ..record.times import stamp
from .port import StoreError
from .sql import PATIENCE, Database, HostTime, SqlStore

# A writer that hangs keeps its row for a minute at most; whoever waits for it waits as long as for
# anything that passes.
_LIMITS = (
    f"-c lock_timeout={PATIENCE:.0f}s -c statement_timeout={2 * PATIENCE:.0f}s "
    "-c idle_in_transaction_session_timeout=60s -c timezone=UTC"
)
# A server, or a network, that says nothing more is given up too.
_CONNECT = {
    "connect_timeout": 10, "application_name": "goalspec", "options": _LIMITS, "keepalives_idle": 5,
    "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": int(2_000 * PATIENCE),
}  # fmt: skip

# The classes of SQLSTATE, and single ones, after which the same transaction may go through: a
# connection that is gone, too many of them, a conflict, a server that stops or starts.
_PASSING = ("08", "40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03", "57P05", "25P03")


def open_postgres(url: str, clock: Callable[[], datetime] | None) -> SqlStore:
    """The store in the database at *url*. Raises StoreError."""
    try:
        parsed = make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):  # ValueError: of a port or a host that is none
        raise StoreError(
            "the store's URL cannot be read: write postgresql://USER@HOST/DATABASE"
        ) from None
    # Never more of the URL than this: it may have a password in several places.
    host = parsed.host or parsed.query.get("host") or "the local server"
    where = f"the PostgreSQL database {parsed.database or 'of your name'} on {host}"
    given = {name: value for name, value in _CONNECT.items() if name not in parsed.query}
    try:
        writer = create_engine(parsed, connect_args=given, max_overflow=-1)
    except ModuleNotFoundError:
        raise StoreError(
            "a store on PostgreSQL needs psycopg: `pip install 'goalspec[postgres]'`"
        ) from None
    return SqlStore(
        Database(
            where=where,
            reader=writer.execution_options(isolation_level="AUTOCOMMIT"),
            snapshots=writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            ),
            writer=writer,
            insert=postgresql.insert,
            passes=_passes,
            explain=lambda error: _explain(where, error),
            time=None if clock is None else HostTime(lambda: stamp(clock()), lambda: None),
        )
    )


def _state(error: DBAPIError) -> str:
    """The error's SQLSTATE; empty where the server gave none, since it was not reached."""
    return getattr(error.orig, "sqlstate", None) or ""


def _passes(error: DBAPIError) -> bool:
    state = _state(error)
    # Without a state the server was not reached, or went away.
    return state.startswith(_PASSING) if state else isinstance(error, OperationalError)


def _explain(where: str, error: DBAPIError) -> str:
    state, said = _state(error), str(error.orig).strip().partition("\n")[0]
    if state.startswith("55P03"):
        return (
            f"another writer held the row in {where} for more than {PATIENCE:.0f} s, and nothing "
            "was written: find what hangs (pg_stat_activity), and try again"
        )
    if state.startswith("53100"):
        return f"there is no room for {where} ({said}), and nothing of the change was written"
    if state.startswith("25006"):
        return f"{where} is read-only ({said}): give the primary server, not a standby"
    if state.startswith("42501"):
        return (
            f"{where} does not let this user do that ({said}): grant the goalspec_ tables, and "
            "CREATE on the schema for the first opening"
        )
    if not state or state.startswith(_PASSING):
        return (
            f"{where} cannot be reached ({said}): look at the server and the URL; whether the "
            "last change is there is not known before the store is read again"
        )
    return f"{where}: {said}"
