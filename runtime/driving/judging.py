"""Asking the judge for a driver: a request with its evidence, its calls, and what is filed of them
beside the journal, so that none is made or paid twice and each can be decided again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from typing import Any, Literal

from ..convergence import state_of
from ..convergence.effects import AskJudge
from ..convergence.events import Effect, Judged
from ..convergence.state import Ledger
from ..exhibits import Exhibit
from ..judge import (
    BadRequest,
    CallRecord,
    Evidence,
    Judgement,
    JudgeRequest,
    Misconfigured,
    ModelCall,
    Policy,
    Spent,
    judge,
    new_nonce,
    read_record,
    read_request,
    write_request,
)
from ..judge.ports import Clock
from ..judge.request import digest
from ..lifecycle.settling import bounded
from ..record.parts import Record
from ..store.encoding import MAX_EXHIBIT
from ..verdict import Verdict
from .looking import Look
from .ports import EvidenceSource, Pins
from .session import Session

_SHOWN = (200_000, 20_000, 2_000)  # characters of the evidence, and as many of the claim


@dataclass(frozen=True, slots=True)
class Judging:
    """The judge of a run: what carries requests to its model, which is never the worker's unless it
    is named; its bounds; and what it is shown beside the facts."""

    call: ModelCall
    policy: Policy = field(default_factory=Policy)
    evidence: EvidenceSource | None = None


@dataclass(frozen=True, slots=True)
class Filed:
    """A judgement, and the digest of what was filed of it; without one where nobody was asked."""

    judgement: Judgement
    exhibit: str | None


@dataclass(frozen=True, slots=True)
class Files:
    """Where exhibits are: *known* of the same evaluation; *add* is durable when it returns."""

    add: Callable[[Exhibit], None]
    known: Sequence[Exhibit]


async def judged(
    judging: Judging, session: Session, record: Record, look: Look, effects: Sequence[Effect],
    asked: AskJudge, pins: Pins, clock: Clock,
) -> Judged:  # fmt: skip
    """What the judge says, as the loop is told it, with everything filed in *session*."""

    def add(exhibit: Exhibit) -> None:
        """Durable before the next call is made, so that no crash pays for one twice."""
        session.store.add_exhibit(session.name, exhibit, lease=session.lease)

    known = await session.ask(partial(session.store.exhibits, session.name, asked.evaluation))
    filed = await judgement_on(
        judging, record, look, effects, asked, state_of(record).ledger, clock, Files(add, known)
    )
    took = filed.judgement.spent
    return Judged(
        at="",
        number=asked.number,
        outcome=filed.judgement.outcome,
        gates=await asyncio.to_thread(pins.hashes),
        judgements=took.invocations,
        tokens=took.tokens,
        cost=took.cost,
        exhibit=filed.exhibit,
    )


async def judgement_on(
    judging: Judging, record: Record, look: Look, effects: Sequence[Effect], asked: AskJudge,
    ledger: Ledger, clock: Clock, files: Files,
) -> Filed:  # fmt: skip
    """What the judge says of what settled, as *asked*. A request that cannot be made is a judge
    that cannot be asked as it is set up."""
    earlier = _begun(files.known, asked, record, look.verdict)
    try:
        request = earlier or await _request(judging, record, look, effects, asked.mode)
    except BadRequest as error:
        return Filed(Judgement(Misconfigured(str(error)), (), Spent()), None)
    if earlier is None:
        files.add(Exhibit(asked.evaluation, "request", write_request(request)))
    calls = [] if earlier is None else list(_calls(files.known))
    judgement = await judge(
        request, judging.call, judging.policy, clock, before=spent(ledger), calls=calls,
        record=lambda call: files.add(Exhibit(asked.evaluation, "call", call.to_json(request))),
    )  # fmt: skip
    content = judgement.to_json(request)
    files.add(Exhibit(asked.evaluation, "judgement", content))
    return Filed(judgement, digest(content))


def spent(ledger: Ledger) -> Spent:
    """What the goal's judge took so far."""
    return Spent(ledger.judgements, ledger.judge_tokens, Decimal(ledger.judge_cost))


async def _request(
    judging: Judging, record: Record, look: Look, effects: Sequence[Effect],
    mode: Literal["full", "unmet_floor"],
) -> JudgeRequest:  # fmt: skip
    """The request, with its evidence cut where it is more than can be kept of it."""
    assert record.goal is not None
    whole = (*_shown(look, effects), *await _brought(judging.evidence))
    claim, nonce = _claim(record), new_nonce()
    for most in _SHOWN:
        each = most // max(len(whole), 1)
        evidence = tuple(replace(one, text=bounded(one.text, each)) for one in whole)
        request = JudgeRequest(
            record.goal, look.verdict, evidence, bounded(claim, most), nonce, mode
        )
        if len(json.dumps(write_request(request))) <= MAX_EXHIBIT:
            return request
    raise BadRequest("the goal's parts and their explanations are too long to be kept")


def _shown(look: Look, effects: Sequence[Effect]) -> Iterator[Evidence]:
    """The facts, and what the tools of the last turn printed."""
    if look.facts:
        yield Evidence("facts", "fact", json.dumps(look.facts, indent=1, default=str))
    for number, effect in enumerate(effects, 1):
        yield Evidence(
            f"tool-{number}", "tool", f"{effect.tool} {effect.arguments}\n{effect.result}"
        )


async def _brought(source: EvidenceSource | None) -> Sequence[Evidence]:
    if source is None:
        return ()
    try:
        return await source()
    except Exception as error:  # a host's own code: what failed shows nothing
        raise BadRequest(
            f"the evidence could not be had: {type(error).__name__}: {error}"
        ) from None


def _claim(record: Record) -> str:
    """What the worker says: its last words, after the reason that it proposes an end for."""
    pending = record.pending
    if pending is None:
        return ""
    reason = None if pending.candidate is None else pending.candidate.reason
    return "\n\n".join(filter(None, (reason, pending.output)))


# --- what a crash cut off


def _begun(
    known: Sequence[Exhibit], asked: AskJudge, record: Record, verdict: Verdict
) -> JudgeRequest | None:
    """The request of the same judgement that was begun and that nothing came of yet, where the
    machine still finds what it found then."""
    last = _last_request(known)
    if record.goal is None or last is None or _is_taken_up(known[-1], record):
        return None
    try:
        request = read_request(known[last].content, record.goal)
    except BadRequest:
        return None
    same = request.mode == asked.mode and _outcomes(request.verdict) == _outcomes(verdict)
    return request if same else None


def _last_request(known: Sequence[Exhibit]) -> int | None:
    places = (place for place, one in enumerate(known) if one.kind == "request")
    return max(places, default=None)


def _is_taken_up(exhibit: Exhibit, record: Record) -> bool:
    """Is it the judgement that the loop was told of last?"""
    if exhibit.kind != "judgement":
        return False
    return digest(exhibit.content) == state_of(record).exhibit


def _calls(known: Sequence[Exhibit]) -> Iterator[CallRecord]:
    """The calls of the last request; one that cannot be read is made again."""
    for exhibit in known[_last_request(known) or 0 :]:
        if exhibit.kind == "call":
            with suppress(ValueError):
                yield read_record(exhibit.content)


def _outcomes(verdict: Verdict) -> list[tuple[str, Any]]:
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return [(part.id, part.outcome) for part in parts]
