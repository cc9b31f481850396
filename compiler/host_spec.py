"""A goal in the shape in which hosts keep one: objective, success criteria, retired criteria,
constraints, budget, with the names that hosts have for limits.

`spec_of` writes it and `host_goal` reads it. It holds what an agent owes and nothing else: advisory
parts are left out, since a host knows only parts that gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any

from ..grammar.literals import DURATION_UNITS, read_money, read_quantity
from .ir.document import Budget, Goal

# Each limit of `budget`, and what hosts call it. A limit that cannot be said in the host's unit
# keeps its own name and its unit.
HOST_LIMITS = {
    "cost": "max_cost_usd",
    "tokens": "max_tokens",
    "turns": "max_iterations",
    "attempts": "max_attempts",
    "tool_calls": "max_tool_calls",
    "runtime": "wall_clock_ms",
}
HOST_CURRENCY = "USD"


def spec_of(goal: Goal) -> dict[str, Any]:
    """*goal* as a host's own value: plain JSON, checks left out."""
    return {
        "objective": goal.objective,
        "success_criteria": [
            {"id": criterion.id, "description": criterion.text}
            for criterion in goal.criteria
            if criterion.mode != "advisory"
        ],
        "retired_criteria": [
            {"id": criterion.id, "description": criterion.text} for criterion in goal.retired
        ],
        "constraints": [c.text for c in goal.constraints if c.mode != "advisory"],
        "budget": {} if goal.budget is None else host_budget(goal.budget),
    }


def host_budget(budget: Budget) -> dict[str, int | float | str]:
    """The limits under the names of hosts, in the order of the language."""
    limits: Mapping[str, Any] = {
        field.name: getattr(budget, field.name) for field in fields(budget)
    }
    host: dict[str, int | float | str] = {}
    for key, value in limits.items():
        if value is not None:
            number = in_host_unit(key, value)
            host[HOST_LIMITS[key] if number is not None else key] = (
                value if number is None else number
            )
    return host


def in_host_unit(key: str, value: int | str) -> int | float | None:
    """A limit as the number that hosts take, dollars or milliseconds where it has a unit; None
    where no such number says it exactly."""
    if isinstance(value, int):
        return value
    if key == "cost":
        amount, currency = read_money(value)
        return exact_number(amount) if currency == HOST_CURRENCY else None
    milliseconds, rest = divmod(int(read_quantity(value)[1]), DURATION_UNITS["ms"])
    return None if rest else milliseconds


def exact_number(value: Decimal) -> int | float | None:
    """*value* as the JSON number whose text says it, or None where a double would change it."""
    if value == value.to_integral_value():
        return int(value)
    number = float(value)
    return number if Decimal(repr(number)) == value else None
