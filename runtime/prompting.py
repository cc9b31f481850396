"""The prompts of a run: what an agent is told at the start of each of its turns, made of the
record, the last verdict and what was decided; and what its last line proposes.

What a judge or a check said is anybody's text: it is bounded here, and the renderer keeps it inside
the fence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ..compiler.ir.document import Constraint, Criterion, Goal
from ..compiler.rendering import BLOCKED, COMPLETE, Ends, Occasion, State, turn_prompt
from .convergence import Policy, state_of
from .convergence.effects import Continue
from .dashboard import limits_left
from .record.parts import Record
from .verdict import Verdict

MAX_FEEDBACK = 4_000  # code points of what was said of the last turn
MAX_EXPLANATION = 1_000  # of why one part is open
MAX_REASON = 1_000  # of what blocks the goal, as the agent puts it

_TURNING = ("advisory", "awaited")
_TIME = "runtime"


@dataclass(frozen=True, slots=True)
class Prompts:
    """What a driver makes its prompts with. *ends* is how the agent proposes an end; an agent that
    *sees_time* is told how much of it is left, which tempts a model to hurry. Raises
    ValueError."""

    policy: Policy
    ends: Ends = "line"
    sees_time: bool = False

    def __post_init__(self) -> None:
        if self.ends not in get_args(Ends):
            known = " or ".join(get_args(Ends))
            raise ValueError(f"ends: it is {known}, not {self.ends!r}")

    def __call__(self, given: Continue, record: Record, verdict: Verdict | None) -> str:
        """The prompt of the turn that *given* opens. *verdict* is of the last observation; without
        it, or where it is of another contract, the record has the outcomes, and no explanation."""
        goal = record.goal
        if goal is None:
            raise ValueError(f"session {record.session} has no goal to work on")
        kept = state_of(record)
        outcomes, explanations = dict(kept.outcomes), {}
        if verdict is not None and verdict.contract == goal.contract:
            outcomes, explanations = outcomes_of(verdict), _explanations(verdict)
        standing = State(
            outcomes=outcomes,
            explanations=explanations,
            turns_without_tool=given.turns_without_tool,
            monitors=given.monitors,
            used=dict(self._used(record, goal)),
            feedback=None if given.feedback is None else bounded(given.feedback, MAX_FEEDBACK),
            turned=announcements(kept.told, outcomes, goal),
        )
        return turn_prompt(goal, _occasion(given, record), self.ends, standing)

    def _used(self, record: Record, goal: Goal) -> Iterator[tuple[str, str]]:
        budgets = ((self.policy.budget_of(goal), ""), (goal.advisory_budget, " (advisory)"))
        for budget, remark in budgets:
            for name, words in () if budget is None else limits_left(record.usage, budget):
                if self.sees_time or name != _TIME:
                    yield f"{name}{remark}", words


def _occasion(given: Continue, record: Record) -> Occasion:
    if given.prompt == "full" and record.usage.turns == 0:
        return "first"
    return given.prompt


def outcomes_of(verdict: Verdict) -> dict[str, str]:
    """The outcome of each part by its id."""
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return {part.id: part.outcome for part in parts}


def _explanations(verdict: Verdict) -> dict[str, str]:
    """Why each part is open that an agent is told of."""
    return {
        part.id: bounded(part.explanation, MAX_EXPLANATION)
        for part in (*verdict.gating, *verdict.binding, *verdict.stops)
        if part.outcome in ("unmet", "unknown", "violated", "stopped")
    }


def announcements(
    before: Mapping[str, str], after: Mapping[str, str], goal: Goal
) -> tuple[str, ...]:
    """What turned of the parts that an agent is not asked for, a line each: the advisory ones and
    those that others bring about. What nobody looked at before turned from nothing, and is not
    announced."""
    parts: tuple[Criterion | Constraint, ...] = (*goal.criteria, *goal.constraints)
    return tuple(
        f"{part.id} ({part.mode}): {before[part.id]}, now {after[part.id]}"
        for part in parts
        if part.mode in _TURNING
        and part.id in before
        and before[part.id] != after.get(part.id, before[part.id])
    )


def bounded(text: str, most: int) -> str:
    """*text* in about *most* code points: of a longer one the beginning and the end, and between
    them how much is left out."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} [… {len(text) - 2 * half:,} characters are left out …] {text[-half:]}"


def read_proposal(output: str) -> tuple[Literal["complete", "blocked"], str | None] | None:
    """The end that *output* proposes, with the reason of a block. Only its last line that is not
    blank says so, word for word: a marker anywhere else, in other letters, with something before it
    or without a reason proposes nothing."""
    last = output.rstrip().rpartition("\n")[2]
    if last == COMPLETE:
        return "complete", None
    head, found, reason = last.partition(f"{BLOCKED} ")
    if head or not found or not reason.strip():
        return None
    return "blocked", bounded(reason.strip(), MAX_REASON)
