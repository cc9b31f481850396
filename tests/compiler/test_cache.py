"""The cache of findings: what it keeps, and that nothing which happens to its file spoils a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from goalspec.compiler import cache as module
from goalspec.compiler.cache import Cache, default_cache

RECORDS = {b"one": {"found": [1], "uses": []}, b"two": {"found": [], "uses": [["a", "b", "c"]]}}


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """The database of a cache that holds RECORDS."""
    cache = Cache(tmp_path)
    cache.put(RECORDS.items())
    cache.close()
    [path] = tmp_path.iterdir()
    yield path


def known(folder: Path) -> dict[bytes, object]:
    cache = Cache(folder)
    found = cache.get([*RECORDS, b"three"])
    cache.close()
    return dict(found)


def test_what_was_kept_is_there_again(file: Path) -> None:
    assert known(file.parent) == RECORDS


def test_a_record_can_be_kept_anew(file: Path) -> None:
    cache = Cache(file.parent)
    cache.put([(b"one", {"found": [2]})])
    assert cache.get([b"one"]) == {b"one": {"found": [2]}}


def test_without_a_folder_nothing_is_kept() -> None:
    cache = Cache(None)
    cache.put(RECORDS.items())
    assert cache.get(RECORDS) == {}
    cache.close()


@pytest.mark.parametrize("folder", ["nowhere", "file"])
def test_a_folder_that_cannot_be_had(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("no folder")
    cache = Cache(tmp_path / folder)
    cache.put(RECORDS.items())
    assert cache.get(RECORDS) == {}


# --- what happens to the file

DAMAGE = {
    "empty": lambda data: b"",
    "another kind of file": lambda data: b"# Notes\n" * 400,
    "half written": lambda data: data[: len(data) // 2],
    "its head is gone": lambda data: bytes(100) + data[100:],
    "its schema is gone": lambda data: data[:100] + b"\xff" * 400 + data[500:],
    "its pages are gone": lambda data: data[:4096] + b"\xff" * (len(data) - 4096),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_database_is_begun_anew(file: Path, damage: str) -> None:
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    assert known(file.parent) == {}
    for _ in range(2):  # the first may find out as it writes
        cache = Cache(file.parent)
        cache.put(RECORDS.items())
        cache.close()
    assert known(file.parent) == RECORDS


@pytest.mark.parametrize("offset", range(0, 200, 7))
def test_a_damaged_entry_is_not_there(tmp_path: Path, offset: int) -> None:
    """A flipped bit in a text would be another finding; it is seen."""
    cache = Cache(tmp_path)
    cache.put([(b"key", {"found": ["x" * 200]})])
    cache.close()
    [path] = tmp_path.iterdir()
    with closing(sqlite3.connect(path)) as database, database:
        [[entry]] = database.execute("SELECT entry FROM entry")
        place = offset % len(entry)
        bad = entry[:place] + bytes([entry[place] ^ 1]) + entry[place + 1 :]
        database.execute("UPDATE entry SET entry = ?", (bad,))
    assert Cache(tmp_path).get([b"key"]) == {}


@pytest.mark.parametrize("value", [None, 5, "text", b""])
def test_an_entry_of_another_type_is_not_there(file: Path, value: object) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE entry SET entry = ?, day = ?", (value, value))
    assert known(file.parent) == {}


def test_an_entry_under_anothers_key_is_not_there(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE entry SET key = ? WHERE key = ?", (b"three", b"one"))
    assert known(file.parent) == {b"two": RECORDS[b"two"]}


def test_a_table_of_another_form(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("DROP TABLE entry")
        database.execute("CREATE TABLE entry (a, b)")
    assert known(file.parent) == {}


def test_a_database_in_use_is_waited_for_and_left_alone(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WAIT", 0.05)
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache = Cache(file.parent)
        assert cache.get(RECORDS) == {}
        cache.put([(b"three", {})])
        cache.close()
        other.execute("ROLLBACK")
    assert known(file.parent) == RECORDS


def test_a_read_only_database_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def read_only(path: Path, timeout: float) -> sqlite3.Connection:
        return connect(f"{path.as_uri()}?mode=ro", timeout=timeout, uri=True)

    monkeypatch.setattr(sqlite3, "connect", read_only)
    cache = Cache(file.parent)
    assert cache.get(RECORDS) == RECORDS
    cache.put([(b"three", {})])
    assert known(file.parent) == RECORDS


def test_a_full_disk(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def full(path: Path, timeout: float) -> sqlite3.Connection:
        connection = connect(path, timeout=timeout)
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", full)
    cache = Cache(file.parent)
    cache.put([(bytes([number]), {"found": ["x" * 5_000]}) for number in range(9)])
    cache.close()
    assert known(file.parent) == RECORDS


@pytest.mark.skipif(not hasattr(module.os, "getuid"), reason="no permissions of that kind here")
def test_a_database_that_others_may_write_is_not_read(file: Path) -> None:
    file.chmod(0o666)
    assert known(file.parent) == {}
    assert file.exists()


# --- what goes


def test_what_no_run_asked_for_in_a_month_goes(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    today = module.time.time()

    def after(days: int, asks: bytes) -> None:
        monkeypatch.setattr(module.time, "time", lambda: today + days * 86_400)
        cache = Cache(file.parent)
        cache.get([asks])
        cache.put([])
        cache.close()

    after(20, b"one")
    assert known(file.parent) == RECORDS
    after(40, b"one")
    assert known(file.parent) == {b"one": RECORDS[b"one"]}


# --- whose it is


def test_the_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOALSPEC_CACHE_DIR", str(tmp_path / "deep" / "er"))
    cache = default_cache()
    cache.put(RECORDS.items())
    cache.close()
    assert default_cache().get(RECORDS) == RECORDS
    monkeypatch.setenv("GOALSPEC_CACHE_DIR", "")
    assert default_cache().get(RECORDS) == {}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("compiler/lint/rules/new.py", True),
        ("grammar/goal.lark", True),
        ("specs/packs/suite/1.goal", True),
        ("tests/test_new.py", False),
        ("docs/example.goal", False),
        (".venv/x.py", False),
        ("compiler/__pycache__/x.py", False),
        ("README.md", False),
    ],
)
def test_what_changes_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, counts: bool
) -> None:
    monkeypatch.setattr(module, "_PACKAGE", tmp_path)
    digest = module.code_digest.__wrapped__
    before = digest()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    assert (digest() != before) is counts
