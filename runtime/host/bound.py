"""A goal with the host's own checks bound to it, and what one observation shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ...compiler.host_goal import BadGoal, read_goal
from ...compiler.ir import Document, Fact, Goal
from ...compiler.ir.expressions import HostCheck as CheckNode
from ...compiler.reads import walk
from ...grammar.diagnostics import nearest
from ..check import only_goal
from ..engine import HostCheck
from ..facts import BadFacts
from ..monitor import Monitor


@dataclass(frozen=True, slots=True)
class BoundGoal:
    """A goal in the IR, the host's checks by the names that it has for them, and the facts that a
    host may give though the goal reads none of them."""

    goal: Goal
    checks: Mapping[str, HostCheck] = field(default_factory=dict)
    declared: tuple[Fact, ...] = ()

    def monitor(self) -> Monitor:
        """A new Monitor of the goal, with its checks."""
        return Monitor(self.goal, declared=self.declared, host_checks=self.checks)


AnyGoal: TypeAlias = BoundGoal | Goal | Document | Mapping[str, Any]


def goal(spec: AnyGoal, checks: Mapping[str, HostCheck] | None = None) -> BoundGoal:
    """The goal that *spec* says.

    A mapping has an `objective` and may have `success_criteria` and `constraints` (lists of strings
    or of `{id, description, check}`, a check being a callable that is given the facts), a `budget`,
    `retired_criteria` and an `id`. A compiled goal, or a document with one goal, is taken as it is;
    *checks* binds the host's callables to the names of its `host_check`s, for instance after it was
    read from JSON. Raises BadGoal, which lists every problem with its place.
    """
    match spec:
        case BoundGoal():
            return spec if checks is None else _bound(spec.goal, checks, spec.declared)
        case Goal():
            return _bound(spec, checks or {})
        case Document():
            return _bound(only_goal(spec), checks or {}, spec.facts)
    read, own = read_goal(spec)
    return _bound(read, {**own, **(checks or {})})


def _bound(
    goal: Goal, checks: Mapping[str, HostCheck], declared: tuple[Fact, ...] = ()
) -> BoundGoal:
    names = check_names(goal)
    problems = []
    for name, check in checks.items():
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean `{near}`?" if near else f"it has {', '.join(names) or 'none'}"
            problems.append(f"checks: the goal has no check of the host's called `{name}`; {hint}")
        elif not callable(check):
            problems.append(f"checks.{name}: a check is callable, not {type(check).__name__}")
    if problems:
        raise BadGoal(problems)
    return BoundGoal(goal, dict(checks), declared)


def check_names(goal: Goal) -> list[str]:
    """The names of the host's checks in *goal*."""
    parts = (*goal.criteria, *goal.constraints, *goal.stops)
    predicates = (p for part in parts for p in (part.when, part.given, part.check) if p is not None)
    nodes = (node for predicate in predicates for node in walk(predicate))
    return sorted({node.name for node in nodes if isinstance(node, CheckNode)})


def goal_check(
    spec: AnyGoal, facts: Mapping[str, Any] | None = None, at: str | None = None
) -> dict[str, Any]:
    """`{checkable, done, met, unmet}` of one observation: the ids of the criteria with a check, in
    order. Unknown counts as unmet, an error of a check is unknown, and where nothing can be checked
    the goal is not done. Raises BadGoal, and BadFacts where *facts* is no mapping."""
    if facts is not None and not isinstance(facts, Mapping):
        raise BadFacts(f"facts are a mapping, not {type(facts).__name__}")
    return goal(spec).monitor().observe(facts or {}, at=at).to_goal_check()
