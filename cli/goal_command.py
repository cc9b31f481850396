"""`goalspec goal`: the verbs on a session's goal, each imported when it is called."""

from __future__ import annotations

import click

from .lazy import LazyGroup

# The module of each verb, and what `--help` says of it without importing it; a test holds it to the
# verbs' own.
VERBS = {
    "adopt": ("moving", "Carry a goal over from a session that this one succeeds."),
    "amend": ("amending", "Change the goal, and say why."),
    "cancel": ("clearing", "Cancel the run: clear its goal, and seal its record."),
    "clear": ("clearing", "Clear the goal."),
    "complete": ("standing", "Say that the goal is done."),
    "create": ("creating", "Give the session a goal."),
    "end": ("standing", "Say that the goal is impossible."),
    "export": ("moving", "Print the session's record."),
    "fork": ("moving", "Give a new session a copy of the goal."),
    "hide": ("showing", "Hide the goal's dashboard."),
    "history": ("looking", "List the goals that ended or made way."),
    "import": ("moving", "Give the session the goal of an exported record."),
    "journal": ("looking", "List what happened to the session's goal."),
    "pause": ("standing", "Pause the goal."),
    "reset": ("clearing", "Clear the goal, and close the turn that is open."),
    "resume": ("standing", "Resume the goal."),
    "retarget": ("amending", "Give the goal a new objective; its criteria retire."),
    "show": ("showing", "Show the goal, or list the sessions."),
    "token": ("token", "Issue a token that speaks for a person."),
    "update": ("standing", "Propose an end of the goal, which an evaluation decides."),
}


def _module(verb: str) -> str:
    return f".goal.{VERBS[verb][0]}:{verb.replace('import', 'import_')}"


@click.group(
    cls=LazyGroup, listed={verb: words for verb, (_, words) in VERBS.items()}, module=_module
)
def command() -> None:
    """Hold a session's goal: create, show, amend, pause, complete it.

    A session is named by --session or GOALSPEC_SESSION, the store that keeps it by --store or
    GOALSPEC_STORE. Exits with 0, with 1 where the goal's rules refuse what was asked, with 2 for
    a wrong command, a spec with errors, or a store that cannot be used.
    """
