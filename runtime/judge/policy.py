"""How often and how long a judge is asked: retries with a bounded backoff, deadlines, and the caps
of a run on judgements, tokens and cost, which are decided here and waited for elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .ports import Usage

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost."""

    input: Decimal
    output: Decimal

    def of(self, usage: Usage) -> Decimal:
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / MILLION


@dataclass(frozen=True, slots=True)
class Spent:
    """What the judge of a goal has taken so far. A judgement that an outage kept from being one is
    not counted; its tokens are."""

    invocations: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)

    def plus(self, other: Spent) -> Spent:
        return Spent(
            self.invocations + other.invocations, self.tokens + other.tokens, self.cost + other.cost
        )


NOTHING = Spent()


_SECONDS = (int | float, "a number of seconds")
_SETTINGS: Mapping[str, tuple[Any, str]] = {
    "attempts": (int, "a whole number"),
    **dict.fromkeys(("backoff", "max_backoff", "call_timeout", "deadline"), _SECONDS),
    "max_tokens": (int, "a whole number"),
    "max_cost": (int | Decimal, "a whole number or a Decimal"),
}
_OPTIONAL = ("max_tokens", "max_cost")


@dataclass(frozen=True, slots=True)
class Policy:
    """The bounds of a judgement: *attempts* of one call, a doubling wait between them from
    *backoff* to *max_backoff*, the seconds that one call and the whole may take. *max_tokens* and
    *max_cost* bound all judgements of the goal, beside its own `max_invocations`; without them
    that alone does. Raises ValueError."""

    attempts: int = 4
    backoff: float = 2.0
    max_backoff: float = 30.0
    call_timeout: float = 120.0
    deadline: float = 600.0
    max_tokens: int | None = None
    max_cost: Decimal | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        for name, (kinds, words) in _SETTINGS.items():
            value = getattr(self, name)
            if value is None and name in _OPTIONAL:
                continue
            if isinstance(value, bool) or not isinstance(value, kinds) or not _is_bound(value):
                raise ValueError(f"{name}: it is {words} more than 0, not {value!r}")
        if not isinstance(self.price, Price | None):
            raise ValueError(f"price: it is a Price, not {self.price!r}")

    def wait(self, failures: int, retry_after: float | None) -> float:
        """The seconds before another attempt, after so many *failures* in a row: what the provider
        asked for, if that is longer."""
        doubled = self.backoff * 2.0 ** min(failures - 1, 64)
        return max(min(doubled, self.max_backoff), retry_after or 0.0)

    def cost(self, usage: Usage) -> Decimal | None:
        """What a call cost: what its carrier said, or by the price; None where neither is known."""
        if usage.cost is not None:
            return usage.cost
        return None if self.price is None else self.price.of(usage)


def _is_bound(value: int | float | Decimal) -> bool:
    return math.isfinite(value) and value > 0
