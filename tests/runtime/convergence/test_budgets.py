"""Budgets: charged once, exact in turns, the last allowed turn evaluated, every reason said."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.convergence import Policy, events, tokens_used
from goalspec.runtime.convergence.effects import Continue, EndRun, ObserveFacts
from goalspec.runtime.lifecycle.commands import Create, Pause, Resume
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.convergence.loop import Loop, checked, judged, says, tool

TABLE = tomllib.loads(Path(__file__).with_name("budgets.toml").read_text("utf-8"))["budget"]


@pytest.mark.row("P02", "X12")
@pytest.mark.parametrize("case", TABLE, ids=lambda case: case["limits"])
def test_a_budget_at_its_boundary(case: dict[str, Any]) -> None:
    after = {int(n): reason for n, reason in case["after"].items()}
    usage = Usage(**case.get("usage", {"turns": 1}))
    limits = case["limits"].replace(" tokens", "\ntokens").replace(" cost", "\ncost")
    loop = Loop(checked(f"budget {{ {limits} }}"))
    loop.open()
    for n in range(1, max(after) + 1):
        assert loop.turn(usage=usage) == after.get(n, "continuing"), n
    assert (loop.status, loop.record.status.reason) == ("budget_limited", case["said"])
    assert loop.found(EndRun) == [EndRun("budget_limited", "budget")]
    assert not loop.found(Continue)
    assert loop.tell(events.Timer) == "budget_limited"


@pytest.mark.row("P02")
@pytest.mark.parametrize(("turns", "reason"), [(24, "continuing"), (25, "budget")])
def test_25_turns_are_the_budget_of_a_goal_without_one(turns: int, reason: str) -> None:
    loop = Loop(checked(), Policy(owner="host"))
    loop.open()
    said = [loop.turn(effects=(tool("x" * n),)) for n in range(turns)]
    assert said[-1] == reason


@pytest.mark.row("P02")
def test_the_last_allowed_turn_is_looked_at() -> None:
    loop = Loop(checked("budget { turns 1 }"))
    loop.open()
    loop.facts = {"suite.passed": True}
    assert loop.turn() == "complete"


@pytest.mark.row("P02", "P03")
@pytest.mark.parametrize(("answer", "reason"), [("accept", "accepted"), ("continue", "budget")])
def test_the_last_allowed_turn_is_judged(answer: str, reason: str) -> None:
    loop = Loop(judged("budget { turns 2 }"), facts={"suite.passed": True})
    loop.open()
    assert loop.turn() == "continuing"
    assert loop.turn() == "judging"
    assert loop.judge(says(answer)) == reason


@pytest.mark.row("P02")
def test_every_reason_is_said_where_a_budget_and_a_guard_stop_it_at_once() -> None:
    loop = Loop(checked("budget { turns 3 }"))
    loop.open()
    for _ in range(3):
        reason = loop.turn(output="Done.")
    assert reason == "budget"
    assert loop.record.status.reason == (
        "turns: 3 of 3; repetition: 3 equal replies without an effect"
    )


@pytest.mark.row("H13")
@pytest.mark.ruling(48)
def test_attempts_end_in_a_block_that_a_person_may_raise() -> None:
    loop = Loop(checked("budget { attempts 3 }"))
    loop.open()
    for n in (1, 2, 3):
        loop.start()
        loop.propose()
        assert loop.settle() == ("attempts" if n == 3 else "continuing")
    assert (loop.status, loop.record.status.reason) == ("blocked", "attempts: 3 of 3")
    assert not loop.record.status.mechanical


@pytest.mark.row("X12")
def test_a_settlement_is_charged_once_however_often_it_is_told() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    loop.settle()
    before = loop.record.usage, loop.state.ledger.session, loop.state.guards
    for _ in range(3):
        loop.tell(events.Settled, "run-1", "s-1", Usage(turns=1, tokens=10))
    assert (loop.record.usage, loop.state.ledger.session, loop.state.guards) == before


@pytest.mark.row("X12", "P08")
@pytest.mark.parametrize("stop", ["spoke", "paused", "judging", "complete"])
def test_a_settlement_is_charged_whatever_is_decided(stop: str) -> None:
    loop = Loop(judged(), facts={"suite.passed": True})
    loop.open()
    loop.start()
    if stop == "spoke":
        loop.send(events.Spoke(loop.at))
    elif stop == "paused":
        loop.ask(Pause(), "person")
    else:
        loop.propose()
        assert loop.settle() == "judging"
        if stop == "complete":
            assert loop.judge(says("accept")) == "accepted"
        loop.runs += 1
    before = loop.record.usage.tokens
    reason = loop.settle(usage=Usage(turns=1, tokens=7))
    expected = {"spoke": "person_waits", "judging": "awaiting_judge", "complete": "terminal"}
    assert reason == expected.get(stop, stop)
    assert loop.record.usage.tokens == before + 7


@pytest.mark.row("X12")
def test_a_subagent_is_charged_to_the_goal_and_is_no_turn() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    for _ in range(2):
        charged = events.Charged(loop.at, "sub-1", Usage(turns=4, tokens=50))
        assert loop.send(charged) == "turn_open"
    loop.settle()
    assert (loop.record.usage.turns, loop.record.usage.tokens) == (1, 60)


@pytest.mark.row("X12", "P04")
def test_what_comes_between_two_runs_decides_nothing() -> None:
    """A subagent's usage and a proposal wait for the run that they belong to."""
    loop = Loop(checked(), facts={"suite.passed": True})
    loop.ask(Create(goal=judged(), replace=True), "person")
    assert loop.send(events.Charged(loop.at, "sub-1", Usage(tokens=50))) == "charged"
    assert loop.send(events.Proposed(loop.at, "complete")) == "proposed"
    assert loop.record.usage.tokens == 50
    assert loop.status == "active"
    assert loop.open() == "continuing"


