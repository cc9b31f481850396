"""The continuation's claim over retries, expiry and crashes, and who comes first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goalspec.runtime.convergence import events, step
from goalspec.runtime.convergence.effects import (
    AskToResume,
    Continue,
    ObserveFacts,
    Tell,
    WakeAt,
)
from goalspec.runtime.lifecycle import Refusal
from goalspec.runtime.lifecycle.commands import Pause, Resume
from goalspec.runtime.record import Record, Usage
from goalspec.tests.runtime.convergence.loop import POLICY, Loop, checked, judged


def opened(**values: Any) -> Loop:
    loop = Loop(checked(), **values)
    assert loop.open() == "continuing"
    return loop


def refused(loop: Loop, outcome: Any) -> str:
    [given] = loop.found(Continue)
    return loop.send(events.Continued(loop.at, given.key, outcome, "so"))


@pytest.mark.row("P06")
@pytest.mark.ruling(51)
def test_a_continuation_has_a_claim_and_its_key() -> None:
    loop = opened()
    [given] = loop.found(Continue)
    claim = loop.record.claim
    assert claim is not None
    assert (claim.key, claim.state) == (given.key, "claimed")
    loop.start()
    assert loop.record.claim is None
    assert loop.record.continuations == 1


@pytest.mark.row("P06")
@pytest.mark.ruling(49)
@pytest.mark.parametrize("started", [False, True])
def test_a_crash_gives_the_continuation_again_under_its_key(started: bool) -> None:
    loop = opened()
    [given] = loop.found(Continue)
    if started:
        loop.send(events.Continued(loop.at, given.key, "started"))
    assert loop.open() == "recovered"
    assert loop.found(Continue) == [given]
    loop.start()
    assert loop.state.guards.without_effect == 1


@pytest.mark.row("P06")
def test_a_crash_in_a_run_closes_its_turn_and_keeps_the_goal() -> None:
    loop = opened()
    loop.start()
    assert loop.open() == "continuing"
    assert loop.record.goal is not None
    assert loop.found(Continue)[0].key == "ship:1:2"


@pytest.mark.row("P06")
def test_a_crash_loses_no_question() -> None:
    loop = Loop(judged(), facts={"suite.passed": True})
    loop.open()
    loop.start()
    loop.propose()
    loop.settle()
    first = loop.asked_judge()
    assert loop.open() == "judging"
    second = loop.asked_judge()
    assert second.number > first.number
    assert second.evaluation == first.evaluation


@pytest.mark.row("P06")
def test_a_claim_of_another_owner_is_left_to_it_until_it_expires() -> None:
    loop = opened(policy=replace(POLICY, owner="other"))
    loop.policy = POLICY
    assert loop.open() == "claim_held"
    loop.until_due("the continuation begins")
    assert loop.tell(events.Timer) == "continuing"
    assert loop.found(Continue)[0].key == "ship:1:1"


@pytest.mark.row("P07")
@pytest.mark.parametrize("outcome", ["unavailable", "rejected"])
def test_a_continuation_is_tried_4_times_and_then_blocks_with_why(outcome: str) -> None:
    loop = opened()
    for wait in (2, 4, 8):
        assert refused(loop, outcome) == "deferred"
        assert any(isinstance(e, Tell) and e.kind == "retry_scheduled" for e in loop.found(Tell))
        began = loop.now
        loop.until_due("the session is busy", short=1)
        assert loop.tell(events.Timer) == "deferred"
        loop.until_due("the session is busy")
        assert round((loop.now - began) / 1_000_000) == wait
        assert loop.tell(events.Timer) == "continuing"
        assert loop.found(Continue)[0].key == "ship:1:1"
    assert refused(loop, outcome) == "retry_exhausted"
    assert loop.record.status.reason == "the continuation could not be started: 4 attempts"
    assert loop.record.status.mechanical


@pytest.mark.row("P07")
def test_a_busy_session_is_waited_for_and_never_blocks() -> None:
    loop = opened()
    for _ in range(12):
        assert refused(loop, "busy") == "deferred"
        loop.until_due("the session is busy")
        assert loop.tell(events.Timer) == "continuing"
    assert loop.state.guards.without_effect == 0


@pytest.mark.row("P06", "P07")
def test_a_continuation_that_nobody_answers_for_expires_and_is_tried_again() -> None:
    loop = opened()
    for n in range(4):
        loop.until_due("the continuation begins")
        assert loop.tell(events.Timer) == ("continuing" if n < 3 else "retry_exhausted")


@pytest.mark.row("S04")
def test_a_continuation_starts_beside_no_run_and_no_message() -> None:
    loop = opened()
    loop.start()
    for event in (events.Timer, events.Woke):
        assert loop.send(event(loop.at)) == "turn_open"
    loop.send(events.Spoke(loop.at))
    assert loop.settle() == "person_waits"
    assert loop.record.claim is None


@pytest.mark.row("S11")
def test_an_interactive_host_asks_before_a_stopped_goal_goes_on() -> None:
    loop = opened(policy=replace(POLICY, interactive=True))
    loop.ask(Pause(reason="lunch"), "person")
    assert loop.open() == "ask_first"
    assert loop.found(AskToResume) == [AskToResume("lunch")]
    assert loop.status == "paused"
    loop.policy = POLICY
    assert loop.open() == "paused"


@pytest.mark.ruling(49)
@pytest.mark.parametrize("how", ["event", "settled"])
def test_an_interrupt_pauses_and_is_charged(how: str) -> None:
    loop = opened()
    loop.start()
    if how == "event":
        assert loop.send(events.Interrupted(loop.at)) == "interrupted"
        assert loop.settle(stop="interrupted") == "interrupted"
    else:
        assert loop.settle(stop="interrupted") == "interrupted"
    assert loop.status == "paused"
    assert loop.record.usage.turns == 1


@pytest.mark.row("X15", "S02")
@pytest.mark.ruling(52)
def test_nothing_comes_of_a_goal_that_is_over() -> None:
    loop = Loop(checked(), facts={"suite.passed": True})
    assert loop.open() == "complete"
    for event in (events.Timer, events.Spoke, events.Woke, events.Interrupted, events.Restarted):
        assert loop.send(event(loop.at)) == "terminal"
    assert loop.status == "complete"


def test_a_session_without_a_goal_has_nothing_to_continue() -> None:
    loop = Loop()
    assert loop.open() == "no_goal"
    sealed = Record(session="s", sealed=True)
    decision = step(sealed, None, events.Timer(loop.at), POLICY)
    assert (decision.reason, decision.record, decision.effects) == ("no_goal", sealed, ())


def test_facts_that_were_asked_for_before_a_restart_are_of_the_past() -> None:
    loop = Loop(checked())
    loop.send(events.Restarted(loop.at))
    [first] = loop.found(ObserveFacts)
    assert loop.send(events.Timer(loop.at)) == "awaiting_facts"
    loop.send(events.Restarted(loop.at))
    assert loop.observe(first.number) == "awaiting_facts"
    assert not loop.found(WakeAt)


@pytest.mark.row("P09")
def test_the_sink_is_told_of_every_transition() -> None:
    loop = opened()
    loop.turn()
    kinds = [event.kind for event in loop.journal if event.kind != "kept"]
    assert kinds == [
        "created", "observed", "continuation_claimed", "continuation_started",
        "continuation_ended", "begun", "progress_accounted", "finished", "continuation_claimed",
    ]  # fmt: skip


def test_the_clock_going_back_ends_no_wait_early() -> None:
    loop = opened()
    refused(loop, "unavailable")
    loop.later(-3600)
    assert loop.tell(events.Timer) == "deferred"
    assert loop.found(WakeAt)[0].at > "2026-03-01T12:00:01"


@pytest.mark.parametrize(
    "time", ["now", "2026-03-01T12:00:00Z", "2026-03-01T14:00:00.000000+02:00"]
)
def test_a_time_that_is_none_is_refused_and_changes_nothing(time: str) -> None:
    loop = opened()
    before = loop.record
    with pytest.raises(Refusal, match="is no time") as caught:
        loop.send(events.Timer(time))
    assert caught.value.code == "bad_time"
    with pytest.raises(Refusal, match="is no time"):
        loop.send(events.Settled(loop.at, "run-1", "s-1", retry_at=time))
    assert loop.record == before


def test_usage_that_is_none_is_refused_and_changes_nothing() -> None:
    loop = opened()
    before = loop.record
    with pytest.raises(Refusal, match="usage only grows"):
        loop.send(events.Settled(loop.at, "run-1", "s-1", Usage(turns=1, tokens=-1)))
    assert loop.record == before


@pytest.mark.row("S10")
def test_monitors_are_waited_for_also_where_a_run_overtook_the_continuation() -> None:
    loop = opened()
    loop.runs = 1
    assert loop.settle(by="person", monitors=1) == "monitors"
    assert loop.record.claim is None


@pytest.mark.row("P02")
def test_a_pause_in_the_last_turn_does_not_keep_it_from_being_evaluated() -> None:
    loop = Loop(checked("budget { turns 1 }\n"))
    loop.open()
    loop.start()
    loop.propose()
    assert loop.settle(stop="interrupted") == "interrupted"
    assert loop.status == "paused"
    loop.facts = {"suite.passed": True}
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "complete"
