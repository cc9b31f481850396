"""`goalspec goal show` and `goalspec goal hide`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..render.style import styler
from ..terminal import complain, emit, json_text, visible, wants_color
from .asking import Asked, perform, shown, verb

if TYPE_CHECKING:
    from ...runtime.goals import Goals
    from ...runtime.store.port import Sessions, Stored

_ROLES = {"active": "label", "complete": "success", "blocked": "warning", "ended": "error"}


@click.command()
@click.option("--line", is_flag=True, help="Print the status line alone; nothing where hidden.")
@verb
def show(asked: Asked, line: bool) -> None:
    """Show the goal, or list the sessions.

    Prints the status line and the dashboard, and shows again what was hidden. Exits with 1 where
    the session has no goal. Without a session, prints a line for each that the store has.
    """
    from ...runtime.record import Record
    from ...runtime.store.port import Stored

    with asked.goals() as goals:
        if not asked.named:
            _list(asked, goals.store.sessions())
            return
        stored = goals.store.get(asked.session) or Stored(Record(session=asked.session), 0)
        if line and not asked.as_json:
            if not stored.record.hidden:
                click.echo(_line(stored))
        else:
            _show(asked, goals, stored)
    raise SystemExit(1 if stored.record.goal is None else 0)


def _show(asked: Asked, goals: Goals, stored: Stored) -> None:
    from ...runtime.dashboard import dashboard
    from ...runtime.lifecycle.commands import Show
    from ...runtime.store.port import LeaseHeld

    waiting = len(goals.store.inbox(asked.session))
    if asked.as_json:
        emit(json_text({**shown(stored), "inbox": waiting}))
        return
    click.echo(_line(stored))
    click.echo(dashboard(stored.record, waiting), nl=False)
    if stored.record.hidden and not stored.record.sealed:
        try:
            goals.perform(asked.session, Show(hidden=False), asked.actor(goals))
        except LeaseHeld as error:
            complain("goalspec", "note", "lease_held", f"it stays hidden: {error}")


def _line(stored: Stored) -> str:
    """The status line; on a terminal with the status in its colour."""
    from ...runtime.dashboard import status_line

    line, name = status_line(stored.record), stored.record.status.name.replace("_", " ")
    if not (wants_color() and line.startswith(name)):
        return line
    role = _ROLES.get(stored.record.status.name, "strong")
    return styler(color=True)(role, name) + line.removeprefix(name)


def _list(asked: Asked, sessions: Sessions) -> None:
    """A line for each session, the one that changed last first. Exits with 2 where there is one
    that cannot be read."""
    if asked.as_json:
        listed = [shown(stored) for stored in sessions.stored]
        emit(json_text({"sessions": listed, "unreadable": sessions.unreadable}))
    else:
        for stored in sessions.stored:
            click.echo(f"{visible(stored.record.session)}  {_line(stored)}")
    for why in sessions.unreadable.values():
        complain("goalspec", "error", "GS505", why)
    if sessions.unreadable:
        raise SystemExit(2)


@click.command()
@verb
def hide(asked: Asked) -> None:
    """Hide the goal's dashboard.

    `goalspec goal show --line` and the host print nothing of the goal until it is shown again.
    """
    from ...runtime.lifecycle.commands import Show

    perform(asked, Show(hidden=True))
