"""Lives of goals around the driver itself: a store in memory, a clock that nobody waits for, and an
agent, facts, a judge, persons and crashes that are made of one seed. What must hold is read from
the store's journal and from what the agent and the judge saw.

    python -m goalspec.tests.runtime.driving.simulation 200 --seed 1
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from goalspec.runtime.convergence import Policy, state_of
from goalspec.runtime.convergence.events import Began, Charged, Effect, Settled, Spoke, Woke
from goalspec.runtime.driving import Driver, Judging, Proposal, Session, Standing, Turn, Worked
from goalspec.runtime.goals import Goals
from goalspec.runtime.judge import CallFailed, Prompt, Reply, Usage
from goalspec.runtime.judge import Policy as JudgePolicy
from goalspec.runtime.lifecycle import Command, Refusal, apply
from goalspec.runtime.lifecycle import commands as c
from goalspec.runtime.lifecycle.draft import FINAL
from goalspec.runtime.record import Record
from goalspec.runtime.record import Usage as Used
from goalspec.runtime.store.port import Entry
from goalspec.tests.runtime.convergence.invariants import Broken
from goalspec.tests.runtime.convergence.simulated_goals import Contract, contract_of, raised
from goalspec.tests.runtime.convergence.simulated_judges import ROUTE
from goalspec.tests.runtime.driving.hosts import TurnedClock, driven, host, store_at

SESSION = "s-1"
RUNS = 6  # of a driver, each after a crash or a stand
WORDS = "zero one two three four five six seven eight nine".split()


class Dying(Session):
    """A session whose process may be killed: then nothing is given back."""

    is_dead = False

    async def close(self) -> None:
        if not self.is_dead:
            await super().close()


@dataclass
class Life:
    """One life, all of it made of *seed*."""

    seed: int
    working: int = 0  # turns at once
    asking: int = 0  # judge calls at once
    worked: list[Turn] = field(default_factory=list)
    told: dict[str, int] = field(
        default_factory=dict
    )  # by which driver a run was worked to its end
    cut_short: set[int] = field(default_factory=set)  # drivers that were killed, or taken over
    looks: list[Mapping[str, Any]] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    seen: list[str] = field(
        default_factory=list
    )  # by those whom the driver calls, of what is wrong
    accepts: int = 0
    people: int = 0
    runs: int = 0

    def __post_init__(self) -> None:
        rng = self.rng = Random(self.seed)
        self.clock = TurnedClock()
        self.store = store_at(self.clock)
        self.goals = Goals(self.store)
        self.contract: Contract = contract_of(rng)
        self.facts: dict[str, Any] = {
            "suite.passed": False, "reviewed": False, "access.lost": False, "scope.kept": True,
        }  # fmt: skip
        self.pinned: dict[str, str | None] = {"ship.goal": "a"}
        self.crashes = rng.choice([0, 0, 0.1, 0.3])
        self.persons = rng.choice([0, 0.1, 0.3])
        self.honesty = rng.choice([0.0, 0.2, 0.6])
        self.trouble = rng.choice([0, 0.1, 0.5])
        self.driver: Driver | None = None
        self.driving: asyncio.Future[Standing] | None = None
        self.session: Dying | None = None

    def live(self) -> None:
        """Raises Broken where an invariant does not hold."""
        try:
            self.goals.perform(SESSION, c.Create(goal=self.contract.goal), "person")
            driven(self._lives(), self.clock)
            need(not self.seen, "; ".join(self.seen))
            self._check()
        except Broken:
            raise
        except Exception as error:
            raise Broken(f"the driver died: {type(error).__name__}: {error}") from error

    async def _lives(self) -> None:
        for _ in range(RUNS):
            self.runs += 1
            crashed = await self._drive()
            record = self.goals.record(SESSION)
            if not crashed and not self._goes_on(record):
                return

    async def _drive(self) -> bool:
        """Drive on until the run ends. Did it crash?"""
        self.session = Dying(self.store, SESSION, self.clock)
        used = host(
            self._agent, self._facts, self.clock, pins=self,
            judging=Judging(self, JudgePolicy(attempts=2, deadline=300)),
        )  # fmt: skip
        policy = Policy(owner="driver", interval=self.rng.choice([0, 0, 2]))
        self.driver = Driver(self.session, used, policy)
        self.driving = asyncio.ensure_future(self.driver.drive())
        others = asyncio.ensure_future(self._others())
        try:
            standing = await self.driving
        except asyncio.CancelledError:
            need(self.session.is_dead, "the driver was cancelled by itself")
            self.cut_short.add(self.runs)
            return True
        finally:
            others.cancel()
        self.reasons[standing.reason] += 1
        need(self.working == 0, "the driver left a turn at work")
        if standing.reason == "taken_over":
            self.cut_short.add(self.runs)
        return False

    def _goes_on(self, record: Record) -> bool:
        """A person has the goal go on, where it may."""
        if self.rng.random() < 0.4:
            return False
        self.people += 1
        for command in (c.Resume(), c.Amend(goal=raised(self.contract.goal), reason="more")):
            try:
                self.goals.perform(SESSION, command, "person")
                return True
            except Refusal:
                continue
        return record.status.name in ("active", "parked")

    def _kill(self) -> None:
        assert self.session is not None and self.driving is not None
        self.session.is_dead = True
        self.driving.cancel()

    def _see(self, holds: bool, what: str) -> None:
        """What the driver's own guards against hosts would swallow is kept."""
        if not holds:
            self.seen.append(what)

    # --- what the driver is given

    async def _agent(self, turn: Turn) -> Worked:
        self._see(self.working == 0, "two turns are worked at once")
        self._see(turn.key not in [one.key for one in self.worked], f"{turn.key} is worked twice")
        record = self.goals.record(SESSION)
        self._see(record.status.name == "active", f"a turn is worked while {record.status.name}")
        self._see(record.turn.run == turn.run, "a turn is worked that is not open")
        self.worked.append(turn)
        self.working += 1
        try:
            worked = await self._works(turn)
        finally:
            self.working -= 1
        self.told[turn.run] = self.runs
        return worked

    async def _works(self, turn: Turn) -> Worked:
        rng = self.rng
        await self.clock.sleep(rng.choice([0, 1, 30, 200]))
        if rng.random() < self.crashes:
            self._kill()
            await asyncio.Event().wait()
        if rng.random() < self.trouble:
            return self._fails()
        if rng.random() < self.honesty:
            self.facts |= {n: v for n, v in self.contract.needs.items() if rng.random() < 0.8}
        if rng.random() < 0.1:
            self.pinned["ship.goal"] = rng.choice(["a", "a", "b", None])
        outcome: Any = rng.choice([*[None] * 4, *["complete"] * 3, "blocked"])
        fresh = Effect("write", "login.py", f"wrote {'x' * len(self.worked)}")
        return Worked(
            output=f"I say {WORDS[rng.randrange(10)]}.", usage=Used(tokens=10, tool_calls=1),
            effects=rng.choice([(), (), (fresh,)]),
            proposal=None if outcome is None else Proposal(outcome, "so it is"),
            todos=rng.choice([None, None, (1, 2)]),
        )  # fmt: skip

    def _fails(self) -> Worked:
        kind: Any = self.rng.choice(
            ["retriable", "terminal", "auth", "policy", "usage_limit", "system", "length", "raise",
             "refused"]
        )  # fmt: skip
        if kind == "raise":
            raise RuntimeError("the socket is gone")
        if kind == "length":
            return Worked("I was cut", stop="length")
        if kind == "refused":
            return Worked("I took less than nothing", usage=Used(tokens=0, cost="1.00 XXX"))
        return Worked("", stop="error", error=kind, detail="so it is")

    async def _facts(self) -> Mapping[str, Any]:
        await self.clock.sleep(self.rng.choice([0, 0, 2]))
        if self.rng.random() < self.trouble / 3:
            raise RuntimeError("no route")
        self.looks.append(dict(self.facts))
        return dict(self.facts)

    def hashes(self) -> Mapping[str, str | None]:
        return dict(self.pinned)

    @property
    def route(self) -> Any:
        return ROUTE

    async def __call__(self, prompt: Prompt) -> Reply:
        self._see(self.asking == 0, "two judge calls are in flight")
        self.asking += 1
        try:
            await self.clock.sleep(self.rng.choice([0, 1, 50, 130]))
            return self._judges(prompt)
        finally:
            self.asking -= 1

    def _judges(self, prompt: Prompt) -> Reply:
        word = self.rng.choice(["accept", "accept", "continue", "prose", "down", "auth", "cut"])
        if word == "down":
            raise CallFailed("server", "503")
        if word == "auth":
            raise CallFailed("auth", "401")
        if word == "prose":
            return Reply("It is complete, I accept!")
        said = _answer(prompt.schema, word)
        if word == "cut":
            return Reply(json.dumps(said)[:30], "length")
        self.accepts += said["decision"] == "accept"
        return Reply(json.dumps(said), usage=Usage(50, 5))

    # --- who comes besides

    async def _others(self) -> None:
        while True:
            await self.clock.sleep(self.rng.choice([3, 40, 300]))
            if self.rng.random() < self.crashes:
                self._kill()
                return
            if self.rng.random() < self.persons:
                await self._person()

    async def _person(self) -> None:
        assert self.driver is not None
        self.people += 1
        what = self.rng.choice(["speaks", "interrupts", "wakes", "charges", "commands", "commands"])
        if what == "speaks":
            await self._speaks(self.driver)
        elif what == "interrupts":
            self.driver.interrupt()
        elif what == "wakes":
            self.driver.send(Woke("", human=True))
        elif what == "charges":
            self.driver.send(Charged("", f"sub-{len(self.worked)}", Used()))
        else:
            commands: list[Command] = [
                c.Pause(), c.Resume(), c.Complete(), c.Amend(goal=raised(self.contract.goal), reason="so"),
                c.Clear(), c.Cancel(), c.Block(reason="no"), c.Show(hidden=True),
            ]  # fmt: skip
            try:
                self.goals.perform(SESSION, self.rng.choice(commands), "person")
            except Refusal:
                return

    async def _speaks(self, driver: Driver) -> None:
        """A person's message, and the run that the host itself answers it with."""
        run = f"person-{self.people}"
        driver.send(Spoke(""))
        await self.clock.sleep(self.rng.choice([0, 3]))
        driver.send(Began("", run))
        await self.clock.sleep(self.rng.choice([0, 20]))
        driver.send(Settled("", run, run, Used(turns=1, tokens=3), by="person"))

    # --- what must hold

    def _check(self) -> None:
        need(self.goals.check_journal(SESSION) == [], "the journal gives another record")
        record, charged = Record(session=SESSION), Counter[str]()
        for entry in self.store.journal(SESSION):
            after = apply(record, entry.event)
            self._holds(record, entry, after)
            if entry.event.kind == "progress_accounted":
                charged[str(entry.event.details["settlement"])] += 1
            record = after
        need(max(charged.values(), default=0) <= 1, "a settlement was charged twice")
        lost = [run for run, driver in self.told.items()
                if not charged[run] and driver not in self.cut_short]  # fmt: skip
        need(not lost, f"turns were worked and not charged: {lost}")
        worked = {turn.run for turn in self.worked}
        turns = sum(run in worked or run.startswith("person-") for run in charged)
        if record.goal is not None:
            need(record.usage.turns == turns, f"{record.usage.turns} turns of {turns} are charged")
        ledger = state_of(record).ledger
        need(ledger.session.turns == turns, f"the ledger has {ledger.session.turns} of {turns}")
        self._is_bounded()

    def _holds(self, before: Record, entry: Entry, after: Record) -> None:
        event = entry.event
        need(after.generation >= before.generation, "the generation fell")
        if before.status.name in FINAL and event.kind not in ("created", "cleared"):
            need(after.status == before.status, "a final goal stands otherwise")
        if before.goal is not None and after.created_at != before.created_at:
            need(event.actor == "person", f"a goal was taken away by the {event.actor}")
        if event.actor != "person" and after.status.name == "active" != before.status.name:
            lifted = before.status.name == "parked" or before.status.mechanical
            need(lifted, f"{before.status.name} became active by nobody")
        if event.kind == "continuation_claimed":
            need(before.status.name == "active", "continued a goal that is not active")
            need(before.turn.state == "idle", "continued beside an open turn")
            need(before.claim is None or before.claim.state == "deferred", "two continuations")
        if event.kind == "begun":
            need(before.turn.state == "idle", "a run began over another")
        completes = after.status.name == "complete" != before.status.name
        if completes and event.actor != "person":
            self._completes(before)

    def _completes(self, before: Record) -> None:
        need(any(map(self.contract.is_met_by, self.looks)), "completed by no facts")
        left = [part for part in (*before.goal.criteria, *before.goal.constraints)  # type: ignore[union-attr]
                if part.check is None]  # fmt: skip
        need(not left or self.accepts > 0, "completed without a judge")

    def _is_bounded(self) -> None:
        """The turns are within the budget, or the one that a person raised it to; a turn that a
        crash cut short is not charged, and not worked twice."""
        budget = self.contract.goal.budget
        most = 25 if budget is None or budget.turns is None else budget.turns
        most = max(most, 90) if self.people else most
        need(len(self.worked) <= most + self.runs, f"{len(self.worked)} turns of {most}")


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Broken(what)


