"""A goal that is driven: turns, facts, completion, guards, and what a person does to it meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from goalspec.runtime.convergence import Policy
from goalspec.runtime.convergence.events import Began, Settled
from goalspec.runtime.driving import Driver, Proposal, Session, Standing, Turn, Worked, run
from goalspec.runtime.driving.session import LEASE
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle import Refusal
from goalspec.runtime.lifecycle.commands import Amend, Cancel, Clear, Complete, Create, Pause
from goalspec.runtime.record import Usage
from goalspec.runtime.store.port import LeaseHeld, Posted
from goalspec.tests.runtime.convergence.loop import checked, judged
from goalspec.tests.runtime.driving.hosts import (
    Facts,
    Script,
    TurnedClock,
    changes,
    driven,
    host,
    store_at,
)

WORDS = "zero one two three four five six seven eight nine".split()


@pytest.mark.row("D7", "P03")
def test_a_goal_is_worked_on_until_its_checks_hold() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})
    agent = Script([*changes(facts, {}, {"suite.passed": True})])
    store = store_at(clock)
    standing = driven(run(checked(), host(agent, facts, clock), store=store, session="s-1"), clock)
    assert (standing.record.status.name, standing.reason) == ("complete", "complete")
    assert [turn.number for turn in agent.seen] == [1, 2]
    assert standing.record.usage.turns == 2
    assert facts.asked == 3  # before the first turn, and after each


def test_what_an_agent_raises_is_an_error_of_the_host_and_ends_nothing_by_itself() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})

    def fails(turn: Turn) -> Worked:
        raise RuntimeError("the socket is gone")

    def mends(turn: Turn) -> Worked:
        facts.values["suite.passed"] = True
        return Worked()

    agent = Script([fails, mends])
    standing = driven(run(checked(), host(agent, facts, clock)), clock)
    assert standing.record.status.name == "complete"
    assert standing.record.usage.turns == 2

    agent = Script([fails])
    facts.values["suite.passed"] = False
    standing = driven(run(checked(), host(agent, facts, clock)), clock)
    assert (standing.record.status.name, standing.reason) == ("blocked", "provider_error")
    assert "RuntimeError: the socket is gone" in (standing.record.status.reason or "")
    assert len(agent.seen) == 2


@pytest.mark.row("S05")
def test_an_agent_that_does_nothing_is_stopped_after_eight_continuations() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})
    agent = Script([lambda turn: Worked(output=f"Done, {WORDS[turn.number]}.")])
    standing = driven(run(checked(), host(agent, facts, clock)), clock)
    assert (standing.record.status.name, standing.reason) == ("blocked", "no_effect")
    assert len(agent.seen) == 8


@pytest.mark.row("P02", "X12")
def test_the_last_allowed_turn_is_evaluated() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})
    goal = checked("budget { turns 3 }\n")
    agent = Script([*changes(facts, {}, {}, {"suite.passed": True})])
    standing = driven(run(goal, host(agent, facts, clock)), clock)
    assert standing.record.status.name == "complete"

    facts.values["suite.passed"] = False
    agent = Script([*changes(facts, {}, {}, {}, {"suite.passed": True})])
    standing = driven(run(goal, host(agent, facts, clock)), clock)
    assert (standing.record.status.name, standing.reason) == ("budget_limited", "budget")
    assert len(agent.seen) == 3


@pytest.mark.row("X12")
def test_runtime_is_the_time_while_active() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})

    class Slow:
        async def __call__(self, turn: Turn) -> Worked:
            await clock.sleep(100)
            facts.values["suite.passed"] = True
            return Worked()

    standing = driven(run(checked(), host(Slow(), facts, clock)), clock)
    assert 100 <= standing.record.usage.runtime / 1e9 < 101


def test_a_usage_that_is_refused_ends_its_turn_as_an_error_and_charges_the_rest() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})
    goal = checked("budget { turns 9  cost 5.00 USD }\n")
    agent = Script([Worked(usage=Usage(tokens=5, cost="1.00 EUR"))])
    standing = driven(run(goal, host(agent, facts, clock)), clock)
    assert standing.reason == "provider_error"
    assert "EUR" in (standing.record.status.reason or "")
    assert standing.record.usage.turns == 2
    assert standing.record.usage.cost is None


class Waits:
    """An agent that works until it is stopped."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.stopped = False

    async def __call__(self, turn: Turn) -> Worked:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        raise AssertionError


