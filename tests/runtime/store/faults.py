"""What goes wrong under a store, made to go wrong: `python -m goalspec.tests.runtime.store.faults
[ROUNDS]`, 500 if not said.

A writer is killed at random moments while it mutates, and says each mutation on a pipe once it is
acknowledged. Then every acknowledged one must be there, the one in flight whole or absent, and
nothing half. The server is restarted, at once and without its leave, under a writer that must not
notice but for the time that it takes. The disk fills up. Files are cut, and overwritten.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from goalspec.runtime.lifecycle import replay
from goalspec.runtime.lifecycle.commands import Pause
from goalspec.runtime.lifecycle.events import Step
from goalspec.runtime.record.parts import Record
from goalspec.runtime.store import Posted, Store, StoreError, broken_links, open_store
from goalspec.tests.runtime.store.decisions import changed, keep
from goalspec.tests.runtime.store.servers import Server, running
from sqlalchemy import Pool, event


def touch_all(record: Record, posted: Sequence[Posted], at: str) -> Step:
    """A mutation that writes into every table: two events, the monitor, the history, the inbox."""
    number = record.continuations + 1
    first = changed(record, at, generation=number)
    second = changed(
        first.record, at, continuations=number, monitor={"n": number, "pad": "x" * 500}
    )
    return Step(
        record=second.record,
        events=first.events + second.events,
        archived=(replace(record, generation=number, monitor=None),),
    )


def wholeness(store: Store, session: str, acknowledged: int, in_flight: int = 1) -> list[str]:
    """What is wrong with a session that so many `touch_all` were acknowledged of, and at most so
    many more were on their way."""
    store.mutate(session, keep)  # waits for what a server may still be doing for a dead client
    stored = store.get(session)
    record = Record(session=session) if stored is None else stored.record
    count = record.continuations
    entries = store.journal(session)
    wrong = []
    if not acknowledged <= count <= acknowledged + in_flight:
        wrong.append(f"{acknowledged} were acknowledged and {count} are there")
    if (0 if stored is None else stored.version) != count:
        wrong.append(f"the version is not {count}")
    if record.generation != count or (count and record.monitor["n"] != count):
        wrong.append(f"the record is half of mutation {count}")
    if len(entries) != 2 * count:
        wrong.append(f"{len(entries)} entries in the journal for {count} mutations")
    if [past.generation for past in store.history(session)] != list(range(1, count + 1)):
        wrong.append("the history is not that of the record")
    if replay((entry.event for entry in entries), session) != record:
        wrong.append("the journal's replay is not the record")
    return [*wrong, *broken_links(entries)]


# --- a writer that is killed


@dataclass
class Kills:
    rounds: int = 0
    acknowledged: int = 0
    in_flight: int = 0  # that were there although nobody was told
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.rounds} kills, {self.acknowledged} acknowledged mutations, all there; "
            f"{self.in_flight} in flight that were whole; wrong: {self.wrong}"
        )


def kill_writers(url: str, rounds: int, seed: int = 1, longest: float = 0.08) -> Kills:
    """Kill a writer at a random moment, *longest* seconds after it began at most, round by round,
    each in a session of its own."""
    chance, kills = random.Random(seed), Kills()
    store = open_store(url)
    # What is built at the first use is built before the fork: else a writer dies before it writes.
    store.post(f"warm-{seed}", Pause(), "person")
    store.mutate(f"warm-{seed}", touch_all)
    store.close()
    for number in range(rounds):
        session = f"killed-{seed}-{number}"
        acknowledged = _kill_one(url, session, chance.uniform(0, longest))
        store = open_store(url)
        try:
            kills.wrong += wholeness(store, session, acknowledged)
            stored = store.get(session)
            there = 0 if stored is None else stored.record.continuations
        finally:
            store.close()
        kills.rounds += 1
        kills.acknowledged += acknowledged
        kills.in_flight += there - acknowledged
    return kills


def _kill_one(url: str, session: str, after: float) -> int:
    """How many mutations a writer had acknowledged when it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _mutate_until_killed(url, session, writing)
    os.close(writing)
    os.read(reading, 1)  # it is open
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        return len(pipe.read())


def _mutate_until_killed(url: str, session: str, pipe: int) -> None:
    try:
        store = open_store(url)
        os.write(pipe, b"r")
        while True:
            store.post(session, Pause(), "person")
            store.mutate(session, touch_all)
            os.write(pipe, b".")
    finally:
        os._exit(1)  # not the parent's way out


# --- a server that goes away


@dataclass
class Restarts:
    mutations: int = 0  # that were acknowledged
    gave_up: int = 0  # since the server was away for longer than the store waits
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.mutations} mutations, {self.gave_up} given up; wrong: {self.wrong}"


def restart_under_load(server: Server, url: str, restarts: int, kill: bool = False) -> Restarts:
    """Mutate while the server is restarted: each acknowledged mutation is there once. One that was
    given up says so, and may be there."""
    done, told = threading.Event(), Restarts()

    def write() -> None:
        store = open_store(url)
        while not done.is_set():
            try:
                store.mutate("restarted", touch_all)
            except StoreError as error:
                told.gave_up += 1
                if "is not known before the store is read again" not in str(error):
                    told.wrong.append(str(error))
            else:
                told.mutations += 1
        store.close()

    before = _count(url)
    thread = threading.Thread(target=write)
    thread.start()
    chance = random.Random(restarts)
    for _ in range(restarts):
        time.sleep(chance.uniform(0.05, 0.3))
        if kill:
            server.kill()
            server.start()
        else:
            server.restart()
    time.sleep(0.2)
    done.set()
    thread.join()
    store = open_store(url)
    try:
        told.wrong += wholeness(store, "restarted", before + told.mutations, told.gave_up)
    finally:
        store.close()
    return told


