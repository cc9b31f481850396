"""Bringing a database to the tables that this goalspec works with. Alembic is imported only where
there is something to do; a database of a later goalspec is refused and stays as it is."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, select, text

from .port import StoreError
from .tables import REVISION, REVISIONS

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = int.from_bytes(b"goalspec"[:7])  # PostgreSQL's advisory locks have numbers


def migrate(reader: Engine, writer: Engine, where: str) -> None:
    """Bring the database up, once, however many open it at the same time."""
    with reader.connect() as connection:
        stored = stored_revision(connection)
    if not _is_behind(stored, where):
        return
    with writer.begin() as connection:
        if connection.dialect.name == "postgresql":  # SQLite's writer is alone already
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        if _is_behind(stored_revision(connection), where):
            _upgrade(connection)


def stored_revision(connection: Connection) -> str | None:
    """The last migration that the database had, empty where it is lost; None of a database without
    our tables."""
    if not inspect(connection).has_table(REVISION.name):
        return None
    return connection.execute(select(REVISION.c.version_num)).scalar() or ""


def _is_behind(stored: str | None, where: str) -> bool:
    if stored == "":
        raise StoreError(
            f"{where} does not say what its tables are ({REVISION.name} has no row), and nothing "
            "was changed: restore a backup of the store"
        )
    if stored is not None and stored not in REVISIONS:
        raise StoreError(
            f"{where} was made by a later goalspec (its tables are at {stored}, this one knows "
            f"{REVISIONS[-1]}): install that one; nothing was changed"
        )
    return stored != REVISIONS[-1]


def _upgrade(connection: Connection) -> None:
    from alembic.command import upgrade
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes.update(connection=connection, version_table=REVISION.name)
    upgrade(config, "head")