@pytest.mark.row("S08")
def test_an_interrupt_ends_the_turn_charges_it_and_pauses() -> None:
    clock, agent = TurnedClock(), Waits()
    store = store_at(clock)
    Goals(store).perform("s-1", Create(goal=checked()), "person")
    driver = Driver(Session(store, "s-1", clock), host(agent, Facts(), clock), Policy(owner="d"))

    async def interrupted() -> Standing:
        driving = asyncio.ensure_future(driver.drive())
        await agent.began.wait()
        driver.interrupt()
        return await driving

    standing = driven(interrupted(), clock)
    assert agent.stopped
    assert (standing.record.status.name, standing.reason) == ("paused", "interrupted")
    assert standing.record.usage.turns == 1
    assert standing.record.turn.state == "idle"
    assert store.lease("s-1", "other", 5).token > 0  # it was given back


@pytest.mark.row("S08")
@pytest.mark.ruling(44)
@pytest.mark.parametrize("command", [Pause(), Clear(), Cancel()])
def test_a_person_who_stops_the_work_waits_for_nobody(command: Any) -> None:
    clock, agent = TurnedClock(), Waits()
    store = store_at(clock)
    goals = Goals(store)
    goals.perform("s-1", Create(goal=checked()), "person")
    driver = Driver(Session(store, "s-1", clock), host(agent, Facts(), clock), Policy(owner="d"))

    async def stopped() -> Standing:
        driving = asyncio.ensure_future(driver.drive())
        await agent.began.wait()
        goals.perform("s-1", command, "person")
        return await driving

    standing = driven(stopped(), clock)
    assert agent.stopped
    assert standing.reason == "taken_over"
    if isinstance(command, Pause):
        assert standing.record.status.name == "paused"
        assert standing.record.usage.turns == 1
        assert standing.record.turn.state == "idle"
    else:
        assert standing.record.goal is None
    assert goals.check_journal("s-1") == []


@pytest.mark.row("X13")
@pytest.mark.ruling(44)
def test_what_a_person_posts_is_applied_while_the_agent_works() -> None:
    clock, agent = TurnedClock(), Waits()
    store = store_at(clock)
    goals = Goals(store)
    goals.perform("s-1", Create(goal=checked()), "person")
    driver = Driver(Session(store, "s-1", clock), host(agent, Facts(), clock), Policy(owner="d"))

    async def completed() -> Standing:
        driving = asyncio.ensure_future(driver.drive())
        await agent.began.wait()
        posted = goals.perform("s-1", Complete(reason="it does what I wanted"), "person")
        assert isinstance(posted, Posted)
        return await driving

    standing = driven(completed(), clock)
    assert agent.stopped
    assert standing.record.status.name == "complete"
    assert standing.record.usage.turns == 1
    assert standing.record.turn.state == "idle"


@pytest.mark.row("X13")
def test_a_goal_that_is_amended_is_driven_with_what_that_asks_for() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    goals = Goals(store)
    goals.perform("s-1", Create(goal=checked()), "person")
    more = checked('criterion reviewed "It is reviewed" check reviewed\n')
    old, new = Facts({"suite.passed": False}), Facts({"suite.passed": True, "reviewed": True})

    def amends(turn: Turn) -> Worked:
        goals.perform("s-1", Amend(goal=more, reason="Ann asked for it"), "person")
        return Worked("Half done.")

    first = host(Script([amends]), old, clock)
    first = replace(first, amended=lambda goal: host(Script([Worked()]), new, clock))
    driver = Driver(Session(store, "s-1", clock), first, Policy(owner="d"))
    standing = driven(driver.drive(), clock)
    assert standing.record.status.name == "complete"
    assert (old.asked, new.asked) == (1, 1)


