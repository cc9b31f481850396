"""How the goal stands: a person pauses, resumes, completes or ends it; an agent proposes an end."""

from __future__ import annotations

from typing import Literal

import click

from .asking import Asked, perform, verb


@click.command()
@click.option("--reason", metavar="TEXT", help="Why, for whoever looks at the goal.")
@verb
def pause(asked: Asked, reason: str | None) -> None:
    """Pause the goal.

    No continuation follows, and the writer that is at work can write no more. What was used stays
    charged.
    """
    from ...runtime.lifecycle.commands import Pause

    perform(asked, Pause(reason=reason))


@click.command()
@verb
def resume(asked: Asked) -> None:
    """Resume the goal.

    One that is paused, parked or blocked goes on, and what it used stays charged. One whose budget
    is exhausted goes on when it is amended with a higher one.
    """
    from ...runtime.lifecycle.commands import Resume

    perform(asked, Resume())


@click.command()
@click.option("--reason", metavar="TEXT", help="What showed it.")
@verb
def complete(asked: Asked, reason: str | None) -> None:
    """Say that the goal is done.

    It is done by a person's word, whatever its criteria say. An agent proposes it instead:
    `goalspec goal update complete`.
    """
    from ...runtime.lifecycle.commands import Complete

    perform(asked, Complete(reason=reason), losing="complete")


@click.command()
@click.argument("reason")
@verb
def end(asked: Asked, reason: str) -> None:
    """Say that the goal is impossible.

    It is over by a person's word, and not done: REASON is why it cannot be. It stays the session's
    goal until there is another.
    """
    from ...runtime.lifecycle.commands import End

    perform(asked, End(ending="impossible", reason=reason), losing="end")


@click.command()
@click.argument("outcome", type=click.Choice(["complete", "blocked"]))
@click.option("--reason", metavar="TEXT", help="What shows it; needed for `blocked`.")
@verb
def update(asked: Asked, outcome: Literal["complete", "blocked"], reason: str | None) -> None:
    """Propose an end of the goal, which an evaluation decides.

    It is the agent's verb. The goal stands as it stood until then; a person ends it by `goalspec
    goal complete`.
    """
    from ...runtime.lifecycle.commands import Propose

    perform(asked, Propose(outcome=outcome, reason=reason))
