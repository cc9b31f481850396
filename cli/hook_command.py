"""`goalspec hook`: what a host calls at its agent's events. Each verb is imported when called."""

from __future__ import annotations

import click

from .lazy import LazyGroup

VERBS = {"stop": "Say whether the agent may stop."}


def _module(verb: str) -> str:
    return f".hook.{verb}:command"


@click.group(cls=LazyGroup, listed=VERBS, module=_module)
def command() -> None:
    """Answer a host's completion hook.

    A host such as Claude Code, Codex or Gemini CLI calls it when its agent wants to stop.
    """
