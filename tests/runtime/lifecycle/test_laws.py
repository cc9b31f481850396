"""The laws of the reducer over random lives of a session (row X15, ruling 52).

Whatever is asked, by whom and when, with the clock going forth and back: a refusal changes nothing,
the generation never falls, the time of the last change always rises, nothing that is over comes
back, one claim at most is live, each settlement is charged once, and the record is what its journal
makes of it, through JSON too.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.runtime.lifecycle import (
    AUTHORITY,
    Event,
    Refusal,
    is_unfinished,
    read_command,
    read_event,
    replay,
    wake_at,
    write_command,
    write_event,
)
from goalspec.runtime.lifecycle.authority import ACTORS
from goalspec.runtime.lifecycle.commands import (
    Begin,
    Create,
    DeferClaim,
    EndClaim,
    Evaluated,
    Finish,
    Recover,
    Settle,
    StartClaim,
    TakeClaim,
    Wake,
)
from goalspec.runtime.record import (
    Record,
    Usage,
    read_record,
    read_stamp,
    write_record,
    write_stamp,
)
from goalspec.tests.runtime.lifecycle.states import COMMANDS, perform
from goalspec.tests.runtime.record.records import GOAL, at
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

START = read_stamp(at(0))
OWNERS = st.sampled_from(["host", "other"])
RUNS = st.sampled_from(["run-1", "run-2"])
PLAIN = [name for name in COMMANDS if not name.endswith("_claim")]
ALLOWED = {
    name: [actor for actor in ACTORS if AUTHORITY[COMMANDS[name].kind][actor] != "no"]
    for name in PLAIN
}


def has_goal(life: Lives) -> bool:
    return is_unfinished(life.record)


def is_active(life: Lives) -> bool:
    return life.record.status.name == "active"


class Lives(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.record = Record(session="s-1")
        self.journal: list[Event] = []
        self.now = START

    def ask(self, command: Any, actor: Any) -> None:
        before, text = self.record, json.dumps(write_record(self.record))
        assert read_command(json.dumps(write_command(command))) == command
        try:
            step = perform(before, command, actor, write_stamp(self.now))
        except Refusal as refusal:
            assert refusal.code
            assert json.dumps(write_record(before)) == text
            return
        after = step.record
        assert bool(step.events) == (after != before)
        assert after.generation >= before.generation
        if after.goal != before.goal:
            assert after.generation > before.generation
        for event in step.events:
            assert event.at > self.record.updated_at
            self.record = replay([*self.journal, event], "s-1")
            self.journal.append(event)
        assert self.record == after
        if not is_unfinished(before) and is_unfinished(after):
            assert command.kind == "create"
            assert actor != "runtime"
        if isinstance(command, Create) and is_unfinished(before):
            assert actor == "person"
        if before.goal != after.goal and before.goal is not None and after.generation:
            assert step.archived or command.kind in ("amend", "retarget")

    @initialize()
    def begins(self) -> None:
        self.creates()

    @precondition(lambda life: not has_goal(life))
    @rule()
    def creates(self) -> None:
        self.ask(Create(goal=GOAL), "person")
        assert is_active(self)

    @rule(data=st.data(), name=st.sampled_from(PLAIN))
    def asks(self, data: st.DataObject, name: str) -> None:
        self.ask(COMMANDS[name], data.draw(st.sampled_from(ALLOWED[name])))

    @rule(name=st.sampled_from(PLAIN), actor=st.sampled_from(ACTORS))
    def asks_whoever_it_is(self, name: str, actor: Any) -> None:
        self.ask(COMMANDS[name], actor)

    @precondition(has_goal)
    @rule(settlement=st.sampled_from("abcdefgh"), turns=st.integers(0, 9))
    def settles(self, settlement: str, turns: int) -> None:
        usage = self.record.usage.turns
        again = settlement in self.record.settled
        self.ask(Settle(settlement=settlement, usage=Usage(turns=turns), output="o"), "runtime")
        if again:
            assert self.record.usage.turns == usage

    @precondition(is_active)
    @rule(stale=st.booleans(), outcome=st.sampled_from(["continue", "complete", "blocked"]))
    def evaluates(self, stale: bool, outcome: Any) -> None:
        pending = self.record.pending
        id = "of the past" if stale or pending is None else pending.evaluation
        self.ask(Evaluated(evaluation=id, outcome=outcome, reason="so"), "runtime")

    @precondition(is_active)
    @rule(owner=OWNERS, seconds=st.integers(1, 90))
    def claims(self, owner: str, seconds: int) -> None:
        self.ask(TakeClaim(owner=owner, seconds=seconds), "runtime")

    @precondition(lambda life: life.record.claim is not None)
    @rule(
        owner=OWNERS, move=st.sampled_from(["start", "defer", "end", "fail"]), stale=st.booleans()
    )
    def moves_the_claim(self, owner: str, move: str, stale: bool) -> None:
        claim = self.record.claim
        key = "ship:0:9" if stale or claim is None else claim.key
        command: Any = {
            "start": StartClaim(key=key, owner=owner),
            "defer": DeferClaim(key=key, owner=owner, retry_at=write_stamp(self.now + 20_000_000)),
            "end": EndClaim(key=key, owner=owner),
            "fail": EndClaim(key=key, owner=owner, failed="gone"),
        }[move]
        self.ask(command, "runtime")
        if stale or (claim is not None and claim.owner != owner):
            assert self.record.claim == claim

    @rule(run=RUNS, what=st.sampled_from([Begin, Finish, Recover]))
    def turns(self, run: str, what: Any) -> None:
        self.ask(what(run=run), "runtime")

    @precondition(lambda life: wake_at(life.record) is not None)
    @rule()
    def wakes_in_time(self) -> None:
        due = wake_at(self.record)
        if due is not None:
            self.now = max(self.now, read_stamp(due))
            self.ask(Wake(), "runtime")
            free = self.record.claim is not None and self.record.claim.state == "deferred"
            assert free or (wake_at(self.record) or "9") > due

    @rule(seconds=st.integers(-600, 600))
    def time_passes(self, seconds: int) -> None:
        self.now = max(START, self.now + seconds * 1_000_000)

    @rule()
    def is_kept_and_read_again(self) -> None:
        self.record = read_record(json.dumps(write_record(self.record)))

    @invariant()
    def holds(self) -> None:
        record = self.record
        assert read_record(write_record(record)) == record
        assert len(set(record.settled)) == len(record.settled)
        if record.claim is not None:
            assert record.status.name == "active"
            assert (
                record.claim.key
                == f"{record.goal and record.goal.id}:{record.generation}:{record.continuations + 1}"
            )
        if record.sealed:
            assert record.goal is None

    def teardown(self) -> None:
        events = [read_event(json.dumps(write_event(event))) for event in self.journal]
        assert events == self.journal
        assert replay(events, "s-1") == self.record


Lives.TestCase.settings = settings(max_examples=150, stateful_step_count=50, deadline=None)


@pytest.mark.row("X15", "H20", "P06", "P08", "H16")
@pytest.mark.ruling(51, 52)
class TestLives(Lives.TestCase):  # type: ignore[misc, name-defined]
    pass


def test_a_life_leads_somewhere() -> None:
    """The machine would show nothing if it never left the first state."""
    life = Lives()
    life.ask(Create(goal=GOAL), "person")
    life.settles("a", 3)
    life.claims("host", 30)
    life.wakes_in_time()
    life.time_passes(-600)
    life.ask(COMMANDS["pause"], "person")
    assert life.record.status.name == "paused"
    assert [event.kind for event in life.journal] == [
        "created", "progress_accounted", "continuation_claimed", "continuation_expired",
        "status_changed",
    ]  # fmt: skip
    life.holds()
    life.teardown()