def _count(url: str) -> int:
    store = open_store(url)
    try:
        stored = store.get("restarted")
        return 0 if stored is None else stored.record.continuations
    finally:
        store.close()


# --- a disk that is full


@contextmanager
def small_disk(size: str) -> Iterator[Path | None]:
    """A file system of so little room; None where one may not be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="goalspec-disk-"))
    mounted = (
        sys.platform == "linux"
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)],
            capture_output=True,
        ).returncode
    )
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        shutil.rmtree(folder)


def fill_but(disk: Path, room: int) -> Path:
    """A file that leaves only so much *room* on the disk."""
    filler = disk / "filler"
    filler.write_bytes(b"x" * (shutil.disk_usage(disk).free - room))
    return filler


@contextmanager
def small_file(pages: int) -> Iterator[None]:
    """SQLite gives a store no more than so many pages, and says that the disk is full."""

    def limit(connection: Any, record: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(Pool, "connect", limit)
    try:
        yield
    finally:
        event.remove(Pool, "connect", limit)


def fill_sqlite() -> tuple[str, list[str]]:
    """Fill the disk under a store on SQLite, make room, and go on: what the store said, and what is
    wrong."""
    with small_disk("1m") as disk, tempfile.TemporaryDirectory(prefix="goalspec-") as folder:
        path = (disk or Path(folder)) / "goals.db"
        open_store(str(path)).close()
        filler = fill_but(path.parent, 300_000) if disk else None
        with nullcontext() if disk else small_file(100):
            store = open_store(str(path))
            acknowledged, said = fill_up(store, "full")
        if filler is None:
            store.close()
            store = open_store(str(path))
        else:
            filler.unlink()
        wrong = wholeness(store, "full", acknowledged, in_flight=0)
        store.mutate("full", touch_all)
        wrong += wholeness(store, "full", acknowledged + 1, in_flight=0)
        store.close()
    how = "a disk of 1 MiB" if disk else "SQLite's own limit, as nothing may be mounted"
    return f"{how}: {acknowledged} acknowledged, then `{said}`", wrong


def fill_postgres(server: Server) -> tuple[str, list[str]]:
    """Fill the disk that a server has a database's tables on, and make room: the same."""
    with small_disk("16m") as disk:
        if disk is None:
            return "not tried, as nothing may be mounted", []
        space = disk / "space"
        space.mkdir()
        shutil.chown(space, server.user)
        disk.chmod(0o755)
        server.run(f"CREATE TABLESPACE small LOCATION '{space}'")
        server.run("CREATE DATABASE small TABLESPACE small")
        store = open_store(server.url_of("small"))
        filler = fill_but(disk, 500_000)
        acknowledged, said = fill_up(store, "full")
        filler.unlink()
        wrong = wholeness(store, "full", acknowledged, in_flight=0)
        store.mutate("full", touch_all)
        wrong += wholeness(store, "full", acknowledged + 1, in_flight=0)
        store.close()
        server.run("DROP DATABASE small WITH (FORCE)", "DROP TABLESPACE small")
    return f"a disk of 16 MiB: {acknowledged} acknowledged, then `{said}`", wrong


def fill_up(store: Store, session: str) -> tuple[int, str]:
    """How many mutations of a session are acknowledged when one fails for want of room, and how it
    does."""
    stored = store.get(session)
    acknowledged = 0 if stored is None else stored.record.continuations
    for _ in range(100_000):
        try:
            store.mutate(session, touch_all)
        except StoreError as error:
            return acknowledged, str(error)
        acknowledged += 1
    raise AssertionError("the disk never filled up")


# --- a file that is damaged


def damages(path: Path, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """The file of a store in ways that a crash or a wrong hand leaves it."""
    whole = path.read_bytes()
    yield "empty", b""
    yield "garbage", chance.randbytes(len(whole))
    yield "text", b"# goals\n" * 1000
    for size in sorted(chance.sample(range(1, len(whole) - 1), 20)):
        yield f"cut at {size}", whole[:size]
    yield "a header alone", whole[:16] + chance.randbytes(len(whole) - 16)
    for page in range(1, len(whole) // 4096):
        place = slice(page * 4096, (page + 1) * 4096)
        damaged = bytearray(whole)
        damaged[place] = chance.randbytes(4096)
        yield f"page {page} overwritten", bytes(damaged)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    folder = Path(tempfile.mkdtemp(prefix="goalspec-faults-"))
    try:
        started = time.monotonic()
        print("SQLite:", kill_writers(str(folder / "goals.db"), rounds))
        print(f"  {time.monotonic() - started:.0f} s")
        print("SQLite on a full disk:", *fill_sqlite())
        with running() as server:
            started = time.monotonic()
            url = server.new_database("goals")
            print("PostgreSQL:", kill_writers(url, rounds))
            print(f"  {time.monotonic() - started:.0f} s")
            restarts = max(2, rounds // 25)
            for kill in (False, True):
                how = "killed and started" if kill else "restarted at once"
                print(f"PostgreSQL {how} {restarts} times:", end=" ")
                print(restart_under_load(server, url, restarts, kill))
            print("PostgreSQL on a full disk:", *fill_postgres(server))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
