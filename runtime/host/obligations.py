"""What accepted steering has made of a goal: a retarget gives it a new objective, and the criteria
of the old one are neither owed nor met any more.

All of this is pure. A host that keeps a record writes down `goal_retirement`, once for each
control.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...compiler.host_goal import BadGoal, Check, read_goal
from ...compiler.host_spec import spec_of
from ...compiler.ir.canonical import seal
from ...compiler.ir.document import Criterion, Goal, Retired
from ...compiler.pinning import Pin, goal_pin, make_pin
from ...compiler.rendering import goal_block
from .bound import AnyGoal, BoundGoal, check_names, goal

RETIREMENT_SCHEMA = "goalspec.goal_criteria_retired.v1"
_RETARGET = ("objective", "control_id", "message_id", "success_criteria")


def goal_under_obligations(
    spec: AnyGoal, obligations: Mapping[str, Any] | None = None
) -> BoundGoal:
    """The goal as *obligations* leave it.

    `obligations["retarget"]` has the new `objective`, the control's ids, and may carry
    `success_criteria` for it. Every criterion moves to `retired`; constraints, stops and budget
    stand. Without criteria of its own the new objective is done by nobody's claim: it is judged, or
    a person ends it (ruling 55). Without a retarget, or where this one is applied already, the goal
    is the same value. Raises BadGoal.
    """
    bound = goal(spec)
    retarget = _retarget(obligations)
    if retarget is None:
        return bound
    objective, criteria, checks = retarget
    if (objective, criteria) == (bound.goal.objective, bound.goal.criteria):
        return bound
    taken = {part.id for part in (*bound.goal.constraints, *bound.goal.stops)}
    clashing = [criterion.id for criterion in criteria if criterion.id in taken]
    if clashing:
        raise BadGoal(
            f"retarget.success_criteria: the id `{id}` is there already, of another part"
            for id in clashing
        )
    retired = tuple(Retired(id=c.id, text=c.text) for c in bound.goal.criteria)
    retargeted = seal(
        replace(
            bound.goal, objective=objective, criteria=criteria,
            retired=(*bound.goal.retired, *retired),
        )
    )  # fmt: skip
    kept = {**bound.checks, **checks}
    return BoundGoal(
        retargeted,
        {name: kept[name] for name in check_names(retargeted) if name in kept},
        bound.declared,
    )


def goal_retirement(
    spec: AnyGoal, obligations: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """The checkpoint of what *obligations* retire of the goal: each criterion's id and description,
    linked to the control. None where nothing is retired. It never says that anything was met."""
    before = goal(spec).goal
    after = goal_under_obligations(spec, obligations).goal
    if len(after.retired) == len(before.retired) or obligations is None:
        return None
    retarget = obligations["retarget"]
    links = {key: retarget[key] for key in ("control_id", "message_id") if key in retarget}
    return retirement(before, after, links)


def retirement(before: Goal, after: Goal, links: Mapping[str, Any]) -> dict[str, Any]:
    """The checkpoint of a retarget that made *after* of *before*, with the *links* to its
    control."""
    return {
        "schema": RETIREMENT_SCHEMA,
        "kind": "goal_criteria_retired",
        **links,
        "objective": after.objective,
        "previous_objective": before.objective,
        "retired": [
            {"id": one.id, "description": one.text} for one in after.retired[len(before.retired) :]
        ],
    }


def pins_under_obligations(
    pins: Iterable[Pin],
    obligations: Mapping[str, Any] | None = None,
    spec: AnyGoal | None = None,
) -> tuple[Pin, ...]:
    """*pins* as *obligations* leave them: after a retarget, a goal's own pin has the new objective,
    under its old key, and a pin of kind goal that is only a text is gone. The others stand.

    *spec* is the goal that they were made of. Without it a pin's own JSON has to do, which has no
    stops, no protected files and no ids of constraints, so that it names no contract either.
    """
    pins = tuple(pins)
    if _retarget(obligations) is None:
        return pins
    bound = None if spec is None else goal(spec)
    left = (_retargeted(pin, obligations, bound) if pin.kind == "goal" else pin for pin in pins)
    return tuple(pin for pin in left if pin is not None)


def _retargeted(
    pin: Pin, obligations: Mapping[str, Any] | None, bound: BoundGoal | None
) -> Pin | None:
    if pin.spec is None:
        return None
    if bound is not None and pin.meta.get("id") == bound.goal.id:
        made = goal_pin(goal_under_obligations(bound, obligations).goal)
        return replace(made, dedupe_key=pin.dedupe_key, role_hint=pin.role_hint)
    before = goal(_with_ids(pin.spec))
    after = goal_under_obligations(before, obligations)
    if after is before:
        return pin
    meta = {key: value for key, value in pin.meta.items() if key != "contract"}
    return make_pin(
        pin.kind, goal_block(after.goal), key=pin.dedupe_key, lane=pin.role_hint,
        meta={**meta, "goal": spec_of(after.goal)},
    )  # fmt: skip


def _with_ids(spec: Mapping[str, Any]) -> dict[str, Any]:
    """*spec* with ids for its constraints that no criterion has."""
    taken = {criterion["id"] for criterion in spec["success_criteria"]}
    constraints = []
    for number, text in enumerate(spec["constraints"]):
        id = f"c_{number}"
        while id in taken:
            id += "_"
        constraints.append({"id": id, "description": text})
    return {**spec, "constraints": constraints}


def _retarget(
    obligations: Mapping[str, Any] | None,
) -> tuple[str, tuple[Criterion, ...], dict[str, Check]] | None:
    """The objective, criteria and checks of a retarget; None where there is none."""
    if obligations is None:
        return None
    if not isinstance(obligations, Mapping):
        raise BadGoal([f"obligations: it is a mapping, not {type(obligations).__name__}"])
    retarget = obligations.get("retarget")
    if retarget is None:
        return None
    if not isinstance(retarget, Mapping):
        raise BadGoal([f"retarget: it is a mapping, not {type(retarget).__name__}"])
    unknown = [key for key in retarget if key not in _RETARGET]
    if unknown:
        raise BadGoal(f"retarget: there is no key `{key}`" for key in unknown)
    objective = retarget.get("objective")
    if objective is None or (isinstance(objective, str) and not objective.strip()):
        return None
    text = objective.strip() if isinstance(objective, str) else objective
    try:
        read, checks = read_goal(
            {"objective": text, "success_criteria": retarget.get("success_criteria")}
        )
    except BadGoal as error:
        raise BadGoal(f"retarget.{problem}" for problem in error.problems) from None
    return read.objective, read.criteria, checks


def blocked_for_criteria(goal: Goal) -> bool:
    """Is it left without criteria by a retarget that carried none?"""
    return not goal.criteria and bool(goal.retired)
