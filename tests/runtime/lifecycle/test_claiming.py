"""One continuation at a time, under one key until it began or failed."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.lifecycle import wake_at
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Begin,
    Clear,
    DeferClaim,
    EndClaim,
    Pause,
    Resume,
    Settle,
    StartClaim,
    TakeClaim,
    Wake,
)
from goalspec.runtime.record import Claim, Usage
from goalspec.tests.runtime.lifecycle.acting import code, do, kinds, refusal, step
from goalspec.tests.runtime.lifecycle.states import ADDED, STATES
from goalspec.tests.runtime.record.records import at

ACTIVE, CLAIMED, STARTED = STATES["active"], STATES["claimed"], STATES["started"]
KEY = "ship:1:1"


@pytest.mark.row("P06")
@pytest.mark.ruling(51)
def test_a_claim_s_key_is_goal_generation_and_ordinal() -> None:
    record = do(ACTIVE, TakeClaim(owner="host", seconds=30))
    assert record.claim == Claim(
        key=KEY, state="claimed", owner="host", ordinal=1, expires_at=at(90)
    )
    assert wake_at(record) == at(90)


@pytest.mark.row("P06")
def test_asking_again_gives_the_same_claim_and_no_event() -> None:
    assert step(CLAIMED, TakeClaim(owner="host")).events == ()
    assert do(STARTED, TakeClaim(owner="host")) == STARTED


@pytest.mark.row("P06", "X15")
def test_another_owner_is_refused_while_it_is_live_and_takes_it_after() -> None:
    record = do(ACTIVE, TakeClaim(owner="host", seconds=30))
    assert code(record, TakeClaim(owner="other"), second=89) == "claim_held"
    assert f"host has the continuation ship:1:1, claimed until {at(90)}" in str(
        refusal(record, TakeClaim(owner="other"))
    )
    assert kinds(record, TakeClaim(owner="other"), second=90) == [
        "continuation_expired", "continuation_claimed",
    ]  # fmt: skip
    claim = do(record, TakeClaim(owner="other"), second=90).claim
    assert claim is not None
    assert (claim.key, claim.owner, claim.attempt) == (KEY, "other", 1)


@pytest.mark.row("P06")
def test_its_steps_are_claimed_started_ended() -> None:
    started = do(CLAIMED, StartClaim(key=KEY, owner="host"))
    assert started.claim is not None
    assert started.claim.state == "started"
    assert step(started, StartClaim(key=KEY, owner="host")).events == ()
    ended = do(started, EndClaim(key=KEY, owner="host"))
    assert (ended.claim, ended.continuations) == (None, 1)
    following = do(ended, TakeClaim(owner="host")).claim
    assert following is not None
    assert following.key == "ship:1:2"


@pytest.mark.row("P06")
def test_a_deferred_one_waits_and_is_taken_again_under_its_key() -> None:
    deferred = do(CLAIMED, DeferClaim(key=KEY, owner="host", retry_at=at(70), reason="busy"))
    assert wake_at(deferred) == at(70)
    assert step(deferred, TakeClaim(owner="host"), second=69).events == ()
    assert code(deferred, TakeClaim(owner="other"), second=69) == "claim_held"
    assert code(deferred, StartClaim(key=KEY, owner="host"), second=69) == "claim_over"
    assert kinds(deferred, TakeClaim(owner="other"), second=70) == ["continuation_claimed"]
    claim = do(deferred, TakeClaim(owner="other"), second=70).claim
    assert claim is not None
    assert (claim.key, claim.state, claim.attempt) == (KEY, "claimed", 1)


@pytest.mark.row("P06")
@pytest.mark.parametrize("state", ["claimed", "started", "deferred"])
def test_a_wake_frees_what_is_over_for_whoever_asks(state: str) -> None:
    record = STATES[state]
    due = wake_at(record)
    assert due is not None
    assert code(record, Wake(), second=89) == "too_early"
    woken = do(record, Wake(), second=400)
    expired = [] if state == "deferred" else ["continuation_expired"]
    assert kinds(record, Wake(), second=400) == expired
    assert woken.status.name == "active"
    # Until somebody takes it, it stays due: whoever died between the two loses nothing.
    assert wake_at(woken) is not None and wake_at(woken) <= at(400)
    assert kinds(woken, Wake(), second=401) == []
    claim = do(woken, TakeClaim(owner="other"), second=402).claim
    assert claim is not None
    assert (claim.key, claim.owner, claim.attempt) == (KEY, "other", 1)


@pytest.mark.row("P06")
def test_a_run_begins_of_the_continuation_that_is_held_and_of_no_other() -> None:
    record = STATES["started"]
    assert code(record, Begin(run="r")) == "continuation_started"
    assert code(record, Begin(run="r", claim="ship:1:9")) == "stale_claim"
    begun = do(record, Begin(run="r", claim=KEY))
    assert (begun.claim, begun.continuations, begun.turn.run) == (None, 1, "r")
    lost = do(record, TakeClaim(owner="other"), second=400)  # it had expired
    assert code(lost, Begin(run="late", claim=KEY), second=401) == "stale_claim"
    assert do(lost, Begin(run="r"), second=401).goal == record.goal


@pytest.mark.row("P06")
def test_an_expired_one_is_not_started() -> None:
    assert code(CLAIMED, StartClaim(key=KEY, owner="host"), second=400) == "claim_over"
    assert do(STARTED, EndClaim(key=KEY, owner="host"), second=400).continuations == 1


@pytest.mark.row("P06")
@pytest.mark.parametrize("state", ["claimed", "started", "deferred"])
def test_one_that_failed_says_why_and_the_next_has_another_key(state: str) -> None:
    [event] = step(STATES[state], EndClaim(key=KEY, owner="host", failed="no session")).events
    assert event.details["failed"] == "no session"
    record = do(STATES[state], EndClaim(key=KEY, owner="host", failed="no session"))
    claim = do(record, TakeClaim(owner="host")).claim
    assert claim is not None
    assert claim.key == "ship:1:2"
    assert code(STATES[state], EndClaim(key=KEY, owner="host", failed=" ")) == "blank"


@pytest.mark.row("P06")
@pytest.mark.parametrize(
    "command",
    [
        DeferClaim(key=KEY, owner="other", retry_at=at(70)),
        StartClaim(key=KEY, owner="other"),
        EndClaim(key=KEY, owner="other"),
    ],
)
def test_only_its_owner_moves_it(command: Any) -> None:
    assert code(STARTED, command) == "claim_held"


@pytest.mark.row("P06", "X15")
@pytest.mark.parametrize("state", ["claimed", "started", "deferred"])
@pytest.mark.parametrize(
    ("command", "actor"),
    [(Pause(), "person"), (Amend(goal=ADDED, reason="docs"), "person"), (Clear(), "person")],
)
def test_what_changes_the_goal_or_how_it_stands_drops_it(
    state: str, command: Any, actor: str
) -> None:
    record = do(STATES[state], command, actor)
    assert record.claim is None
    assert code(record, StartClaim(key=KEY, owner="host")) == "stale_claim"
    assert code(record, EndClaim(key=KEY, owner="host")) == "stale_claim"


def test_the_key_of_one_that_was_started_is_not_given_again() -> None:
    for state, key in (("claimed", KEY), ("started", "ship:1:2")):
        resumed = do(do(STATES[state], Pause()), Resume(), "person")
        claim = do(resumed, TakeClaim(owner="host")).claim
        assert claim is not None
        assert claim.key == key


@pytest.mark.row("X15")
def test_no_continuation_beside_an_open_turn_or_beyond_the_budget() -> None:
    assert code(STATES["open"], TakeClaim(owner="host")) == "turn_open"
    spent = do(ACTIVE, Settle(settlement="a", usage=Usage(turns=25)))
    assert code(spent, TakeClaim(owner="host")) == "budget_exhausted"


@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (TakeClaim(owner=" "), "blank"),
        (TakeClaim(owner="host", seconds=0), "too_long"),
        (TakeClaim(owner="host", seconds=86_401), "too_long"),
        (DeferClaim(key=KEY, owner="host", retry_at=at(60)), "bad_time"),
        (DeferClaim(key=KEY, owner="host", retry_at="2026-03-02T12:01:01.000000Z"), "too_long"),
        (DeferClaim(key="ship:1:2", owner="host", retry_at=at(70)), "stale_claim"),
    ],
)
def test_what_is_no_claim_is_refused(command: Any, refused: str) -> None:
    assert code(CLAIMED, command) == refused
