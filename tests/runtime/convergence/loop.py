"""A host without a clock: it sends events to the reducer, takes facts when it is asked to, and starts
each continuation that it is given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from goalspec import Monitor, Verdict
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.convergence import Decision, LoopEvent, Policy, events, step
from goalspec.runtime.convergence.effects import AskJudge, Continue, ObserveFacts, WakeAt
from goalspec.runtime.convergence.state import state_of
from goalspec.runtime.judge.answer import Answer, NextStep, PartVerdict
from goalspec.runtime.judge.quorum import Decided
from goalspec.runtime.lifecycle import Command, decide, replay
from goalspec.runtime.lifecycle.commands import Create
from goalspec.runtime.record import Actor, Record, Usage, read_record, read_stamp, write_record
from goalspec.runtime.record.times import SECOND, write_stamp
from goalspec.tests.runtime.judge.goals import goal_of
from goalspec.tests.runtime.record.records import at

HEAD = 'facts { suite.passed : bool  reviewed : bool }\ngoal ship { objective "Ship it."\n'
CHECKED = HEAD + 'criterion passes "The suite passes" check suite.passed\n'
JUDGE = 'judge { model "judge-1" provider "acme" max_invocations 3 }\n'
JUDGED = CHECKED + 'criterion cause "The message explains the cause"\n' + JUDGE
POLICY = Policy(owner="host", turns=1_000_000)


def checked(rest: str = "") -> Goal:
    return goal_of(CHECKED + rest + "}")


def judged(rest: str = "") -> Goal:
    return goal_of(JUDGED + rest + "}")


@dataclass
class Loop:
    goal: Goal | None = None
    policy: Policy = POLICY
    facts: Mapping[str, Any] = field(default_factory=lambda: {"suite.passed": False})
    gates: Mapping[str, str | None] = field(default_factory=dict)
    files: str | None = None
    record: Record = field(default_factory=lambda: Record(session="s-1"))
    now: int = read_stamp(at(0))
    runs: int = 0
    verdict: Verdict | None = None
    journal: list[Any] = field(default_factory=list)
    last: Decision | None = None

    def __post_init__(self) -> None:
        if self.goal is not None:
            self.ask(Create(goal=self.goal), "person")

    @property
    def at(self) -> str:
        return write_stamp(self.now)

    @property
    def status(self) -> str:
        return self.record.status.name

    @property
    def state(self) -> Any:
        return state_of(self.record)

    def ask(self, command: Command, actor: Actor) -> None:
        done = decide(self.record, command, actor, self.at)
        self.journal += done.events
        self.record = done.record

    def send(self, event: LoopEvent) -> str:
        """The reason of the decision; the record goes through JSON, and its journal gives it."""
        before = self.record
        decision = step(before, self.verdict, event, self.policy)
        assert step(before, self.verdict, event, self.policy) == decision
        self.journal += decision.events
        self.record = read_record(json.dumps(write_record(decision.record)))
        assert self.record == decision.record
        assert state_of(self.record) == decision.state
        self.last = decision
        return decision.reason

    def replayed(self) -> Record:
        return replay(self.journal, "s-1")

    def found(self, kind: type) -> list[Any]:
        return [] if self.last is None else [e for e in self.last.effects if isinstance(e, kind)]

    def tell(self, kind: Any, *args: Any, **values: Any) -> str:
        """Send it, and answer what it asks of the facts."""
        reason = self.send(kind(self.at, *args, **values))
        [*asked] = self.found(ObserveFacts)
        return self.observe(asked[0].number) if asked else reason

    def observe(self, number: int) -> str:
        assert self.record.goal is not None
        monitor = Monitor(self.record.goal)
        self.verdict = monitor.observe(dict(self.facts))
        return self.send(
            events.Observed(self.at, number, monitor.state(), dict(self.gates), self.files)
        )

    def open(self) -> str:
        return self.tell(events.Restarted)

    def later(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)

    def until_due(self, why: str, short: int = 0) -> None:
        """Go to the time that a wake was asked for, *short* microseconds before it."""
        [wake] = [e for e in self.found(WakeAt) if e.why == why]
        self.now = read_stamp(wake.at) - short

    def start(self) -> Continue:
        """Begin the run of the continuation that was given."""
        [given] = self.found(Continue)
        assert self.send(events.Continued(self.at, given.key, "started")) == "single_flight"
        self.begin()
        assert isinstance(given, Continue)
        return given

    def begin(self) -> None:
        self.runs += 1
        assert self.send(events.Began(self.at, f"run-{self.runs}")) in ("turn_open", "person_waits")

    def settle(self, **values: Any) -> str:
        self.later(1)
        settled = {
            "usage": Usage(turns=1, tokens=10),
            "output": f"words {'x' * self.runs}",
            **values,
        }
        return self.tell(events.Settled, f"run-{self.runs}", f"s-{self.runs}", **settled)

    def turn(self, **values: Any) -> str:
        """A whole turn of the continuation that was given."""
        self.start()
        return self.settle(**values)

    def propose(self, outcome: str = "complete", reason: str | None = None) -> None:
        assert self.send(events.Proposed(self.at, outcome, reason)) == "turn_open"  # type: ignore[arg-type]

    def judge(self, outcome: Any, **values: Any) -> str:
        asked = self.state.asked
        assert asked is not None and asked.what == "judge"
        taken = {"gates": dict(self.gates), "judgements": 1, "tokens": 100, **values}
        reason = self.send(events.Judged(self.at, asked.number, outcome, **taken))
        [*more] = self.found(ObserveFacts)
        return self.observe(more[0].number) if more else reason

    def asked_judge(self) -> AskJudge:
        [asked] = self.found(AskJudge)
        assert isinstance(asked, AskJudge)
        return asked


def tool(result: str, **values: Any) -> events.Effect:
    return events.Effect("run", "make test", result, **values)


def says(decision: str, stop: str = "", text: str = "Explain the cause.") -> Decided:
    outcome = {"accept": "met"}.get(decision, "unmet")
    parts = (PartVerdict("criteria", "cause", outcome, "so", ()),)
    if stop:
        parts += (PartVerdict("stops", stop, "stopped", "so", ()),)
    following = None if decision == "accept" else NextStep("cause", text)
    answer = Answer(decision, parts, following)  # type: ignore[arg-type]
    return Decided(answer.decision, parts, following, (answer,))
