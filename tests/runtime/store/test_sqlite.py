"""The file of a store on SQLite: made whole or not at all, private, checked before it is opened,
and never written over where something is wrong with it."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.lifecycle.commands import Pause, Resume
from goalspec.runtime.lifecycle.events import Refusal
from goalspec.runtime.store import StoreError, open_store, sql
from goalspec.runtime.store.sqlite import APPLICATION_ID
from goalspec.tests.runtime.store.decisions import changed, count, edit, observe, refuse, wait_until
from goalspec.tests.runtime.store.faults import damages


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A store with some sessions, closed."""
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    for number in range(20):
        store.mutate(f"s{number}", observe({"text": "x" * 3000}))
    store.close()
    return path


def test_a_new_file_is_private_and_durable(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    before = os.umask(0)
    try:
        store = open_store(f"sqlite:///{path}")
        store.mutate("s", count)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}
    store.close()
    assert [each.name for each in tmp_path.iterdir()] == ["goals.db"]
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    connection.close()


@pytest.mark.row("S12")
def test_each_commit_is_synced(tmp_path: Path) -> None:
    """FULL, that is 2, on every connection: SQLite has it for the connection alone."""
    store = open_store(str(tmp_path / "goals.db"))
    assert isinstance(store, sql.SqlStore)
    reader, writer = store._database.reader, store._database.writer
    with reader.connect() as one, reader.connect() as another, writer.connect() as third:
        for connection in (one, another, third):
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
            assert connection.exec_driver_sql("PRAGMA fullfsync").scalar() == 1
    store.close()


def test_a_transaction_that_writes_takes_the_lock_first(tmp_path: Path) -> None:
    """Otherwise two that read first and write then cannot both wait (a deferred upgrade fails at
    once, whatever the timeout)."""
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    store.mutate("s", count)
    other = sqlite3.connect(path, timeout=0)

    def decide(record, posted, at):  # type: ignore[no-untyped-def]
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        return count(record, posted, at)

    store.mutate("s", decide)
    other.close()
    store.close()


def test_a_lock_that_does_not_go_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sql", "sqlite"):
        monkeypatch.setattr(f"goalspec.runtime.store.{module}.PATIENCE", 0.1)
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="was locked by another process"):
        store.mutate("s", count)
    assert store.get("s") is None  # reading needs no lock
    other.execute("ROLLBACK")
    other.close()
    assert store.mutate("s", count).version == 1
    store.close()


# --- what is refused, and left alone


def test_a_damaged_file_is_refused_or_read_right_and_left_alone(file: Path) -> None:
    """What is plainly damaged is refused when it is opened. A page that is not read yet may be
    found out later; until then what is read is right."""
    for name, damaged in damages(file, random.Random(7)):
        file.write_bytes(damaged)
        try:
            store = open_store(str(file))
        except StoreError as error:
            assert str(file) in str(error), name
            assert file.read_bytes() == damaged, name
            continue
        assert name.startswith("page"), f"{name} was opened"
        try:
            for number in range(20):
                stored = store.get(f"s{number}")
                assert stored is not None, name
                assert stored.record.monitor == {"text": "x" * 3000}, name
                store.journal(f"s{number}")
        except StoreError as error:
            assert "damaged" in str(error) or "cannot be read" in str(error), (name, error)
        finally:
            store.close()


def test_an_empty_file_is_not_taken_for_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    path.touch()
    with pytest.raises(StoreError, match="is empty, which no store is"):
        open_store(str(path))
    assert path.read_bytes() == b""


def test_a_file_that_went_while_its_log_stayed_is_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    (tmp_path / "goals.db-wal").write_bytes(b"log")
    with pytest.raises(StoreError, match="is missing, but its log"):
        open_store(str(path))
    assert not path.exists()


