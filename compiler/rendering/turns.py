"""What an agent is told at the start of a turn that the loop opens: a fragment for the occasion,
and after it how an end is proposed."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..ir import document as ir
from .fence import TASK
from .fragments import built_in, rendered
from .views import State, goal_view, state_view

COMPLETE = "goalspec: complete"
BLOCKED = "goalspec: blocked"
"""What the last line of an agent's output is where it proposes an end; `blocked` with a reason."""

Occasion: TypeAlias = Literal["first", "full", "minimal", "floor_failed"]
"""The first turn of a goal; one that goes on; one after a turn that was cut off; one after an end
that was proposed and is none."""

Ends: TypeAlias = Literal["line", "tool"]
"""How the agent proposes an end: a command by its last line, a model in a host by a tool."""

_FILES = {
    "first": "first.j2",
    "full": "continuation.j2",
    "minimal": "resumed.j2",
    "floor_failed": "vetoed.j2",
}


def turn_prompt(goal: ir.Goal, occasion: Occasion, ends: Ends, state: State) -> str:
    """The prompt of a turn. After a cut, a model in a host has the goal before it and is told its
    id; a command begins anew each turn and is told all of it."""
    sandbox = built_in(TASK)
    told = rendered(
        sandbox, _FILES[occasion], goal=goal_view(goal), state=state_view(goal, state),
        whole=ends == "line",
    )  # fmt: skip
    ending = rendered(sandbox, "ends.j2", by=ends, complete=COMPLETE, blocked=BLOCKED)
    return f"{told.text}\n\n{ending.text}"
