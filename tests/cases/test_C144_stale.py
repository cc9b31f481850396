"""C144: what was read before another wrote overwrites nothing: a write compares the version, and
one under a lease that is over is refused, also where the writer slept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from goalspec.runtime.lifecycle import decide
from goalspec.runtime.lifecycle.commands import Begin, Command, Create, Recover
from goalspec.runtime.lifecycle.events import Step
from goalspec.runtime.record.parts import Actor, Record
from goalspec.runtime.store import LeaseLost, Posted, StaleVersion, open_store
from goalspec.tests.runtime.store.decisions import GOAL, Clock, count


def test_a_snapshot_that_is_stale_writes_nothing(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "goals.db"))
    queued = store.mutate("s", count)
    newer = store.mutate("s", count)
    with pytest.raises(StaleVersion, match="it changed since it was read"):
        store.mutate("s", count, version=queued.version)
    assert store.get("s") == newer
    assert newer.version > queued.version
    store.close()


def test_a_run_that_died_is_recovered_by_the_next_with_its_reason(tmp_path: Path) -> None:
    clock = Clock()
    store = open_store(str(tmp_path / "goals.db"), clock)
    lease = store.lease("s", "run 1", 60)

    def perform(command: Command, actor: Actor = "runtime") -> None:
        def asked(record: Record, posted: Sequence[Posted], at: str) -> Step:
            return decide(record, command, actor, at)

        store.mutate("s", asked, lease=lease)

    perform(Create(goal=GOAL), "person")
    perform(Begin(run="run 1"))
    clock.go(61)  # it died; nobody renewed its lease
    dead, lease = lease, store.lease("s", "run 2", 60)
    perform(Recover(run="run 1"))
    perform(Begin(run="run 2"))
    with pytest.raises(LeaseLost):
        store.mutate("s", count, lease=dead)
    stored = store.get("s")
    assert stored is not None
    assert stored.record.goal == GOAL
    assert stored.record.turn.run == "run 2"
    assert "recovered" in [entry.event.kind for entry in store.journal("s")]
    store.close()
