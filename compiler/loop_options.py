"""What a goal gives an agent loop: the prompt's fragment, the sentinel of a completion, the limits
under the loop's names, and the parts by which a claim to be done is gated.

The target `captain` writes these options down, and `runtime.host` builds them for a host in Python.
"""

from __future__ import annotations

from typing import Any

from .host_spec import HOST_CURRENCY, host_budget, in_host_unit, spec_of
from .ir.document import Goal
from .pinning import goal_key

DONE_SENTINEL = "<<GOAL-DONE>>"
MAX_ATTEMPTS = 3

# A captain's policy for turns says how much prose a turn may hold and, where nothing else is said,
# refuses the sentinel by which a goal's loop ends. An explicit policy replaces it whole.
MAX_PROSE = 60_000
TURN_POLICY = {"allow_done_sentinel": True, "max_prose_chars": MAX_PROSE}


class Inexpressible(ValueError):
    """A limit that a loop has no number for."""


def prompt_fragment(goal: Goal) -> dict[str, Any]:
    """The goal for every request: its block, and the goal itself for a host that renders it again
    when its objective changes."""
    from .rendering import goal_block

    name = goal_key(goal).removeprefix("pin/")
    return {"id": name, "source": "goal", "body": goal_block(goal), "goal": spec_of(goal)}


def loop_limits(goal: Goal) -> dict[str, Any]:
    """The enforced budget as a loop's own options. Raises Inexpressible."""
    budget = goal.budget
    limits: dict[str, Any] = {}
    if budget is None:
        return limits
    if budget.turns is not None:
        limits["max_iterations"] = budget.turns
    if budget.runtime is not None:
        limits["wall_clock_ms"] = _number("runtime", budget.runtime, "whole milliseconds")
    if budget.cost is not None:
        limits["budget"] = {"total_budget_usd": _number("cost", budget.cost, HOST_CURRENCY)}
    return limits


def uncounted_limits(goal: Goal) -> dict[str, Any]:
    """The limits that a loop has no option for: the host counts them itself."""
    if goal.budget is None:
        return {}
    host = host_budget(goal.budget)
    return {key: host[key] for key in ("max_tokens", "max_tool_calls") if key in host}


def _number(key: str, value: str, unit: str) -> int | float:
    number = in_host_unit(key, value)
    if number is None:
        raise Inexpressible(f"the budget's {key} is {value}, and a loop counts it in {unit}")
    return number


def gates(goal: Goal) -> tuple[str, ...]:
    """The ids of the parts with a check that a claim to be done must find met, held or waived."""
    criteria = [c.id for c in goal.criteria if c.check is not None and c.mode != "advisory"]
    constraints = [c.id for c in goal.constraints if c.check is not None and c.mode != "advisory"]
    return (*criteria, *constraints)
