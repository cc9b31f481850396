"""One simulated life of a goal: an agent, facts, a judge, persons, monitors, subagents, crashes and a
clock, all made of one seed, around the reducer that is the loop's. Nothing sleeps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

from goalspec import Monitor, Verdict
from goalspec.runtime.convergence import Decision, LoopEvent, Policy, events, state_of, step
from goalspec.runtime.convergence.effects import (
    AskJudge,
    AskToResume,
    Continue,
    Disarm,
    ObserveFacts,
    RemindTodos,
    WakeAt,
    Withdraw,
)
from goalspec.runtime.driving.judging import spent
from goalspec.runtime.judge import JudgeRequest
from goalspec.runtime.lifecycle import Command, Refusal, decide, is_unfinished, replay
from goalspec.runtime.lifecycle import commands as c
from goalspec.runtime.record import Actor, Record, Usage, read_record, read_stamp, write_record
from goalspec.runtime.record.times import SECOND, write_stamp
from goalspec.tests.runtime.convergence.invariants import Broken, Watch
from goalspec.tests.runtime.convergence.simulated_agents import AGENTS
from goalspec.tests.runtime.convergence.simulated_goals import (
    Contract,
    contract_of,
    raised,
    with_budget,
    with_one_more,
)
from goalspec.tests.runtime.convergence.simulated_judges import (
    CLAIMED,
    TEMPERS,
    TOLD,
    SimulatedJudge,
)
from goalspec.tests.runtime.record.records import at

SESSION = "s-1"
EVENTS = 90  # after which a life is left to itself
LONG = 700  # the same, of those few that are to meet the guard of 60 continuations
AT_ONCE = 40  # decisions at one moment: more of them lead nowhere
NONCE = "0123456789abcdef0123456789abcdef"
FACTS = ("suite.passed", "reviewed", "access.lost", "scope.kept")
REFUSED = ("bad_time", "bad_usage", "blank")  # what is told here that is wrong in itself
ERRORS: tuple[Any, ...] = ("retriable", "terminal", "auth", "policy", "usage_limit", "system")


@dataclass
class Run:
    """A turn at work. *sent* is the settlement, once it was told."""

    name: str
    by: Any
    what: str
    sent: events.Settled | None = None


@dataclass
class Life:
    """One simulated life, all of it made of *seed*."""

    seed: int
    trace: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = self.rng = Random(self.seed)
        self.now = read_stamp(at(0))
        self.record = Record(session=SESSION)
        self.journal: list[Any] = []
        self.verdict: Verdict | None = None
        self.contract: Contract | None = None
        self.contract_asked: Contract | None = None  # by the command that is about to be sent
        self.truth = False
        self.accepts = 0
        self.is_up = False
        self.work: Run | None = None
        self.waiting: str | None = None  # the continuation that is about to begin
        self.message = False  # is a person's run to begin once there is no other?
        self.facts: dict[str, Any] = dict.fromkeys(FACTS, False) | {"scope.kept": True}
        self.gates: dict[str, str | None] = {"ship.goal": "a", "tests/test_login.py": "a"}
        self.files = 0
        self.monitors = 0
        self.trailing = 0
        self.withdrawn: set[int] = set()
        self._heap: list[tuple[int, int, bool, Callable[[], None]]] = []
        self._order = count()
        self._runs = count(1)
        self._news = count(1)
        self._decided_at = (0, 0)
        self.sent = 0
        self.agent = rng.choice([*AGENTS, "honest", "liar", "lazy"])
        self.temper = rng.choice([*TEMPERS, "fair", "lenient"])
        self.judge = SimulatedJudge(rng, TEMPERS[self.temper])
        # How likely it is, at each of its occasions, that something goes wrong or somebody comes.
        self.crashes = rng.choice([0, 0, 0.02, 0.1])
        self.persons = rng.choice([0, 0.01, 0.05, 0.2])
        self.noise = rng.choice([0, 0, 0.05, 0.2])
        self.refuses = rng.choice([0, 0, 0.1, 0.6])
        self.watches = rng.choice([0, 0, 0.3])
        self.delegates = rng.choice([0, 0, 0.3])
        self.plans = rng.choice([0, 0, 0.3])
        self.meddles = rng.choice([0, 0, 0.4])  # of somebody else, with the pinned files
        self.names = self.chance(0.5)  # does a run say which continuation it is of?
        self.most = LONG if self.agent == "digging" else EVENTS
        self.policy = self._policy()
        self.watch = Watch(self.policy)

    def _policy(self) -> Policy:
        rng = self.rng
        return Policy(
            owner=rng.choice(["driver", "driver", "another"]), interval=rng.choice([0, 0, 1, 3]),
            turns=rng.choice([25, 25, 3]) if self.most == EVENTS else 200,
            interactive=rng.choice([False, False, True]), judges=self.chance(0.9),
        )  # fmt: skip

    def live(self) -> None:
        """Raises Broken where an invariant does not hold."""
        try:
            if self.rng.random() < 0.93:
                self._create()
            else:
                self.soon(self._unattended)
            self.soon(self._restart)
            while self._heap and self.sent < self.most:
                due, _, _, happen = heappop(self._heap)
                self.now = max(self.now, due)
                happen()
                self._besides()
            self._replayed()
        except Broken as broken:
            raise Broken(f"seed {self.seed}, event {self.sent}: {broken}") from None
        except (AssertionError, Refusal, ValueError, KeyError) as error:
            raise Broken(
                f"seed {self.seed}, event {self.sent}: {type(error).__name__}: {error}"
            ) from error

    # --- time

    @property
    def at(self) -> str:
        return write_stamp(self.now)

    def later(self, seconds: float, happen: Callable[[], None], survives: bool = False) -> None:
        """Have it happen *seconds* from now; what does not survive goes with the process."""
        due = self.now + int(seconds * SECOND)
        heappush(self._heap, (due, next(self._order), survives, happen))

    def soon(self, happen: Callable[[], None]) -> None:
        self.later(self.rng.choice([0, 0, 0.5, 3]), happen)

    def chance(self, share: float) -> bool:
        return share > 0 and self.rng.random() < share

    # --- what is sent, and what follows

    def send(self, event: LoopEvent) -> Decision | None:
        if not self.is_up:
            return None
        self._count()
        before, state = self.record, state_of(self.record)
        try:
            decision = step(before, self.verdict, event, self.policy)
        except Refusal as refusal:
            self.trace.append(f"{self.at} {type(event).__name__} refused: {refusal.code}")
            self.watch.need(refusal.code in REFUSED, "an event was refused:", refusal)
            self._replayed()
            return None
        self.trace.append(f"{self.at} {_said(event)} -> {decision.reason}"
                          f" [{decision.record.status.name}]")  # fmt: skip
        if self.chance(0.1):
            again = step(before, self.verdict, event, self.policy)
            self.watch.need(again == decision, "the same event was decided otherwise")
            self._replayed()
        self._take(decision.record, decision.events)
        self.watch.decided(
            before, state, event, self.verdict, decision, self.truth, self.accepts
        )  # fmt: skip
        for effect in decision.effects:
            self._carry_out(effect)
        return decision

    def _count(self) -> None:
        self.sent += 1
        moment, times = self._decided_at
        self._decided_at = (self.now, times + 1 if moment == self.now else 1)
        self.watch.need(self._decided_at[1] < AT_ONCE, "it goes round and round at one moment")

    def ask(self, command: Command, actor: Actor = "person") -> bool:
        """A command, past the loop, as through a store. Was it applied?"""
        self._count()
        before = self.record
        try:
            done = decide(before, command, actor, self.at)
        except Refusal as refusal:
            self.trace.append(f"{self.at} {actor} {command.kind} refused: {refusal.code}")
            return False
        self.trace.append(f"{self.at} {actor} {command.kind} [{done.record.status.name}]")
        self._take(done.record, done.events)
        self.watch.commanded(before, command, actor, done)
        return bool(done.events)

    def _take(self, record: Record, happened: Iterable[Any]) -> None:
        self.journal += happened
        self.record = record

    def _replayed(self) -> None:
        """The record goes through text, and its journal gives it again."""
        read = read_record(json.dumps(write_record(self.record)))
        self.watch.need(read == self.record, "the record is read as another")
        self.watch.need(replay(self.journal, SESSION) == read, "the journal gives another record")

    def _carry_out(self, effect: Any) -> None:
        match effect:
            case ObserveFacts(number):
                self.soon(partial(self._observe, number))
            case AskJudge():
                self._judge(effect)
            case Continue():
                if self.waiting != effect.key:
                    self.waiting = effect.key
                    self.soon(partial(self._continue, effect))
            case Withdraw(number):
                self.withdrawn.add(number)
            case Disarm(key):
                if self.waiting == key:
                    self.waiting = None
            case WakeAt(due):
                wait = (read_stamp(due) - self.now) / SECOND
                self.later(max(wait, 0), self._look_again)
            case RemindTodos():
                self.soon(self._unattended)
            case AskToResume():
                if self.chance(0.5):
                    self.soon(partial(self._command, c.Resume()))

    def _look_again(self) -> None:
        self.send(events.Timer(self.at))

    # --- facts and judgements

    def _observe(self, number: int) -> None:
        goal, contract = self.record.goal, self.contract
        if goal is None or contract is None:
            return
        facts: dict[str, Any] = dict(self.facts)
        if self.chance(0.05):
            failed = self.rng.choice(FACTS)
            facts[failed] = {"$unknown": "error", "because": "no route"}
        monitor = Monitor(goal, state=self.record.monitor)
        self.verdict = monitor.observe(facts)
        self.truth = contract.is_met_by(facts)
        files = None if self.watches else f"tree-{self.files}"
        self.send(events.Observed(self.at, number, monitor.state(), dict(self.gates), files))

    def _judge(self, asked: AskJudge) -> None:
        goal, verdict = self.record.goal, self.verdict
        assert goal is not None and verdict is not None
        pending = self.record.pending
        assert pending is not None
        request = JudgeRequest(goal, verdict, (TOLD, CLAIMED), pending.output, NONCE, asked.mode)
        came = self.judge.judge(request, spent(state_of(self.record).ledger))
        spends = came.spent

        late = self.chance(self.noise)

        def answers() -> None:
            if asked.number in self.withdrawn and not late:
                return
            self.accepts = came.accepts
            if self.chance(self.meddles):
                self._meddle()
            self.send(
                events.Judged(
                    self.at, asked.number, came.outcome, dict(self.gates), spends.invocations,
                    spends.tokens, spends.cost,
                )
            )  # fmt: skip

        self.later(came.seconds, answers, survives=late)

    # --- turns

    def _continue(self, given: Continue) -> None:
        """The host starts what it was given, or cannot."""
        if self.waiting != given.key:
            return
        self.waiting = None
        key = given.key
        if self.work is not None:
            self.send(events.Continued(self.at, key, "busy"))
            return
        if self.chance(self.refuses):
            how = self.rng.choice(["busy", "unavailable", "rejected", "silent", "late"])
            if how == "silent":
                return
            if how == "late":
                self.later(400, partial(self._start, key))
                return
            self.send(events.Continued(self.at, key, how, "so"))  # type: ignore[arg-type]
            return
        self._start(key)

    def _start(self, key: str) -> None:
        if self.work is not None:
            return
        decision = self.send(events.Continued(self.at, key, "started"))
        claim = None if decision is None else decision.record.claim
        if claim is None or (claim.key, claim.state) != (key, "started"):
            return
        if self.chance(self.crashes):
            self._crash()
            return
        self._begin(f"{key}/{next(self._runs)}", "continuation", key if self.names else None)

    def _begin(self, name: str, by: Any, key: str | None = None) -> None:
        decision = self.send(events.Began(self.at, name, key))
        if decision is None or decision.record.turn.run != name:
            return
        what = self.rng.choice(AGENTS[self.agent])
        self.work = Run(name, by, what)
        self.trailing = self.trailing + 1 if by == "continuation" else 0
        if what == "hangs":
            return  # until somebody ends it
        took = self.rng.choice([0, 1, 20, 90])
        if self.chance(self.delegates):
            used = Usage(turns=7, tokens=self.rng.choice([0, 5]), tool_calls=1)
            self.later(took / 2, partial(self._charge, f"sub-{name}", used))
        if what in ("finishes", "lies", "gives_up"):
            self.later(took / 3, partial(self._propose, what))
        self.later(took, self._settle)

    def _charge(self, settlement: str, usage: Usage) -> None:
        self.send(events.Charged(self.at, settlement, usage))

    def _propose(self, what: str) -> None:
        if self.work is None:
            return
        if what == "gives_up":
            self.send(events.Proposed(self.at, "blocked", self.rng.choice(["no access", " "])))
            return
        if what == "finishes":
            self._finish_work()
        self.send(events.Proposed(self.at, "complete", "It is done."))

    def _finish_work(self) -> None:
        self.files += 1
        needs = {} if self.contract is None else self.contract.needs
        self.facts |= {name: value for name, value in needs.items() if self.chance(0.8)}
        self.gates = dict.fromkeys(self.gates, "a") if self.chance(0.5) else self.gates

    def _settle(self, **values: Any) -> None:
        work, self.work = self.work, None
        if work is None or work.sent is not None:
            return
        rng = self.rng
        self.monitors = rng.choice([1, 2]) if self.chance(self.watches) else 0
        usage = Usage(turns=1, tokens=rng.choice([0, 10, 25]), tool_calls=rng.choice([0, 1]),
                      cost=rng.choice([None, "0.10 USD"]),
                      runtime=rng.choice([0, 20_000_000_000]))  # fmt: skip
        settled = events.Settled(
            self.at, work.name, f"settled-{work.name}", usage, self._words(work.what),
            tuple(self._effects(work.what)), work.by, monitors=self.monitors,
            todos=(rng.randint(0, 3), 3) if self.chance(self.plans) else None,
        )  # fmt: skip
        settled = replace(settled, **{**self._trouble(work.what), **values})
        work.sent = settled
        if self.chance(self.noise):
            wrong = Usage(turns=1, tokens=-5)
            self.send(replace(settled, usage=wrong))  # refused, and told again as it should be
        self.send(settled)
        if self.chance(self.noise):
            self.later(rng.choice([0, 50, 500]), partial(self._again, settled), survives=True)
        if self.monitors:
            self.later(rng.choice([10, 100, 300]), self._wake)
        if self.message:
            self.message = False
            self.soon(partial(self._person_runs, next(self._runs)))

    def _again(self, settled: events.Settled) -> None:
        self.send(replace(settled, at=self.at))

    def _words(self, what: str) -> str:
        return "Done." if what in ("repeats", "lies") else f"I say {'x' * next(self._news)}"

    def _effects(self, what: str) -> Iterable[events.Effect]:
        self.files += what in ("works", "breaks")
        if what in ("works", "finishes", "breaks", "edits_tests"):
            yield events.Effect("write", "login.py", f"wrote {'x' * next(self._news)}")
        if what in ("rereads", "digs"):
            yield events.Effect("read", "login.py", "the same as ever", mutates=False)
        if what in ("repeats", "error"):
            yield events.Effect("run", "make test", "failed in 3 s", succeeded=False)
        if what == "breaks":
            name = self.rng.choice(FACTS)
            self.facts[name] = not self.facts[name]
        if what == "edits_tests":
            self.gates = {**self.gates, self.rng.choice(["tests/test_login.py", "tests/new.py"]):
                          self.rng.choice(["a", "b", None])}  # fmt: skip

    def _trouble(self, what: str) -> dict[str, Any]:
        if what == "cut":
            return {"stop": "length"}
        if what == "stopped":
            return {"stop": "interrupted"}
        if what != "error":
            return {}
        error = self.rng.choice(ERRORS)
        wait = self.rng.choice([None, 60, 3600, 200_000, -60])
        retry_at = None if wait is None else write_stamp(self.now + wait * SECOND)
        return {"stop": "error", "error": error, "detail": "so it is", "retry_at": retry_at}

    def _wake(self) -> None:
        self.monitors = max(self.monitors - 1, 0)
        self.send(events.Woke(self.at, self.monitors, human=self.chance(0.1)))

    def _unattended(self) -> None:
        """A run in a session that has no goal."""
        if self.work is not None or is_unfinished(self.record):
            return
        number = next(self._runs)
        settled = events.Settled(
            self.at, f"run-{number}", f"settled-{number}", output="I wait.", todos=(2, 3),
            by=self.rng.choice(["continuation", "monitor"]),
        )  # fmt: skip
        self.send(settled)
        if self.chance(0.7):
            self.later(5, self._unattended)

    # --- who comes besides

    def _besides(self) -> None:
        if self.chance(self.crashes) and self.is_up:
            self._crash()
        stands = self.record.status.name not in ("active", "parked")
        if self.chance(0.5 if stands and self.persons and not self._heap else self.persons):
            self._person()
        if self.chance(self.noise):
            self._noise()
        if self.chance(self.meddles / 4):
            self._meddle()
        if not self._heap and self.is_up and self.work is not None:
            self._someone_ends_it()

    def _meddle(self) -> None:
        self.gates = {**self.gates, "ship.goal": self.rng.choice(["a", "b"])}

    def _someone_ends_it(self) -> None:
        """A turn that hangs ends when the process is killed, or somebody interrupts."""
        if self.chance(0.6):
            self._crash()
        else:
            self._settle(stop="interrupted")

    def _crash(self) -> None:
        """The process is gone, and what was in flight with it."""
        self.trace.append(f"{self.at} --- crash")
        self.is_up, self.work, self.waiting, self.message = False, None, None, False
        self.verdict, self.monitors = None, 0
        kept = [one for one in self._heap if one[2]]
        self._heap.clear()
        for one in kept:
            heappush(self._heap, one)
        self._replayed()
        self.record = read_record(json.dumps(write_record(self.record)))
        self.later(self.rng.choice([0, 16, 400, 90_000]), self._restart)

    def _restart(self) -> None:
        self.is_up = True
        self.policy = self.watch.policy = replace(
            self.policy, owner=self.rng.choice([self.policy.owner] * 4 + ["driver", "another"])
        )
        self.watch.restarted()
        trailing = self.trailing if self.chance(0.3) else 0
        self.send(events.Restarted(self.at, trailing))
        if self.record.turn.state == "open":
            raise Broken("a restart leaves a turn open")

    def _person(self) -> None:
        act = self.rng.choice(["speaks"] * 4 + ["interrupts"] * 2 + ["commands"] * 6 + ["agent"])
        if act == "speaks" and self.is_up:
            self.send(events.Spoke(self.at))
            if self.work is None:
                self.soon(partial(self._person_runs, next(self._runs)))
            else:
                self.message = True
        elif act == "interrupts":
            if self.work is not None:
                self._settle(stop="interrupted")
            else:
                self.send(events.Interrupted(self.at))
        elif act == "agent":
            self._agent_commands()
        else:
            self._command(self._asked())

    def _person_runs(self, number: int) -> None:
        if self.work is None:
            self._begin(f"person-{number}", "person")

    def _asked(self) -> Command:
        """What a person would ask for as the goal stands, or anything."""
        rng, record = self.rng, self.record
        goal, name = record.goal, record.status.name
        if goal is None or (name in ("complete", "ended") and self.chance(0.7)):
            return self._new_goal()
        if name in ("paused", "blocked", "parked") and self.chance(0.7):
            return c.Resume()
        if name == "budget_limited" and self.chance(0.7):
            return c.Amend(goal=raised(goal), reason="more")
        amended = rng.choice([raised(goal), with_budget(goal, rng),
                              with_one_more(goal, f"more-{next(self._news)}")])  # fmt: skip
        return rng.choice(
            [
                c.Pause(reason="lunch"), c.Pause(), c.Resume(), c.Resume(),
                c.Amend(goal=amended, reason="it asks for too little"),
                c.Amend(goal=amended, reason="it asks for too much"),
                c.Park(reason="tomorrow", until=write_stamp(self.now + 7200 * SECOND)),
                c.Block(reason="no budget for it"), c.Complete(), c.Clear(), c.Reset(),
                c.Cancel(), self._new_goal(), c.Show(hidden=True), c.Input(),
                c.End(ending="impossible", reason="it cannot be"),
            ]
        )  # fmt: skip

    def _new_goal(self) -> c.Create:
        asked = self.contract_asked = contract_of(self.rng)
        return c.Create(goal=asked.goal, replace=self.chance(0.5))

    def _command(self, command: Command) -> None:
        if not self.ask(command):
            return
        if isinstance(command, c.Create):
            self.contract = self.contract_asked
        if self.is_up:
            self.send(events.Timer(self.at))
        stands = self.record.status.name not in ("active", "parked")
        if self.work is not None and stands and self.chance(0.7):
            self._settle(stop="interrupted")

    def _create(self) -> None:
        asked = self.contract_asked = contract_of(self.rng)
        self._command(c.Create(goal=asked.goal))

    def _agent_commands(self) -> None:
        """An agent asks for what it may not, and for what it may."""
        goal = self.record.goal
        if goal is None:
            return
        wanted: list[Command] = [
            c.Complete(reason="I say so"), c.Clear(), c.Resume(), c.Pause(), c.Cancel(),
            c.Create(goal=goal, replace=True), c.Amend(goal=raised(goal), reason="more"),
            c.Amend(goal=with_one_more(goal, f"own-{next(self._news)}"), reason="stricter"),
        ]  # fmt: skip
        if self.ask(self.rng.choice(wanted), "agent"):
            self.send(events.Timer(self.at))

    def _noise(self) -> None:
        """What is of the past, or of nobody: it changes nothing that matters."""
        rng, asks = self.rng, state_of(self.record).asks
        late = self.now - rng.choice([1, 600]) * SECOND
        wrong = rng.choice([0, max(asks - 1, 0), asks + 1])
        running = None if self.work is None else self.work.name
        noises: list[LoopEvent] = [
            events.Timer(self.at), events.Timer(write_stamp(late)), events.Woke(self.at),
            events.Continued(self.at, "ship:0:0", rng.choice(["started", "busy", "rejected"])),
            events.Observed(self.at, wrong, {}), events.Timer("yesterday"),
            events.Proposed(self.at, "complete"),
            events.Charged(self.at, f"sub-{next(self._news)}", Usage(turns=3, tokens=5)),
        ]  # fmt: skip
        if running is not None:
            noises.append(events.Began(self.at, f"stray-{next(self._runs)}"))
        self.send(rng.choice(noises))


def _said(event: LoopEvent) -> str:
    names = ("run", "settlement", "stop", "error", "number", "key", "outcome")
    said = [str(getattr(event, name, None) or "")[:60] for name in names]
    return " ".join([type(event).__name__, *filter(None, said)])
