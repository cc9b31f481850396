"""What a store keeps of what was: the journal and its chain, goals that made way, the audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from goalspec.runtime.lifecycle import decide, replay
from goalspec.runtime.lifecycle.commands import Clear, Create, Pause, Resume
from goalspec.runtime.lifecycle.events import Refusal, Refused, Step
from goalspec.runtime.record.parts import Record
from goalspec.runtime.record.times import stamp
from goalspec.runtime.store import (
    Posted,
    Store,
    broken_links,
)
from goalspec.tests.runtime.store.decisions import (
    GOAL,
    START,
    Clock,
    count,
    later,
    refuse,
)


@pytest.mark.row("P09")
@pytest.mark.ruling(46)
def test_the_record_is_the_fold_of_its_journal(store: Store, clock: Clock) -> None:
    for command in (Create(goal=GOAL), Pause(reason="lunch"), Resume(), Clear()):
        store.mutate("s", lambda record, posted, at, c=command: decide(record, c, "person", at))
        clock.go(1)
        stored = store.get("s")
        assert stored is not None
        entries = store.journal("s")
        assert replay((entry.event for entry in entries), "s") == stored.record
    assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))


def test_the_journal_is_read_in_parts(store: Store) -> None:
    for _ in range(5):
        store.mutate("s", count)
    whole = store.journal("s")
    assert [entry.number for entry in whole] == [1, 2, 3, 4, 5]
    assert store.journal("s", after=2) == whole[2:]
    assert store.journal("s", after=2, limit=2) == whole[2:4]
    assert store.journal("s", after=9) == []
    assert store.journal("s", after=-1) == whole
    assert store.journal("another") == []


@pytest.mark.ruling(36)
def test_a_change_of_the_journal_breaks_its_chain(store: Store, clock: Clock) -> None:
    for _ in range(4):
        store.mutate("s", count)
        clock.go(1)
    entries = store.journal("s")
    assert list(broken_links(entries)) == []
    forged = replace(entries[1], event=replace(entries[1].event, actor="person"))
    assert list(broken_links([entries[0], forged, *entries[2:]])) == [
        "entry 2: its digest is not that of its event after the one before it"
    ]
    assert list(broken_links([entries[0], *entries[2:]])) == ["entry 3: entry 2 should stand here"]
    cut = [replace(entry, number=entry.number - 1) for entry in entries[1:]]
    assert len(list(broken_links(cut))) == 1


def test_goals_that_made_way_are_kept_in_their_order(store: Store) -> None:
    def archive(record: Record, posted: Sequence[Posted], at: str) -> Step:
        step = count(record, posted, at)
        old = tuple(replace(record, generation=number, monitor={"n": 1}) for number in (7, 8))
        return replace(step, archived=old)

    store.mutate("s", archive)
    store.mutate("s", archive)
    assert [record.generation for record in store.history("s")] == [7, 8, 7, 8]
    assert store.history("another") == []


@pytest.mark.ruling(46)
def test_a_refusal_changes_nothing_and_is_audited(store: Store, clock: Clock) -> None:
    before = store.mutate("s", count)
    store.post("s", Pause(), "person")
    clock.go(5)
    with pytest.raises(Refusal) as caught:
        store.mutate("s", refuse)
    assert caught.value.code == "not_a_person"
    assert store.get("s") == before
    assert len(store.journal("s")) == 1
    assert len(store.inbox("s")) == 1
    assert store.audit("s") == [
        {
            "at": later(stamp(START), 5),
            "actor": "agent",
            "command": {"kind": "pause", "reason": "now"},
            "code": "not_a_person",
            "message": "only a person may",
        }
    ]


def test_a_refusal_of_what_is_not_json_is_audited_too(store: Store) -> None:
    def refusing(record: Record, posted: Sequence[Posted], at: str) -> Step:
        raise Refusal("bad", "no \ud800 and no \0", Pause(reason="\ud800"), "agent")

    with pytest.raises(Refusal):
        store.mutate("s", refusing)
    (line,) = store.audit("s")
    assert (line["command"], line["message"]) == (None, "no \\ud800 and no \\x00")


def test_the_audit_has_a_bound(store: Store) -> None:
    long = Pause(reason="x" * 200_000)

    def refusing(record: Record, posted: Sequence[Posted], at: str) -> Step:
        refused = [
            Refused(at=at, actor="agent", command=Pause(), code=str(number), message="m")
            for number in range(999)
        ]
        return Step(record=record, refused=tuple(refused))

    with pytest.raises(Refusal):
        store.mutate("t", refuse)
    for _ in range(2):
        with pytest.raises(Refusal):
            store.mutate("s", lambda *asked: refuse_with(long))
        store.mutate("s", refusing)
    lines = store.audit("s")
    assert len(lines) == 1000
    assert (lines[0]["command"], len(lines[0]["message"])) == ({"kind": "pause"}, 4096)
    assert [line["code"] for line in lines[1:]] == [str(number) for number in range(999)]
    assert len(store.audit("t")) == 1


def refuse_with(command: Pause) -> Step:
    raise Refusal("no", command.reason or "", command, "agent")
