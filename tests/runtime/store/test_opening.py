"""A store by its URL."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from goalspec.runtime.store import MemoryStore, StoreError, open_store
from goalspec.tests.runtime.store.decisions import count


def test_a_store_by_its_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_store("memory:"), MemoryStore)
    monkeypatch.chdir(tmp_path)
    for url in ("sqlite:///a.db", f"sqlite:///{tmp_path}/b.db", "c.db", f"{tmp_path}/d.db"):
        open_store(url).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db", "b.db", "c.db", "d.db"]


@pytest.mark.parametrize(
    "url",
    [
        "", " ", "mysql://root:secret@host/db", "redis://:secret@x", ":memory:", "a\0b",
        "sqlite://", "sqlite:///", "sqlite://goals.db", "file://x",
        "sqlite:///goals.db?mode=ro&password=secret",
    ],
)  # fmt: skip
def test_what_is_no_store_is_refused_and_no_password_said(url: str) -> None:
    with pytest.raises(StoreError, match="write") as caught:
        open_store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("postgresql://goals:secret@127.0.0.1:1/db?password=secret", "127.0.0.1 cannot be reached"),
        ("postgresql:///db?host=/nowhere", "database db on /nowhere cannot be reached"),
        ("postgresql://[::1", "cannot be read: write postgresql://USER@HOST/DATABASE"),
        ("postgres://u:secret@127.0.0.1:port/db", "cannot be read"),
        ("postgresql://127.0.0.1:1/db?nonsense=secret", "cannot be"),
    ],
)
def test_a_server_that_is_not_there_is_said_at_once(url: str, said: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_store_that_is_up_to_date_is_opened_without_alembic(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "goals.db"))
    store.mutate("s", count)
    store.close()
    code = (
        "import sys; from goalspec.runtime.store import open_store\n"
        "def new(): return {m for m in sys.modules if m.split('.')[0] in WATCHED}\n"
        "WATCHED = {'sqlalchemy', 'alembic', 'psycopg', 'pydantic'}\n"
        "assert not new(), new()\n"
        "open_store('memory:')\n"
        "assert not new(), new()\n"
        f"assert open_store({str(tmp_path / 'goals.db')!r}).get('s')\n"
        "print(*sorted({m.split('.')[0] for m in new()}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stderr, done.stdout.split()) == ("", ["pydantic", "sqlalchemy"])
