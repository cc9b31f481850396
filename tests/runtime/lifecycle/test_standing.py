"""How the goal stands: pauses, parks, blocks, limits and ends, and the ways back."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir.document import Budget
from goalspec.runtime.lifecycle import Refusal, exhausted, is_unfinished, said_status, wake_at
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Block,
    Complete,
    Create,
    End,
    Input,
    Limit,
    Park,
    Pause,
    Propose,
    Resume,
    Retarget,
    Settle,
    TakeClaim,
    Wake,
)
from goalspec.runtime.record import Status, Usage, read_stamp, write_stamp
from goalspec.tests.runtime.lifecycle.acting import code, do, refusal, step
from goalspec.tests.runtime.lifecycle.states import COMMANDS, RAISED, STATES, changed_goal
from goalspec.tests.runtime.record.records import at

ACTIVE = STATES["active"]
UNLIMITED = changed_goal(budget=None, advisory_budget=None)
DAY = 86_400


def after(seconds: int) -> str:
    return write_stamp(read_stamp(at(60)) + seconds * 1_000_000)


@pytest.mark.row("H16")
@pytest.mark.parametrize(
    ("command", "keeps"),
    [
        (Pause(), True),
        (Park(reason="CI", until=after(60)), True),
        (Block(reason="x", mechanical=True), True),
        (Block(reason="x"), False),
        (Limit(reason="x", turns=2), False),
    ],
)
def test_a_change_drops_the_continuation_and_keeps_what_was_charged(
    command: Any, keeps: bool
) -> None:
    busy = do(do(STATES["none"], Create(goal=UNLIMITED), "person"), TakeClaim(owner="host"))
    busy = do(busy, Settle(settlement="a", usage=Usage(turns=2)))
    busy = do(busy, Propose(outcome="complete"), "agent")
    record = do(busy, command)
    assert (record.usage, record.generation) == (Usage(turns=2), busy.generation)
    assert record.claim is None
    awaits = (busy.pending, busy.candidate) if keeps else (None, None)
    assert (record.pending, record.candidate) == awaits


@pytest.mark.row("P02")
def test_the_last_turn_of_a_paused_goal_is_evaluated_after_the_resume() -> None:
    paused = do(do(ACTIVE, Propose(outcome="complete"), "agent"), Pause())
    settled = do(paused, Settle(settlement="z", usage=Usage(turns=25)))
    assert settled.pending is not None
    assert settled.pending.candidate is not None
    resumed = do(settled, Resume(), "person")
    assert (resumed.status.name, resumed.pending) == ("active", settled.pending)
    assert code(resumed, TakeClaim(owner="host")) == "budget_exhausted"
    limited = do(resumed, Limit(reason="turns: 25 of 25"))
    assert (limited.status.name, limited.pending) == ("budget_limited", None)


@pytest.mark.row("P02")
def test_a_limit_that_was_not_reached_is_refused() -> None:
    assert code(ACTIVE, Limit(reason="turns: 25 of 25")) == "not_reached"
    unlimited = do(STATES["none"], Create(goal=UNLIMITED), "person")
    spent = do(unlimited, Settle(settlement="a", usage=Usage(turns=2)))
    assert code(spent, Limit(reason="x")) == "not_reached"
    assert code(spent, Limit(reason="x", turns=3)) == "not_reached"
    assert do(spent, Limit(reason="x", turns=2)).status.name == "budget_limited"


def test_resume_resets_nothing() -> None:
    spent = do(ACTIVE, Settle(settlement="a", usage=Usage(turns=2)))
    started = replace(spent, continuations=4)
    record = do(do(started, Pause()), Resume(), "person")
    assert (record.usage, record.continuations, record.settled) == (Usage(turns=2), 4, ("a",))
    assert record.status.reason == "a person resumed it"


def test_a_pause_has_a_reason_or_none() -> None:
    assert do(ACTIVE, Pause(reason=" lunch ")).status.reason == "lunch"
    assert do(ACTIVE, Pause(reason=" ")).status.reason is None
    assert do(ACTIVE, Complete(reason=" all of it "), "person").status.reason == "all of it"


# --- parks


@pytest.mark.ruling(48)
@pytest.mark.parametrize(
    ("until", "refused"),
    [
        (after(1), None), (after(DAY), None), (after(DAY + 1), "too_long"), (after(0), "bad_time"),
        (after(-1), "bad_time"), ("soon", "bad_time"), ("2026-03-01T12:05:00Z", "bad_time"),
    ],
)  # fmt: skip
def test_a_park_has_an_end_within_a_day(until: str, refused: str | None) -> None:
    park = Park(reason="CI runs", until=until)
    if refused is None:
        record = do(ACTIVE, park)
        assert record.status == Status(name="parked", reason="CI runs", since=at(60), until=until)
        assert wake_at(record) == until
    else:
        assert code(ACTIVE, park) == refused


def test_a_park_says_what_it_waits_for() -> None:
    assert code(ACTIVE, Park(reason=" ", until=after(60))) == "blank"


@pytest.mark.ruling(48)
def test_a_park_is_over_at_its_time_and_no_sooner() -> None:
    parked = do(ACTIVE, Park(reason="CI runs", until=at(90)))
    assert code(parked, Wake(), second=89) == "too_early"
    record = do(parked, Wake(), second=90)
    assert record.status == Status(name="active", reason="the wait is over: CI runs", since=at(90))
    assert wake_at(record) is None


def test_a_person_ends_a_park_sooner() -> None:
    assert do(STATES["parked"], Resume(), "person").status.name == "active"


# --- blocks


@pytest.mark.row("S02")
def test_a_block_has_a_reason() -> None:
    assert code(ACTIVE, Block(reason=" \n")) == "blank"
    assert do(ACTIVE, Block(reason=" no access ")).status.reason == "no access"


def test_input_lifts_a_mechanical_block_and_an_intentional_one_only_resume() -> None:
    mechanical, intentional = STATES["mechanical"], STATES["blocked"]
    assert do(mechanical, Input(), "person").status.name == "active"
    assert do(intentional, Input(), "person") == intentional
    assert do(intentional, Resume(), "person").status.name == "active"


# --- budgets


@pytest.mark.parametrize(
    ("budget", "usage", "reached"),
    [
        (None, Usage(turns=99), None),
        (Budget(turns=25), Usage(turns=24), None),
        (Budget(turns=25), Usage(turns=25), "turns: 25 of 25"),
        (Budget(tokens=10), Usage(tokens=11), "tokens: 11 of 10"),
        (Budget(tool_calls=1), Usage(tool_calls=1), "tool calls: 1 of 1"),
        (Budget(attempts=2), Usage(attempts=2), "attempts: 2 of 2"),
        (Budget(runtime="90m"), Usage(runtime=5_400 * 10**9), "runtime: 1h30m of 90m"),
        (Budget(runtime="90m"), Usage(runtime=5_400 * 10**9 - 1), None),
        (Budget(cost="5.00 USD"), Usage(cost="4.999 USD"), None),
        (Budget(cost="5.00 USD"), Usage(cost="5 USD"), "cost: 5 USD of 5.00 USD"),
        (Budget(cost="5.00 USD"), Usage(cost="9 EUR"), None),
        (Budget(cost="5.00 USD"), Usage(), None),
    ],
)
def test_a_limit_is_reached_when_it_is_used_up(
    budget: Budget | None, usage: Usage, reached: str | None
) -> None:
    assert exhausted(budget, usage) == reached


@pytest.mark.parametrize("way", ["resume", "wake", "input"])
def test_no_way_back_leads_round_an_exhausted_budget(way: str) -> None:
    state = {"resume": "paused", "wake": "parked", "input": "mechanical"}[way]
    spent = do(STATES[state], Settle(settlement="z", usage=Usage(turns=25)))
    spent = replace(spent, pending=None)  # evaluated
    actor = "runtime" if way == "wake" else "person"
    record = do(replace(spent, pending=None), COMMANDS[way], actor, 300)
    assert (record.status.name, record.status.reason) == ("budget_limited", "turns: 25 of 25")


@pytest.mark.row("P02")
@pytest.mark.parametrize("way", ["resume", "wake"])
def test_the_last_run_of_a_budget_is_evaluated_after_a_stop_and_nothing_continues(way: str) -> None:
    state = {"resume": "paused", "wake": "parked"}[way]
    spent = do(STATES[state], Settle(settlement="z", usage=Usage(turns=25)))
    record = do(spent, COMMANDS[way], "runtime" if way == "wake" else "person", 300)
    assert (record.status.name, record.pending) == ("active", spent.pending)
    assert code(record, TakeClaim(owner="host")) == "budget_exhausted"


def test_a_limit_has_a_reason_and_resume_does_not_lift_it() -> None:
    assert code(ACTIVE, Limit(reason="")) == "blank"
    assert "amend the goal with a higher one" in str(refusal(STATES["limited"], Resume(), "person"))


@pytest.mark.parametrize("way", ["wake", "input"])
def test_no_way_back_leads_round_missing_criteria(way: str) -> None:
    state = STATES[{"wake": "parked", "input": "mechanical"}[way]]
    stripped = do(state, COMMANDS["strip"], "person")
    record = do(stripped, COMMANDS[way], "runtime" if way == "wake" else "person", 300)
    assert (record.status.name, record.status.mechanical) == ("blocked", False)
    assert "criteria" in (record.status.reason or "")
    assert isinstance(COMMANDS["strip"], Retarget)


@pytest.mark.row("S03")
def test_an_advisory_budget_stops_nothing() -> None:
    goal = changed_goal(budget=None, advisory_budget=Budget(turns=1))
    record = do(STATES["none"], Create(goal=goal), "person")
    spent = do(record, Settle(settlement="a", usage=Usage(turns=9)))
    assert do(spent, TakeClaim(owner="host")).claim is not None
    assert do(do(spent, Pause()), Resume(), "person").status.name == "active"


# --- ends


@pytest.mark.row("S02", "X15")
def test_the_runtime_says_what_showed_it_and_a_person_s_word_is_enough() -> None:
    assert code(ACTIVE, Complete()) == "blank"
    assert do(ACTIVE, Complete(reason="2 of 2 met")).status.reason == "2 of 2 met"
    assert do(ACTIVE, Complete(), "person").status.reason == "a person's word"
    assert code(ACTIVE, Complete(reason="done"), "agent") == "not_a_person"
    assert code(STATES["paused"], Complete(reason="done")) == "wrong_status"
    assert do(STATES["paused"], Complete(), "person").status.name == "complete"


@pytest.mark.ruling(48)
@pytest.mark.parametrize("ending", ["unverified", "impossible"])
def test_an_end_that_is_not_met_says_which_and_why(ending: Any) -> None:
    record = do(ACTIVE, End(ending=ending, reason="the judge is out"))
    assert (record.status.name, record.status.ending) == ("ended", ending)
    assert code(ACTIVE, End(ending=ending, reason="")) == "blank"
    assert code(STATES["blocked"], End(ending=ending, reason="x")) == "wrong_status"
    assert do(STATES["blocked"], End(ending=ending, reason="x"), "person").status.name == "ended"


@pytest.mark.ruling(52)
@pytest.mark.row("X15")
@pytest.mark.parametrize("state", ["complete", "ended", "cleared", "none"])
def test_nobody_leads_a_goal_back_that_is_over(state: str) -> None:
    for name, command in COMMANDS.items():
        for actor in ("person", "agent", "runtime"):
            if name in ("create", "replace"):
                continue
            with contextlib.suppress(Refusal):
                record = do(STATES[state], command, actor, 600)
                assert record.goal is None or record.status == STATES[state].status


def test_how_it_stands_is_said() -> None:
    assert said_status(STATES["ended"].status) == (
        f"the goal is ended as impossible (no such thing) since {at(1)}"
    )
    assert said_status(STATES["parked"].status) == (
        f"the goal is parked until {at(300)} (CI runs) since {at(1)}"
    )
    unfinished = {name for name, record in STATES.items() if is_unfinished(record)}
    assert STATES.keys() - unfinished == {"none", "complete", "ended", "cleared", "sealed"}


def test_a_raised_budget_lifts_the_limit_only_where_it_is_enough() -> None:
    limited = STATES["limited"]
    assert do(limited, Amend(goal=RAISED, reason="more"), "person").status.name == "active"
    same = changed_goal(budget=Budget(turns=25, tokens=9))
    assert do(limited, Amend(goal=same, reason="no more"), "person").status.name == "budget_limited"
    [amended, stood] = step(limited, Amend(goal=RAISED, reason="more"), "person").events
    assert (amended.kind, stood.kind) == ("amended", "status_changed")
    assert amended.at < stood.at
