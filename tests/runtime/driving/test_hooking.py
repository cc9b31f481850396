"""One end of a turn, decided for a host that owns the loop: what is told to the reducer, what becomes of
its answer, and what a hook that was cut off leaves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.convergence import Policy, state_of
from goalspec.runtime.driving import Judging, Session
from goalspec.runtime.driving.firing import Firing, read_firing
from goalspec.runtime.driving.hooking import Gate, decide
from goalspec.runtime.goals import Goals
from goalspec.runtime.judge import CallFailed
from goalspec.runtime.lifecycle.commands import Amend, Begin, Create, Pause
from goalspec.runtime.prompting import Prompts
from goalspec.runtime.record import Record
from goalspec.runtime.store.port import LeaseHeld, LeaseLost, Store
from goalspec.tests.runtime.convergence.loop import checked, judged
from goalspec.tests.runtime.driving.hosts import Facts, TurnedClock, driven, store_at
from goalspec.tests.runtime.judge.scripted import Script as Judge

MET, UNMET = {"suite.passed": True}, {"suite.passed": False}
ACCEPTS = {
    "criteria": {
        "cause": {
            "evidence": [{"source": "facts", "quote": '"suite.passed": true'}],
            "reason": "It says so.",
            "outcome": "met",
        },
    },
    "decision": "accept",
    "next_step": None,
}
DONE = "It is done.\ngoalspec: complete"


def firing(output: str = "I stop.", *, again: bool = True, turn: str | None = None) -> Firing:
    return Firing("s-1", turn, output, again, None)


class Host:
    """A host whose agent wants to stop again and again."""

    def __init__(self, goal: Goal, facts: Any = None, judging: Judging | None = None) -> None:
        self.clock = TurnedClock()
        self.store: Store = store_at(self.clock)
        self.goals = Goals(self.store)
        self.facts = Facts(dict(UNMET)) if facts is None else facts
        self.judging = judging
        self.heard: list[str] = []
        self.goals.perform("s-1", Create(goal=goal), "person")

    def gate_of(self, goal: Goal) -> Gate:
        return Gate(self.facts, Prompts(Policy(owner="driver")), self.judging)

    def fire(self, told: Firing, tell: Any = None, **more: Any) -> str | None:
        """What the agent is told, where it may not stop."""
        before = len(self.heard)
        session = Session(self.store, told.session, self.clock)
        tell = self.heard.append if tell is None else tell
        driven(decide(session, told, self.gate_of, self.clock, tell, **more), self.clock)
        self.clock.elapsed += 60
        assert len(self.heard) - before in (0, 1)
        return self.heard[-1] if len(self.heard) > before else None

    @property
    def record(self) -> Record:
        return self.goals.record("s-1")


def test_turns_are_charged_one_by_one_until_the_checks_hold() -> None:
    host = Host(checked())
    assert "The suite passes" in (host.fire(firing("one", again=False)) or "")
    assert "Budget used: turns 2 of 25" in (host.fire(firing("two")) or "")
    host.facts.values = dict(MET)
    assert host.fire(firing("three")) is None
    assert host.record.status.name == "complete"
    assert (host.record.usage.turns, host.record.continuations) == (3, 2)
    assert host.record.usage.runtime > 100 * 1_000_000_000  # the turns that a hook sent off
    assert host.goals.check_journal("s-1") == []


def test_a_proposed_end_over_an_open_floor_says_what_is_open() -> None:
    host = Host(checked())
    assert "open: passes" in (host.fire(firing(DONE)) or "")
    assert host.record.usage.attempts == 1


def test_a_proposed_block_ends_the_loop_where_nobody_judges_it() -> None:
    host = Host(checked())
    assert host.fire(firing("goalspec: blocked no access to the registry")) is None
    assert host.record.status.reason == "no access to the registry"


def test_the_last_allowed_turn_is_evaluated_and_no_other_follows() -> None:
    host = Host(checked("budget { turns 2 }\n"))
    assert host.fire(firing("one")) is not None
    assert host.fire(firing("two")) is None
    assert host.record.status.name == "budget_limited"


def test_the_judge_is_asked_about_what_the_agent_said() -> None:
    judge = Judge([ACCEPTS])
    host = Host(judged(), Facts(dict(MET)), Judging(judge))
    assert host.fire(firing("Not yet.")) is not None
    assert judge.asked == []
    assert host.fire(firing(DONE)) is None
    assert host.record.status.name == "complete"
    assert "It is done." in judge.asked[0].message
    assert [exhibit.kind for exhibit in host.store.exhibits("s-1")] == [
        "request", "call", "judgement",
    ]  # fmt: skip


def test_a_judge_that_is_down_completes_nothing() -> None:
    host = Host(judged(), Facts(dict(MET)), Judging(Judge([CallFailed("failed", "503")] * 9)))
    assert host.fire(firing(DONE)) is None
    assert host.record.status.name == "active"


# --- told again


def test_an_answer_that_was_lost_is_given_again_under_the_same_claim() -> None:
    host = Host(checked())

    def lost(reason: str) -> None:
        raise BrokenPipeError("nobody reads")

    with pytest.raises(BrokenPipeError):
        host.fire(firing(), lost)
    left = host.record
    assert left.claim is not None
    assert (left.claim.state, left.continuations) == ("started", 0)
    assert host.fire(firing()) is not None
    assert (host.record.usage.turns, host.record.continuations) == (1, 1)
    assert host.record.turn.run == f"{left.claim.key}/hook"
    assert state_of(host.record).guards == state_of(left).guards  # it is counted once


def test_the_end_of_a_persons_turn_may_be_told_twice_and_for_so_long_only() -> None:
    host = Host(checked())
    told = firing(again=False, turn="t-1")
    host.fire(told)
    host.clock.elapsed -= 60
    assert "Budget used: turns 1 of 25" in (host.fire(told) or "")
    assert host.record.usage.turns == 1
    assert host.fire(told) is not None
    assert host.record.usage.turns == 2


def test_equal_words_of_turns_that_follow_each_other_are_charged_each() -> None:
    host = Host(checked())
    for turns in (1, 2, 3):
        host.fire(firing("I cannot.", turn="t-1"))
        assert host.record.usage.turns == turns


class Stuck:
    """A source of facts that never answers."""

    async def __call__(self) -> Mapping[str, Any]:
        await asyncio.sleep(60)
        raise AssertionError("nobody waits for that long")


def test_a_hook_that_took_too_long_decides_nothing_and_the_next_one_does() -> None:
    host = Host(checked(), Stuck())
    with pytest.raises(TimeoutError):
        host.fire(firing(), deadline=0.2)
    assert state_of(host.record).asked is not None
    host.facts = Facts(dict(UNMET))
    assert host.fire(firing()) is not None
    assert host.record.usage.turns == 1
    assert host.fire(firing("more")) is not None
    assert host.record.usage.turns == 2


def test_a_judge_that_was_cut_off_is_asked_anew() -> None:
    class Slow:
        route = Judge([]).route

        async def __call__(self, prompt: Any) -> Any:
            await asyncio.sleep(60)

    host = Host(judged(), Facts(dict(MET)), Judging(Slow()))
    with pytest.raises(TimeoutError):
        host.fire(firing(DONE), deadline=0.3)
    host.judging = Judging(Judge([ACCEPTS]))
    assert host.fire(firing(DONE)) is None
    assert host.record.status.name == "complete"
    assert host.record.usage.turns == 1


# --- others


def test_whoever_holds_the_session_is_left_alone() -> None:
    host = Host(checked())
    host.store.lease("s-1", "another", 600)
    with pytest.raises(LeaseHeld):
        host.fire(firing())
    assert host.record.usage.turns == 0


def test_a_turn_that_a_driver_left_open_is_recovered() -> None:
    host = Host(checked())
    host.goals.perform("s-1", Begin(run="driver-run"), "runtime")
    assert host.fire(firing()) is not None
    assert (host.record.turn.run or "").endswith("/hook")


def test_a_person_who_pauses_while_the_facts_are_taken_is_obeyed() -> None:
    host = Host(checked())

    async def paused() -> Mapping[str, Any]:
        host.goals.perform("s-1", Pause(), "person")
        return dict(UNMET)

    host.facts = paused
    with pytest.raises(LeaseLost):
        host.fire(firing())
    assert host.record.status.name == "paused"
    assert host.heard == []


def test_a_goal_that_is_amended_meanwhile_is_looked_at_as_it_is() -> None:
    host = Host(checked())
    amended = checked('criterion read "It was reviewed" check reviewed\n')
    contracts: list[str] = []

    async def amends() -> Mapping[str, Any]:
        if not contracts:
            host.goals.perform("s-1", Amend(goal=amended, reason="more is asked"), "person")
        contracts.append(host.record.contract)
        return {"suite.passed": True, "reviewed": False}

    host.facts = amends
    assert "It was reviewed" in (host.fire(firing()) or "")
    assert len(contracts) == 2


# --- what hosts say


def test_what_codex_and_gemini_say_is_read() -> None:
    codex = {
        "session_id": "s", "turn_id": "t", "stop_hook_active": False,
        "last_assistant_message": None, "hook_event_name": "Stop", "cwd": "/p", "model": "m",
    }  # fmt: skip
    assert read_firing(json.dumps(codex).encode()) == Firing("s", "t", "", False, "/p")
    gemini = {
        "session_id": "s", "hook_event_name": "AfterAgent", "prompt_response": "Done \ud83d.",
        "timestamp": "2026-03-01T12:00:00Z",
    }  # fmt: skip
    assert read_firing(json.dumps(gemini).encode()) == Firing("s", None, "Done \ufffd.", True, None)
