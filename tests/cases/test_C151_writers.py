"""C151: eight processes write one file. Each transaction takes the lock at its beginning, so that
the busy timeout waits it out; none fails and no update is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from goalspec.runtime.store import open_store
from goalspec.tests.runtime.store.load import run


def test_eight_processes_at_one_file(tmp_path: Path) -> None:
    load = run(str(tmp_path / "goals.db"), processes=8, sessions=8, rounds=1)
    assert load.wrong == []
    assert load.mutations == 128


def test_the_trouble_itself(tmp_path: Path) -> None:
    """What a deferred transaction that reads first comes to: no timeout helps it."""
    path = tmp_path / "goals.db"
    open_store(str(path)).close()
    one, other = (sqlite3.connect(path, timeout=60, isolation_level=None) for _ in range(2))
    one.execute("BEGIN")
    one.execute("SELECT high FROM goalspec_clock").fetchone()
    other.execute("UPDATE goalspec_clock SET high = '1'")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        one.execute("UPDATE goalspec_clock SET high = '2'")
    one.close()
    other.close()
