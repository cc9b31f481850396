"""A goal goes to another session: a fork copies it, an adoption carries it over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.compaction.goal_state import GoalState, forked
from goalspec.runtime.lifecycle import Refusal, Step, adopt, fork, replay
from goalspec.runtime.lifecycle.commands import Begin, Clear, Create, Settle, TakeClaim
from goalspec.runtime.record import Lineage, Record, Turn, Usage
from goalspec.tests.runtime.lifecycle.acting import code, do
from goalspec.tests.runtime.lifecycle.states import OTHER, STATES
from goalspec.tests.runtime.record.records import GOAL, at

NEW = Record(session="s-2")


def busy() -> Record:
    """An active goal with work on its way in an open turn."""
    record = do(STATES["active"], Settle(settlement="a", usage=Usage(turns=2)), second=10)
    record = do(do(record, TakeClaim(owner="host"), second=11), Begin(run="r"), second=12)
    return replace(record, monitor={"count": 3})


def refused(act: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value


# --- fork


@pytest.mark.row("H21")
def test_a_fork_carries_an_isolated_copy_that_is_paused() -> None:
    parent = busy()
    step = fork(parent, NEW, "s-2", True, at(60))
    record = step.record
    assert (record.goal, record.generation, record.usage) == (GOAL, parent.generation, parent.usage)
    assert (record.turn, record.claim, record.pending) == (Turn(), None, None)
    assert (record.monitor, record.settled) == ({"count": 3}, ("a",))
    assert record.status.name == "paused"
    assert "forked from s-1" in (record.status.reason or "")
    assert record.lineage == (
        Lineage(session="s-1", how="forked", at=at(60), generation=parent.generation),
    )
    assert replay(step.events, "s-2") == record


@pytest.mark.row("H21")
def test_what_happens_to_the_copy_is_nothing_to_the_parent() -> None:
    parent = busy()
    record = fork(parent, NEW, "s-2", True, at(60)).record
    assert do(record, Clear(), "person").goal is None
    assert parent == busy()


@pytest.mark.row("H21")
def test_without_carry_it_begins_with_nothing_but_its_lineage() -> None:
    record = fork(busy(), NEW, "s-2", False, at(60)).record
    assert (record.goal, record.generation, record.status.name) == (None, 0, "cleared")
    assert [one.how for one in record.lineage] == ["forked"]
    assert fork(STATES["none"], NEW, "s-2", True, at(60)).record.goal is None


@pytest.mark.parametrize("state", ["active", "paused", "complete", "ended"])
def test_a_fork_stands_as_a_compaction_s_boundary_takes_it_to_stand(state: str) -> None:
    parent = STATES[state]
    assert isinstance(parent.goal, Goal)
    boundary = forked(GoalState(parent.goal, parent.status.name, parent.generation), carry=True)
    assert isinstance(boundary, GoalState)
    record = fork(parent, NEW, "s-2", True, at(60)).record
    assert (record.status.name, record.generation) == (boundary.status, boundary.generation)


@pytest.mark.row("H20", "H21")
@pytest.mark.parametrize(
    "into",
    [
        replace(STATES["active"], session="s-2"),
        replace(STATES["cleared"], session="s-2"),
        replace(NEW, lineage=(Lineage(session="s-0", how="forked", at=at(1), generation=1),)),
        replace(NEW, updated_at=at(1)),
    ],
)
def test_a_destination_with_a_history_or_another_lineage_is_refused(into: Record) -> None:
    refusal = refused(lambda: fork(busy(), into, "s-2", True, at(60)))
    assert refusal.code == "destination_has_history"
    assert "fork into a new session" in str(refusal)


# --- adopt


def adopted(source: Record, into: Record = NEW, second: int = 60) -> tuple[Step, Step]:
    return adopt(source, into, "s-2", at(second))


@pytest.mark.row("H21")
@pytest.mark.ruling(56)
def test_an_adoption_carries_the_goal_over_as_it_stood() -> None:
    source = busy()
    here, there = adopted(source)
    record = here.record
    assert (record.goal, record.usage, record.monitor) == (GOAL, source.usage, {"count": 3})
    assert (record.status, record.created_at) == (source.status, source.created_at)
    assert record.generation > source.generation
    assert (record.claim, record.pending, record.turn) == (None, None, Turn())
    assert record.lineage[-1].how == "adopted"
    assert (there.record.goal, there.record.generation) == (None, source.generation + 1)
    assert "s-2 adopted the goal" in str(there.events[0].details["reason"])
    assert replay(here.events, "s-2") == record


@pytest.mark.ruling(56)
def test_a_settlement_that_was_charged_there_is_not_charged_here() -> None:
    record = adopted(busy())[0].record
    assert do(record, Settle(settlement="a", usage=Usage(turns=2)), second=70) == record


@pytest.mark.ruling(56)
def test_a_finished_goal_there_makes_way_and_an_unfinished_one_does_not() -> None:
    done = replace(STATES["complete"], session="s-2")
    here, _ = adopted(busy(), done)
    assert [one.status.name for one in here.archived] == ["complete"]
    unfinished = replace(STATES["paused"], session="s-2")
    assert refused(lambda: adopted(busy(), unfinished)).code == "unfinished_goal"
    sealed = replace(STATES["sealed"], session="s-2")
    assert not adopted(busy(), sealed)[0].record.sealed


@pytest.mark.ruling(56)
@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        ("none", "no_goal"), ("cleared", "no_goal"), ("sealed", "no_goal"),
        ("complete", "finished_goal"), ("ended", "finished_goal"),
    ],
)  # fmt: skip
def test_only_an_unfinished_goal_is_adopted(source: str, refusal: str) -> None:
    assert refused(lambda: adopted(STATES[source])).code == refusal


def test_a_session_does_not_adopt_itself_nor_at_no_time() -> None:
    assert refused(lambda: adopt(busy(), busy(), "s-1", at(60))).code == "same_session"
    assert refused(lambda: adopt(busy(), NEW, "s-2", "soon")).code == "bad_time"
    assert refused(lambda: fork(busy(), NEW, "s-2", True, "soon")).code == "bad_time"


def test_what_is_left_behind_takes_a_new_goal() -> None:
    _, there = adopted(busy())
    assert code(there.record, TakeClaim(owner="host")) == "no_goal"
    assert do(there.record, Create(goal=OTHER), "person", 70).goal == OTHER
