"""One end of a turn, decided for a host that owns the loop: its completion hook says that the agent
wants to stop, and the loop's reducer says whether it may.

It is a driver that drives one step. What it decided is durable before the host is told, and the
continuation begins only once the host has it: a hook that was killed in between, or that the host
calls again, gives the same continuation again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ...compiler.ir.document import Goal
from ..convergence import LoopEvent, Policy, effects, events, state_of
from ..judge.ports import Clock
from ..prompting import read_proposal
from ..record.parts import Record, Usage
from ..record.times import SECOND, read_stamp
from .driver import Prompting
from .firing import Firing
from .judging import Judging, judged
from .looking import Given, Look, Lookout
from .ports import FactSource, NoPins, NoTree, Pins, Tree
from .running import OWNER
from .session import Session, Stepped

DEADLINE = 50.0  # seconds for all of it: hosts give a hook 60, and more
TWICE = 30.0  # seconds in which the end of a person's turn may be told twice

_RUNNING = ("active", "parked")
_RUN = "/hook"  # ends the name of a run that a hook sent off
_NANOSECONDS = 1_000_000_000 // SECOND


@dataclass(frozen=True, slots=True)
class Gate:
    """What a goal is decided with: a driver's host, but for an agent."""

    facts: FactSource
    prompting: Prompting
    judging: Judging | None = None
    pins: Pins = field(default_factory=NoPins)
    tree: Tree = field(default_factory=NoTree)
    given: Given = field(default_factory=Given)


GateOf: TypeAlias = Callable[[Goal], Gate]
"""What a goal is decided with, as it is now. May raise what it likes: then nothing is decided."""


async def decide(
    session: Session, firing: Firing, gate_of: GateOf, clock: Clock, tell: Callable[[str], None],
    deadline: float = DEADLINE,
) -> None:  # fmt: skip
    """Decide whether the agent of *firing* may stop. Where it may not, *tell* is called once with
    what it is told; when it returns, the host has it. Raises LeaseHeld where somebody else drives
    the session, TimeoutError after *deadline* seconds, LeaseLost, Refusal, StoreError, BadRecord;
    and nothing was told then, unless *tell* was called."""
    async with asyncio.timeout(deadline):
        if not _is_running(await session.record()):
            return
        await session.take()
        alive = asyncio.ensure_future(session.keep_alive())
        try:
            await _Hook(session, firing, gate_of, clock).answer(tell)
        finally:
            alive.cancel()
            await asyncio.gather(alive, return_exceptions=True)
            await session.close()


def _is_running(record: Record) -> bool:
    return record.goal is not None and record.status.name in _RUNNING


class _Hook:
    """Decides one firing, with the lease of its session."""

    def __init__(self, session: Session, firing: Firing, gate_of: GateOf, clock: Clock) -> None:
        self._session = session
        self._firing = firing
        self._gate_of = gate_of
        self._clock = clock
        self._gate: Gate | None = None
        self._contract: str | None = None
        self._look: Look | None = None

    async def answer(self, tell: Callable[[str], None]) -> None:
        record = await self._session.record()
        if not _is_running(record):
            return
        if _is_told_twice(record, self._firing, await self._session.now()):
            tell(self._prompt(_repeated(record), record))
            return
        given = await self._decided(record)
        if given is None:
            return
        stepped = await self._step(events.Continued("", given.key, "started"))
        claim = stepped.record.claim
        if claim is None or (claim.key, claim.state) != (given.key, "started"):
            return  # a person spoke in between
        tell(self._prompt(given, stepped.record))
        await self._step(events.Began("", f"{given.key}{_RUN}", given.key))

    async def _decided(self, record: Record) -> effects.Continue | None:
        """The continuation that the reducer gives, once it has what it asks for."""
        stepped = await self._step(*told(record, self._firing, await self._session.now()))
        while True:
            match asked_by(stepped):
                case effects.ObserveFacts(number):
                    stepped = await self._step(await self._observed(stepped.record, number))
                case effects.AskJudge() as asked:
                    stepped = await self._step(await self._judged(stepped.record, asked))
                case effects.Continue() as given:
                    return given
                case _:
                    return None

    async def _step(self, *events: LoopEvent) -> Stepped:
        record = await self._session.record()
        gate = self._gate_for(record)
        policy = Policy(owner=OWNER, judges=gate is not None and gate.judging is not None)
        verdict = None if self._look is None else self._look.verdict
        return await self._session.step(events, verdict, policy)

    def _gate_for(self, record: Record) -> Gate | None:
        """What the record's goal is decided with: a person may have made it another one."""
        goal = record.goal
        if goal is not None and goal.contract != self._contract:
            self._gate, self._contract = self._gate_of(goal), goal.contract
        return self._gate

    async def _observed(self, record: Record, number: int) -> events.Observed:
        gate, goal = self._gate_for(record), record.goal
        assert gate is not None and goal is not None
        revision = await asyncio.to_thread(gate.tree.revision)
        at = await self._session.now()
        lookout = Lookout(gate.facts, gate.given)
        self._look = await lookout.look(goal, record.monitor, at, revision)
        hashes = await asyncio.to_thread(gate.pins.hashes)
        files = await asyncio.to_thread(gate.tree.digest)
        return events.Observed("", number, self._look.state, hashes, files)

    async def _judged(self, record: Record, asked: effects.AskJudge) -> events.Judged:
        gate, look = self._gate_for(record), self._look
        assert gate is not None and gate.judging is not None and look is not None
        return await judged(
            gate.judging, self._session, record, look, (), asked, gate.pins, self._clock
        )

    def _prompt(self, given: effects.Continue, record: Record) -> str:
        """What the agent is told. Of its tools a hook knows nothing, so none is said to be
        missing."""
        gate = self._gate_for(record)
        assert gate is not None
        verdict = None if self._look is None else self._look.verdict
        return gate.prompting(replace(given, turns_without_tool=0, stalled=False), record, verdict)


