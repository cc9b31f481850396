"""What a goal gives an agent loop: the fragment of its prompt, the limits under the names of loops,
the parts by which a claim to be done is gated, and the judge's options.

The target `captain` writes these options down; `runtime.host` makes them for a host in Python.
"""

from __future__ import annotations

from typing import Any

from .host_spec import HOST_CURRENCY, host_budget, spec_of
from .ir.document import Condition, Goal, Judge

DONE_SENTINEL = "<<GOAL-DONE>>"
MAX_ATTEMPTS = 3

# What a loop calls each limit. `attempts` are claims to be done, not iterations. `max_tokens` is
# the longest answer there, so all tokens of a run have a name like that of all money.
_LOOP_LIMITS = {
    "max_cost_usd": "total_budget_usd",
    "max_tokens": "total_budget_tokens",
    "max_iterations": "max_iterations",
    "max_attempts": "max_verify_attempts",
    "max_tool_calls": "max_tool_calls",
    "wall_clock_ms": "wall_clock_ms",
}


class Inexpressible(ValueError):
    """A limit that a loop has no number for."""


def prompt_fragment(goal: Goal) -> dict[str, Any]:
    """The goal for every request: its block, and the goal itself for a host that renders it again
    when its objective changes."""
    from .rendering import goal_block

    return {"id": "goal", "source": "goal", "body": goal_block(goal), "goal": spec_of(goal)}


def loop_limits(goal: Goal) -> dict[str, Any]:
    """The enforced budget as the options of a loop. Raises Inexpressible."""
    limits = {} if goal.budget is None else host_budget(goal.budget)
    for name, value in limits.items():
        if name not in _LOOP_LIMITS:
            unit = HOST_CURRENCY if name == "cost" else "whole milliseconds"
            raise Inexpressible(
                f"the budget limits {name} to {value}, and a loop counts {unit}: say the limit in "
                "that, or leave it to the host"
            )
    return {_LOOP_LIMITS[name]: value for name, value in limits.items()}


def gates(goal: Goal) -> tuple[str, ...]:
    """The ids of the parts with a predicate that a claim to be done must find met, held, waived or
    left to the judge."""
    criteria = [c.id for c in goal.criteria if c.mode != "advisory" and _has_predicate(c)]
    constraints = [c.id for c in goal.constraints if c.mode != "advisory" and _has_predicate(c)]
    return (*criteria, *constraints)


def _has_predicate(part: Condition) -> bool:
    return any(expr is not None for expr in (part.when, part.given, part.check))


def loop_judges(goal: Goal, judge: Judge) -> dict[str, dict[str, Any]]:
    """The options of an agent loop's judge, by the name that each generation of such loops has for
    them. The older reads `action` and may fail open, which is switched off; the newer reads
    `verdict`, never fails open, and has no switch."""
    from .rendering import judge_brief, judge_feedback

    named = {"model": judge.model, "provider": judge.provider}
    common = {
        **{key: value for key, value in named.items() if value is not None},
        "feedback_fallback": judge_feedback(goal),
        "max_invocations": judge.max_invocations,
    }
    return {
        "done_judge": {
            **common, "fail_open_on_error": False, "system": judge_brief(goal, "action"),
        },
        "turn_end_condition": {**common, "system": judge_brief(goal, "done")},
    }  # fmt: skip
