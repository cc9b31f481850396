"""The judge of a run that is driven: what it is shown, what is filed of it, and that no crash asks or
pays for it twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir.canonical import seal
from goalspec.runtime.convergence import Policy, events, state_of
from goalspec.runtime.convergence.events import Effect
from goalspec.runtime.driving import Driver, Judging, Proposal, Session, Turn, Worked, run
from goalspec.runtime.goals import Goals
from goalspec.runtime.judge import CallFailed, Evidence, read_request, replay
from goalspec.runtime.judge.request import digest
from goalspec.runtime.lifecycle.commands import Amend, Create
from goalspec.tests.runtime.convergence.loop import judged
from goalspec.tests.runtime.driving.hosts import Facts, Script, TurnedClock, driven, host, store_at
from goalspec.tests.runtime.judge.scripted import Script as Judge

MET = {"suite.passed": True}
ACCEPTS = {
    "criteria": {
        "cause": {
            "evidence": [{"source": "tool-1", "quote": "fix: the lock was dropped"}],
            "reason": "The message says it.",
            "outcome": "met",
        },
    },
    "decision": "accept",
    "next_step": None,
}
COMMIT = Effect("run", "git log -1", "fix: the lock was dropped before the write")


def claims(turn: Turn) -> Worked:
    return Worked("I am done.", effects=(COMMIT,), proposal=Proposal("complete"))


@pytest.mark.row("X08", "X14", "P04")
def test_a_candidate_is_judged_and_the_judgement_can_be_made_again() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    judge = Judge([ACCEPTS])
    with_judge = host(Script([claims]), Facts(MET), clock, judging=Judging(judge))
    standing = driven(run(judged(), with_judge, store=store, session="s-1"), clock)
    assert (standing.record.status.name, standing.reason) == ("complete", "accepted")
    [asked] = judge.asked
    assert "fix: the lock was dropped" in asked.message
    assert "I am done." in asked.message
    request, call, judgement = store.exhibits("s-1")
    assert [request.kind, call.kind, judgement.kind] == ["request", "call", "judgement"]
    state = state_of(standing.record)
    assert state.exhibit == digest(judgement.content)
    assert state.ledger.judgements == 1
    content: Any = judgement.content
    again = replay(content, read_request(request.content, judged()))
    assert again is not None and again.decision == "accept"


def test_a_judge_is_shown_what_the_host_brings_and_no_failure_of_it_accepts() -> None:
    clock = TurnedClock()

    async def diff() -> list[Evidence]:
        return [Evidence("diff", "tool", "+ lock.acquire()")]

    async def fails() -> list[Evidence]:
        raise OSError("no git here")

    judge = Judge([ACCEPTS])
    shown = host(Script([claims]), Facts(MET), clock, judging=Judging(judge, evidence=diff))
    assert driven(run(judged(), shown), clock).record.status.name == "complete"
    assert "+ lock.acquire()" in judge.asked[0].message

    nobody = Judge([ACCEPTS])
    broken = host(Script([claims]), Facts(MET), clock, judging=Judging(nobody, evidence=fails))
    standing = driven(run(judged(), broken), clock)
    assert (standing.record.status.name, standing.record.status.ending) == ("ended", "unverified")
    assert "OSError: no git here" in (standing.record.status.reason or "")
    assert nobody.asked == []


def test_evidence_is_cut_to_what_can_be_kept_of_it() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    loud = Effect("run", "yes", "\x01" * 3_000_000)

    def shouts(turn: Turn) -> Worked:
        return Worked("\x02" * 3_000_000, effects=(COMMIT, loud), proposal=Proposal("complete"))

    judge = Judge([ACCEPTS])
    with_judge = host(Script([shouts]), Facts(MET), clock, judging=Judging(judge))
    standing = driven(run(judged(), with_judge, store=store, session="s-1"), clock)
    assert standing.record.status.name == "complete"
    assert len(judge.asked) == 1


@pytest.mark.row("P06", "P07", "X14")
def test_after_a_crash_no_call_is_made_or_paid_twice() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    goal = judged()
    Goals(store).perform("s-1", Create(goal=goal), "person")
    asked = asyncio.Event()

    class Dies(Judge):
        """The process is gone once the first of two has answered."""

        async def __call__(self, prompt: Any) -> Any:
            if self.asked:
                asked.set()
                await asyncio.Event().wait()
            return await super().__call__(prompt)

    class Dead(Session):
        async def close(self) -> None:
            return

    garbage = "I think it is done!"
    dying = host(Script([claims]), Facts(MET), clock, judging=Judging(Dies([garbage])))
    first = Driver(Dead(store, "s-1", clock), dying, Policy(owner="driver"))

    async def dies() -> None:
        driving = asyncio.ensure_future(first.drive())
        await asked.wait()
        driving.cancel()
        await asyncio.wait([driving])

    driven(dies(), clock)
    assert [one.kind for one in store.exhibits("s-1")] == ["request", "call"]

    follower = Judge([ACCEPTS])
    following = host(Script([claims]), Facts(MET), clock, judging=Judging(follower))
    standing = driven(run(goal, following, store=store, session="s-1"), clock)
    assert standing.record.status.name == "complete"
    assert len(follower.asked) == 1  # the one after the answer that was none
    assert "Your last answer to this was refused" in follower.asked[0].message
    kinds = [one.kind for one in store.exhibits("s-1")]
    assert kinds == ["request", "call", "call", "judgement"]


@pytest.mark.row("P06", "X14")
def test_a_judgement_that_a_crash_kept_from_the_loop_is_taken_up_and_not_made_again() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    goal = judged()
    Goals(store).perform("s-1", Create(goal=goal), "person")
    filed = asyncio.Event()

    class Dead(Session):
        async def step(self, told: Any, verdict: Any, policy: Any) -> Any:
            if any(isinstance(event, events.Judged) for event in told):
                filed.set()
                await asyncio.Event().wait()
            return await super().step(told, verdict, policy)

        async def close(self) -> None:
            return

    first = host(Script([claims]), Facts(MET), clock, judging=Judging(Judge([ACCEPTS])))

    async def dies() -> None:
        driver = Driver(Dead(store, "s-1", clock), first, Policy(owner="driver"))
        driving = asyncio.ensure_future(driver.drive())
        await filed.wait()
        driving.cancel()
        await asyncio.wait([driving])

    driven(dies(), clock)
    assert [one.kind for one in store.exhibits("s-1")] == ["request", "call", "judgement"]
    nobody = Judge([])
    following = host(Script([claims]), Facts(MET), clock, judging=Judging(nobody))
    standing = driven(run(goal, following, store=store, session="s-1"), clock)
    assert (standing.record.status.name, standing.reason) == ("complete", "accepted")
    assert nobody.asked == []
    assert state_of(standing.record).ledger.judgements == 1


@pytest.mark.row("P08", "X13")
def test_a_judge_that_is_asked_about_another_goal_is_called_back() -> None:
    clock = TurnedClock()
    store = store_at(clock)
    goals, goal = Goals(store), judged()
    goals.perform("s-1", Create(goal=goal), "person")
    called_back: list[bool] = []

    class Amended(Judge):
        """A person amends the goal while it thinks."""

        async def __call__(self, prompt: Any) -> Any:
            if not self.asked:
                self.asked.append(prompt)
                more = seal(replace(goal, objective="Ship it twice."))
                goals.perform("s-1", Amend(goal=more, reason="Ann said so"), "person")
                try:
                    await clock.sleep(100)
                finally:
                    called_back.append(True)
            return await super().__call__(prompt)

    with_judge = host(Script([claims]), Facts(MET), clock, judging=Judging(Amended([ACCEPTS])))
    driver = Driver(Session(store, "s-1", clock), with_judge, Policy(owner="driver"))
    standing = driven(driver.drive(), clock)
    assert standing.record.status.name == "complete"
    assert called_back == [True]
    assert clock.elapsed < 90
    assert state_of(standing.record).ledger.judgements == 1


@pytest.mark.row("P07")
@pytest.mark.ruling(49)
def test_an_outage_is_waited_for_and_is_no_verdict() -> None:
    clock = TurnedClock()
    down = [CallFailed("server", "503")] * 4
    judge = Judge([*down, ACCEPTS])
    with_judge = host(Script([claims]), Facts(MET), clock, judging=Judging(judge))
    standing = driven(run(judged(), with_judge), clock)
    assert standing.record.status.name == "complete"
    assert clock.elapsed > 60
    assert state_of(standing.record).ledger.judgements == 1
