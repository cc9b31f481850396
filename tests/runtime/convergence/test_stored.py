"""The loop in a store: one transaction has the record, the guards and the journal, or none of them,
and a driver that died is followed by one that goes on from there, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from goalspec import Monitor
from goalspec.runtime.convergence import Decision, events, state_of, step
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.lifecycle import Refusal, decide, replay
from goalspec.runtime.lifecycle.commands import Create
from goalspec.runtime.record import Record, Usage
from goalspec.runtime.store import open_store
from goalspec.tests.runtime.convergence.loop import POLICY, checked

GOAL = checked()
UNMET = Monitor(GOAL).observe({"suite.passed": False})


class Stored:
    """A driver's half that writes."""

    def __init__(self, file: Path) -> None:
        self.store = open_store(str(file))

    def send(self, event: Any, *args: Any) -> Decision:
        made: list[Decision] = []

        def write(record: Record, posted: Any, at: str) -> Any:
            made.append(step(record, UNMET, event(at, *args), POLICY))
            return made[-1].step

        self.store.mutate("s-1", write)
        return made[-1]

    def record(self) -> Record:
        stored = self.store.get("s-1")
        assert stored is not None
        return stored.record


@pytest.mark.row("P06", "P09")
@pytest.mark.ruling(43, 45, 46)
def test_a_driver_that_died_is_followed_from_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "goals.sqlite"
    driver = Stored(file)
    create = Create(goal=GOAL)
    driver.store.mutate("s-1", lambda record, posted, at: decide(record, create, "person", at))
    asked = driver.send(events.Restarted)
    first = driver.send(events.Observed, asked.state.asks, {})
    [given] = [e for e in first.effects if isinstance(e, Continue)]
    driver.send(events.Continued, given.key, "started")
    driver.send(events.Began, "run-1")
    driver.send(events.Settled, "run-1", "s-1", Usage(turns=1, tokens=10))
    driver.store.close()

    follower = Stored(file)
    assert state_of(follower.record()).guards.without_effect == 1
    asked = follower.send(events.Restarted)
    assert asked.reason == "observing"
    again = follower.send(events.Settled, "run-1", "s-1", Usage(turns=1, tokens=10))
    assert again.record.usage.tokens == 10
    second = follower.send(events.Observed, asked.state.asks, {})
    assert second.reason == "continuing"
    assert second.record.claim is not None
    assert second.record.claim.ordinal == 2
    journal = [entry.event for entry in follower.store.journal("s-1")]
    assert replay(journal, "s-1") == follower.record()
    follower.store.close()


@pytest.mark.row("X12")
def test_what_is_refused_leaves_neither_guards_nor_journal(tmp_path: Path) -> None:
    driver = Stored(tmp_path / "goals.sqlite")
    create = Create(goal=GOAL)
    driver.store.mutate("s-1", lambda record, posted, at: decide(record, create, "person", at))
    driver.send(events.Restarted)
    before, journal = driver.record(), driver.store.journal("s-1")
    with pytest.raises(Refusal):
        driver.send(events.Settled, "run-1", "s-1", Usage(turns=-1))
    assert (driver.record(), driver.store.journal("s-1")) == (before, journal)
    assert [entry["code"] for entry in driver.store.audit("s-1")] == ["bad_usage"]
    driver.store.close()
