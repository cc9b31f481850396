"""A record and its journal, read while others write: what is read is of one moment."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle import replay
from goalspec.runtime.store import MemoryStore, Store, open_store, sql
from goalspec.tests.runtime.store.decisions import count, observe

pytestmark = [pytest.mark.row("S12"), pytest.mark.ruling(36)]


def test_a_snapshot_is_the_record_and_its_journal(store: Store) -> None:
    assert store.snapshot("s") is None
    store.lease("s", "me", 60)
    assert store.snapshot("s") is None
    stored = store.mutate("t", observe({"n": 1}))
    store.mutate("u", count)
    assert store.snapshot("t") == (stored, store.journal("t"))


@pytest.fixture(params=["sqlite", "postgres"])
def busy(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store where another writer always changes the record just before the journal is read."""
    url = str(tmp_path / "goals.db")
    if request.param == "postgres":
        url = request.getfixturevalue("postgres")
    store, other = open_store(url), open_store(url)
    other.mutate("s", count)
    journal = sql._SqlRows.journal

    def late(rows: Any, session: str, *which: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            writer = threading.Thread(target=other.mutate, args=("s", count))
            writer.start()
            writer.join()
        return journal(rows, session, *which)

    monkeypatch.setattr(sql._SqlRows, "journal", late)
    request.addfinalizer(store.close)
    request.addfinalizer(other.close)
    return store


def test_what_is_written_between_its_queries_is_not_in_it(busy: Store) -> None:
    for version in (1, 2):
        found = busy.snapshot("s")
        assert found is not None
        stored, entries = found
        assert (stored.version, len(entries)) == (version, version)
        assert replay((entry.event for entry in entries), "s") == stored.record


def test_a_journal_that_grows_while_it_is_checked_is_no_forgery(busy: Store) -> None:
    assert Goals(busy).check_journal("s") == []


def test_in_memory_a_snapshot_waits_for_the_writer() -> None:
    store, version = MemoryStore(), 0
    writer = threading.Thread(target=lambda: [store.mutate("s", count) for _ in range(200)])
    writer.start()
    while version < 200:
        found = store.snapshot("s")
        if found is not None:
            version = found[0].version
            assert len(found[1]) == version
    writer.join()
