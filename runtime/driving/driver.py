"""The driver of a goal: it tells the loop's reducer what happens, and carries out what is decided.

It decides nothing itself. One event after another is decided and written, so that what is carried
out was durable before it began; a driver that died is followed by one that finds the rest in the
record. What runs beside (a turn, facts, a judgement, waits) ends with it.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ...compiler.ir.document import Goal
from ..convergence import Decision, LoopEvent, Policy, effects, events, state_of
from ..judge import SystemClock
from ..judge.ports import Clock
from ..lifecycle import Refusal
from ..record.parts import Record, Usage
from ..record.times import SECOND, read_stamp
from ..sinks import EventSink, Notice, SinkFailed, notices
from ..store.port import LeaseHeld, LeaseLost
from ..verdict import Verdict
from .judging import Judging, judged
from .looking import Given, Look, Lookout
from .ports import Agent, FactSource, NoPins, NoTree, Pins, Proposal, Tree, Turn, Worked
from .session import LEASE, Session, Stepped
from .stopwatch import Stopwatch

POLL = 1.0  # seconds between two looks into the inbox
TAKEN_OVER = "taken_over"  # the reason of a run that somebody else's write ended

_RUNNING = ("active", "parked")

_INTERRUPTED = Worked(stop="interrupted", detail="a person interrupted")

Prompting: TypeAlias = Callable[[effects.Continue, Record, Verdict | None], str]
"""The text of a turn: of which continuation, of how the goal stands, after which verdict."""


@dataclass(frozen=True, slots=True)
class Host:
    """What a goal is driven with. *pins* and *tree* are the pinned files and those that are worked
    on; *clock* is for waits, and for the time that is charged; *amended* gives what the goal is
    driven with once a person made it another one, where that differs."""

    agent: Agent
    facts: FactSource
    prompting: Prompting
    judging: Judging | None = None
    sink: EventSink | None = None
    pins: Pins = field(default_factory=NoPins)
    tree: Tree = field(default_factory=NoTree)
    given: Given = field(default_factory=Given)
    clock: Clock = field(default_factory=SystemClock)
    amended: Callable[[Goal], Host] | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run was left: the record, the code of the last decision's reason (`taken_over` where a
    person's command or another writer ended it), the last verdict, and why the sink heard no more,
    where it failed."""

    record: Record
    reason: str
    verdict: Verdict | None = None
    unheard: str | None = None


@dataclass(slots=True)
class _Work:
    """The turn of a continuation, from its claim to its settlement."""

    key: str
    run: str
    task: asyncio.Task[None] | None = None
    agent: asyncio.Future[Worked] | None = None  # from when it works on
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class _Sent:
    told: tuple[LoopEvent, ...]  # which are decided together
    look: Look | None
    answer: asyncio.Future[Decision] | None


def _proposed(proposal: Proposal) -> events.Proposed:
    """A block without a reason has at least that: nobody said what is missing."""
    reason = proposal.reason
    if proposal.outcome == "blocked" and not (reason or "").strip():
        reason = "the agent says no reason"
    return events.Proposed("", proposal.outcome, reason)


