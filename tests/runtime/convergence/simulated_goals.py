"""The goals of simulated lives: each is put together of what the reducer tells apart, with what must
be true of the facts for it to be complete, known here without the Monitor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from goalspec.compiler.ir.canonical import seal
from goalspec.compiler.ir.document import Budget, Goal
from goalspec.tests.runtime.judge.goals import goal_of

FACTS = "facts { suite.passed : bool  reviewed : bool  access.lost : bool  scope.kept : bool }\n"
PASSES = 'criterion passes "The suite passes" check suite.passed\n'
CAUSE = 'criterion cause "The message explains the cause"\n'
JUDGE = 'judge { model "judge-1" provider "acme" max_invocations %d on_error %s %s }\n'

SHAPES: Mapping[str, tuple[str, Mapping[str, bool]]] = {
    "checked": (PASSES, {"suite.passed": True}),
    "twice": ('criterion passes "Twice" check suite.passed for 2 runs\n', {"suite.passed": True}),
    "advisory": (
        PASSES + 'advisory criterion nice "Seen" check reviewed\n'
        "budget { turns 20 }\nbudget advisory { turns 1  tokens 1 }\n",
        {"suite.passed": True},
    ),
    "awaited": (
        PASSES + 'awaited criterion seen "Seen" check reviewed\n',
        {"suite.passed": True, "reviewed": True},
    ),
    "awaited_judged": (
        PASSES + 'awaited criterion seen "Seen" check reviewed\n' + CAUSE + "JUDGE",
        {"suite.passed": True, "reviewed": True},
    ),
    "stop": (
        PASSES + 'stop lost "The access is lost" check access.lost\n',
        {"suite.passed": True, "access.lost": False},
    ),
    "constraint": (
        PASSES + 'constraint scope "Only the login" check scope.kept\n',
        {"suite.passed": True, "scope.kept": True},
    ),
    "judged": (PASSES + CAUSE + "JUDGE", {"suite.passed": True}),
    "only_judged": (CAUSE + "JUDGE", {}),
    "judged_all": (
        PASSES + CAUSE + 'constraint scope "Only the login is touched"\n'
        'stop lost "A credential is missing"\nJUDGE',
        {"suite.passed": True},
    ),
    "checked_with_judge": (PASSES + 'stop lost "A credential is missing"\nJUDGE',
                           {"suite.passed": True}),
    "nobody_judges": (PASSES + CAUSE, {"suite.passed": True}),
    "waived": (
        PASSES + 'criterion seen "Seen" when reviewed check scope.kept\n',
        {"suite.passed": True},
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Contract:
    """A goal, and the facts that must have these values for it to be complete; one that must be
    false, which a stop reads, may be unknown. Of a goal that *counts* runs, one that says nothing of
    a fact is none."""

    goal: Goal
    needs: Mapping[str, bool]
    counts: bool = False

    def is_met_by(self, facts: Mapping[str, Any]) -> bool:
        return all(
            facts.get(name) is value
            or (isinstance(facts.get(name), Mapping) and (self.counts or not value))
            for name, value in self.needs.items()
        )


@cache
def _written(shape: str, judge: str) -> Goal:
    body, _ = SHAPES[shape]
    return goal_of(f'{FACTS}goal ship {{ objective "Ship it."\n{body.replace("JUDGE", judge)}}}')


def contract_of(rng: Random, shape: str | None = None) -> Contract:
    """A random goal, of a random budget."""
    shape = shape or rng.choice([*SHAPES, "judged", "judged", "only_judged", "judged_all"])
    judge = JUDGE % (
        rng.choice([1, 3, 3, 50]), rng.choice(["fail", "pause"]),
        rng.choice(["", "", "quorum 2 of 3"]),
    )  # fmt: skip
    goal = _written(shape, judge)
    return Contract(with_budget(goal, rng), SHAPES[shape][1], counts=shape == "twice")


def with_budget(goal: Goal, rng: Random) -> Goal:
    """*goal* under other limits; where there is an advisory budget, under the ones that it has."""
    if goal.advisory_budget is not None:
        return goal
    kind = rng.choice(["none", "turns", "turns", "turns", "tokens", "attempts", "tools", "cost",
                       "runtime", "all"])  # fmt: skip
    limits: dict[str, Budget | None] = {
        "none": None,
        "turns": Budget(turns=rng.choice([1, 2, 3, 5, 8, 12, 70])),
        "tokens": Budget(turns=30, tokens=rng.choice([1, 45, 200])),
        "attempts": Budget(turns=15, attempts=rng.choice([1, 2, 3])),
        "tools": Budget(tool_calls=rng.choice([1, 4])),
        "cost": Budget(turns=15, cost=rng.choice(["0.10 USD", "0.55 USD"])),
        "runtime": Budget(turns=15, runtime=rng.choice(["30s", "5m"])),
        "all": Budget(turns=4, tokens=40, attempts=2, tool_calls=3, cost="0.40 USD"),
    }
    return seal(replace(goal, budget=limits[kind]))


def raised(goal: Goal) -> Goal:
    """*goal* under a budget that is far away."""
    budget = goal.budget or Budget()
    most = {
        "turns": 90, "tokens": 1_000_000, "attempts": 500, "tool_calls": 10_000,
        "cost": "900.00 USD", "runtime": "900h",
    }  # fmt: skip
    limits = {name: most[name] for name in most if getattr(budget, name) is not None}
    return seal(replace(goal, budget=replace(budget, **{"turns": 90, **limits})))


def with_one_more(goal: Goal, name: str) -> Goal:
    """*goal* with a criterion that has the check of its first checked one."""
    first = next((one for one in goal.criteria if one.check is not None), goal.criteria[0])
    more = replace(first, id=name, text=f"Once more, {name}", mode="gating")
    return seal(replace(goal, criteria=(*goal.criteria, more)))
