"""A session that a driver writes: the store's lease, kept alive, and each decision of the loop in
one transaction behind what persons' commands in the inbox ask for."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..convergence import Decision, LoopEvent, Policy, step
from ..goals import after_inbox, joined
from ..judge.ports import Clock
from ..lifecycle import Step
from ..lifecycle.events import Event
from ..record.parts import Record
from ..record.times import SECOND, read_stamp
from ..store.port import Lease, LeaseHeld, LeaseLost, Posted, Store
from ..verdict import Verdict

LEASE = 15.0  # seconds that a writer may be silent before another may follow it
GRACE = 1.0  # seconds beyond, before another does
_RENEWALS = 3  # in the life of a lease

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Stepped:
    """A decision that is durable, its time by the store, the record after it, and every event that
    was written with it: those of the inbox, then its own."""

    at: str
    decision: Decision
    record: Record
    events: tuple[Event, ...]


def merged(decisions: Sequence[Decision]) -> Decision:
    """One decision for several: the last one, with what all of them have a driver do."""
    effects = (effect for decision in decisions for effect in decision.effects)
    return replace(decisions[-1], effects=tuple(effects))


class Session:
    """The right to write *name* in *store*, whose own clock gives every event its time. *waiting*
    is told why, where a writer that was there is waited for."""

    def __init__(
        self, store: Store, name: str, clock: Clock, waiting: Callable[[str], None] | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._writer = f"driver-{uuid.uuid4().hex[:12]}"
        self._lease: Lease | None = None
        self._waiting = waiting
        self.name = name

    @property
    def store(self) -> Store:
        return self._store

    @property
    def lease(self) -> Lease | None:
        return self._lease

    async def now(self) -> str:
        return await self.ask(self._store.now)

    async def record(self) -> Record:
        stored = await self.ask(lambda: self._store.get(self.name))
        return Record(session=self.name) if stored is None else stored.record

    async def open(self) -> None:
        """Take the lease. A writer that was there is waited for as long as a dead one can have it;
        raises LeaseHeld where it lives on."""
        try:
            await self.take()
        except LeaseHeld as held:
            await self._outlast(held)

    async def _outlast(self, held: LeaseHeld) -> None:
        now = await self.now()
        left = (read_stamp(held.until) - read_stamp(now)) / SECOND
        if self._waiting is not None:
            self._waiting(f"{held.owner} has the session until {held.until}, unless it lives on")
        await self._clock.sleep(min(max(left, 0.0), LEASE) + GRACE)
        await self.take()

    async def take(self) -> None:
        """Take the lease, which fences off whoever had it. Raises LeaseHeld."""
        self._lease = await self.ask(lambda: self._store.lease(self.name, self._writer, LEASE))

    async def renew(self) -> None:
        """Raises LeaseLost."""
        lease = self._lease
        if lease is None:
            raise LeaseLost(f"nobody drives session {self.name}")
        self._lease = await self.ask(lambda: self._store.renew(lease, LEASE))

    async def keep_alive(self) -> None:
        """Renew the lease until it is lost; raises LeaseLost."""
        while True:
            await self._clock.sleep(LEASE / _RENEWALS)
            await self.renew()

    async def is_asked(self) -> bool:
        """Does a command wait in the inbox?"""
        return bool(await self.ask(lambda: self._store.inbox(self.name)))

    async def step(
        self, told: Sequence[LoopEvent], verdict: Verdict | None, policy: Policy
    ) -> Stepped:
        """Decide the events that are *told*, one after the other, at the time of the store, and
        write what comes of them: all of it or nothing. Raises Refusal, LeaseLost, StoreError."""
        lease = self._lease
        made: list[tuple[str, Decision, Step]] = []  # of each attempt; the last one was written

        def write(record: Record, inbox: Sequence[Posted], now: str) -> Step:
            decisions: list[Decision] = []

            def decide(record: Record, now: str) -> Step:
                whole = Step(record=record)
                for event in told:
                    decisions.append(step(whole.record, verdict, replace(event, at=now), policy))
                    whole = joined(whole, decisions[-1].step)
                return whole

            whole = after_inbox(decide)(record, inbox, now)
            made.append((now, merged(decisions), whole))
            return whole

        stored = await self.ask(lambda: self._store.mutate(self.name, write, lease=lease))
        at, decision, whole = made[-1]
        return Stepped(at, decision, stored.record, whole.events)

    async def ask(self, work: Callable[[], _T]) -> _T:
        """What *work* gives, in another thread: nothing waits for a disk."""
        return await asyncio.to_thread(work)

    async def close(self) -> None:
        """Give the lease back, if it is there still."""
        lease, self._lease = self._lease, None
        if lease is not None:
            await self.ask(lambda: self._store.release(lease))