class Driver:
    """Drives the goal of *session* with *host*, until it stands still or is over."""

    def __init__(self, session: Session, host: Host, policy: Policy) -> None:
        self._session = session
        self._host = host
        self._policy = replace(policy, judges=host.judging is not None)
        self._lookout = Lookout(host.facts, host.given)
        # What happened, what failed beside the loop, and None where a turn is over.
        self._queue: asyncio.Queue[_Sent | BaseException | None] = asyncio.Queue()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._wakes: dict[str, tuple[str, asyncio.Task[Any]]] = {}
        self._work: _Work | None = None
        self._observing: asyncio.Task[None] | None = None
        self._judging: asyncio.Task[None] | None = None
        self._worked_with: tuple[events.Effect, ...] = ()
        self._look: Look | None = None
        self._record = Record(session=session.name)
        self._contract: str | None = None
        self._reason = ""
        self._unheard: str | None = None
        self._watch = Stopwatch(host.clock.monotonic(), LEASE)

    async def drive(self) -> Standing:
        """Raises LeaseHeld where somebody else drives the session, StoreError, and BadRecord."""
        await self._session.open()
        try:
            self._record = await self._session.record()
            self._lap()
            self._spawn(self._session.keep_alive())
            self._spawn(self._poll())
            self.send(events.Restarted(""))
            while not self._is_over():
                await self._next()
            await self._wind_up()
        except LeaseLost:
            await self._taken_over()
        finally:
            await self._stop()
            await self._session.close()
        return self.standing

    @property
    def standing(self) -> Standing:
        """How the run stands now."""
        return Standing(self._record, self._reason, self._verdict, self._unheard)

    @property
    def waits(self) -> Mapping[str, str]:
        """What is waited for, in words, and until when at most."""
        return {why: at for why, (at, _) in self._wakes.items()}

    def send(self, event: LoopEvent) -> None:
        """Tell what happened: a person's message (`Spoke`), a monitor's (`Woke`), a subagent's
        usage (`Charged`), a run that the host began itself (`Began`, `Settled`). Its time is set
        when it is written."""
        self._queue.put_nowait(_Sent((event,), None, None))

    def interrupt(self) -> None:
        """End the turn that is at work, and pause the goal."""
        work = self._work
        if work is not None and work.agent is None:
            work.interrupted = True  # it is about to begin, and its turn says so when it settles
        elif work is None or work.agent is None or not work.agent.cancel():
            self.send(events.Interrupted(""))

    # --- one event after another

    async def _next(self) -> None:
        sent = await self._queue.get()
        if sent is None:
            return
        if isinstance(sent, BaseException):
            raise sent
        if sent.look is not None:
            if not self._awaits(sent.look):
                return  # facts that were asked for before something else happened
            self._look = sent.look
        try:
            stepped = await self._session.step(sent.told, self._verdict, self._policy)
        except Refusal as refusal:
            if sent.answer is None:
                self._complain(refusal)
            elif not sent.answer.done():
                sent.answer.set_exception(refusal)
            return
        self._lap()
        before, self._record = self._record, stepped.record
        self._reason = stepped.decision.reason
        self._tell(before, stepped)
        if sent.answer is not None and not sent.answer.done():
            sent.answer.set_result(stepped.decision)
        for effect in stepped.decision.effects:
            self._carry_out(effect, stepped.at)

    @property
    def _verdict(self) -> Verdict | None:
        return None if self._look is None else self._look.verdict

    def _awaits(self, look: Look) -> bool:
        asked = state_of(self._record).asked
        return asked is not None and asked.number == look.number

    def _is_over(self) -> bool:
        """Does nothing lead on but a person? Before the first decision, nobody knows."""
        if not self._reason:
            return False
        if self._record.status.name not in _RUNNING:
            return True
        return state_of(self._record).held

    def _carry_out(self, effect: effects.LoopEffect, now: str) -> None:
        match effect:
            case effects.ObserveFacts(number):
                if self._observing is not None:
                    self._observing.cancel()  # what it takes would be of the past
                self._observing = self._spawn(self._observe(number))
            case effects.AskJudge():
                self._judging = self._spawn(self._judge(effect))
            case effects.Withdraw() if self._judging is not None:
                self._judging.cancel()
            case effects.Continue():
                self._continue(effect)
            case effects.Disarm(key):
                if self._work is not None and self._work.key == key and self._work.agent is None:
                    self._drop_turn()
            case effects.WakeAt(at, why):
                self._wake_at(at, why, now)
            # What else there is was told to the sink, or is the end, which the record shows.

    # --- a turn

    def _continue(self, given: effects.Continue) -> None:
        if self._work is not None:
            self.send(events.Continued("", given.key, "busy"))
            return
        work = _Work(given.key, f"{given.key}/{uuid.uuid4().hex[:8]}")
        self._work = work
        work.task = self._spawn(self._turn(given, work))

    def _drop_turn(self) -> None:
        """Forget a turn that did not begin yet."""
        work, self._work = self._work, None
        if work is not None and work.task is not None:
            work.task.cancel()

    async def _turn(self, given: effects.Continue, work: _Work) -> None:
        try:
            if await self._begin(given, work.run):
                await self._settle(work.run, await self._worked(given, work))
            elif work.interrupted:
                self.send(events.Interrupted(""))
        except Refusal as refusal:  # the continuation is looked at again when its claim expires
            self._complain(refusal)
        finally:
            if self._work is work:
                self._work = None
                self._queue.put_nowait(None)

    async def _begin(self, given: effects.Continue, run: str) -> bool:
        """Is the turn's run open, and nobody else's?"""
        started = events.Continued("", given.key, "started")
        begun = await self._sent(started, events.Began("", run, given.key))
        return begun.record.turn.run == run

    async def _worked(self, given: effects.Continue, work: _Work) -> Worked:
        for _, wake in self._wakes.values():
            wake.cancel()  # what was waited for has come
        self._wakes.clear()
        if work.interrupted:
            return _INTERRUPTED
        try:
            work.agent = asyncio.ensure_future(self._agent(given, work))
            return await work.agent
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                raise  # the run is over, and the agent went with its turn
            return _INTERRUPTED
        except Exception as error:  # a host's own code
            return Worked(stop="error", error="system", detail=f"{type(error).__name__}: {error}")

    async def _agent(self, given: effects.Continue, work: _Work) -> Worked:
        """What the host's agent makes of the turn; it may raise anything."""
        record = self._record
        turn = Turn(
            session=self._session.name,
            run=work.run,
            key=given.key,
            number=record.usage.turns + 1,
            prompt=self._host.prompting(given, record, self._verdict),
        )
        worked = await self._host.agent(turn)
        if not isinstance(worked, Worked):
            raise TypeError(f"an agent gives what it Worked, not {type(worked).__name__}")
        return worked

    async def _settle(self, run: str, worked: Worked) -> None:
        self._worked_with = worked.effects
        proposed = () if worked.proposal is None else (_proposed(worked.proposal),)
        self._lap()
        settled = events.Settled(
            at="",
            run=run,
            settlement=worked.settlement or run,
            usage=replace(worked.usage, turns=1, runtime=self._watch.take()),
            output=worked.output,
            effects=worked.effects,
            stop=worked.stop,
            error=worked.error if worked.stop == "error" else None,
            detail=worked.detail,
            retry_at=worked.retry_at,
            monitors=worked.monitors,
            todos=worked.todos,
            tools_seen=worked.tools_seen,
        )
        try:
            await self._sent(*proposed, settled)
        except Refusal as refusal:  # the turn is over all the same, and charged as far as it goes
            usage = Usage(turns=1, runtime=settled.usage.runtime)
            said = f"what the agent said of its turn was refused: {refusal}"
            await self._sent(
                replace(
                    settled, usage=usage, stop="error", error="system", detail=said, retry_at=None
                )
            )

    # --- facts and judgements

    async def _observe(self, number: int) -> None:
        record = self._record
        if record.goal is None:
            return
        host = self._hosting(record.goal)
        revision = await asyncio.to_thread(host.tree.revision)
        at = await self._session.now()
        look = await self._lookout.look(record.goal, record.monitor, at, revision)
        gates = await asyncio.to_thread(host.pins.hashes)
        files = await asyncio.to_thread(host.tree.digest)
        event = events.Observed("", number, look.state, gates, files)
        self._queue.put_nowait(_Sent((event,), replace(look, number=number), None))

    def _hosting(self, goal: Goal) -> Host:
        """What *goal* is driven with, as it is now."""
        host = self._host
        if self._contract not in (None, goal.contract) and host.amended is not None:
            host = self._host = host.amended(goal)
            self._lookout = Lookout(host.facts, host.given)
        self._contract = goal.contract
        return host

    async def _judge(self, asked: effects.AskJudge) -> None:
        host, look = self._host, self._look
        assert host.judging is not None and look is not None
        self.send(
            await judged(
                host.judging, self._session, self._record, look, self._worked_with, asked,
                host.pins, host.clock,
            )
        )  # fmt: skip

    # --- waits

    def _wake_at(self, at: str, why: str, now: str) -> None:
        if why in self._wakes:
            self._wakes.pop(why)[1].cancel()
        left = (read_stamp(at) - read_stamp(now)) / SECOND
        self._wakes[why] = at, self._spawn(self._wait(left, why))

    async def _wait(self, seconds: float, why: str) -> None:
        await self._host.clock.sleep(max(seconds, 0.0))
        self._wakes.pop(why, None)
        self.send(events.Timer(""))

    async def _poll(self) -> None:
        """Have a person's command that waits in the inbox applied, and count the time."""
        while True:
            await self._host.clock.sleep(POLL)
            self._lap()
            if await self._session.is_asked():
                self.send(events.Timer(""))

    # --- the end

    async def _wind_up(self) -> None:
        """Where the goal is over while a turn works, the turn ends too, and is charged."""
        if self._work is None:
            return
        if self._work.agent is None:
            self._drop_turn()
            return
        self._work.agent.cancel()
        while self._work is not None:
            await self._next()

    async def _taken_over(self) -> None:
        """Somebody else wrote the session: what a person did to it is found in the record. A turn
        that it cut short is charged, if nobody drives on."""
        self._reason = TAKEN_OVER
        run = None if self._work is None else self._work.run
        await self._stop()
        self._record = await self._session.record()
        if run is None or self._record.turn.run != run:
            return
        usage = Usage(turns=1, runtime=self._watch.take())
        settled = events.Settled("", run, run, usage, stop="interrupted")
        try:
            await self._session.take()
            stepped = await self._session.step((settled,), self._verdict, self._policy)
        except (LeaseHeld, LeaseLost, Refusal):
            return  # whoever drives on recovers the turn
        before, self._record = self._record, stepped.record
        self._tell(before, stepped)

    def _lap(self) -> None:
        active = self._record.status.name == "active"
        self._watch.lap(self._host.clock.monotonic(), active=active)

    async def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- what all of it needs

    def _sent(self, *told: LoopEvent) -> asyncio.Future[Decision]:
        """Send what happened, and wait for what is decided. Raises Refusal."""
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Sent(told, None, answer))
        return answer

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run *work* beside the loop; what it raises ends the run."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._queue.put_nowait(error)

    def _tell(self, before: Record, stepped: Stepped) -> None:
        for notice in notices(before, stepped.events, stepped.decision.effects):
            self._hear(notice)

    def _complain(self, refusal: Refusal) -> None:
        details: Mapping[str, Any] = {"code": refusal.code, "message": str(refusal)}
        record = self._record
        goal = None if record.goal is None else record.goal.id
        self._hear(
            Notice(
                record.session, goal, record.generation, record.updated_at, "error", "runtime",
                details,
            )
        )  # fmt: skip

    def _hear(self, notice: Notice) -> None:
        """A sink that fails changes nothing but that it is said."""
        if self._host.sink is None or self._unheard is not None:
            return
        try:
            self._host.sink.tell(notice)
        except SinkFailed as error:
            self._unheard = str(error)
        except Exception as error:  # a host's own code
            self._unheard = f"{type(error).__name__}: {error}"
