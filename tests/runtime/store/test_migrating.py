"""A database's tables: made by the migrations, once, and left alone where a later goalspec made
them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from goalspec.runtime.store import StoreError, migrating, open_store
from goalspec.runtime.store.tables import METADATA, REVISION, REVISIONS
from goalspec.tests.runtime.store.decisions import count
from goalspec.tests.runtime.store.servers import Server
from sqlalchemy import Engine, create_engine


@pytest.fixture(params=["sqlite", "postgres"])
def new(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no store yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'goals.db'}"
    server: Server = request.getfixturevalue("server")
    return server.new_database("migrated")


def engine_of(url: str) -> Engine:
    return create_engine(url.replace("postgresql:", "postgresql+psycopg:"))


def test_the_migrations_come_to_the_tables(new: str) -> None:
    open_store(new).close()
    engine = engine_of(new)
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": REVISION.name, "compare_type": True}
        )
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


def test_the_known_revisions_are_those_of_the_migrations() -> None:
    scripts = ScriptDirectory(str(migrating.MIGRATIONS))
    assert [script.revision for script in scripts.walk_revisions()][::-1] == list(REVISIONS)


def test_a_store_of_a_later_goalspec_is_refused_and_left_alone(new: str) -> None:
    store = open_store(new)
    store.mutate("s", count)
    store.close()
    engine = engine_of(new)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE goalspec_revision SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"made by a later goalspec .* are at 9999"):
        open_store(new)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE goalspec_revision SET version_num = '0003'")
    engine.dispose()
    store = open_store(new)
    stored = store.get("s")
    assert stored is not None
    assert stored.version == 1
    store.close()


def test_tables_that_do_not_say_what_they_are_are_left_alone(new: str) -> None:
    open_store(new).close()
    engine = engine_of(new)
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM goalspec_revision")
    with pytest.raises(StoreError, match=r"goalspec_revision has no row.*restore a backup"):
        open_store(new)
    engine.dispose()


def test_an_older_store_is_brought_up(
    new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a migration that is to come."""
    store = open_store(new)
    store.mutate("s", count)
    store.close()
    scripts = tmp_path / "migrations"
    (scripts / "versions").mkdir(parents=True)
    for path in migrating.MIGRATIONS.rglob("*.py"):
        (scripts / path.relative_to(migrating.MIGRATIONS)).write_bytes(path.read_bytes())
    (scripts / "versions" / "r0004_next.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        "revision, down_revision = '0004', '0003'\n"
        "def upgrade():\n    op.create_table('goalspec_next', sa.Column('a', sa.Text))\n"
    )
    monkeypatch.setattr(migrating, "MIGRATIONS", scripts)
    monkeypatch.setattr(migrating, "REVISIONS", (*REVISIONS, "0004"))
    store = open_store(new)
    stored = store.get("s")
    assert stored is not None
    store.close()
    engine = engine_of(new)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM goalspec_next").scalar() == 0
        assert migrating.stored_revision(connection) == "0004"
    engine.dispose()


def test_processes_that_open_a_new_store_at_once_all_succeed(new: str) -> None:
    code = (
        "import sys; from goalspec.runtime.store import open_store\n"
        "from goalspec.tests.runtime.store.decisions import count\n"
        "import alembic.command, sqlalchemy.dialects.postgresql, psycopg\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "print(open_store(sys.argv[1]).mutate('s', count).version)"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, new],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(4)
    ]  # fmt: skip
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    done = [process.communicate("go\n") for process in processes]
    assert [error for _, error in done] == [""] * 4
    assert sorted(int(output) for output, _ in done) == [1, 2, 3, 4]
