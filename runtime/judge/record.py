"""Each call of a judge as plain JSON: what was asked, by hashes; whom; what came back, as it came;
and what it was read as. With it the judgement can be made again without a network.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING, Any

from .answer import Answer, Finish, Invalid, read_answer
from .ports import CallFailed, FailureKind, Reply, Route, Usage
from .request import JudgeRequest, digest

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

HASHES = ("contract", "prompt_hash", "schema_hash", "evidence_hash")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call has no reply."""

    kind: FailureKind
    detail: str
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call: of the judge number *member*, again after an invalid answer if *problem* says
    which; *outcome* is its reply or its failure, *took* its seconds."""

    hashes: Mapping[str, str]
    route: Route
    member: int
    problem: str | None
    at: datetime
    took: float
    outcome: Reply | Failure

    def read(self, request: JudgeRequest) -> Answer | Invalid | Failure:
        """What the call brought."""
        if isinstance(self.outcome, Failure):
            return self.outcome
        return read_answer(self.outcome.text, request, self.outcome.finish)

    @property
    def replied(self) -> bool:
        """Did the model answer, whatever it said?"""
        return isinstance(self.outcome, Reply)

    @property
    def usage(self) -> Usage | None:
        return self.outcome.usage if isinstance(self.outcome, Reply) else None

    def to_json(self, request: JudgeRequest) -> dict[str, Any]:
        """The record, with the verdict that it was read as."""
        return {
            **self.hashes,
            "model": self.route.model,
            "provider": self.route.provider,
            "parameters": dict(self.route.parameters),
            "member": self.member,
            "problem": self.problem,
            "at": self.at.isoformat(),
            "took": self.took,
            **_outcome_json(self.outcome),
            "verdict": verdict_json(self.read(request)),
        }


def hashes_of(request: JudgeRequest, problem: str | None) -> dict[str, str]:
    """What the call's answer answers: the request's hashes, with those of what was really asked."""
    if problem is None:
        return request.hashes
    prompt = request.again(problem)
    return {**request.hashes, "prompt_hash": digest([prompt.system, prompt.message])}


def failure_of(error: CallFailed) -> Failure:
    """The failure, with a wait only if it is one that can be waited for."""
    wait = error.retry_after
    usable = wait is not None and math.isfinite(wait) and wait >= 0
    return Failure(error.kind, error.detail, wait if usable else None)


def verdict_json(read: Answer | Invalid | Failure) -> dict[str, Any]:
    """What a call was read as: an answer, an answer that is none, or nothing."""
    match read:
        case Answer():
            return {"answer": read.to_json()}
        case Invalid():
            return {"invalid": read.kind}
        case Failure():
            return {"failure": read.kind}


def _outcome_json(outcome: Reply | Failure) -> dict[str, Any]:
    if isinstance(outcome, Failure):
        return {"failure": asdict(outcome)}
    usage = outcome.usage
    return {
        "reply": {"text": outcome.text, "finish": outcome.finish},
        "usage": None if usage is None else usage_json(usage),
    }


def usage_json(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost": None if usage.cost is None else str(usage.cost),
    }


def read_record(value: Any) -> CallRecord:
    """The record that `to_json` wrote. Raises ValueError where it is none."""
    from pydantic import ValidationError

    try:
        found = _reader().validate_python(value)
    except ValidationError as error:
        raise ValueError(first_fault(error)) from None
    outcome: Reply | Failure
    if found.reply is not None:
        usage = None if found.usage is None else found.usage.read()
        outcome = Reply(found.reply.text, found.reply.finish, usage)
    elif found.failure is not None:
        outcome = found.failure
    else:
        raise ValueError("a call has a reply or a failure")
    return CallRecord(
        {name: getattr(found, name) for name in HASHES},
        Route(found.model, found.provider, found.parameters),
        found.member,
        found.problem,
        found.at,
        found.took,
        outcome,
    )


def first_fault(error: ValidationError) -> str:
    """Where the first fault of a JSON value is, and what it is."""
    fault = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}"


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    finish: Finish


@dataclass(frozen=True, slots=True)
class _Usage:
    input_tokens: int
    output_tokens: int
    cost: str | None

    def read(self) -> Usage:
        try:
            cost = None if self.cost is None else Decimal(self.cost)
        except InvalidOperation:
            raise ValueError(f"the cost {self.cost!r} is no decimal") from None
        return Usage(self.input_tokens, self.output_tokens, cost)


@dataclass(frozen=True, slots=True)
class _Written:
    """What `to_json` writes; the verdict is whoever's that reads it."""

    contract: str
    prompt_hash: str
    schema_hash: str
    evidence_hash: str
    model: str
    provider: str
    parameters: dict[str, Any]
    member: int
    problem: str | None
    at: datetime
    took: float
    verdict: Any
    reply: _Reply | None = None
    usage: _Usage | None = None
    failure: Failure | None = None


@cache
def _reader() -> TypeAdapter[_Written]:
    from pydantic import TypeAdapter

    return TypeAdapter(_Written)
