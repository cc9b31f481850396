"""Who asks: a person, or the agent.

A person is who holds a token that was issued for the session, or sits at a terminal outside of an
agent's host. Whoever cannot show that is the agent. An agent that runs as the same user can forge
either; the journal then says *person*, which the person can see, and cannot be made to unsay it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

import click

from ..terminal import visible

if TYPE_CHECKING:
    from ...runtime.goals import Goals
    from ...runtime.record import Actor, Record

# What hosts set in the environment of the commands that their agents run.
HOST_MARKS = {
    "AGENT": "an agent's host",
    "AI_AGENT": "an agent's host",
    "AUGMENT_AGENT": "Augment",
    "CLAUDECODE": "Claude Code",
    "CLINE_ACTIVE": "Cline",
    "CODEX_SANDBOX": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "COPILOT_CLI": "Copilot CLI",
    "CRUSH": "Crush",
    "CURSOR_AGENT": "Cursor",
    "GEMINI_CLI": "Gemini CLI",
    "GOOSE_TERMINAL": "Goose",
    "OPENCODE": "OpenCode",
    "PI_CODING_AGENT": "pi",
    "QWEN_CODE": "Qwen Code",
}


def who_asks(goals: Goals, session: str, token: str | None) -> Actor:
    """Who asks for a change of *session*'s goal. Raises Refusal for a token that is none."""
    from ...runtime.lifecycle import Refusal

    if not token:
        return "person" if why_agent() is None else "agent"
    if not goals.has_token(session, token):
        raise Refusal(
            "bad_token",
            f"the token was not issued for the session {session}, or has ended: issue another "
            "with `goalspec goal token`, or leave it out",
        )
    return "person"


def why_agent() -> str | None:
    """Why whoever asks without a token counts as the agent; None for a person."""
    for mark, host in HOST_MARKS.items():
        if os.environ.get(mark):
            return f"it runs inside of {host} ({mark} is set)"
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        return "standard input and standard error are no terminal"
    return None


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def how_a_person_does_it(why: str) -> str:
    """What the refusal of an agent's command adds."""
    return (
        f"this counts as the agent's, since {why}; a person asks at a terminal outside of the "
        "agent's host, or by a token (`goalspec goal token`, GOALSPEC_TOKEN)"
    )


def confirm(verb: str, record: Record) -> None:
    """Have the goal's id typed, where there is a goal to lose. Raises Refusal."""
    from ...runtime.lifecycle import Refusal

    if record.goal is None:
        return
    id = record.goal.id
    said = f"To {verb} the goal of session {visible(record.session)}, type its id, {visible(id)}"
    if click.prompt(said, default="", show_default=False, err=True).strip() != id:
        raise Refusal("not_confirmed", f"the goal's id is {id}, and something else was typed")