def _answer(schema: Mapping[str, Any], word: str) -> dict[str, Any]:
    """An answer of the schema, quoting what every judge is shown."""
    good = {"criteria": "met", "constraints": "held", "stops": "held"}
    bad = {"criteria": "unmet", "constraints": "violated", "stops": "unclear"}
    asked = schema["properties"]
    accepts = word == "accept" and "accept" in asked["decision"]["enum"]
    quote = [{"source": "facts", "quote": "suite.passed"}]
    lists = {
        kind: {
            id: {"evidence": quote, "reason": "so", "outcome": (good if accepts else bad)[kind]}
            for id in asked[kind]["properties"]
        }
        for kind in good
        if kind in asked
    }
    part = next(id for kind in lists for id in lists[kind])
    step = None if accepts else {"part": part, "step": "Explain the cause."}
    return {**lists, "decision": "accept" if accepts else "continue", "next_step": step}


@dataclass
class Tally:
    lives: int = 0
    turns: int = 0
    runs: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)


def simulated(seeds: Iterable[int]) -> Tally:
    tally = Tally()
    for seed in seeds:
        life = Life(seed)
        try:
            life.live()
        except Broken as broken:
            tally.broken.append(f"seed {seed}: {broken}")
        tally.lives += 1
        tally.turns += len(life.worked)
        tally.runs += life.runs
        tally.reasons += life.reasons
        tally.endings[life.goals.record(SESSION).status.name] += 1
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lives", type=int)
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    asked = parser.parse_args()
    began = time.monotonic()
    tally = simulated(range(asked.seed, asked.seed + asked.lives))
    took = time.monotonic() - began
    print(f"{tally.lives} lives, {tally.runs} drivers, {tally.turns} turns, {took:.1f} s")
    print("endings:", dict(tally.endings.most_common()))
    print("reasons:", dict(tally.reasons.most_common()))
    for words in tally.broken:
        print("BROKEN", words)
    raise SystemExit(bool(tally.broken))


if __name__ == "__main__":
    main()
