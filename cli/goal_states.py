"""How a goal stands, for commands that work on a transcript: as a session's record has it, or, for
a goal file without a record, as options say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from .spec import choose_goal, load_spec
from .stores import named_session, opened, store_option

if TYPE_CHECKING:
    from ..runtime.compaction.goal_state import State

STATUSES = (
    "active", "paused", "parked", "blocked", "budget_limited", "complete", "ended", "cleared",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StateOptions:
    """The options that say how a goal stands."""

    session: str | None
    store_url: str | None
    goal_id: str | None
    status: str | None
    until: str | None
    generation: int | None


def state_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that `goal_state` takes; *function* is given them as its first argument, an
    StateOptions."""

    @wraps(function)
    def callback(
        session: str | None, store_url: str | None, goal_id: str | None, status: str | None,
        until: str | None, generation: int | None, **rest: Any,
    ) -> None:  # fmt: skip
        function(StateOptions(session, store_url, goal_id, status, until, generation), **rest)

    options = (
        click.option(
            "--session", metavar="ID", help="Take the goal from this session's record, not FILE."
        ),
        store_option,
        click.option("--goal", "goal_id", metavar="ID", help="One of several goals."),
        click.option(
            "--status", type=click.Choice(STATUSES),
            help="How the goal of FILE stands, if not active; only an active one is carried over.",
        ),
        click.option("--until", metavar="TIME", help="When a parked goal goes on."),
        click.option(
            "--generation", type=click.IntRange(min=0), metavar="N",
            help="The record's generation, for the stamp.",
        ),
        click.option(
            "--shape", "shape_name", default="common", show_default=True, metavar="NAME",
            help="Whose rows they are: common, openai-chat, openai-responses, anthropic, hermes.",
        ),
    )  # fmt: skip
    for option in reversed(options):
        callback = option(callback)
    return callback


def named_inputs(
    asked: StateOptions, arguments: tuple[str, ...], names: tuple[str, ...]
) -> tuple[str | None, list[str]]:
    """FILE and the transcripts, which are called *names*, of *arguments*. FILE is there unless a
    session is named. Raises click.UsageError."""
    expected = names if asked.session is not None else ("FILE", *names)
    if len(arguments) != len(expected):
        said = " ".join(expected)
        instead = (
            "or --session ID in place of FILE"
            if asked.session is None
            else "and no FILE, since --session names the goal"
        )
        raise click.UsageError(
            f"give {said}, {instead}: {len(expected)} arguments, not {len(arguments)}"
        )
    if arguments.count("-") > 1:
        raise click.UsageError("only one of the spec and the transcripts is standard input")
    file = None if asked.session is not None else arguments[0]
    return file, list(arguments[len(expected) - len(names) :])


def goal_state(asked: StateOptions, file: str | None) -> State:
    """The goal of *file* as the options say that it stands, or of the session as its record has it.
    Raises click.UsageError."""
    if file is None:
        return _of_record(asked)
    return _of_file(asked, file)


def _of_record(asked: StateOptions) -> State:
    from ..runtime.compaction import Unreadable
    from ..runtime.goals import Goals
    from ..runtime.store import StoreError

    beside = {
        "--goal": asked.goal_id, "--status": asked.status, "--until": asked.until,
        "--generation": asked.generation,
    }  # fmt: skip
    for name, value in beside.items():
        if value is not None:
            raise click.UsageError(f"{name} is of a FILE: the session's record says it itself")
    try:
        with opened(asked.store_url) as store:
            return Goals(store).state(named_session(asked.session))
    except StoreError as error:
        return Unreadable(str(error))


def _of_file(asked: StateOptions, file: str) -> State:
    from ..runtime.compaction import GoalState

    status = asked.status or "active"
    if (status == "parked") != (asked.until is not None):
        raise click.UsageError("--until TIME belongs to --status parked, which needs it")
    resumed = None if asked.until is None else _time(asked.until)
    goal = choose_goal(load_spec(file), asked.goal_id)
    return GoalState(goal, status, asked.generation or 0, resumed)  # type: ignore[arg-type]  # a Choice


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(
            f"--until {text}: write a time such as 2026-03-01T12:00:00Z"
        ) from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)