def told(record: Record, firing: Firing, now: str) -> tuple[LoopEvent, ...]:
    """What *firing* says to the reducer. Of a turn that settled already it is a restart: what was
    asked is asked anew, and a continuation that was claimed is given again."""
    settlement = firing.settlement(record.continuations)
    if settlement in record.settled:
        return (events.Restarted(""),)
    turn = record.turn
    sent_off = turn.run is not None and turn.run.endswith(_RUN)
    left = state_of(record).asked is not None or (turn.state == "open" and not sent_off)
    restarted = (events.Restarted(""),) if left else ()
    spoke = () if firing.again else (events.Woke("", human=True),)
    proposal = read_proposal(firing.output)
    proposed = () if proposal is None else (events.Proposed("", *proposal),)
    run = turn.run if sent_off and turn.run is not None else settlement
    usage = Usage(turns=1, runtime=_runtime(record, now) if firing.again and sent_off else 0)
    settled = events.Settled("", run, settlement, usage, firing.output, tools_seen=False)
    return (*restarted, *spoke, *proposed, settled)


def _runtime(record: Record, now: str) -> int:
    """The nanoseconds since the open turn began."""
    opened = record.turn.opened_at
    return 0 if opened is None else max(read_stamp(now) - read_stamp(opened), 0) * _NANOSECONDS


def asked_by(
    stepped: Stepped,
) -> effects.ObserveFacts | effects.AskJudge | effects.Continue | None:
    """The effect that is still asked for, of all that the events of one step had."""
    claim, asked = stepped.record.claim, state_of(stepped.record).asked
    for effect in reversed(stepped.decision.effects):
        match effect:
            case effects.ObserveFacts(number) | effects.AskJudge(number):
                if asked is not None and asked.number == number:
                    return effect
            case effects.Continue(key) if claim is not None and claim.key == key:
                return effect
    return None


def _is_told_twice(record: Record, firing: Firing, now: str) -> bool:
    """Is it the end of the person's turn that the continuation at work followed? Hosts call a hook
    twice that is installed twice. Later, or where the agent went on by a hook's word, the same
    words are those of another turn."""
    turn = record.turn
    if firing.again or turn.opened_at is None or not record.settled:
        return False
    if read_stamp(now) - read_stamp(turn.opened_at) > TWICE * SECOND:
        return False
    return record.settled[-1] == firing.settlement(record.continuations - 1)


def _repeated(record: Record) -> effects.Continue:
    """The continuation at work."""
    kept = state_of(record)
    return effects.Continue(
        key=(record.turn.run or "").removesuffix(_RUN),
        prompt=kept.prompt.kind,
        feedback=kept.prompt.feedback,
    )
