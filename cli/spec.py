"""Loading the one spec that a command is about, with its diagnostics shown where it has errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..compiler.project import is_readable
from .files import Unreadable, read_input
from .terminal import wants_color

if TYPE_CHECKING:
    from ..compiler.ir import Document, Goal


def load_spec(argument: str) -> Document:
    """The document of a goal file (`-`: standard input); shows its errors and exits with 2."""
    from ..compiler import Compiler

    compiler = Compiler()
    if argument == "-":
        compilation = compiler.compile_bytes(read_input("-"), "<stdin>")
    else:
        try:
            if Path(argument).exists() and not is_readable(Path(argument)):
                raise Unreadable(f"{argument}: it is no regular file")
            compilation = compiler.compile_file(Path(argument))
        except OSError as error:
            raise Unreadable(f"{argument}: {error.strerror}") from None
    if compilation.document is None:
        from .render import FORMATS

        click.echo(FORMATS["text"](compilation.errors, 1, color=wants_color()), nl=False, err=True)
        raise SystemExit(2)
    return compilation.document


def choose_goal(document: Document, name: str | None) -> Goal:
    """The goal called *name*, or the only one. Raises click.UsageError with the names."""
    from ..grammar.diagnostics import nearest

    names = [goal.id for goal in document.goals]
    if name is not None:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean `{near}`?" if near else f"there are {', '.join(names) or 'none'}"
            raise click.UsageError(f"the file has no goal `{name}`; {hint}")
        return document.goal(name)
    if len(names) == 1:
        return document.goals[0]
    if not names:
        raise click.UsageError("the file has no goal")
    raise click.UsageError(
        f"the file has {len(names)} goals, choose one: --goal {' | '.join(names)}"
    )
