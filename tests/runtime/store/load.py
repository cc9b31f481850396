"""Several processes at one store: each mutates many sessions in an order of its own, all of them
one, and all take what is due. `python -m goalspec.tests.runtime.store.load [PROCESSES SESSIONS
ROUNDS]` does so on both engines, by 8, 1000 and 1 if not said."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from goalspec.runtime.lifecycle import replay
from goalspec.runtime.store import LeaseHeld, Store, broken_links, open_store
from goalspec.tests.runtime.store.decisions import count, wait_until
from goalspec.tests.runtime.store.servers import running

_MODULE = "goalspec.tests.runtime.store.load"


@dataclass(frozen=True)
class Load:
    mutations: int
    claims: int
    seconds: float
    wrong: list[str]


def run(url: str, processes: int, sessions: int, rounds: int) -> Load:
    """Each process mutates every session *rounds* times, and as often the one of all."""
    store = open_store(url)
    at = store.now()
    for number in range(sessions):
        store.mutate(f"due-{number}", wait_until(at))
    start = time.monotonic()
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", _MODULE, "--worker", url, str(sessions), str(rounds), str(n)],
            stdout=subprocess.PIPE, text=True,
        )
        for n in range(processes)
    ]  # fmt: skip
    told = [json.loads(worker.communicate()[0]) for worker in workers]
    seconds = time.monotonic() - start
    wrong = list(_wrong(store, told, processes, sessions, rounds))
    store.close()
    return Load(2 * processes * sessions * rounds, sessions, seconds, wrong)


def _wrong(
    store: Store, told: list[dict[str, Any]], processes: int, sessions: int, rounds: int
) -> Any:
    """Updates that were lost, and claims that two have."""
    expected = {f"s-{number}": processes * rounds for number in range(sessions)}
    expected["one"] = processes * rounds * sessions
    for stored in store.sessions().stored:
        record = stored.record
        wanted = expected.pop(record.session, None)
        if wanted is None:
            continue
        if (record.continuations, stored.version) != (wanted, wanted):
            yield f"{record.session}: {wanted} updates, and {record.continuations} are there"
        entries = store.journal(record.session)
        yield from broken_links(entries)
        if replay((entry.event for entry in entries), record.session) != record:
            yield f"{record.session}: the journal's replay is not the record"
    if expected:
        yield f"{len(expected)} sessions are not there"
    taken = Counter(session for each in told for session in each["taken"])
    yield from (
        f"{session} was taken {times} times" for session, times in taken.items() if times > 1
    )
    if len(taken) != sessions:
        yield f"{sessions} were due, and {len(taken)} were taken"
    held = Counter(token for each in told for token in each["tokens"])
    yield from (
        f"token {token} was given {times} times" for token, times in held.items() if times > 1
    )


def work(url: str, sessions: int, rounds: int, seed: int) -> dict[str, Any]:
    """One process's share: what it took, and the fencing tokens that it had of one session."""
    store, chance, me = open_store(url), random.Random(seed), f"worker-{seed}"
    taken, tokens = [], []
    for _ in range(rounds):
        for number in chance.sample(range(sessions), sessions):
            store.mutate(f"s-{number}", count)
            store.mutate("one", count)
            taken += [lease.session for lease in store.take_due(me, 3600)]
            try:
                lease = store.lease("contended", me, 60)
            except LeaseHeld:
                continue
            tokens.append(lease.token)
            store.release(lease)
    while due := store.take_due(me, 3600, limit=10):
        taken += [lease.session for lease in due]
    store.close()
    return {"taken": taken, "tokens": tokens}


def main() -> None:
    if sys.argv[1:2] == ["--worker"]:
        url, *numbers = sys.argv[2:]
        print(json.dumps(work(url, *map(int, numbers))))
        return
    processes, sessions, rounds = map(int, sys.argv[1:] or (8, 1000, 1))
    with tempfile.TemporaryDirectory(prefix="goalspec-load-") as folder, running() as server:
        engines = {"SQLite": f"{folder}/goals.db", "PostgreSQL": server.new_database("loaded")}
        for engine, url in engines.items():
            load = run(url, processes, sessions, rounds)
            print(
                f"{engine}, {processes} processes, {sessions} sessions: {load.mutations} mutations "
                f"and {load.claims} claims in {load.seconds:.1f} s, "
                f"{load.mutations / load.seconds:,.0f} mutations a second; wrong: {load.wrong}",
                flush=True,
            )


if __name__ == "__main__":
    main()
