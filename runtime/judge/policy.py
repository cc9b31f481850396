"""How often and how long a judge is asked: retries with a bounded backoff, deadlines, and the caps
of a run on judgements, tokens and cost, which are decided here and waited for elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal

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


@dataclass(frozen=True, slots=True)
class Policy:
    """The bounds of a judgement: *attempts* of one call, a doubling wait between them from
    *backoff* to *max_backoff*, the seconds that one call and the whole may take. *max_tokens* and
    *max_cost* bound all judgements of the goal, beside its own `max_invocations`."""

    attempts: int = 4
    backoff: float = 2.0
    max_backoff: float = 30.0
    call_timeout: float = 120.0
    deadline: float = 600.0
    max_tokens: int | None = None
    max_cost: Decimal | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name != "price" and value is not None and not value > 0:
                raise ValueError(f"{one.name}: it is more than 0, not {value}")

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
