"""What was used against what is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...compiler.ir.document import Budget
from ...grammar.literals import (
    DECIMAL,
    LiteralError,
    read_money,
    read_quantity,
    spell_duration,
    write_money,
)
from ..record.parts import Record, Usage
from .events import Refusal

_COUNTS = ("turns", "tokens", "tool_calls", "attempts")


def charged(usage: Usage, more: Usage) -> Usage:
    """Both together."""
    counts = {name: getattr(usage, name) + getattr(more, name) for name in (*_COUNTS, "runtime")}
    return replace(usage, cost=_sum(usage.cost, more.cost), **counts)


def _sum(cost: str | None, more: str | None) -> str | None:
    if cost is None or more is None:
        return cost if more is None else more
    (amount, currency), (added, _) = read_money(cost), read_money(more)
    return write_money(DECIMAL.add(amount, added), currency)


def need_cost(cost: str | None, record: Record) -> None:
    """Refuse a cost that cannot be charged: one below 0, or in another currency than the budgets
    and the usage so far."""
    if cost is None:
        return
    try:
        amount, currency = read_money(cost)
    except LiteralError as error:
        raise Refusal("bad_usage", f"usage.cost: {error.message}: {error.hint}") from None
    if amount < 0:
        raise Refusal("bad_usage", f"usage.cost: {cost} is below 0: usage only grows")
    goal = record.goal
    budgets = () if goal is None else (goal.budget, goal.advisory_budget)
    limits = [budget.cost for budget in budgets if budget is not None]
    for known in (record.usage.cost, *limits):
        if known is not None and read_money(known)[1] != currency:
            raise Refusal(
                "another_currency",
                f"{cost} cannot be charged beside {known}: settle a goal's cost in its currency",
            )


def enforced(budget: Budget | None, turns: int | None) -> Budget:
    """*budget* where it says how many turns, else with those that a host allows."""
    budget = budget or Budget()
    return budget if budget.turns is not None else replace(budget, turns=turns)


def exhausted(budget: Budget | None, usage: Usage) -> str | None:
    """Every limit that is reached, in words: `turns: 25 of 25`."""
    return "; ".join(reached(budget, usage).values()) or None


def reached(budget: Budget | None, usage: Usage) -> dict[str, str]:
    """The limits that are reached, by their names, and in words; always in the same order."""
    return {} if budget is None else dict(_reached(budget, usage))


def _reached(budget: Budget, usage: Usage) -> Iterator[tuple[str, str]]:
    for name in _COUNTS:
        limit, used = getattr(budget, name), getattr(usage, name)
        if limit is not None and used >= limit:
            yield name, f"{name.replace('_', ' ')}: {used} of {limit}"
    if budget.runtime is not None and usage.runtime >= read_quantity(budget.runtime)[1]:
        yield "runtime", f"runtime: {spell_duration(usage.runtime)} of {budget.runtime}"
    if budget.cost is not None and usage.cost is not None:
        (limit, currency), (used, other) = read_money(budget.cost), read_money(usage.cost)
        if currency == other and used >= limit:
            yield "cost", f"cost: {usage.cost} of {budget.cost}"
