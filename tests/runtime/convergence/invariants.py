"""What must hold after every event of a loop, whoever lives in it: the invariants of a goal's life,
held against books that are kept here, from what was told and not from what the reducer made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from goalspec import Verdict
from goalspec.compiler.ir.document import Budget
from goalspec.runtime.convergence import REASONS, Decision, LoopEvent, Policy, State, events
from goalspec.runtime.convergence.effects import (
    AskJudge,
    Continue,
    Disarm,
    EndRun,
    ObserveFacts,
    RemindTodos,
    WakeAt,
    Withdraw,
)
from goalspec.runtime.convergence.policy import (
    CONTINUATIONS_WITHOUT_EFFECT,
    CONTINUATIONS_WITHOUT_PROGRESS,
    EQUAL_OUTPUTS,
    REMINDERS,
)
from goalspec.runtime.judge.outcome import Decided, Outage
from goalspec.runtime.lifecycle import Command, Step, is_unfinished
from goalspec.runtime.lifecycle.commands import Amend, Complete, Create
from goalspec.runtime.lifecycle.draft import FINAL
from goalspec.runtime.lifecycle.settling import evaluation_id
from goalspec.runtime.record import Record, Usage, read_stamp
from goalspec.runtime.record.parts import Actor

CODES = {code for stage in REASONS.values() for code in stage}
RUNNING = ("active", "parked")
STATUSES = {
    "cleared": {"cleared"},
    "active": {"active", "paused", "parked", "blocked", "budget_limited", "complete", "ended"},
    "parked": {"parked", "active", "paused", "blocked", "budget_limited", "complete", "ended"},
    "blocked": {"blocked", "paused"},
    "paused": {"paused"},
    "budget_limited": {"budget_limited"},
    "complete": {"complete"},
    "ended": {"ended"},
}
"""Where an event of the loop may lead. What lifts a mechanical block is said beside it."""
COUNTS = ("turns", "tokens", "tool_calls", "attempts", "runtime")


class Broken(AssertionError):
    """An invariant that does not hold, and where it was seen."""


NOTHING = Usage()


@dataclass
class Books:
    """What is known of the session beside its record."""

    settled: set[str] = field(default_factory=set)
    usage: Usage = NOTHING  # of the goal that is there
    session: Usage = NOTHING
    judged: tuple[int, int, Decimal] = (0, 0, Decimal(0))
    proposed: str | None = None  # by the runs that did not settle yet
    last: str | None = None  # the settlement that came last
    evaluated: str | None = None  # the evaluation that a judge answered last
    asked: dict[int, AskJudge] = field(default_factory=dict)  # judge calls in flight
    observed: bool = False  # are the facts younger than the last run that settled?
    met: bool = False  # did they meet the goal, without the Monitor's word?
    pinned: Mapping[str, str | None] | None = None
    drifted: bool = False
    begun: set[str] = field(default_factory=set)  # keys whose run began
    counted: set[str] = field(default_factory=set)  # keys that were started
    started: int = 0  # continuations of this goal
    restarts: int = 0
    idle: int = 0  # continuations since the last effect
    stuck: int = 0  # counted continuations since the last effect that was new
    surplus: int = 0  # runs that settled unannounced, which may count too
    effects: set[Any] = field(default_factory=set)
    looks: set[Any] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)  # that the last look was at
    outputs: list[str] = field(default_factory=list)
    todos: tuple[int, int] | None = None
    reminders: int = 0
    most_turns: int = 0  # that any budget of this goal allowed


@dataclass
class Watch:
    """Looks at each decision and each command. What a simulation knows better than the events say
    comes beside them: *truth* is whether the facts that were given meet the goal."""

    policy: Policy
    books: Books = field(default_factory=Books)
    reasons: Counter[str] = field(default_factory=Counter)

    def need(self, holds: bool, what: str, *more: Any) -> None:
        if not holds:
            raise Broken(f"{what} {' '.join(map(str, more))}".rstrip())

    # --- commands

    def commanded(self, before: Record, command: Command, actor: Actor, step: Step) -> None:
        after = step.record
        self.need(after.generation >= before.generation, "the generation fell")
        same_goal = after.created_at == before.created_at
        if before.status.name in FINAL and same_goal:
            self.need(after.status == before.status, "a final goal stands otherwise")
        if before.status.name in FINAL and not same_goal:
            self.need(actor == "person", "a final goal made way for", actor)
        if is_unfinished(before) and not same_goal:
            self.need(actor == "person", "an unfinished goal was taken away by", actor)
            kept = [one for one in step.archived if one.created_at == before.created_at]
            self.need(len(kept) == 1, "a goal that made way is in the history", len(kept), "times")
        if after.status.name == "complete" and before.status.name != "complete":
            self.need(isinstance(command, Complete) and actor == "person", "completed by", actor)
        if actor == "agent":
            allowed = {before.status.name} | ({"active"} if isinstance(command, Create) else set())
            self.need(after.status.name in allowed, "an agent changed how the goal stands")
        if not same_goal:
            self._another_goal()
        if not same_goal or self._forgets(before, after):
            self.books.proposed = None
        if isinstance(command, Amend) and actor == "person":
            self.books.pinned, self.books.drifted, self.books.proposed = None, False, None
        if after.generation != before.generation:
            self.books.observed = False
        goes_on = after.status.name == "active" and after.status.since != before.status.since
        if actor == "person" and (goes_on or after.generation != before.generation):
            self._person_acted()
        self._limits(after)
        self.shape(after)

    def _limits(self, record: Record) -> None:
        if record.goal is not None:
            turns = self.policy.budget_of(record.goal).turns or 0
            self.books.most_turns = max(self.books.most_turns, turns)

    def _another_goal(self) -> None:
        old = self.books
        self.books = Books(
            settled=old.settled, session=old.session, begun=old.begun, counted=old.counted,
            effects=old.effects, restarts=old.restarts, asked=old.asked, last=old.last,
        )  # fmt: skip

    def _person_acted(self) -> None:
        self._advanced()
        self.books.reminders = 0

    def restarted(self) -> None:
        """Whatever was in flight is gone."""
        self.books.asked.clear()
        self.books.restarts += 1

    # --- decisions

    def decided(
        self, before: Record, state: State, event: LoopEvent, verdict: Verdict | None,
        decision: Decision, truth: bool, accepts: int,
    ) -> None:  # fmt: skip
        """*state* is the one before; *truth* of the facts that *verdict* is of; *accepts* how many
        of a judge's calls really accepted."""
        after = decision.record
        self.reasons[decision.reason] += 1
        self.need(decision.reason in CODES, "an unknown reason")
        self._keeps_the_goal(before, after)
        self._keep_books(before, state, event, verdict, decision, truth)
        self._stands(before, event, after)
        self._charges(after, decision.state)
        for effect in decision.effects:
            match effect:
                case Continue():
                    self._continues(effect, after, decision, read_stamp(event.at))
                case AskJudge():
                    self._asks_judge(effect, after, decision.state, verdict)
                case Withdraw(number):
                    self.books.asked.pop(number, None)
                case ObserveFacts(number):
                    asked = decision.state.asked
                    self.need(asked is not None and asked.number == number, "asked and forgot")
                case RemindTodos():
                    self.books.reminders += 1
                    self.need(after.goal is None, "todos are recalled over a goal")
                    self.need(self.books.reminders <= REMINDERS, "todos are recalled for ever")
        ends = before.status.name in RUNNING and after.status.name not in RUNNING
        told = [e for e in decision.effects if isinstance(e, EndRun)]
        self.need(len(told) == ends, "the end of the run is told", len(told), "times")
        if isinstance(event, events.Spoke | events.Interrupted):
            self._disarms(before, decision)
        if after.status.name == "complete" and before.status.name != "complete":
            self._completes(before, event, verdict, decision, accepts)
        if after.status.name == "budget_limited" != before.status.name:
            self._limited(before, event, verdict, decision)
        if decision.reason in ("no_effect", "no_progress", "repetition"):
            self._guarded(decision.reason)
        if isinstance(event, events.Judged) and not isinstance(event.outcome, Decided):
            completed = after.status.name == "complete" != before.status.name
            self.need(not completed, "completed without a verdict")
            if isinstance(event.outcome, Outage):
                self.need(
                    after.status.name != "ended" or before.status.name == "ended",
                    "an outage ended the goal",
                )
        self.shape(after)
        self._stalls_nowhere(decision)

    def _keeps_the_goal(self, before: Record, after: Record) -> None:
        for name in ("goal", "created_at", "generation", "contract", "sealed"):
            same = getattr(before, name) == getattr(after, name)
            self.need(same, "an event of the loop changed the goal's", name)

    def _stands(self, before: Record, event: LoopEvent, after: Record) -> None:
        """Nothing resurrects, and only what may lift a stop does."""
        allowed = set(STATUSES[before.status.name])
        if isinstance(event, events.Spoke) and before.status.mechanical:
            allowed |= {"active", "budget_limited"}
        self.need(
            after.status.name in allowed,
            type(event).__name__, "led from", before.status.name, "to", after.status.name,
        )  # fmt: skip
        if before.status.name in FINAL:
            self.need(after.status == before.status, "a final goal stands otherwise")
            self.need(after.claim is None, "a final goal has a continuation")

    def _keep_books(
        self, before: Record, state: State, event: LoopEvent, verdict: Verdict | None,
        decision: Decision, truth: bool,
    ) -> None:  # fmt: skip
        books, after = self.books, decision.record
        match event:
            case events.Settled() | events.Charged():
                self._settled(before, event)
            case events.Proposed(_, outcome, _):
                if before.goal is not None and before.status.name == "active":
                    books.proposed = outcome
            case events.Observed():
                asked = state.asked
                current = asked is not None and asked.what == "facts"
                current = current and asked.number == event.number
                goal = before.goal
                if (current and state.goal == before.created_at and verdict is not None
                    and is_unfinished(before)
                    and goal is not None and verdict.contract == goal.contract):  # fmt: skip
                    self._observed(event, verdict, truth)
            case events.Judged():
                self._judged(before, state, event)
            case events.Continued(_, key, "started"):
                claim = after.claim
                began = before.claim is not None and before.claim.state == "claimed"
                started = claim is not None and (claim.key, claim.state) == (key, "started")
                if began and started and key not in books.counted:
                    books.counted.add(key)
                    books.started += 1
                    books.idle += 1
                    books.stuck += 0 if state.delayed else 1
            case events.Began(_, run):
                self._began(before, after, run)
            case events.Spoke():
                self._person_acted()
            case events.Woke(human=True):
                self._person_acted()
            case events.Restarted():
                books.reminders = 0
        if self._forgets(before, after):
            books.proposed = None

    def _forgets(self, before: Record, after: Record) -> bool:
        """Was it decided upon, so that nothing awaits an evaluation any more?"""
        status = after.status
        waits = status.mechanical or status.name in ("active", "paused", "parked")
        return status.since != before.status.since and not waits

    def _settled(self, before: Record, event: events.Settled | events.Charged) -> None:
        books = self.books
        by_person = isinstance(event, events.Settled) and event.by == "person"
        if by_person and before.goal is None:
            books.reminders = 0
        if before.goal is None or before.sealed or event.settlement in books.settled:
            return
        books.settled.add(event.settlement)
        books.last = event.settlement
        used = event.usage
        if isinstance(event, events.Charged):
            used = replace(used, turns=0)
        else:
            books.observed = False
            if books.proposed == "complete":
                used = replace(used, attempts=used.attempts + 1)
            books.proposed = None
            self._worked(event)
        older = "" < (before.turn.opened_at or "") < before.created_at
        books.usage = _plus(books.usage, Usage() if older else used)
        if not older:
            books.session = _plus(books.session, used)

    def _worked(self, event: events.Settled) -> None:
        books = self.books
        done = [(e.tool, e.arguments, e.result) for e in event.effects if e.succeeded]
        if event.by == "continuation" and event.run not in books.begun:
            books.surplus += 1
        if done:
            books.idle, books.outputs = 0, []
        else:
            books.outputs.append(event.output)
        if set(done) - books.effects:
            books.stuck = books.surplus = 0
        books.effects |= set(done)
        if event.todos is not None:
            if books.todos is not None and event.todos not in books.looks:
                self._advanced()
            books.todos = event.todos
            books.looks.add(event.todos)

    def _advanced(self) -> None:
        books = self.books
        books.idle = books.stuck = books.surplus = 0
        books.outputs = []

    def _observed(self, event: events.Observed, verdict: Verdict, truth: bool) -> None:
        books = self.books
        books.observed, books.met = True, truth
        if books.pinned is None:
            books.pinned = dict(event.gates)
        books.drifted = self._has_drifted(event.gates)
        outcomes = tuple((p.id, p.outcome) for p in (*verdict.criteria, *verdict.constraints))
        parts = {p.id for p in (*verdict.criteria, *verdict.constraints, *verdict.stops)}
        turned = outcomes not in books.looks and parts == books.parts
        changed = event.files is not None and event.files not in books.looks
        if turned or changed:
            self._advanced()
        books.looks |= {outcomes, event.files}
        books.parts = parts

    def _judged(self, before: Record, state: State, event: events.Judged) -> None:
        books = self.books
        asked = books.asked.pop(event.number, None)
        current = state.asked is not None and state.asked.number == event.number
        if asked is None or not current or state.goal != before.created_at:
            return
        books.evaluated = asked.evaluation
        books.drifted = self._has_drifted(event.gates)
        calls, tokens, cost = books.judged
        books.judged = calls + event.judgements, tokens + event.tokens, cost + event.cost

    def _has_drifted(self, gates: Mapping[str, str | None]) -> bool:
        """Is a pinned file another one, or can nobody read it?"""
        pinned = self.books.pinned
        return pinned is not None and (dict(gates) != pinned or None in gates.values())

    def _began(self, before: Record, after: Record, run: str) -> None:
        began = before.turn.state == "idle" and after.turn.run == run
        self.books.begun.add(run)
        if began and before.claim is not None and before.claim.state == "started":
            key = before.claim.key
            self.need(key not in self.books.begun, "a continuation began twice:", key)
            self.books.begun.add(key)

    # --- what must hold

    def _charges(self, record: Record, state: State) -> None:
        if record.goal is not None:
            self.need(_same(record.usage, self.books.usage), "the goal's usage is",
                      record.usage, "and not", self.books.usage)  # fmt: skip
        self.need(_same(state.ledger.session, self.books.session), "the ledger's usage is",
                  state.ledger.session, "and not", self.books.session)  # fmt: skip
        ledger = state.ledger
        taken = (ledger.judgements, ledger.judge_tokens, Decimal(ledger.judge_cost))
        if record.goal is not None and state.goal == record.created_at:
            self.need(taken == self.books.judged, "the judge's ledger is", taken)

    def _continues(self, given: Continue, after: Record, decision: Decision, now: int) -> None:
        books, claim = self.books, after.claim
        self.need(claim is not None and claim.key == given.key, "continued without a claim")
        assert claim is not None and after.goal is not None
        self.need(claim.state in ("claimed", "started"), "continued under a claim", claim.state)
        self.need(now < read_stamp(claim.expires_at), "continued under a claim that is over")
        self.need(claim.owner == self.policy.owner, "continued under another's claim")
        self.need(given.key not in books.begun, "a continuation that began is given again")
        self.need(after.status.name == "active", "continued while", after.status.name)
        self.need(after.turn.state == "idle", "continued beside an open turn")
        self.need(not decision.state.person_waits, "continued before a person's message")
        if decision.reason == "recovered":
            return  # it was decided before the crash
        self.need(books.observed, "continued over old facts")
        budget = self.policy.budget_of(after.goal)
        self.need(not reached(budget, books.usage), "continued over the budget")
        self.need(books.idle < CONTINUATIONS_WITHOUT_EFFECT, "the loop has no effect")
        self.need(books.stuck < CONTINUATIONS_WITHOUT_PROGRESS, "the loop leads nowhere")
        last = books.outputs[-EQUAL_OUTPUTS:]
        equal = len(last) == EQUAL_OUTPUTS and len(set(last)) == 1
        self.need(not equal, "the loop says the same again and again")
        most = books.most_turns + books.restarts
        self.need(books.started < most, "continued", books.started, "times of", most)

    def _asks_judge(
        self, asked: AskJudge, after: Record, state: State, verdict: Verdict | None
    ) -> None:
        self.need(not self.books.asked, "a judge is asked beside another")
        self.need(self.policy.judges, "a judge is asked that nobody has")
        self.books.asked[asked.number] = asked
        awaited = state.asked
        self.need(awaited is not None and awaited.number == asked.number, "asked and forgot")
        self.need(after.pending is not None, "a judge is asked about nothing")
        assert after.pending is not None and verdict is not None
        self.need(after.pending.evaluation == asked.evaluation, "a judge is asked of the past")
        self.need(self.books.observed, "a judge is asked over old facts")
        if asked.mode == "full":
            self.need(verdict.floor in ("met", "empty"), "a judge may accept over", verdict.floor)
            self.need(not self.books.drifted, "a judge may accept over drift")

    def _disarms(self, before: Record, decision: Decision) -> None:
        """What a person says goes before the continuation that was on its way."""
        self.need(decision.record.claim is None, "a continuation outlives a person's word")
        told = [e.key for e in decision.effects if isinstance(e, Disarm)]
        due = [] if before.claim is None else [before.claim.key]
        self.need(told == due, "a continuation is not called off:", *due)

    def _completes(
        self, before: Record, event: LoopEvent, verdict: Verdict | None, decision: Decision,
        accepts: int,
    ) -> None:  # fmt: skip
        assert verdict is not None and before.goal is not None
        self.need(self.books.observed, "completed over old facts")
        self.need(self.books.met, "completed over facts that do not meet the goal")
        self.need(not self.books.drifted, "completed over drift")
        self.need(not decision.state.drift, "completed over drift that is listed")
        self.need(verdict.floor in ("met", "empty"), "completed over a floor", verdict.floor)
        self.need(not verdict.stopped, "completed over a stop")
        if verdict.done:
            return
        self.need(decision.reason == "accepted", "completed without a judge")
        outcome = event.outcome if isinstance(event, events.Judged) else None
        self.need(isinstance(outcome, Decided), "accepted without a verdict")
        assert isinstance(outcome, Decided)
        quorum = None if before.goal.judge is None else before.goal.judge.quorum
        self.need(outcome.decision == "accept", "completed over", outcome.decision)
        self.need(accepts >= (1 if quorum is None else quorum.needed), "accepted by", accepts)
        assert self.books.last is not None
        current = evaluation_id(before, self.books.last)
        self.need(self.books.evaluated == current, "accepted an evaluation of the past")

    def _limited(
        self, before: Record, event: LoopEvent, verdict: Verdict | None, decision: Decision
    ) -> None:
        """Only an enforced limit, and only after the last allowed turn was evaluated."""
        assert before.goal is not None
        budget = self.policy.budget_of(before.goal)
        self.need(bool(reached(budget, self.books.usage)), "limited within the budget")
        if decision.reason != "budget":
            return
        assert verdict is not None
        self.need(self.books.observed, "limited before the last turn was looked at")
        self.need(not (verdict.done and not self.books.drifted), "limited though it is done")
        left = any(p.outcome == "judged" for p in (*verdict.gating, *verdict.binding))
        met = verdict.floor in ("met", "empty")
        asks = before.goal.judge is not None and self.policy.judges
        if left and met and asks and not self.books.drifted:
            assert self.books.last is not None
            current = evaluation_id(before, self.books.last)
            answered = self.books.evaluated == current or before.pending is None
            self.need(answered, "limited before the last turn was judged")

    def _guarded(self, reason: str) -> None:
        books = self.books
        least = {"no_effect": CONTINUATIONS_WITHOUT_EFFECT,
                 "no_progress": CONTINUATIONS_WITHOUT_PROGRESS}.get(reason, 0)  # fmt: skip
        counted = {"no_effect": books.idle, "no_progress": books.stuck}.get(reason, 0)
        self.need(counted + books.surplus >= least, reason, "after", counted, "continuations")
        if reason == "repetition":
            equal = Counter(books.outputs)
            self.need(max(equal.values(), default=0) >= EQUAL_OUTPUTS, "nothing was repeated")

    def shape(self, record: Record) -> None:
        """One goal, and nothing under way beside what may be."""
        name = record.status.name
        self.need((name == "cleared") == (record.goal is None), "a goal is cleared, or not")
        self.need(record.claim is None or name == "active", "a claim while", name)
        waits = record.candidate is not None or record.pending is not None
        self.need(not waits or is_unfinished(record), "an evaluation awaited while", name)
        self.need(len(record.settled) <= 256, "too many settlements are kept")

    def _stalls_nowhere(self, decision: Decision) -> None:
        """An active goal for which nobody is at work, asked or waited for will be looked at."""
        record, state = decision.record, decision.state
        if record.status.name == "parked":
            return
        if record.status.name != "active" or record.turn.state == "open" or record.claim:
            return
        if state.asked or state.person_waits or state.held:
            return
        if decision.reason in ("proposed", "charged"):
            return  # what was waited for before is waited for still
        self.need(any(isinstance(e, WakeAt) for e in decision.effects), "stalls at",
                  decision.reason)  # fmt: skip


