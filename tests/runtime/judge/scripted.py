"""A judge that says what a script has, and a clock that only a sleep moves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from goalspec.runtime.judge import (
    Judgement,
    JudgeRequest,
    Policy,
    Prompt,
    Reply,
    Route,
    judge,
)

POLICY = Policy()
Said: TypeAlias = str | Mapping[str, Any] | Reply | BaseException


class Clock:
    """It stands still, except for sleeping and for what a call is said to take."""

    def __init__(self) -> None:
        self.slept: list[float] = []
        self.time = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.time)

    def monotonic(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@dataclass
class Script:
    """Says each of *lines* once, in order; each takes *took* seconds."""

    lines: Iterable[Said]
    clock: Clock = field(default_factory=Clock)
    took: float = 1.0
    model: str = "judge-1"
    provider: str = "acme"
    asked: list[Prompt] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = iter(self.lines)

    @property
    def route(self) -> Route:
        return Route(self.model, self.provider, {"temperature": "0"})

    async def __call__(self, prompt: Prompt) -> Reply:
        self.asked.append(prompt)
        self.clock.time += self.took
        line = next(self._left)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, Mapping):
            line = json.dumps(line)
        return Reply(line) if isinstance(line, str) else line


def judged(
    request: JudgeRequest, script: Script | None, policy: Policy = POLICY, **options: Any
) -> Judgement:
    clock = Clock() if script is None else script.clock
    return asyncio.run(judge(request, script, policy, clock, **options))