@pytest.mark.row("P06")
@pytest.mark.ruling(43, 47, 49)
def test_a_driver_that_died_is_followed_once_its_lease_is_over() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    Goals(store).perform("s-1", Create(goal=checked()), "person")
    agent = Waits()

    class Dead(Session):
        """The process is gone: nothing more is written, nothing is given back."""

        async def close(self) -> None:
            return

    first = Driver(Dead(store, "s-1", clock), host(agent, Facts(), clock), Policy(owner="d"))

    async def dies() -> None:
        driving = asyncio.ensure_future(first.drive())
        await agent.began.wait()
        driving.cancel()
        await asyncio.wait([driving])

    driven(dies(), clock)
    stored = store.get("s-1")
    assert stored is not None and stored.record.turn.state == "open"
    died_at = clock.elapsed

    facts = Facts({"suite.passed": False})
    follower = Script([*changes(facts, {"suite.passed": True})])
    standing = driven(
        run(checked(), host(follower, facts, clock), store=store, session="s-1"), clock
    )
    assert clock.elapsed - died_at >= LEASE
    assert standing.record.status.name == "complete"
    assert len(follower.seen) == 1
    kinds = [entry.event.kind for entry in store.journal("s-1")]
    assert kinds.count("recovered") == 1
    assert Goals(store).check_journal("s-1") == []


def test_a_session_that_somebody_drives_is_left_to_them() -> None:
    clock, agent = TurnedClock(), Waits()
    store = store_at(clock)
    Goals(store).perform("s-1", Create(goal=checked()), "person")
    first = Driver(Session(store, "s-1", clock), host(agent, Facts(), clock), Policy(owner="d"))
    second = host(Script([Worked()]), Facts(), clock)

    async def both() -> None:
        driving = asyncio.ensure_future(first.drive())
        await agent.began.wait()
        with pytest.raises(LeaseHeld):
            await run(checked(), second, store=store, session="s-1")
        driving.cancel()

    driven(both(), clock)


def test_another_goal_and_a_stopped_one_need_a_person() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": True})
    store = store_at(clock)
    goals = Goals(store)
    agent = host(Script([Worked()]), facts, clock)
    goals.perform("s-1", Create(goal=checked()), "person")
    other = checked('criterion reviewed "It is reviewed" check reviewed\n')
    with pytest.raises(Refusal) as refused:
        driven(run(other, agent, store=store, session="s-1"), clock)
    assert refused.value.code == "another_goal"
    goals.perform("s-1", Pause(reason="lunch"), "person")
    with pytest.raises(Refusal, match="paused: lunch") as refused:
        driven(run(checked(), agent, store=store, session="s-1"), clock)
    assert refused.value.code == "stopped"
    standing = driven(run(checked(), agent, store=store, session="s-1", resume=True), clock)
    assert standing.record.status.name == "complete"
    again = driven(run(checked(), agent, store=store, session="s-1"), clock)
    assert again.record.status.name == "complete"
    assert len(store.history("s-1")) == 1  # a finished goal makes way for the next


def test_without_anybody_to_ask_an_impasse_is_the_agents_word() -> None:
    clock = TurnedClock()
    goal = checked('judge { model "j" provider "p" }\n')
    agent = Script([Worked(proposal=Proposal("blocked", "no access"))])
    standing = driven(run(goal, host(agent, Facts({"suite.passed": False}), clock)), clock)
    assert (standing.record.status.name, standing.reason) == ("blocked", "impasse")
    assert standing.record.status.reason == "no access"


def test_a_goal_that_only_a_judge_could_end_does_not_start_without_one() -> None:
    clock = TurnedClock()
    with pytest.raises(ValueError, match="cause: only a judge can decide"):
        driven(run(judged(), host(Script([]), Facts(), clock)), clock)