def test_a_file_that_goes_while_it_is_open_is_not_written_to(file: Path) -> None:
    store = open_store(str(file))
    file.rename(file.with_name("away.db"))
    for ask in (lambda: store.get("s1"), lambda: store.mutate("s1", count)):
        with pytest.raises(StoreError, match="was moved, removed or replaced"):
            ask()
    assert not file.exists()
    open_store(str(file)).close()
    with pytest.raises(StoreError, match="was moved, removed or replaced"):
        store.mutate("s1", count)
    store.close()


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="of something else"):
        open_store(str(path))
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="mkdir -p -m 700"):
        open_store(str(tmp_path / "a" / "goals.db"))
    with pytest.raises(StoreError, match="is a folder"):
        open_store(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can look into, as pytest's are not."""
    folder = Path(tempfile.mkdtemp(prefix="goalspec-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_file_that_may_not_be_written_is_refused(open_folder: Path) -> None:
    path = open_folder / "goals.db"
    open_store(str(path)).close()
    path.chmod(0o444)
    before = path.read_bytes()
    said = as_nobody(f"open_store({str(path)!r})")
    assert "StoreError" in said
    assert "cannot be opened for writing (Permission denied)" in said
    said = as_nobody(f"open_store({str(open_folder / 'new.db')!r})")
    assert "cannot be opened for writing (Permission denied)" in said
    assert path.read_bytes() == before


def as_nobody(code: str) -> str:
    """What the code fails with for a user without rights; root may write everything."""
    drop = "import os; os.getuid() or os.setuid(65534)\n"
    imports = "from goalspec.runtime.store import open_store, sqlite\n"
    done = subprocess.run(
        [sys.executable, "-c", imports + drop + code], capture_output=True, text=True
    )
    return done.stderr


@pytest.mark.row("S12")
def test_a_record_that_cannot_be_read_is_named_and_not_written_over(file: Path) -> None:
    bad = '{"record_version":1,"session":"s1","generation":1,}'
    for text in (bad, '{"record_version":2,"session":"s1"}'):
        connection = sqlite3.connect(file)
        connection.execute("UPDATE goalspec_sessions SET record = ? WHERE session = 's1'", (text,))
        connection.commit()
        store = open_store(str(file))
        with pytest.raises(StoreError, match="the record of session s1 cannot be read"):
            store.get("s1")
        with pytest.raises(StoreError, match="the record of session s1 cannot be read"):
            store.mutate("s1", count)
        assert store.get("s2") is not None
        store.close()
        (now,) = connection.execute("SELECT record FROM goalspec_sessions WHERE session = 's1'")
        assert now == (text,)
        connection.close()


@pytest.mark.parametrize("name", ["with space.db", "ünï.db", "per%cent?.db", "a#b.db"])
def test_any_name_of_a_file_will_do(tmp_path: Path, name: str) -> None:
    store = open_store(str(tmp_path / name))
    store.mutate("s", count)
    store.close()
    assert [each.name for each in tmp_path.iterdir()] == [name]
    store = open_store(str(tmp_path / name))
    assert store.get("s") is not None
    store.close()


@pytest.mark.parametrize("how", ["VACUUM INTO", "backup"])
def test_a_copy_that_was_made_while_the_store_is_open_is_a_store(file: Path, how: str) -> None:
    store = open_store(str(file))
    store.mutate("s0", count)
    copy = file.with_name("copy.db")
    with closing(sqlite3.connect(file)) as connection:
        if how == "backup":
            with closing(sqlite3.connect(copy)) as target:
                connection.backup(target)
        else:
            connection.execute("VACUUM INTO ?", (str(copy),))
    restored = open_store(str(copy))
    assert restored.sessions() == store.sessions()
    restored.mutate("s0", count)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    restored.close()
    store.close()


@pytest.mark.ruling(44)
def test_a_command_that_cannot_be_read_shuts_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    store.mutate("s", count)
    store.post("s", Pause(), "person")
    store.post("s", Resume(), "person")
    edit(path, "update goalspec_inbox set command = '{garbage' where number = 1")
    stored = store.mutate(
        "s", lambda record, inbox, at: changed(record, at, continuations=len(inbox))
    )
    assert stored.record.continuations == 1  # the other one
    (line,) = store.audit("s")
    assert (line["code"], line["actor"]) == ("bad_command", None)
    assert "command 1 in the inbox of session s cannot be read" in line["message"]
    assert store.inbox("s") == []


# What somebody, or a bad page, put into a column; where it is read; and what is said then.
DAMAGE = tomllib.loads(Path(__file__).with_name("damage.toml").read_text())["damage"]


@pytest.mark.row("S12")
@pytest.mark.parametrize("case", DAMAGE, ids=[case["edit"] for case in DAMAGE])
def test_a_value_that_is_none_is_said_with_its_session_and_its_file(
    tmp_path: Path, case: dict[str, Any]
) -> None:
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    store.mutate("s", wait_until("2026-01-01T00:00:00.000000Z"))
    store.mutate("s", lambda record, inbox, at: changed(record, at, monitor={"n": 1}))
    store.add_token("s", "d", 60)
    with pytest.raises(Refusal):
        store.mutate("s", refuse)
    store.now()
    asked: dict[str, Callable[[], object]] = {
        "get": lambda: store.get("s"), "mutate": lambda: store.mutate("s", count),
        "lease": lambda: store.lease("s", "me", 60), "journal": lambda: store.journal("s"),
        "audit": lambda: store.audit("s"), "has_token": lambda: store.has_token("s", "d"),
        "now": store.now,
    }  # fmt: skip
    edit(path, f"update {case['edit']}")
    for name in case["asked"]:
        with pytest.raises(StoreError, match=case["said"]) as caught:
            asked[name]()
        assert str(path) in str(caught.value)
    store.close()


@pytest.mark.row("S12")
def test_sessions_that_cannot_be_read_are_named_and_hide_no_other(file: Path) -> None:
    store = open_store(str(file))
    edit(file, "update goalspec_sessions set record = '{}' where session = 's3'")
    edit(file, "update goalspec_sessions set version = x'00' where session = 's5'")
    stored, unreadable = store.sessions()
    assert {each.record.session for each in stored} == {f"s{n}" for n in range(20)} - {"s3", "s5"}
    assert sorted(unreadable) == ["s3", "s5"]
    for session, why in unreadable.items():
        assert str(file) in why
        assert f"session {session} cannot be read" in why
    store.close()


def test_a_row_that_cannot_be_read_keeps_no_other_asleep(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    for session in "abcd":
        store.mutate(session, wait_until("2026-01-01T00:00:00.000000Z"))
    edit(path, "update goalspec_sessions set token = 'x' where session in ('a', 'c')")
    assert [lease.session for lease in store.take_due("me", 60, limit=1)] == ["b"]
    assert [lease.session for lease in store.take_due("me", 60, limit=2)] == ["d"]
    assert store.take_due("me", 60, limit=2) == []
    store.close()


def test_a_command_in_the_inbox_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    store = open_store(str(path))
    store.post("s", Pause(), "person")
    second = store.post("s", Resume(), "person")
    edit(path, "update goalspec_inbox set actor = 'root' where number = 1")
    assert store.inbox("s") == [second]
    store.mutate("s", count)
    (line,) = store.audit("s")
    assert line["code"] == "bad_command"
    store.close()
