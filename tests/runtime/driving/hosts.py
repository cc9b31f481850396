"""Hosts for the driver: a clock that is turned by whoever sleeps, agents that follow a script, and
facts that a test sets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import Any

from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.driving import Host, Turn, Worked
from goalspec.runtime.record import Record
from goalspec.runtime.store import MemoryStore
from goalspec.runtime.verdict import Verdict

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class TurnedClock:
    """Nobody waits: once nothing else is left to do, the time goes to the next that was slept for."""

    def __init__(self) -> None:
        self.elapsed = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = count()

    def now(self) -> datetime:
        return START + timedelta(seconds=self.elapsed)

    def monotonic(self) -> float:
        return self.elapsed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._sleepers, (self.elapsed + seconds, next(self._order), future))
        await future

    async def turn(self) -> None:
        """Let the time go on whenever nothing else is left to do."""
        ready: Any = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
        while True:
            await asyncio.sleep(0)
            if ready:
                continue
            while self._sleepers and self._sleepers[0][2].done():
                heappop(self._sleepers)
            if not self._sleepers:
                await asyncio.sleep(0.001)
                continue
            at, _, future = heappop(self._sleepers)
            self.elapsed = max(self.elapsed, at)
            future.set_result(None)


class AtOnce(ThreadPoolExecutor):
    """Threads that are none: what they are given is done when it is given, so that nothing hangs on
    how busy a machine is."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **values: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **values))
        except BaseException as error:
            done.set_exception(error)
        return done


@dataclass
class Script:
    """An agent that works the turns of a script, in order; the last one again and again."""

    turns: list[Worked | Callable[[Turn], Worked]]
    seen: list[Turn] = field(default_factory=list)

    async def __call__(self, turn: Turn) -> Worked:
        self.seen.append(turn)
        now = self.turns[min(len(self.seen), len(self.turns)) - 1]
        return now if isinstance(now, Worked) else now(turn)


@dataclass
class Facts:
    values: dict[str, Any] = field(default_factory=dict)
    asked: int = 0

    async def __call__(self) -> Mapping[str, Any]:
        self.asked += 1
        return dict(self.values)


def prompting(given: Continue, record: Record, verdict: Verdict | None) -> str:
    return f"{given.prompt}: {given.feedback or ''}"


def store_at(clock: TurnedClock) -> MemoryStore:
    return MemoryStore(clock=clock.now)


def host(agent: Any, facts: Any, clock: TurnedClock, **rest: Any) -> Host:
    return Host(agent=agent, facts=facts, prompting=prompting, clock=clock, **rest)


def driven(work: Any, clock: TurnedClock) -> Any:
    """What *work* comes to, while the clock turns."""

    async def both() -> Any:
        asyncio.get_running_loop().set_default_executor(AtOnce())
        turning = asyncio.ensure_future(clock.turn())
        try:
            return await asyncio.wait_for(work, 20)
        finally:
            turning.cancel()

    return asyncio.run(both())


def changes(facts: Facts, *steps: Mapping[str, Any]) -> Iterable[Callable[[Turn], Worked]]:
    """Turns that leave the facts as each of *steps* says."""
    for step in steps:

        def worked(turn: Turn, step: Mapping[str, Any] = step) -> Worked:
            facts.values.update(step)
            return Worked(output=f"turn {turn.number}")

        yield worked
