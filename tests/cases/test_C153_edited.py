"""C153: state that somebody edited into what cannot be read gives a message with the place and the
way out, keeps what is there, and stops nothing else."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from goalspec.runtime.store import StoreError, open_store
from goalspec.tests.runtime.store.decisions import count

EDITS = {
    "a missing comma": ('{"record_version":1 "session":"s"}', "line 1, column 21"),
    "a key twice": ('{"record_version":1,"session":"s","x":1,"x":2}', '"x" is there twice'),
    "an unknown field": (
        '{"record_version":1,"session":"s","goals":[]}',
        "goals: there is no such",
    ),
    "another type": ('{"record_version":1,"session":"s","generation":"2"}', "generation: it is a"),
    "nothing": ("", "it is not JSON"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_record_that_was_edited(tmp_path: Path, edit: str) -> None:
    text, said = EDITS[edit]
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    store.mutate("s", count)
    store.mutate("another", count)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE goalspec_sessions SET record = ? WHERE session = 's'", (text,))
    connection.commit()
    for ask in (lambda: store.get("s"), lambda: store.mutate("s", count)):
        with pytest.raises(StoreError) as caught:
            ask()
        assert "the record of session s cannot be read" in str(caught.value)
        assert said in str(caught.value)
        assert "restore a backup" in str(caught.value)
    (kept,) = connection.execute("SELECT record FROM goalspec_sessions WHERE session = 's'")
    assert kept == (text,)
    assert len(store.journal("s")) == 1
    assert store.mutate("another", count).version == 2
    connection.close()
    store.close()
