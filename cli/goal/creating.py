"""`goalspec goal create`: a session's goal, from a file or a text."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ..spec import choose_goal, load_spec
from ..terminal import visible
from .asking import Asked, perform, verb

if TYPE_CHECKING:
    from ...compiler.ir import Goal

# What the environment may lower of an enforced budget.
LOWERED = {
    "GOALSPEC_MAX_TURNS": "turns",
    "GOALSPEC_MAX_TOKENS": "tokens",
    "GOALSPEC_MAX_RUNTIME": "runtime",
}
_WHOLE = re.compile("[0-9]{1,16}")
TEXT_TURNS = 25  # of a goal that is only a text


@click.command()
@click.argument("file", required=False, type=click.Path())
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals of FILE.")
@click.option("--text", metavar="TEXT", help="The objective, in place of a file.")
@click.option("--acceptance-note", metavar="TEXT", help="What its acceptance asks for beside it.")
@click.option("--verification", metavar="COMMAND", help="The exact command that verifies it.")
@click.option("--source", metavar="TEXT", help="Where the goal comes from.")
@click.option("--replace", "over", is_flag=True, help="Also over a goal that is not finished.")
@verb
def create(
    asked: Asked, file: str | None, goal_id: str | None, text: str | None,
    acceptance_note: str | None, verification: str | None, source: str | None, over: bool,
) -> None:  # fmt: skip
    """Give the session a goal.

    It is the goal in FILE, or one that is judged by the objective in --text and has a budget of 25
    turns. A finished goal goes to the history; over an unfinished one it takes a person and
    --replace. GOALSPEC_MAX_TURNS, GOALSPEC_MAX_TOKENS and GOALSPEC_MAX_RUNTIME lower its budget,
    and never raise it.
    """
    from ...runtime.lifecycle.commands import Create
    from ...runtime.record import Metadata, Verification

    if (file is None) == (text is None):
        raise click.UsageError("give either a goal file or an objective: FILE, or --text TEXT")
    if text is not None:
        if goal_id is not None:
            raise click.UsageError("--goal chooses one of the goals in FILE; --text has none")
        goal, whole = goal_of_text(text)
    else:
        assert file is not None
        goal, whole = choose_goal(load_spec(file), goal_id), None
    lowered = lower_budget(goal)
    metadata = Metadata(
        acceptance_note=acceptance_note,
        verification=None if verification is None else Verification(command=verification),
        source=source,
    )
    command = Create(
        goal=lowered, contract=goal.contract, metadata=metadata, objective=whole, replace=over
    )
    perform(asked, command, losing="replace" if over else None)


def goal_of_text(text: str) -> tuple[Goal, str | None]:
    """The goal whose objective is *text*, and the whole text where it had to be cut. Raises
    click.UsageError."""
    from ...compiler.host_goal import BadGoal, read_goal
    from ...compiler.ir.canonical import seal
    from ...compiler.ir.document import Judge
    from ...runtime.record import capped_objective

    objective, whole = capped_objective(text)
    criteria = [{"id": "objective", "description": "The objective is reached."}]
    spec = {
        "objective": objective, "success_criteria": criteria, "budget": {"turns": TEXT_TURNS},
    }  # fmt: skip
    try:
        goal, _ = read_goal(spec)
    except BadGoal as error:
        raise click.UsageError(f"--text: {'; '.join(error.problems)}") from None
    return seal(replace(goal, judge=Judge())), whole


def lower_budget(goal: Goal) -> Goal:
    """*goal* with the limits of the environment. Raises click.UsageError where one is no limit, or
    would raise the goal's own."""
    from ...compiler.ir.canonical import seal
    from ...compiler.ir.document import Budget

    given = {name: os.environ[name] for name in LOWERED if os.environ.get(name)}
    if not given:
        return goal
    own = goal.budget or Budget()
    limits: dict[str, Any] = {}
    for name, text in given.items():
        key = LOWERED[name]
        limit = _limit(key, text)
        if limit is None:
            example = "90m" if key == "runtime" else "20"
            raise click.UsageError(
                f"{name}={visible(text)}: it is no limit: write one above 0, such as {example}, or "
                "unset the variable"
            )
        limited = getattr(own, key)
        if limited is not None and _amount(limit) > _amount(limited):
            raise click.UsageError(
                f"{name}={visible(text)}: the goal's own limit is {limited}, and the environment "
                "can only lower it: unset the variable, or amend the goal's file"
            )
        limits[key] = limit
    return seal(replace(goal, budget=replace(own, **limits)))


def _limit(key: str, text: str) -> int | str | None:
    """The limit that *text* says; None where it says none."""
    from ...compiler.host_goal import BadGoal, read_goal

    limit: int | str = text
    if key != "runtime":
        if not _WHOLE.fullmatch(text):
            return None
        limit = int(text)
    try:
        budget = read_goal({"objective": "…", "budget": {key: limit}})[0].budget
    except BadGoal:
        return None
    read: int | str = getattr(budget, key)
    return read


def _amount(limit: int | str) -> int:
    """A limit as a number; of a duration, its nanoseconds."""
    from ...grammar.literals import read_quantity

    return limit if isinstance(limit, int) else int(read_quantity(limit)[1])
