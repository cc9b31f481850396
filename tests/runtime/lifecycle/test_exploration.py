"""What holds in every state that the lifecycle can reach (row X15)."""

from __future__ import annotations

from typing import get_args

import pytest
from goalspec.runtime.lifecycle import Refusal, decide, is_unfinished
from goalspec.runtime.lifecycle.commands import Show, StartClaim
from goalspec.runtime.lifecycle.events import EventKind
from goalspec.runtime.record import StatusName, read_stamp, write_stamp
from goalspec.tests.runtime.lifecycle.exploration import Exploration, Move, explored

FOUND = (941, 25_935, 10)
"""The states, the transitions between them, and the longest way to one: the exploration ends, so
this is all there is. Another figure is no fault: look at what changed, and say it in the page too."""


@pytest.fixture(scope="module")
def found() -> Exploration:
    return explored()


def asked(found: Exploration) -> list[Move]:
    return [move for move in found.moves if move.asked is not None]


@pytest.mark.row("X15")
def test_it_is_explored_to_the_end(found: Exploration) -> None:
    assert (len(found.states), len(found.moves), found.depth) == FOUND
    names = {state.record.status.name for state in found.states.values()}
    assert names == set(get_args(StatusName))


@pytest.mark.row("X15")
@pytest.mark.ruling(52)
def test_nothing_that_is_over_becomes_active_but_by_a_new_goal(found: Exploration) -> None:
    back = [
        move
        for move in asked(found)
        if not is_unfinished(move.before.record) and is_unfinished(move.after.record)
    ]
    assert {move.asked and move.asked.kind for move in back} == {"create"}
    over = [move for move in back if move.before.record.generation]  # complete, ended or cleared
    assert {move.actor for move in over} == {"person"}
    assert {move.before.record.status.name for move in over} == {"complete", "ended", "cleared"}


@pytest.mark.row("X15", "P06")
def test_one_owner_at_most_may_start_one_continuation(found: Exploration) -> None:
    keys: dict[str, set[str]] = {}
    for move in found.moves:
        claim = move.after.record.claim
        if claim is not None:
            keys.setdefault(claim.key, set()).add(claim.owner)
    assert {owner for owners in keys.values() for owner in owners} == {"host", "other"}
    for state in found.states.values():
        started = [
            (key, owner)
            for key, owners in keys.items()
            for owner in owners
            if _starts(state.record, StartClaim(key=key, owner=owner), state.now)
        ]
        assert len(started) <= 1, state.record


def _starts(record: object, command: StartClaim, now: int) -> bool:
    try:
        decide(record, command, "runtime", write_stamp(now))  # type: ignore[arg-type]
    except Refusal:
        return False
    return True


@pytest.mark.row("X15", "P06")
def test_a_live_claim_is_never_taken_from_its_owner(found: Exploration) -> None:
    for move in asked(found):
        before, after = move.before.record.claim, move.after.record.claim
        if before is None or after is None or before.owner == after.owner:
            continue
        ends = before.retry_at if before.state == "deferred" else before.expires_at
        assert ends is None or move.after.now >= read_stamp(ends)


@pytest.mark.row("P08", "P10")
def test_usage_only_grows_while_a_goal_is_there(found: Exploration) -> None:
    for move in asked(found):
        before, after = move.before.record, move.after.record
        if before.goal is not None and after.goal is not None and before.goal.id == after.goal.id:
            replaced = move.asked is not None and move.asked.kind == "create"
            assert replaced or after.usage.turns >= before.usage.turns


@pytest.mark.row("H16", "H20")
def test_the_generation_rises_with_every_change_of_the_goal_and_never_falls(
    found: Exploration,
) -> None:
    for move in asked(found):
        before, after = move.before.record, move.after.record
        assert after.generation >= before.generation
        assert (after.goal == before.goal) or after.generation > before.generation
        assert after.updated_at > before.updated_at or isinstance(move.asked, Show)


@pytest.mark.row("P10", "X13")
def test_an_agent_replaces_weakens_and_clears_nothing(found: Exploration) -> None:
    done = {
        (move.asked and move.asked.kind, is_unfinished(move.before.record))
        for move in asked(found)
        if move.actor == "agent"
    }
    assert done == {
        ("create", False),
        ("amend", True),
        ("propose", True),
        ("show", True),
        ("show", False),
    }


def test_the_budget_s_end_is_left_by_a_person_only(found: Exploration) -> None:
    left = {
        (move.asked and move.asked.kind, move.actor)
        for move in asked(found)
        if move.before.record.status.name == "budget_limited" != move.after.record.status.name
        and move.after.record.status.name != "cleared"
    }
    assert left == {
        ("create", "person"), ("amend", "person"), ("complete", "person"), ("end", "person"),
    }  # fmt: skip


def test_every_kind_of_event_happens_but_those_of_two_sessions(found: Exploration) -> None:
    happened = {event.kind for move in asked(found) if move.step for event in move.step.events}
    assert set(get_args(EventKind)) - happened == {"forked", "adopted", "imported"}
