"""The judge's options for an agent loop, from a goal and what the host says of its judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...compiler.host_goal import Problems
from ...compiler.host_spec import spec_of
from ...compiler.ir.document import Judge
from ...compiler.loop_options import loop_judges
from .bound import AnyGoal, goal
from .requests import mapping

SEAMS = ("turn_end_condition", "done_judge")  # the newer name first

_OPTIONS = ("model", "provider", "max_invocations", "feedback_fallback")
# What hosts have or had beside these, and why there is nothing to set; `False` says what holds.
_FAIL_OPEN = ("fail_open", "fail_open_on_error")
_GONE = {
    **dict.fromkeys(_FAIL_OPEN, "nothing accepts on an error"),
    "enabled": "leave the judge out to have none",
    "max_feedback": "what a judge says is not cut",
}


def goal_judge(
    spec: AnyGoal, opts: Mapping[str, Any] | None = None, seam: str = SEAMS[0]
) -> dict[str, Any]:
    """The judge's options, under the keys of the loops that call them *seam*, one of SEAMS.

    *opts* has `model`, `provider`, `max_invocations` and `feedback_fallback`; what it leaves out
    comes from the goal's own judge, and then 3 calls are the most. Without a model the host has to
    set one: the worker's is never meant. Raises BadGoal.
    """
    bound = goal(spec).goal
    given = mapping(opts, "judge")
    problems = Problems()
    for key, value in given.items():
        if key in _GONE and not (key in _FAIL_OPEN and value is False):
            problems.add("judge", f"there is no `{key}`: {_GONE[key]}")
    problems.keys(given, (*_OPTIONS, *_GONE), "judge")
    if seam not in SEAMS:
        problems.add("seam", f"`{seam}` is none: there are {', '.join(SEAMS)}")
    for key in ("model", "provider", "feedback_fallback"):
        if given.get(key) is not None:
            problems.text(given[key], f"judge.{key}", f"`{key}`", "leave it out")
    calls = given.get("max_invocations")
    if calls is not None and (isinstance(calls, bool) or not isinstance(calls, int) or calls < 1):
        problems.add("judge.max_invocations", "it is a whole number, 1 or more")
    problems.raise_any()
    own = bound.judge or Judge()
    said = {key: given[key] for key in _OPTIONS[:3] if given.get(key) is not None}
    made = loop_judges(bound, replace(own, **said))[seam]
    if given.get("feedback_fallback") is not None:
        made["feedback_fallback"] = given["feedback_fallback"]
    return {**made, "goal": spec_of(bound)} if seam == SEAMS[0] else made
