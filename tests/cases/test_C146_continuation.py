"""C146: a continuation that was queued runs only while its goal is as it was: its key has the
goal's id, the generation and an ordinal; asked for twice it is the same one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from goalspec.runtime.lifecycle import Command, Refusal, Step, decide
from goalspec.runtime.lifecycle.commands import (
    Complete,
    Create,
    Pause,
    StartClaim,
    TakeClaim,
)
from goalspec.runtime.record.parts import Actor, Record
from goalspec.runtime.store import Posted, Store, Stored, open_store
from goalspec.tests.runtime.store.decisions import GOAL, Clock


def perform(store: Store, command: Command, actor: Actor = "runtime") -> Stored:
    def asked(record: Record, posted: Sequence[Posted], at: str) -> Step:
        return decide(record, command, actor, at)

    return store.mutate("s", asked)


def claimed(store: Store) -> str:
    claim = perform(store, TakeClaim(owner="driver")).record.claim
    assert claim is not None
    return claim.key


@pytest.mark.row("P06")
@pytest.mark.parametrize("after", [[Complete()], [Pause()], [Create(goal=GOAL, replace=True)]])
def test_a_continuation_of_what_was_is_dropped(tmp_path: Path, after: list[Command]) -> None:
    store = open_store(str(tmp_path / "goals.db"))
    perform(store, Create(goal=GOAL), "person")
    key = claimed(store)
    for command in after:
        perform(store, command, "person")
    with pytest.raises(Refusal):
        perform(store, StartClaim(key=key, owner="driver"))
    store.close()


@pytest.mark.row("P06")
def test_a_claim_whose_answer_was_lost_is_the_same_claim(tmp_path: Path) -> None:
    path, clock = str(tmp_path / "goals.db"), Clock()
    store = open_store(path, clock)
    perform(store, Create(goal=GOAL), "person")
    first = claimed(store)
    store.close()  # the process died before it knew
    store = open_store(path, clock)
    entries = len(store.journal("s"))
    assert claimed(store) == first
    assert len(store.journal("s")) == entries
    store.close()


@pytest.mark.row("P06")
def test_a_claim_that_nobody_answers_is_given_on_after_its_end(tmp_path: Path) -> None:
    clock = Clock()
    store = open_store(str(tmp_path / "goals.db"), clock)
    perform(store, Create(goal=GOAL), "person")
    claimed(store)
    with pytest.raises(Refusal):
        perform(store, TakeClaim(owner="another"))
    assert store.take_due("another", 60) == []
    clock.go(301)
    assert [lease.session for lease in store.take_due("another", 60)] == ["s"]
    store.close()
