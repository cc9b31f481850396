"""Letting go of a goal: clear it, reset the session, cancel the run."""

from __future__ import annotations

import click

from .asking import Asked, perform, verb


@click.command()
@verb
def clear(asked: Asked) -> None:
    """Clear the goal.

    It goes to the session's history. The writer that is at work can write no more.
    """
    from ...runtime.lifecycle.commands import Clear

    perform(asked, Clear(), losing="clear")


@click.command()
@verb
def reset(asked: Asked) -> None:
    """Clear the goal, and close the turn that is open.

    It is for a session whose run will not come back.
    """
    from ...runtime.lifecycle.commands import Reset

    perform(asked, Reset(), losing="reset")


@click.command()
@click.option("--reason", metavar="TEXT", help="Why, for whoever looks at the history.")
@verb
def cancel(asked: Asked, reason: str | None) -> None:
    """Cancel the run: clear its goal, and seal its record.

    Afterwards nothing but a person's new goal changes the record.
    """
    from ...runtime.lifecycle.commands import Cancel

    perform(asked, Cancel(reason=reason), losing="cancel")
