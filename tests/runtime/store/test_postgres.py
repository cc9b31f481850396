"""What is PostgreSQL's alone: answers that are lost, rows that hang, and what a server refuses."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import psycopg
import pytest
from goalspec.runtime.lifecycle.commands import Pause
from goalspec.runtime.store import StoreError, open_store, sql
from goalspec.tests.runtime.store.decisions import Clock, count
from goalspec.tests.runtime.store.servers import Server


@pytest.fixture
def store(postgres: str) -> Iterator[sql.SqlStore]:
    store = open_store(postgres)
    assert isinstance(store, sql.SqlStore)
    yield store
    store.close()


@pytest.fixture(params=[True, False], ids=["after", "before"])
def lost_answer(
    request: pytest.FixtureRequest, store: sql.SqlStore, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The next commit's answer is lost: the server did it, or did not."""
    dialect = store._database.writer.dialect
    commit, lost = dialect.do_commit, list[str]()

    def losing(connection: Any) -> None:
        if not lost:
            lost.append("lost")
            if request.param:
                commit(connection)
            connection.driver_connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        commit(connection)

    monkeypatch.setattr(dialect, "do_commit", losing)
    return lost


def test_a_mutation_whose_answer_was_lost_is_there_once(
    store: sql.SqlStore, lost_answer: list[str]
) -> None:
    stored = store.mutate("s", count)
    assert lost_answer
    assert (stored.version, stored.record.continuations) == (1, 1)
    assert store.get("s") == stored
    assert len(store.journal("s")) == 1


def test_another_writers_same_change_is_not_taken_for_ones_own(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same event, at the same time, after the same entry: its digest is the same."""
    mine, other = open_store(postgres, Clock()), open_store(postgres, Clock())
    assert isinstance(mine, sql.SqlStore)
    dialect = mine._database.writer.dialect
    commit, lost = dialect.do_commit, list[str]()

    def losing(connection: Any) -> None:
        if not lost:
            lost.append("lost")
            connection.driver_connection.close()
            other.mutate("s", count)
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        commit(connection)

    monkeypatch.setattr(dialect, "do_commit", losing)
    stored = mine.mutate("s", count)
    assert (stored.version, stored.record.continuations) == (2, 2)
    assert len(mine.journal("s")) == 2
    mine.close()
    other.close()


def test_a_mutation_of_two_whose_answer_was_lost_is_there_once(
    store: sql.SqlStore, lost_answer: list[str]
) -> None:
    both = store.mutate_both("a", "b", lambda a, b, at: (count(*a, at), count(*b, at)))
    assert lost_answer
    assert [stored.version for stored in both] == [1, 1]
    assert [store.get("a"), store.get("b")] == list(both)


def test_a_posting_whose_answer_was_lost_is_there_once(
    store: sql.SqlStore, lost_answer: list[str]
) -> None:
    posted = store.post("s", Pause(), "person")
    assert lost_answer
    assert store.inbox("s") == [posted]


def test_a_lease_whose_answer_was_lost_is_had(store: sql.SqlStore, lost_answer: list[str]) -> None:
    lease = store.lease("s", "me", 60)
    assert lost_answer
    store.mutate("s", count, lease=lease)
    store.release(lease)


def test_a_row_that_somebody_holds_for_too_long_is_said(
    store: sql.SqlStore, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "PATIENCE", 0.1)
    store.mutate("s", count)
    store.close()
    impatient = open_store(f"{postgres}&options=-c%20lock_timeout%3D100ms")
    with psycopg.connect(postgres) as other:
        other.execute("SELECT * FROM goalspec_sessions FOR UPDATE")
        with pytest.raises(StoreError, match="another writer held the row in"):
            impatient.mutate("s", count)
        assert impatient.mutate("another", count).version == 1  # rows are locked, not tables
        assert impatient.take_due("me", 60) == []
    assert impatient.mutate("s", count).version == 2
    impatient.close()


def test_what_the_server_refuses_is_said(
    server: Server, store: sql.SqlStore, postgres: str
) -> None:
    server.run("CREATE ROLE guest LOGIN")
    guest = postgres.replace("//postgres:@", "//guest@")
    try:
        with pytest.raises(
            StoreError, match=r"does not let this user do that .* grant the goalspec_"
        ):
            open_store(guest)
        server.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest", database="goals")
        reading = open_store(guest)
        with pytest.raises(StoreError, match="does not let this user"):
            reading.mutate("s", count)
        reading.close()
        server.run("DROP OWNED BY guest", database="goals")
    finally:
        server.run("DROP ROLE IF EXISTS guest")
    with pytest.raises(StoreError, match=r"database nothing .*cannot be reached .*does not exist"):
        open_store(server.url_of("nothing"))
    standby = open_store(f"{postgres}&options=-c%20default_transaction_read_only%3Don")
    with pytest.raises(StoreError, match="is read-only"):
        standby.mutate("s", count)
    standby.close()


def test_the_time_is_the_servers(store: sql.SqlStore, postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        before, now, after = server_time(connection), store.now(), server_time(connection)
    assert before <= datetime.fromisoformat(now) <= after
    assert len(now) == len("2026-03-01T12:00:00.000000Z")


def server_time(connection: psycopg.Connection) -> datetime:
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None
    time: datetime = row[0]
    return time
