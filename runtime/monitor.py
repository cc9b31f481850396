"""The Monitor: a goal, compiled, in the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from ..compiler.codegen import compile_predicate, program_of
from ..compiler.ir.document import Fact, Goal
from .engine import Engine, HostCheck


class Monitor(Engine):
    """Checks one goal over a series of observations.

    *baseline* holds the values of `at baseline`, as JSON; *declared* are facts that a host may give
    though the goal reads none of them; *root* is the project's absolute root, below which absolute
    paths are accepted; *host_checks* are the host's own checks by name, each called with the facts
    of an observation as the host gave them.
    """

    def __init__(
        self,
        goal: Goal,
        baseline: Mapping[str, Any] | None = None,
        declared: Iterable[Fact] = (),
        root: str | None = None,
        host_checks: Mapping[str, HostCheck] | None = None,
    ) -> None:
        self.goal = goal
        types = {fact.name: fact.type for fact in goal.facts}
        compiled = partial(compile_predicate, facts=types)
        super().__init__(program_of(goal, declared, compiled), baseline, root, host_checks)