@pytest.mark.row("X12")
def test_the_ledger_outlives_a_replaced_goal_and_a_restart() -> None:
    loop = Loop(checked())
    loop.open()
    loop.turn()
    loop.ask(Create(goal=judged(), replace=True), "person")
    assert loop.record.usage.tokens == 0
    loop.open()
    loop.turn()
    assert loop.record.usage.tokens == 10
    assert loop.state.ledger.session.tokens == 20
    assert loop.state.guards.without_effect == 1


@pytest.mark.row("X12")
def test_the_judge_is_charged_where_its_answer_comes_too_late() -> None:
    loop = Loop(judged(), facts={"suite.passed": True})
    loop.open()
    loop.start()
    loop.propose()
    loop.settle()
    loop.runs += 1
    loop.settle()
    assert loop.judge(says("accept"), tokens=70) == "judging"
    assert (loop.state.ledger.judgements, loop.state.ledger.judge_tokens) == (1, 70)


@pytest.mark.row("X12")
def test_cached_input_is_free() -> None:
    assert tokens_used(100, 60, 5) == 45
    assert tokens_used(100, 160, 5) == 5


@pytest.mark.row("X12")
def test_a_resumed_goal_keeps_what_it_used() -> None:
    loop = Loop(checked("budget { turns 2 }"))
    loop.open()
    loop.turn()
    loop.ask(Pause(), "person")
    loop.later(3600)
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "continuing"
    assert loop.turn() == "budget"


@pytest.mark.row("S03", "X12")
def test_an_advisory_budget_stops_nothing() -> None:
    loop = Loop(checked("budget advisory { turns 1 }"))
    loop.open()
    assert [loop.turn() for _ in range(3)] == ["continuing"] * 3


@pytest.mark.row("X12")
def test_what_a_subagent_takes_leaves_the_attempt_to_its_run() -> None:
    loop = Loop(checked("budget { turns 9  attempts 2 }"))
    loop.open()
    for n, reason in ((1, "continuing"), (2, "attempts")):
        loop.start()
        loop.propose()
        loop.tell(events.Charged, f"sub-{n}", Usage(tokens=5))
        assert loop.record.candidate is not None
        assert loop.settle() == reason
        assert loop.record.usage.attempts == n


@pytest.mark.row("S05")
def test_a_continuation_with_a_subagent_counts_once() -> None:
    loop = Loop(checked())
    loop.open()
    for n in range(1, 9):
        loop.start()
        loop.tell(events.Charged, f"sub-{n}", Usage(tokens=5))
        assert loop.settle() == ("continuing" if n < 8 else "no_effect"), n


@pytest.mark.row("P02")
def test_a_pause_in_the_last_turn_leaves_it_to_be_evaluated_after_the_resume() -> None:
    loop = Loop(checked("budget { turns 1 }"))
    loop.open()
    loop.start()
    loop.propose()
    loop.ask(Pause(), "person")
    loop.facts = {"suite.passed": True}
    assert loop.settle() == "paused"
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "complete"
    assert loop.record.evaluation is not None


@pytest.mark.row("P02")
def test_an_interrupted_last_turn_is_evaluated_and_the_goal_is_limited() -> None:
    loop = Loop(checked("budget { turns 1 }"))
    loop.open()
    loop.start()
    assert loop.settle(stop="interrupted") == "interrupted"
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "budget"
    assert loop.status == "budget_limited"


@pytest.mark.row("P10", "X12")
def test_a_subagent_of_a_turn_that_is_older_than_the_goal_is_charged_nowhere() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    loop.later(5)
    loop.ask(Create(goal=judged(), replace=True), "person")
    loop.tell(events.Charged, "sub-1", Usage(tokens=5))
    assert loop.record.usage == loop.state.ledger.session == Usage()


@pytest.mark.row("P06", "X12")
def test_no_continuation_is_recovered_over_a_budget_that_was_used_up_since() -> None:
    loop = Loop(checked("budget { tokens 100  turns 9 }\n"))
    assert loop.open() == "continuing"
    loop.send(events.Charged(loop.at, "sub-1", Usage(tokens=100)))
    assert loop.open() == "budget"
    assert (loop.status, loop.record.claim) == ("budget_limited", None)


@pytest.mark.row("S05", "P08")
def test_facts_that_were_asked_for_before_a_run_settled_are_of_the_past() -> None:
    loop = Loop(checked(), facts={"suite.passed": True})
    loop.ask(Create(goal=checked(), replace=True), "person")
    assert loop.send(events.Restarted(loop.at)) == "observing"
    [asked] = loop.found(ObserveFacts)
    loop.send(events.Began(loop.at, "run-1"))
    settled = events.Settled(loop.at, "run-1", "s-1", by="person")
    assert loop.send(settled) == "observing"
    [again] = loop.found(ObserveFacts)
    assert again.number > asked.number
    assert loop.observe(asked.number) == "awaiting_facts"  # nothing completes by them
    assert loop.observe(again.number) == "complete"
