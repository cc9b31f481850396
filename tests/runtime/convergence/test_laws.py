"""The laws of the loop over random lives: agents that lie, stall and crash, judges that say anything
or nothing, people who interject, restarts anywhere, a clock that goes back."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec import Monitor
from goalspec.runtime.convergence import REASONS, Policy, events
from goalspec.runtime.convergence.effects import AskJudge, Continue, EndRun, ObserveFacts, WakeAt
from goalspec.runtime.judge.answer import Invalid
from goalspec.runtime.judge.outcome import Exhausted, Misconfigured, Outage, Unusable
from goalspec.runtime.lifecycle import Refusal, exhausted, is_unfinished
from goalspec.runtime.lifecycle.commands import Create, Pause, Resume
from goalspec.runtime.lifecycle.draft import FINAL
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.convergence.loop import Loop, checked, judged, says, tool
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

CODES = {code for stage in REASONS.values() for code in stage}
TURNS = 12
GOALS = {
    "checked": checked(f"budget {{ turns {TURNS} }}"),
    "judged": judged(f'stop no-access "A credential is missing"\nbudget {{ turns {TURNS} }}'),
    "awaited": checked(f'awaited criterion seen "Seen" check reviewed\nbudget {{ turns {TURNS} }}'),
}
OUTCOMES: list[Any] = [
    says("accept"), says("continue"), says("blocked"), says("continue", stop="no-access"),
    Outage("server", "503", closed=False), Outage("auth", "401", closed=True),
    Misconfigured("no model"), Exhausted("invocations", "3 of 3"),
    Unusable(Invalid("word", "It is no answer.")),
]  # fmt: skip
FACTS: list[Any] = [
    {}, {"suite.passed": False}, {"suite.passed": True, "reviewed": False},
    {"suite.passed": True, "reviewed": True},
]  # fmt: skip
STOPS: list[Any] = [*["end"] * 6, "length", "error", "error", "interrupted"]
ERRORS: list[Any] = ["retriable", "terminal", "auth", "policy", "usage_limit", "system"]
PINNED = {"ship.goal": "a" * 64}


class Lives(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.loop = Loop()
        self.settled: dict[str, int] = {}
        self.given: list[Continue] = []
        self.calls: set[int] = set()

    def send(self, event: Any, accepting: bool = False) -> str:
        loop, before = self.loop, self.loop.record
        reason = loop.send(event)
        after, decision = loop.record, loop.last
        assert decision is not None
        assert reason in CODES
        assert after.generation >= before.generation
        if before.status.name in FINAL or before.goal is None:
            assert after.status == before.status
        if after.status.name == "complete" and before.status.name != "complete":
            self.completes(decision, accepting)
        calls = loop.found(AskJudge)
        assert len(calls) <= 1
        for call in calls:
            assert loop.state.asked.number == call.number
            assert call.number not in self.calls
            assert loop.verdict is not None
            if call.mode == "full":
                assert loop.verdict.floor in ("met", "empty")
            self.calls.add(call.number)
        for given in loop.found(Continue):
            assert after.claim is not None
            assert after.claim.key == given.key
            assert after.status.name == "active"
            assert after.turn.state == "idle"
            assert after.goal is not None
            assert exhausted(after.goal.budget, after.usage) is None
            self.given.append(given)
        running = ("active", "parked")
        ends = before.status.name in running and after.status.name not in running
        assert bool(loop.found(EndRun)) == ends
        self.stalls_nowhere(reason)
        return reason

    def stalls_nowhere(self, reason: str) -> None:
        """An active goal for which nobody is at work, asked or waited for will be looked at."""
        record, state = self.loop.record, self.loop.state
        if record.status.name != "active" or record.turn.state == "open" or record.claim:
            return
        if state.asked or state.person_waits or state.held or reason in ("proposed", "charged"):
            return
        assert self.loop.found(WakeAt), reason

    def completes(self, decision: Any, accepting: bool) -> None:
        """Only over a met floor with nothing drifted, and by a verdict where one is needed."""
        verdict = self.loop.verdict
        assert verdict is not None
        assert verdict.floor == "met"
        assert not self.loop.state.drift
        assert verdict.done or accepting

    def answer_facts(self) -> None:
        loop = self.loop
        for asked in loop.found(ObserveFacts):
            assert loop.record.goal is not None
            monitor = Monitor(loop.record.goal)
            loop.verdict = monitor.observe(dict(loop.facts))
            self.send(events.Observed(loop.at, asked.number, monitor.state(), dict(loop.gates)))

    @initialize(goal=st.sampled_from(sorted(GOALS)), interval=st.sampled_from([0, 3]))
    def begins(self, goal: str, interval: int) -> None:
        self.loop = Loop(GOALS[goal], Policy(owner="host", interval=interval), gates=PINNED)
        self.restarts(0)

    @rule(trailing=st.sampled_from([0] * 11 + [8]))
    def restarts(self, trailing: int) -> None:
        self.send(events.Restarted(self.loop.at, trailing))
        self.answer_facts()

    @rule(
        outcome=st.sampled_from(
            ["started", "started", "started", "busy", "unavailable", "rejected"]
        )
    )
    @precondition(lambda life: life.loop.record.claim is not None)
    def continues(self, outcome: Any) -> None:
        claim = self.loop.record.claim
        assert claim is not None
        self.send(events.Continued(self.loop.at, claim.key, outcome, "so"))
        if outcome == "started" and self.loop.record.claim is not None:
            self.begins_a_run()

    @rule()
    def begins_a_run(self) -> None:
        before = self.loop.record
        if before.turn.state == "idle":
            self.loop.runs += 1
        self.send(events.Began(self.loop.at, f"run-{self.loop.runs}"))
        self.answer_facts()
        assert (self.loop.record.goal is None) == (before.goal is None)

    @rule(
        stop=st.sampled_from(STOPS), error=st.sampled_from(ERRORS), by=st.sampled_from(["continuation", "person"]),
        work=st.sampled_from([0, 0, 1, 2]), monitors=st.sampled_from([0, 0, 1]), again=st.booleans(),
        facts=st.sampled_from(FACTS),
    )  # fmt: skip
    def settles(
        self, stop: Any, error: Any, by: Any, work: int, monitors: int, again: bool, facts: Any
    ) -> None:
        loop, usage = self.loop, self.loop.record.usage
        loop.facts = facts
        id = f"s-{loop.runs}" if again and self.settled else f"s-{len(self.settled) + 100}"
        known = id in loop.record.settled
        older = "" < (loop.record.turn.opened_at or "") < loop.record.created_at
        event = events.Settled(
            loop.at, f"run-{loop.runs}", id, Usage(turns=1, tokens=10), "Done.",
            tuple(tool("x" * n) for n in range(work)), by, stop,
            error if stop == "error" else None, "so" if stop == "error" else None,
            monitors=monitors,
        )  # fmt: skip
        self.send(event)
        more = 0 if known or older or loop.record.goal is None else 10
        assert loop.record.usage.tokens - usage.tokens == more
        if more:
            self.settled[id] = self.settled.get(id, 0) + 1
            assert self.settled[id] == 1
        self.answer_facts()

    @precondition(lambda life: life.loop.status == "active")
    @rule(
        proposed=st.sampled_from([None, "complete", "complete", "blocked"]),
        work=st.sampled_from([0, 1, 2, 3]), facts=st.sampled_from(FACTS),
    )  # fmt: skip
    def works(self, proposed: Any, work: int, facts: Any) -> None:
        """A whole turn, from whatever is on its way to its settlement."""
        if self.loop.record.claim is not None:
            self.continues("started")
        elif self.loop.record.turn.state == "idle":
            self.begins_a_run()
        if proposed is not None:
            self.proposes(proposed)
        self.settles("end", None, "continuation", work, 0, False, facts)

    @precondition(lambda life: life.loop.state.asked is not None)
    @rule(outcome=st.sampled_from(OUTCOMES))
    def the_judge_answers(self, outcome: Any) -> None:
        self.is_judged(outcome, late=False, drifts=False)

    @rule(outcome=st.sampled_from(["complete", "complete", "blocked"]))
    def proposes(self, outcome: Any) -> None:
        self.send(events.Proposed(self.loop.at, outcome, "no access"))
        self.answer_facts()

    @precondition(lambda life: bool(life.calls))
    @rule(
        outcome=st.sampled_from(OUTCOMES),
        late=st.sampled_from([False, False, False, True]),
        drifts=st.booleans(),
    )
    def is_judged(self, outcome: Any, late: bool, drifts: bool) -> None:
        loop = self.loop
        asked = loop.state.asked
        number = min(self.calls) if late or asked is None else asked.number
        current = asked is not None and asked.what == "judge" and asked.number == number
        full = current and asked.mode == "full"
        accepting = full and outcome is OUTCOMES[0] and not drifts
        gates = {"ship.goal": "b" * 64} if drifts else dict(loop.gates)
        self.send(events.Judged(loop.at, number, outcome, gates, 1, 100), accepting)
        self.answer_facts()

    @rule(
        what=st.sampled_from(
            [*[events.Timer] * 6, *[events.Woke] * 3, events.Spoke, events.Interrupted]
        )
    )
    def happens(self, what: Any) -> None:
        self.send(what(self.loop.at))
        self.answer_facts()

    @rule()
    def the_work_drifts(self) -> None:
        self.loop.gates = {"ship.goal": "c" * 64}

    @rule(seconds=st.sampled_from([-600, 1, 10, 60, 300, 4000]))
    def time_passes(self, seconds: int) -> None:
        self.loop.later(seconds)

    @rule(
        command=st.sampled_from(
            [Pause(), *[Resume()] * 6, Create(goal=GOALS["checked"], replace=True)]
        )
    )
    def a_person_commands(self, command: Any) -> None:
        try:
            self.loop.ask(command, "person")
        except Refusal:
            return
        if isinstance(command, Create):
            self.loop.gates = PINNED
        self.send(events.Timer(self.loop.at))
        self.answer_facts()

    @invariant()
    def holds(self) -> None:
        loop = self.loop
        if loop.record.goal is None:
            return
        if loop.status != "active":
            assert loop.record.claim is None
        if not is_unfinished(loop.record):
            assert loop.record.status.name in FINAL

    def teardown(self) -> None:
        assert self.loop.replayed() == self.loop.record


Lives.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@pytest.mark.row("X15", "X11", "X12", "P02", "P06", "P08", "X08")
@pytest.mark.ruling(12, 50, 52)
class TestLives(Lives.TestCase):  # type: ignore[misc, name-defined]
    pass
