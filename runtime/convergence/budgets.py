"""The budget is looked at before each continuation, after the last allowed turn was evaluated. So a
limit of turns is exact, and any other is overshot by what one turn takes at most. An advisory
budget stops nothing."""

from __future__ import annotations

from ..lifecycle.budget import reached
from ..lifecycle.commands import Block, Limit
from .course import Course
from .guards import tripped


def budget(course: Course) -> str | None:
    """Every limit that is reached is said, in the order of the language's keys, then each guard
    that would have stopped the goal too."""
    limits = reached(course.budget, course.record.usage)
    if not limits:
        return None
    reason = "; ".join([*limits.values(), *(words for _, words in tripped(course))])
    if set(limits) == {"attempts"}:
        course.do(Block(reason=reason))
        return "attempts"
    course.do(Limit(reason=reason, turns=course.policy.turns))
    return "budget"
