"""Compiled documents in the cache: the same document, until something that it depends on changes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from goalspec import SpecError, compile
from goalspec.compiler import compilation
from goalspec.compiler.cache import Cache
from goalspec.compiler.cached import load_cached
from goalspec.compiler.ir.packed import pack, unpack

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
FACTS = "facts {\n  a.ok : bool\n}\n"
GOAL = (
    'use "facts.goal"\n\ngoal g {\n  objective "Ship it."\n'
    '  criterion c "It holds"\n    check a.ok\n}\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "facts.goal").write_text(FACTS)
    (tmp_path / "a.goal").write_text(GOAL)
    return tmp_path


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    place = tmp_path / "cache"
    place.mkdir(mode=0o700)
    return Cache(place)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The files that were really compiled."""
    seen: list[object] = []
    check = compilation.Compiler.check_bytes

    def noted(self: compilation.Compiler, data: bytes, *rest: object) -> object:
        seen.append(rest[-1])
        return check(self, data, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(compilation.Compiler, "check_bytes", noted)
    return seen


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.goal")), ids=lambda path: path.stem)
def test_a_document_is_the_same_from_the_cache(path: Path, cache: Cache) -> None:
    document = compile(path).document
    assert document is not None
    assert unpack(pack(document)) == document
    for _ in range(2):
        assert load_cached(path, str(path), cache) == document


def test_it_is_compiled_once(folder: Path, cache: Cache, compiled: list[object]) -> None:
    for _ in range(3):
        load_cached(folder / "a.goal", "a.goal", cache)
    assert len(compiled) == 1


@pytest.mark.parametrize("name", ["a.goal", "facts.goal"])
def test_a_change_of_the_file_or_of_one_it_uses_is_seen(
    folder: Path, cache: Cache, compiled: list[object], name: str
) -> None:
    load_cached(folder / "a.goal", "a.goal", cache)
    (folder / name).write_text("# changed\n" + (folder / name).read_text())
    changed = load_cached(folder / "a.goal", "a.goal", cache)
    assert len(compiled) == 2
    assert changed == compile(folder / "a.goal").document


def test_errors_are_raised_each_time(folder: Path, cache: Cache) -> None:
    load_cached(folder / "a.goal", "a.goal", cache)
    (folder / "facts.goal").unlink()
    for _ in range(2):
        with pytest.raises(SpecError) as error:
            load_cached(folder / "a.goal", "a.goal", cache)
        assert [d.code.id for d in error.value.diagnostics] == ["GS212"]
    (folder / "facts.goal").write_text(FACTS)
    assert load_cached(folder / "a.goal", "a.goal", cache) == compile(folder / "a.goal").document


def test_a_damaged_entry_is_as_if_it_were_not_there(
    folder: Path, cache: Cache, compiled: list[object]
) -> None:
    document = load_cached(folder / "a.goal", "a.goal", cache)
    (database,) = (folder / "cache").glob("*.sqlite")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE entry SET entry = X'00'")
    assert load_cached(folder / "a.goal", "a.goal", cache) == document
    assert len(compiled) == 2
