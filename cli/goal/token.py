"""`goalspec goal token`: what shows that a person asks, where no terminal can."""

from __future__ import annotations

import click

from ..terminal import emit, json_text
from .actor import why_agent
from .asking import Asked, verb

_HOUR = 3_600


@click.command()
@click.option(
    "--hours", type=click.FloatRange(min=0, min_open=True, max=24 * 30), default=12.0,
    show_default=True, help="How long it is good for.",
)  # fmt: skip
@verb
def token(asked: Asked, hours: float) -> None:
    """Issue a token that speaks for a person.

    It is good for the verbs on this session's goal, by --token or GOALSPEC_TOKEN. A person or a
    host issues it at a terminal and keeps it from the agent. The store has nothing but its hash.
    """
    from ...runtime.lifecycle import Refusal

    session = asked.session
    if why_agent() is not None:
        raise Refusal("not_a_person", "only a person issues a token")
    with asked.goals() as goals:
        issued, ends = goals.issue_token(session, hours * _HOUR)
    if asked.as_json:
        emit(json_text({"session": session, "token": issued, "expires_at": ends}))
    else:
        click.echo(issued)
        click.echo(f"goalspec: good for session {session} until {ends}", err=True)
