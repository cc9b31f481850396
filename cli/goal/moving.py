"""A goal that goes to another session, or leaves the store and comes back."""

from __future__ import annotations

import click

from ..files import Unreadable, read_input
from ..stores import named_session
from ..terminal import complain, emit, json_text
from .actor import confirm, who_asks
from .asking import Asked, tell_record, verb


@click.command()
@click.option("--to", "target", metavar="SESSION", required=True, help="The new session.")
@click.option("--carry", is_flag=True, help="Carry the goal along, paused until it is resumed.")
@verb
def fork(asked: Asked, target: str, carry: bool) -> None:
    """Give a new session a copy of the goal.

    The copy is isolated: what happens to one is nothing to the other. Without --carry the new
    session knows where it comes from, and has no goal.
    """
    with asked.goals() as goals:
        stored = goals.fork(asked.session, named_session(target), asked.actor(goals), carry=carry)
    tell_record(asked, stored)


@click.command()
@click.option("--from", "source", metavar="SESSION", required=True, help="The session before.")
@verb
def adopt(asked: Asked, source: str) -> None:
    """Carry a goal over from a session that this one succeeds.

    It goes on here as it stood there, if it last changed within 24 hours; the old session's record
    is cleared and says where its goal went.
    """
    source = named_session(source)
    with asked.goals() as goals:
        actor = who_asks(goals, source, asked.token)  # of the session that loses its goal
        if actor == "person" and not asked.token:
            confirm("adopt", goals.expected(source))
        stored, _ = goals.adopt(source, asked.session, actor)
    tell_record(asked, stored)


@click.command()
@verb
def export(asked: Asked) -> None:
    """Print the session's record.

    It is one JSON object, which `goalspec goal import` reads.
    """
    with asked.goals() as goals:
        emit(json_text(goals.export(asked.session)))


@click.command("import")
@click.argument("file", type=click.Path())
@click.option("--replace", "over", is_flag=True, help="Also over a goal that is not finished.")
@verb
def import_(asked: Asked, file: str, over: bool) -> None:
    """Give the session the goal of an exported record.

    FILE (`-`: standard input) is what `goalspec goal export` printed, a canonical record of six
    fields, or a thread's goal file. What has no place here is said. The goal is paused until it is
    resumed.
    """
    from ...runtime.record import BadRecord

    source = read_input(file)
    with asked.goals() as goals:
        seen = goals.expected(asked.session)
        actor = asked.actor(goals, losing=("replace", seen) if over else None)
        try:
            stored, notes = goals.import_(asked.session, source, actor, over=over)
        except BadRecord as error:
            raise Unreadable(f"{file}: {'; '.join(error.problems)}") from None
    for note in notes:
        complain(file, "note", "imported", note)
    tell_record(asked, stored, **({"notes": list(notes)} if asked.as_json else {}))
