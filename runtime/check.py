"""`goalspec.check`: one observation against one goal, for a host without a command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..compiler.ir import Document, Goal
from .monitor import Monitor
from .verdict import Verdict


def check(
    spec: str | Path | Document,
    facts: Mapping[str, Any],
    goal: str | None = None,
    at: str | None = None,
) -> Verdict:
    """What one observation shows of a goal.

    *spec* is a document or a `.goal` file's path; *goal* names one of several goals; *at* is RFC
    3339. Raises SpecError for a file with errors, KeyError for an unknown goal, ValueError where
    *goal* is needed, BadFacts where a fact is there twice.
    """
    if not isinstance(spec, Document):
        from ..compiler import load  # the compiler, only where there is something to compile

        spec = load(spec)
    chosen = only_goal(spec) if goal is None else spec.goal(goal)
    return Monitor(chosen, declared=spec.facts).observe(facts, at=at)


def only_goal(document: Document) -> Goal:
    """The document's goal where it has exactly one. Raises ValueError with the names."""
    if len(document.goals) != 1:
        names = ", ".join(goal.id for goal in document.goals) or "none"
        raise ValueError(f"the file has {len(document.goals)} goals ({names}): name one")
    return document.goals[0]
