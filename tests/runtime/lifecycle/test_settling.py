"""Settlements are charged once and added up, and one evaluation answers for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goalspec.runtime.lifecycle.commands import (
    Begin,
    Create,
    Evaluated,
    Finish,
    Observe,
    Pause,
    Propose,
    Resume,
    Settle,
)
from goalspec.runtime.record import Candidate, Evaluation, Usage
from goalspec.runtime.record.parts import MAX_SETTLED
from goalspec.tests.runtime.lifecycle.acting import code, do, kinds, step
from goalspec.tests.runtime.lifecycle.states import OTHER, STATES
from goalspec.tests.runtime.record.records import GOAL, at
from hypothesis import given
from hypothesis import strategies as st

ACTIVE, NONE = STATES["active"], STATES["none"]


def settled(id: str, output: str = "", **usage: int | str) -> Settle:
    return Settle(settlement=id, usage=Usage(**usage), output=output)


@pytest.mark.row("P08")
@pytest.mark.ruling(51)
def test_settlements_add_up_and_the_newest_output_counts() -> None:
    record = do(ACTIVE, settled("a", "first", turns=1, tokens=10, cost="0.10 USD", runtime=5))
    record = do(record, settled("b", "second", turns=1, tokens=7, cost="0.25 USD", runtime=6))
    assert record.usage == Usage(turns=2, tokens=17, cost="0.35 USD", runtime=11)
    assert record.pending is not None
    assert record.pending.usage == record.usage
    assert record.pending.settlements == ("a", "b")
    assert record.pending.output == "second"
    assert record.settled == ("a", "b")


@pytest.mark.row("P08")
@pytest.mark.ruling(51)
def test_a_settlement_is_charged_once() -> None:
    record = do(ACTIVE, settled("a", turns=1))
    assert step(record, settled("a", turns=1)).events == ()
    many = record
    for n in range(MAX_SETTLED - 1):
        many = do(many, settled(f"s-{n}", turns=1))
    assert do(many, settled("a", turns=1)) == many
    assert len(many.settled) == MAX_SETTLED == many.usage.turns
    beyond = do(many, settled("last", turns=1))
    assert "a" not in beyond.settled  # the last 256 are remembered


@given(st.lists(st.sampled_from("abcdef"), max_size=12))
def test_what_is_charged_is_the_sum_of_each_once(ids: list[str]) -> None:
    record = ACTIVE
    for id in ids:
        record = do(record, settled(id, turns=1, tokens=ord(id)))
    assert record.usage == Usage(turns=len(set(ids)), tokens=sum(map(ord, set(ids))))


@pytest.mark.row("P08")
def test_an_earlier_candidate_is_kept() -> None:
    proposed = do(ACTIVE, Propose(outcome="complete", reason="all done"), "agent")
    candidate = Candidate(outcome="complete", reason="all done", at=at(60))
    assert proposed.candidate == candidate
    first = do(proposed, settled("a"))
    assert first.pending is not None
    assert (first.pending.candidate, first.candidate) == (candidate, None)
    second = do(first, settled("b"))
    assert second.pending is not None
    assert second.pending.candidate == candidate
    again = do(second, Propose(outcome="blocked", reason="no key"), "agent", 70)
    newer = do(again, settled("c"), second=71)
    assert newer.pending is not None
    assert newer.pending.candidate == Candidate(outcome="blocked", reason="no key", at=at(70))


@pytest.mark.row("P08")
@pytest.mark.ruling(52)
def test_newer_progress_supersedes_an_older_evaluation() -> None:
    first = do(ACTIVE, settled("a"))
    second = do(first, settled("b"))
    assert first.pending is not None
    assert second.pending is not None
    assert first.pending.evaluation != second.pending.evaluation
    old = Evaluated(evaluation=first.pending.evaluation, outcome="complete", reason="quoted")
    assert code(second, old) == "stale_evaluation"
    new = replace(old, evaluation=second.pending.evaluation)
    assert do(second, new).status.name == "complete"


def test_an_evaluation_s_id_is_of_the_session_the_generation_and_the_settlement() -> None:
    one = do(ACTIVE, settled("a")).pending
    assert do(ACTIVE, settled("a"), second=99).pending == one
    others = (
        do(replace(ACTIVE, session="s-2"), settled("a")).pending,
        do(replace(ACTIVE, generation=7), settled("a")).pending,
        do(ACTIVE, settled("b")).pending,
    )
    assert one is not None
    assert one.evaluation not in {other.evaluation for other in others if other}


@pytest.mark.parametrize(
    ("outcome", "status"),
    [("continue", "active"), ("complete", "complete"), ("blocked", "blocked")],
)
def test_an_evaluation_is_answered_once(outcome: str, status: str) -> None:
    record = do(ACTIVE, settled("a", turns=1))
    assert record.pending is not None
    answer = Evaluated(evaluation=record.pending.evaluation, outcome=outcome, reason="a quote")
    after = do(record, answer, second=61)
    assert (after.status.name, after.pending, after.usage.turns) == (status, None, 1)
    assert after.evaluation == Evaluation(
        id=answer.evaluation, outcome=answer.outcome, reason="a quote", at=at(61)
    )
    assert code(after, answer) == "stale_evaluation"
    if outcome != "continue":
        assert code(record, replace(answer, reason=" ")) == "blank"
        assert kinds(record, answer) == ["evaluated", "status_changed"]


@pytest.mark.row("P10")
def test_work_before_the_goal_existed_is_not_charged() -> None:
    assert code(NONE, settled("a", turns=1)) == "no_goal"
    opened = do(NONE, Begin(run="r"), second=1)
    created = do(opened, Create(goal=GOAL), "agent", 2)
    record = do(created, settled("a", "made a goal", turns=1, tokens=900))
    assert (record.usage, record.settled) == (Usage(), ("a",))
    assert record.pending is not None
    assert record.pending.output == "made a goal"
    following = do(do(record, Finish(run="r")), Begin(run="r-2"))
    assert do(following, settled("b", turns=1)).usage == Usage(turns=1)


@pytest.mark.row("P10")
def test_a_replaced_goal_s_last_run_is_not_charged_to_the_next() -> None:
    opened = STATES["open"]
    replaced = do(opened, Create(goal=OTHER, replace=True), "person", 30)
    assert do(replaced, settled("late", turns=1)).usage == Usage()


def test_a_goal_that_stopped_is_still_charged_for_what_ran() -> None:
    for state in ("paused", "parked", "blocked", "limited", "complete"):
        before = STATES[state]
        record = do(before, settled("late", turns=1))
        assert record.usage.turns == before.usage.turns + 1
        assert record.status == before.status
        assert (record.pending is None) == (state == "complete")


@pytest.mark.row("P08")
def test_what_awaits_its_evaluation_is_not_evaluated_while_the_goal_stands_still() -> None:
    paused = do(STATES["pending"], Pause())
    assert paused.pending is not None
    answer = Evaluated(evaluation=paused.pending.evaluation, outcome="complete", reason="it is")
    assert code(paused, answer) == "wrong_status"
    assert do(do(paused, Resume(), "person"), answer).status.name == "complete"


@pytest.mark.row("S02")
def test_an_agent_proposes_and_blocked_needs_a_reason() -> None:
    assert code(ACTIVE, Propose(outcome="blocked"), "agent") == "blank"
    assert code(ACTIVE, Propose(outcome="blocked", reason=" "), "agent") == "blank"
    assert do(ACTIVE, Propose(outcome="complete"), "agent").status == ACTIVE.status


@pytest.mark.parametrize(
    ("usage", "refused"),
    [
        (Usage(turns=-1), "bad_usage"),
        (Usage(tokens=2**53), "bad_record"),
        (Usage(cost="cheap"), "bad_usage"),
        (Usage(cost="-1 USD"), "bad_usage"),
        (Usage(cost="500.00 EUR"), "another_currency"),  # of a budget in dollars
        (Usage(runtime=1.5), "bad_record"),  # type: ignore[arg-type]  # as a host may
    ],
)
def test_usage_that_is_none_is_refused(usage: Usage, refused: str) -> None:
    assert code(ACTIVE, Settle(settlement="a", usage=usage)) == refused
    charged = do(ACTIVE, settled("a", cost="1 USD"))
    assert code(charged, settled("b", cost="1 EUR")) == "another_currency"
    assert code(charged, settled("b", cost="much")) == "bad_usage"
    assert code(ACTIVE, Settle(settlement=" ", usage=Usage())) == "blank"


def test_what_was_observed_is_kept_and_the_same_is_no_event() -> None:
    record = do(ACTIVE, Observe(monitor={"count": 1}))
    assert record.monitor == {"count": 1}
    assert step(record, Observe(monitor={"count": 1})).events == ()
    assert code(ACTIVE, Observe(monitor={"x": "y" * 1_100_000})) == "bad_record"


@pytest.mark.row("P08")
def test_a_long_output_is_cut_and_its_run_is_charged() -> None:
    told = do(
        ACTIVE,
        Settle(settlement="a", usage=Usage(turns=1), output="x" * 2_000_000 + "end"),
        "runtime",
    )
    assert told.usage.turns == 1
    assert told.pending is not None
    assert len(told.pending.output) < 70_000
    assert "[cut: 1934467 characters]" in told.pending.output
    assert told.pending.output.endswith("end")


def test_a_part_of_a_run_leaves_the_candidate_to_the_run() -> None:
    proposed = do(ACTIVE, Propose(outcome="complete"), "agent")
    part = do(proposed, Settle(settlement="sub", usage=Usage(tokens=5), part=True))
    assert part.candidate == proposed.candidate
    assert part.pending is not None and part.pending.candidate is None
    whole = do(part, Settle(settlement="run", usage=Usage(turns=1)))
    assert whole.candidate is None
    assert whole.pending is not None and whole.pending.candidate == proposed.candidate
    assert whole.pending.settlements == ("sub", "run")
