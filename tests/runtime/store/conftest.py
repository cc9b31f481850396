"""The stores that every test of the port runs on. Where no PostgreSQL server can be started the
tests fail: they would show nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from goalspec.runtime.store import Store, open_store
from goalspec.tests.runtime.store.decisions import Clock
from goalspec.tests.runtime.store.servers import Server, running

Opener: TypeAlias = Callable[[Clock | None], Store]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def database(server: Server) -> str:
    """The URL of a database with the store's tables."""
    url = server.new_database("goals")
    open_store(url).close()
    return url


@pytest.fixture
def postgres(server: Server, database: str) -> str:
    """The URL of an empty store on PostgreSQL."""
    empty(server)
    return database


def empty(server: Server) -> None:
    server.run(
        "TRUNCATE goalspec_sessions, goalspec_monitors, goalspec_journal, goalspec_history, "
        "goalspec_inbox, goalspec_audit, goalspec_exhibits, goalspec_tokens",
        "UPDATE goalspec_clock SET high = ''",
        database="goals",
    )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store of each kind."""
    if request.param == "memory":
        return "memory:"
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'goals.db'}"
    return str(request.getfixturevalue("postgres"))


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    store = open_store(url, clock)
    yield store
    store.close()