def test_facts_of_the_past_decide_nothing_however_late_they_come() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    Goals(store).perform("s-1", Create(goal=checked()), "person")
    asked: list[int] = []

    async def facts() -> dict[str, bool]:
        asked.append(1)
        if len(asked) == 1:  # a slow answer, which was true when it was asked for
            with suppress(asyncio.CancelledError):
                await clock.sleep(50)
            return {"suite.passed": True}
        return {"suite.passed": False}

    agent = Script([Worked("one"), Worked("two"), Worked("three")])
    driver = Driver(Session(store, "s-1", clock), host(agent, facts, clock), Policy(owner="d"))

    async def amended() -> Standing:
        driving = asyncio.ensure_future(driver.drive())
        while not asked:
            await asyncio.sleep(0)
        driver.send(Began("", "own"))
        driver.send(Settled("", "own", "own-1"))
        return await driving

    standing = driven(amended(), clock)
    assert standing.record.status.name == "blocked"
    assert len(asked) > 1


@pytest.mark.parametrize("returned", [None, "done", {"output": "x"}])
def test_an_agent_that_gives_something_else_has_failed(returned: Any) -> None:
    clock = TurnedClock()

    async def agent(turn: Turn) -> Any:
        return returned

    standing = driven(run(checked(), host(agent, Facts(), clock)), clock)
    assert (standing.record.status.name, standing.reason) == ("blocked", "provider_error")
    assert "an agent gives what it Worked" in (standing.record.status.reason or "")


@pytest.mark.row("S08")
def test_an_interrupt_at_any_moment_leaves_no_turn_open() -> None:
    for moment in range(0, 60, 3):
        clock = TurnedClock()
        store = store_at(clock)
        Goals(store).perform("s-1", Create(goal=checked()), "person")
        facts = Facts({"suite.passed": False})
        agent = Script([lambda turn: Worked(output=f"Did {WORDS[turn.number]}.")])
        driver = Driver(Session(store, "s-1", clock), host(agent, facts, clock), Policy(owner="d"))

        async def interrupted(driver: Driver = driver, moment: int = moment) -> Standing:
            driving = asyncio.ensure_future(driver.drive())
            for _ in range(moment):
                await asyncio.sleep(0)
            driver.interrupt()
            return await driving

        standing = driven(interrupted(), clock)
        assert standing.record.status.name in ("paused", "blocked"), moment
        assert standing.record.turn.state == "idle", moment
        assert standing.record.claim is None, moment


@pytest.mark.row("P09")
def test_a_sink_that_fails_changes_nothing_and_is_said() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": True})

    class Deaf:
        def tell(self, notice: Any) -> None:
            raise OSError("the disk is full")

        def close(self) -> None:
            return

    agent = Script([Worked()])
    standing = driven(run(checked(), host(agent, facts, clock, sink=Deaf())), clock)
    assert standing.record.status.name == "complete"
    assert standing.unheard == "OSError: the disk is full"


def test_facts_that_fail_show_nothing_and_end_nothing() -> None:
    clock, tries = TurnedClock(), []

    async def facts() -> Any:
        tries.append(1)
        if len(tries) == 1:
            raise RuntimeError("no route")
        return ["no", "mapping"] if len(tries) == 2 else {"suite.passed": True}

    agent = Script([Worked()])
    standing = driven(run(checked(), host(agent, facts, clock)), clock)
    assert standing.record.status.name == "complete"
    assert len(tries) == 3


@pytest.mark.row("X11")
def test_a_pinned_file_that_changed_keeps_the_goal_from_being_done() -> None:
    clock, facts = TurnedClock(), Facts({"suite.passed": False})

    pinned = {"tests/test_a.py": "one"}

    class Files:
        def hashes(self) -> dict[str, str]:
            return dict(pinned)

    def edits(turn: Turn) -> Worked:
        pinned["tests/test_a.py"] = "two"
        facts.values["suite.passed"] = True
        return Worked(output="It passes now.")

    def undoes(turn: Turn) -> Worked:
        pinned["tests/test_a.py"] = "one"
        return Worked(output="As it was.")

    agent = Script([edits, undoes])
    standing = driven(run(checked(), host(agent, facts, clock, pins=Files())), clock)
    assert standing.record.status.name == "complete"
    assert len(agent.seen) == 2
