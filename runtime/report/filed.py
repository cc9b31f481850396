"""The exhibits as they were filed, read as far as the page shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..record.reading import read_as

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class FiledItem:
    id: str
    provenance: str
    text: str


@dataclass(frozen=True, slots=True)
class FiledCheck:
    id: str
    outcome: str
    explanation: str


@dataclass(frozen=True, slots=True)
class FiledRequest:
    contract: str
    mode: str
    claim: str
    evidence: tuple[FiledItem, ...]
    criteria: tuple[FiledCheck, ...]
    constraints: tuple[FiledCheck, ...]
    stops: tuple[FiledCheck, ...]


@dataclass(frozen=True, slots=True)
class FiledReply:
    text: str
    finish: str


@dataclass(frozen=True, slots=True)
class FiledUsage:
    input_tokens: int
    output_tokens: int
    cost: str | None


@dataclass(frozen=True, slots=True)
class FiledFailure:
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class FiledCall:
    at: str
    took: float
    model: str
    provider: str
    parameters: dict[str, Any]
    member: int
    problem: str | None
    verdict: dict[str, Any]
    contract: str
    prompt_hash: str
    schema_hash: str
    evidence_hash: str
    reply: FiledReply | None = None
    usage: FiledUsage | None = None
    failure: FiledFailure | None = None


@dataclass(frozen=True, slots=True)
class FiledQuote:
    source: str
    quote: str


@dataclass(frozen=True, slots=True)
class FiledPart:
    outcome: str
    reason: str
    evidence: tuple[FiledQuote, ...]


@dataclass(frozen=True, slots=True)
class FiledStep:
    part: str
    step: str


@dataclass(frozen=True, slots=True)
class FiledAnswer:
    """An answer, or what came of a judgement, which may have a *detail* in place of one."""

    state: str | None = None
    decision: str | None = None
    detail: str | None = None
    next_step: FiledStep | None = None
    criteria: dict[str, FiledPart] = field(default_factory=dict)
    constraints: dict[str, FiledPart] = field(default_factory=dict)
    stops: dict[str, FiledPart] = field(default_factory=dict)
    answers: tuple[FiledAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class FiledSpent:
    invocations: int
    tokens: int
    cost: str


@dataclass(frozen=True, slots=True)
class FiledJudgement:
    outcome: FiledAnswer
    spent: FiledSpent


def read_filed(kind: type[_T], content: Any) -> _T:
    """An exhibit's *content* as a *kind*. Raises BadRecord."""
    found: _T = read_as(kind, _whole(content))
    return found


def _whole(value: Any) -> Any:
    """JSON in which half a character, as a tool may print it, is U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return [_whole(item) for item in value] if isinstance(value, list) else value