def _plus(usage: Usage, more: Usage) -> Usage:
    counts = {name: getattr(usage, name) + getattr(more, name) for name in COUNTS}
    costs = [_cost(one) for one in (usage, more) if one.cost is not None]
    return replace(usage, cost=f"{sum(costs, Decimal(0)):.2f} USD" if costs else None, **counts)


def _cost(usage: Usage) -> Decimal:
    return Decimal((usage.cost or "0").split()[0])


def _same(one: Usage, other: Usage) -> bool:
    counts = all(getattr(one, name) == getattr(other, name) for name in COUNTS)
    return counts and (one.cost is None) == (other.cost is None) and _cost(one) == _cost(other)


def reached(budget: Budget, usage: Usage) -> list[str]:
    """The limits that are reached."""
    limits = {name: getattr(budget, name) for name in ("turns", "tokens", "tool_calls", "attempts")}
    over = [n for n, limit in limits.items() if limit is not None and getattr(usage, n) >= limit]
    if budget.runtime is not None:
        span = {"s": 1, "m": 60, "h": 3600}[budget.runtime[-1]] * int(budget.runtime[:-1])
        over += ["runtime"] if usage.runtime >= span * 1_000_000_000 else []
    if budget.cost is not None and usage.cost is not None:
        over += ["cost"] if _cost(usage) >= Decimal(budget.cost.split()[0]) else []
    return over
