"""Asking a judge: the loop that carries out what the plan says, on the ports of a model and a
clock.

It decides nothing. Whatever a carrier raises becomes the record of a call that failed; only being
cancelled goes through.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from .outcome import Judgement
from .plan import Ask, next_move, spent_on
from .policy import NOTHING, Policy, Spent
from .ports import CallFailed, Clock, ModelCall, Reply
from .reading import MAX_ANSWER
from .record import CallRecord, Failure, failure_of, hashes_of
from .request import JudgeRequest

_DETAIL = 500  # characters of what went wrong; a provider may send pages
_HEAD = 4_096  # characters that are recorded of an answer that is too long to be one


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def new_nonce() -> str:
    """A random word for a request's fence."""
    return secrets.token_hex(16)


async def judge(
    request: JudgeRequest, call: ModelCall | None, policy: Policy, clock: Clock, *,
    before: Spent = NOTHING, calls: Sequence[CallRecord] = (),
    record: Callable[[CallRecord], None] | None = None,
) -> Judgement:  # fmt: skip
    """What the judge of *request* says, asked through *call*.

    *before* is what earlier judgements of the goal took. *record* is told of each call as soon as
    it is over; *calls* are those that were recorded before a crash, and are not made again, except
    for those of another request.
    """
    made = [call for call in calls if call.hashes == hashes_of(request, call.problem)]
    began = clock.monotonic()
    route = None if call is None else call.route
    while True:
        move = next_move(request, route, policy, made, clock.monotonic() - began, before)
        if not isinstance(move, Ask):
            return Judgement(move, tuple(made), spent_on(made, policy))
        assert call is not None
        if move.wait:
            await clock.sleep(move.wait)
        made.append(await _called(request, call, move, clock))
        if record is not None:
            record(made[-1])


async def _called(request: JudgeRequest, call: ModelCall, ask: Ask, clock: Clock) -> CallRecord:
    prompt = request.prompt if ask.problem is None else request.again(ask.problem)
    at, began = clock.now(), clock.monotonic()
    try:
        async with asyncio.timeout(ask.timeout):
            outcome = _checked(await call(prompt))
    except CallFailed as error:
        outcome = failure_of(error)
    except TimeoutError as error:
        outcome = Failure("timeout", str(error) or f"no answer within {ask.timeout:g} s")
    except Exception as error:
        outcome = Failure("failed", f"{type(error).__name__}: {error}")
    if isinstance(outcome, Failure):
        outcome = Failure(outcome.kind, _one_line(outcome.detail), outcome.retry_after)
    took = round(clock.monotonic() - began, 3)
    hashes = hashes_of(request, ask.problem)
    return CallRecord(hashes, call.route, ask.member, ask.problem, at, took, outcome)


def _checked(reply: object) -> Reply | Failure:
    if not isinstance(reply, Reply) or not isinstance(reply.text, str):
        return Failure("protocol", f"a reply has a text, and this is {type(reply).__name__}")
    if len(reply.text) > MAX_ANSWER:
        return Reply(reply.text[:_HEAD], "length", reply.usage)
    return reply


def _one_line(text: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _DETAIL else f"{line[: _DETAIL - 1]}…"
