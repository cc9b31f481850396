"""`goalspec completion`: the script that makes a shell complete goalspec's commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the shell's completion script.

    For bash, add to ~/.bashrc: eval "$(goalspec completion bash)".
    """
    from . import group

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(group, {}, "goalspec", "_GOALSPEC_COMPLETE").source())
