"""What carries a request to a model, and the clock: the two ports of a judgement.

A carrier answers with a `Reply` or raises `CallFailed`; what is wrong with a reply's text is no
failure of the carrier's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeAlias, get_args

from .answer import Finish
from .request import Prompt

FailureKind: TypeAlias = Literal[
    "transport", "timeout", "rate_limited", "server", "protocol", "failed",  # may pass
    "auth", "quota", "rejected", "not_allowed", "unset",  # do not, whoever asks again
]  # fmt: skip

ROUTE_CLOSED: frozenset[FailureKind] = frozenset(("auth", "quota"))
"""Nobody is let through, until a person mends it."""
MISCONFIGURED: frozenset[FailureKind] = frozenset(("rejected", "not_allowed", "unset"))
"""The request or the setting is wrong, and stays wrong."""
RETRIABLE: frozenset[FailureKind] = frozenset(get_args(FailureKind)) - ROUTE_CLOSED - MISCONFIGURED


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call took. *cost* is in *currency*, where the carrier knows it."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal | None = None

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, how it ended, and what that took; *usage* is None where nobody said."""

    text: str
    finish: Finish = "stop"
    usage: Usage | None = None


class CallFailed(Exception):
    """A call without a reply. *retry_after* is how many seconds the provider asked to wait."""

    def __init__(self, kind: FailureKind, detail: str, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: FailureKind = kind
        self.detail = detail
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Route:
    """Which model is asked, by whom it is served, and with what settings, which are JSON values and
    no secrets, since they are recorded. Raises ValueError."""

    model: str
    provider: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            json.dumps(dict(self.parameters), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise ValueError(f"the judge's parameters are no JSON values: {error}") from None


class ModelCall(Protocol):
    """Carries a prompt to a model."""

    @property
    def route(self) -> Route: ...

    async def __call__(self, prompt: Prompt) -> Reply:
        """The reply. Raises CallFailed; who waits too long cancels it."""
        ...


class Clock(Protocol):
    """The time of day for the record, seconds that only grow for deadlines, and waiting."""

    def now(self) -> datetime: ...

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...
