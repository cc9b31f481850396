"""The layer of commands over a store: the inbox first, writers and persons, goals that move."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from goalspec.compiler.host_goal import read_goal
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.compaction import GoalState, Unreadable
from goalspec.runtime.goals import Goals, goal_state
from goalspec.runtime.lifecycle import Command, Refusal
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Cancel,
    Clear,
    Complete,
    Create,
    Park,
    Pause,
    Propose,
    Reset,
    Resume,
    Settle,
    Show,
)  # fmt: skip
from goalspec.runtime.record import Actor, Usage
from goalspec.runtime.store import LeaseHeld, LeaseLost, MemoryStore, Posted, Stored, StoreError

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def goal(objective: str = "Ship it.", **more: object) -> Goal:
    return read_goal({"objective": objective, "success_criteria": ["It shipped"], **more})[0]


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def goals(clock: Clock) -> Goals:
    made = Goals(MemoryStore(clock))
    made.perform("s1", Create(goal=goal()), "person")
    return made


def status(goals: Goals, session: str = "s1") -> str:
    return goals.record(session).status.name


# --- writers and persons


@pytest.mark.row("H18")
def test_a_writers_own_lease_lets_it_write_and_others_are_refused(goals: Goals) -> None:
    lease = goals.store.lease("s1", "driver-1", 60)
    settle = Settle(settlement="r1", usage=Usage(turns=1))
    assert isinstance(goals.perform("s1", settle, "runtime", lease), Stored)
    with pytest.raises(LeaseHeld, match="driver-1"):
        goals.perform("s1", settle, "runtime")
    for command in (Propose(outcome="complete"), Show(hidden=True)):
        with pytest.raises(LeaseHeld):
            goals.perform("s1", command, "agent")
    goals.store.release(lease)
    with pytest.raises(LeaseLost):
        goals.perform("s1", settle, "runtime", lease)


@pytest.mark.ruling(44)
def test_a_persons_command_waits_and_is_applied_before_any_other(goals: Goals) -> None:
    lease = goals.store.lease("s1", "driver-1", 60)
    posted = goals.perform("s1", Complete(reason="seen"), "person")
    assert isinstance(posted, Posted)
    assert status(goals) == "active"
    with pytest.raises(Refusal, match="the goal is complete"):
        goals.perform("s1", Park(reason="x", until="2026-03-01T13:00:00.000000Z"), "runtime", lease)
    assert status(goals) == "complete"
    assert goals.store.inbox("s1") == []


@pytest.mark.ruling(44)
def test_the_inbox_and_a_command_are_one_change(goals: Goals) -> None:
    lease = goals.store.lease("s1", "driver-1", 60)
    goals.perform("s1", Create(goal=goal("Second."), replace=True), "person")
    goals.perform("s1", Create(goal=goal("Third."), replace=True), "person")
    done = goals.perform("s1", Settle(settlement="r", usage=Usage(turns=1)), "runtime", lease)
    assert isinstance(done, Stored)
    assert done.version == 2
    assert done.record.goal == goal("Third.")
    assert done.record.usage.turns == 1
    archived = [one.goal and one.goal.objective for one in goals.store.history("s1")]
    assert archived == ["Ship it.", "Second."]
    assert goals.check_journal("s1") == []


@pytest.mark.ruling(44)
def test_a_refused_command_of_the_inbox_is_audited_and_stops_nothing(goals: Goals) -> None:
    goals.store.post("s1", Resume(), "person")
    goals.store.post("s1", Amend(goal=goal("Other."), reason="x"), "agent")
    goals.store.post("s1", Pause(reason="lunch"), "person")
    done = goals.take_inbox("s1")
    assert (done.record.status.name, done.record.status.reason) == ("paused", "lunch")
    audit = goals.store.audit("s1")
    assert [(one["actor"], one["code"]) for one in audit] == [
        ("person", "wrong_status"), ("agent", "not_a_person"),
    ]  # fmt: skip
    assert audit[1]["command"]["kind"] == "amend"


def test_what_is_refused_is_audited_with_who_asked_for_what(goals: Goals) -> None:
    with pytest.raises(Refusal):
        goals.perform("s1", Clear(), "agent")
    (line,) = goals.store.audit("s1")
    assert (line["actor"], line["command"], line["code"]) == (
        "agent", {"kind": "clear"}, "not_a_person",
    )  # fmt: skip


@pytest.mark.ruling(44)
@pytest.mark.parametrize(
    ("command", "becomes"),
    [(Pause(), "paused"), (Clear(), "cleared"), (Reset(), "cleared"), (Cancel(), "cleared")],
)
def test_what_stops_the_work_breaks_the_lease(goals: Goals, command: Command, becomes: str) -> None:
    lease = goals.store.lease("s1", "driver-1", 60)
    assert isinstance(goals.perform("s1", command, "person"), Stored)
    assert status(goals) == becomes
    with pytest.raises(LeaseLost):
        goals.perform("s1", Settle(settlement="r", usage=Usage()), "runtime", lease)


@pytest.mark.ruling(44)
@pytest.mark.parametrize("actor", ["agent", "runtime"])
def test_only_a_person_breaks_a_lease(goals: Goals, actor: Actor) -> None:
    lease = goals.store.lease("s1", "driver-1", 60)
    with pytest.raises(LeaseHeld):
        goals.perform("s1", Pause(), actor)
    assert goals.store.renew(lease, 60).token == lease.token


@pytest.mark.ruling(44)
def test_what_would_be_refused_now_neither_waits_nor_breaks_a_lease(goals: Goals) -> None:
    goals.perform("s1", Pause(), "person")
    lease = goals.store.lease("s1", "driver-1", 60)
    for command in (Pause(), Create(goal=goal("Other."))):
        with pytest.raises(Refusal):
            goals.perform("s1", command, "person")
    assert goals.store.inbox("s1") == []
    assert goals.store.renew(lease, 60).token == lease.token


@pytest.mark.ruling(44)
def test_what_waits_is_reckoned_with_where_a_person_asks_again(goals: Goals) -> None:
    goals.perform("s1", Pause(), "person")
    goals.store.lease("s1", "driver-1", 60)
    assert isinstance(goals.perform("s1", Resume(), "person"), Posted)
    done = goals.perform("s1", Pause(reason="after all"), "person")
    assert isinstance(done, Stored)
    assert (done.record.status.name, done.record.status.reason) == ("paused", "after all")
    assert goals.store.inbox("s1") == []


@pytest.mark.ruling(44)
def test_a_driver_that_comes_back_at_once_cannot_keep_a_person_out(goals: Goals) -> None:
    """The lease is broken in the transaction that pauses: nothing fits between."""
    store = goals.store
    store.lease("s1", "driver-1", 60)
    mutate, asked = store.mutate, []

    def beside(*given: Any, **options: Any) -> Stored:
        asked.append(options)
        if options.get("breaking"):
            store.lease("s1", "driver-1", 60)  # the driver's next lease, just before
        return mutate(*given, **options)

    store.mutate = beside  # type: ignore[method-assign]
    assert isinstance(goals.perform("s1", Pause(), "person"), Stored)
    assert status(goals) == "paused"
    assert len(asked) == 2


@pytest.mark.row("H18")
@pytest.mark.ruling(44, 56)
def test_a_goal_that_moves_takes_what_waits_along(goals: Goals) -> None:
    goals.store.post("s1", Pause(reason="lunch"), "person")
    goals.store.post("s2", Complete(), "person")  # of a goal that this session never had
    into, source = goals.adopt("s1", "s2", "person")
    assert (into.record.status.name, into.record.status.reason) == ("paused", "lunch")
    assert source.record.goal is None
    assert goals.store.inbox("s1") == goals.store.inbox("s2") == []
    assert [line["code"] for line in goals.store.audit("s2")] == ["no_goal"]
    assert goals.check_journal("s1") == goals.check_journal("s2") == []


# --- moving


@pytest.mark.row("H21")
@pytest.mark.parametrize("actor", ["agent", "runtime"])
def test_only_a_person_moves_a_goal(goals: Goals, actor: Actor) -> None:
    for move in (
        lambda: goals.fork("s1", "s2", actor, carry=True),
        lambda: goals.adopt("s1", "s2", actor),
        lambda: goals.import_("s2", goals.export("s1"), actor),
    ):
        with pytest.raises(Refusal) as refusal:
            move()
        assert refusal.value.code == "not_a_person"
    assert goals.store.get("s2") is None
    assert status(goals) == "active"


@pytest.mark.ruling(44)
def test_a_fork_applies_the_inbox_of_where_it_goes(goals: Goals) -> None:
    goals.store.post("s2", Create(goal=goal("Mine.")), "person")
    with pytest.raises(Refusal) as refusal:
        goals.fork("s1", "s2", "person", carry=True)
    assert refusal.value.code == "destination_has_history"
    assert goals.record("s2").goal == goal("Mine.")


@pytest.mark.ruling(56)
def test_an_adopted_goal_is_in_one_place_at_any_time(goals: Goals) -> None:
    into, source = goals.adopt("s1", "s2", "person")
    assert (into.record.goal, source.record.goal) == (goal(), None)
    assert goals.store.get("s1") == source
    assert goals.store.get("s2") == into
    with pytest.raises(Refusal, match="no unfinished one"):
        goals.adopt("s1", "s3", "person")
    with pytest.raises(Refusal, match="the store has no session `s9`"):
        goals.adopt("s9", "s3", "person")


@pytest.mark.row("S12")
def test_an_import_says_what_it_leaves_behind(goals: Goals) -> None:
    goals.perform("s1", Propose(outcome="complete"), "agent")
    stored, notes = goals.import_("s2", goals.export("s1"), "person")
    assert stored.record.status.name == "paused"
    assert [note.partition(":")[0] for note in notes] == ["status", "candidate"]
    goals.perform("s1", Complete(), "person")
    over, notes = goals.import_("s2", goals.export("s1"), "person", over=True)
    assert (over.record.status.name, notes) == ("complete", ())
    assert goals.check_journal("s2") == []


# --- tokens


@pytest.mark.ruling(36)
def test_a_token_is_for_one_session_and_one_time(goals: Goals, clock: Clock) -> None:
    token, ends = goals.issue_token("s1", 60)
    assert ends.startswith("2026-03-01T12:01:00.")
    assert goals.has_token("s1", token)
    assert not goals.has_token("s2", token)
    assert not goals.has_token("s1", token[:-1])
    clock.now += timedelta(seconds=61)
    assert not goals.has_token("s1", token)
    clock.now -= timedelta(seconds=61)
    assert not goals.has_token("s1", token)
    assert goals.issue_token("s1", 60)[0] != token


# --- the fold


@pytest.mark.row("M04")
def test_the_state_of_a_session(goals: Goals) -> None:
    assert goals.state("s1") == GoalState(goal(), "active", 1)
    until = "2026-03-01T13:00:00.000000Z"
    goals.perform("s1", Park(reason="wait", until=until), "person")
    assert goals.state("s1") == GoalState(goal(), "parked", 1, datetime(2026, 3, 1, 13, tzinfo=UTC))
    goals.perform("s1", Clear(), "person")
    assert goals.state("s1") is None
    assert goal_state(replace(goals.record("s1"))) is None


@pytest.mark.ruling(40)
def test_what_cannot_be_read_is_unreadable(goals: Goals) -> None:
    unknown = goals.state("s9")
    assert isinstance(unknown, Unreadable)
    assert "the store has no session `s9`" in unknown.reason

    class Broken(MemoryStore):
        def get(self, session: str) -> Stored | None:
            raise StoreError("the disk is gone")

    assert Goals(Broken()).state("s1") == Unreadable("the disk is gone")
