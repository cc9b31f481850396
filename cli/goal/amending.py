"""Changing a goal: an amendment of what it says, a retarget to another objective."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..spec import choose_goal, load_spec
from ..terminal import visible
from .asking import Asked, perform, verb

if TYPE_CHECKING:
    from ...compiler.ir import Goal


@click.command()
@click.argument("file", type=click.Path())
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals of FILE.")
@click.option("--reason", metavar="TEXT", required=True, help="Why the goal is amended.")
@click.option("--measurement", metavar="JSON", help="What showed the need, as JSON.")
@verb
def amend(
    asked: Asked, file: str, goal_id: str | None, reason: str, measurement: str | None
) -> None:
    """Change the goal, and say why.

    FILE has the goal as it is to be, under the same id. What it said, the reason and the
    measurement stay in the journal. An agent can add to its goal; what takes anything away takes a
    person.
    """
    from ...runtime.lifecycle.commands import Amend

    measured = None if measurement is None else _json(measurement)
    goal = choose_goal(load_spec(file), goal_id)
    command = Amend(goal=goal, reason=reason, measurement=measured, from_file=True)
    perform(asked, command, losing="amend")


@click.command()
@click.option("--objective", metavar="TEXT", required=True, help="The new objective.")
@click.option(
    "--control", metavar="ID", required=True, help="The id of what asked for it, for the journal."
)
@click.option(
    "--criterion", "criteria", metavar="TEXT", multiple=True,
    help="A criterion of the new objective; may be given again.",
)  # fmt: skip
@verb
def retarget(asked: Asked, objective: str, control: str, criteria: tuple[str, ...]) -> None:
    """Give the goal a new objective; its criteria retire.

    Constraints, stops and the budget stand. Without a --criterion the goal blocks until it is
    amended with some.
    """
    from ...runtime.lifecycle.commands import Retarget

    if not objective.strip():
        raise click.UsageError("--objective is blank: say what must become true")
    with asked.goals() as goals:
        stored = goals.store.get(asked.session)
    goal = None if stored is None else stored.record.goal
    perform(
        asked, Retarget(goal=_retargeted(goal, objective, control, criteria), control_id=control),
        losing="retarget",
    )  # fmt: skip


def _retargeted(goal: Goal | None, objective: str, control: str, criteria: tuple[str, ...]) -> Goal:
    """*goal* with the new objective; without a goal one with nothing but that, which the reducer
    refuses. Raises click.UsageError."""
    from ...compiler.host_goal import BadGoal
    from ...runtime.host import goal_under_obligations

    wanted = {
        "objective": objective, "control_id": control, "success_criteria": list(criteria),
    }  # fmt: skip
    try:
        return goal_under_obligations(goal or {"objective": objective}, {"retarget": wanted}).goal
    except BadGoal as error:
        raise click.UsageError(visible("; ".join(error.problems))) from None


def _json(text: str) -> Any:
    """What `--measurement` holds. Raises click.UsageError."""
    from ...runtime.record.json_values import json_problems, parse

    try:
        value = parse(text)
    except ValueError as error:
        raise click.UsageError(f"--measurement: {visible(str(error))}") from None
    for problem in json_problems(value, "--measurement"):
        raise click.UsageError(visible(problem))
    return value
