"""The options that say how a goal stands, for commands that work on a transcript without a record
at hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .spec import choose_goal, load_spec

if TYPE_CHECKING:
    from ..runtime.compaction import GoalState

_Command = TypeVar("_Command", bound=Callable[..., Any])

STATUSES = (
    "active", "paused", "parked", "blocked", "budget_limited", "complete", "ended", "cleared",
)  # fmt: skip


def state_options(command: _Command) -> _Command:
    """Add the options that `goal_state` takes."""
    options = (
        click.option("--goal", "goal_id", metavar="ID", help="One of several goals."),
        click.option(
            "--status", type=click.Choice(STATUSES), default="active", show_default=True,
            help="How the goal stands; only an active one is carried over.",
        ),
        click.option("--until", metavar="TIME", help="When a parked goal goes on."),
        click.option(
            "--generation", type=click.IntRange(min=0), default=0, metavar="N",
            help="The record's generation, for the stamp.",
        ),
        click.option(
            "--shape", "shape_name", default="common", show_default=True, metavar="NAME",
            help="Whose rows they are: common, openai-chat, openai-responses, anthropic, hermes.",
        ),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def goal_state(
    file: str, goal_id: str | None, status: str, until: str | None, generation: int
) -> GoalState:
    """The goal of *file* as the options say that it stands. Raises click.UsageError."""
    from ..runtime.compaction import GoalState

    if (status == "parked") != (until is not None):
        raise click.UsageError("--until TIME belongs to --status parked, which needs it")
    resumed = None if until is None else _time(until)
    goal = choose_goal(load_spec(file), goal_id)
    return GoalState(goal, status, generation, resumed)  # type: ignore[arg-type]  # a Choice


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(
            f"--until {text}: write a time such as 2026-03-01T12:00:00Z"
        ) from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)
