"""The turn's marker: opened, closed, recovered, and what a begin over an open one does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goalspec.runtime.lifecycle.commands import Begin, Finish, Recover, Settle
from goalspec.runtime.record import Turn, Usage, read_record, write_record
from goalspec.tests.runtime.lifecycle.acting import code, do, kinds, refusal, step
from goalspec.tests.runtime.lifecycle.states import STATES
from goalspec.tests.runtime.record.records import at

ACTIVE, OPEN = STATES["active"], STATES["open"]


@pytest.mark.row("H21")
def test_a_begin_over_an_idle_marker_keeps_the_goal() -> None:
    record = do(ACTIVE, Begin(run="run-1"))
    assert record.turn == Turn(state="open", run="run-1", opened_at=at(60))
    assert (record.goal, record.generation) == (ACTIVE.goal, ACTIVE.generation)


@pytest.mark.row("H21")
@pytest.mark.parametrize("failed", [False, True])
def test_a_run_that_returned_closes_it_and_keeps_the_goal(failed: bool) -> None:
    [event] = step(OPEN, Finish(run="run-1", failed=failed, reason="so")).events
    assert event.details == {"run": "run-1", "failed": failed, "reason": "so"}
    record = do(OPEN, Finish(run="run-1", failed=failed))
    assert (record.turn, record.goal, record.generation) == (Turn(), OPEN.goal, OPEN.generation)


@pytest.mark.row("H21")
def test_a_begin_over_an_open_marker_clears_the_goal_of_the_one_before() -> None:
    after = step(OPEN, Begin(run="run-2"))
    assert [event.kind for event in after.events] == ["cleared", "begun"]
    assert after.record.goal is None
    assert after.record.generation == OPEN.generation + 1
    assert (after.record.turn.state, after.record.turn.run) == ("open", "run-2")
    assert [one.goal for one in after.archived] == [OPEN.goal]
    assert "run-1 never returned" in str(after.events[0].details["reason"])


@pytest.mark.row("H21")
def test_the_same_run_s_begin_is_once() -> None:
    assert do(OPEN, Begin(run="run-1")) == OPEN


@pytest.mark.ruling(43)
@pytest.mark.row("H21")
def test_recovery_closes_the_marker_as_failed_and_keeps_the_goal() -> None:
    [event] = step(OPEN, Recover(run="run-1")).events
    assert (event.kind, event.details["failed"]) == ("recovered", True)
    record = do(OPEN, Recover(run="run-1"))
    assert (record.turn, record.goal, record.generation) == (Turn(), OPEN.goal, OPEN.generation)
    assert do(record, Begin(run="run-2")).goal == OPEN.goal


@pytest.mark.ruling(43)
def test_recovery_keeps_what_awaits_an_evaluation() -> None:
    settled = do(OPEN, Settle(settlement="a", usage=Usage(turns=1)))
    assert do(settled, Recover(run="run-1")).pending == settled.pending is not None


@pytest.mark.row("H20", "H21")
@pytest.mark.parametrize("command", [Finish(run="run-9"), Recover(run="run-9")])
def test_only_the_run_that_opened_it_is_closed(command: Finish | Recover) -> None:
    assert code(OPEN, command) == "another_run"
    assert "is of the run run-1" in str(refusal(OPEN, command))
    assert code(ACTIVE, command) == "turn_idle"


@pytest.mark.row("H21")
def test_a_cold_restore_keeps_marker_and_generation() -> None:
    restored = read_record(write_record(OPEN))
    assert (restored.turn, restored.generation) == (OPEN.turn, OPEN.generation)
    assert kinds(restored, Finish(run="run-1")) == ["finished"]


def test_without_a_goal_the_marker_moves_alone() -> None:
    opened = do(STATES["none"], Begin(run="a"))
    again = do(opened, Begin(run="b"))
    assert (again.turn.run, again.generation) == ("b", 0)
    assert code(replace(opened, turn=Turn()), Begin(run=" ")) == "blank"
