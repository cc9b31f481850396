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
    from ..compiler.spec_error import SpecError

    try:
        if argument == "-":
            return _compiled(read_input("-"))
        return _loaded(Path(argument))
    except SpecError as error:
        from .render import FORMATS

        text = FORMATS["text"](error.diagnostics, 1, color=wants_color())
        click.echo(text, nl=False, err=True)
        raise SystemExit(2) from None


def _compiled(data: bytes) -> Document:
    from ..compiler import Compiler, SpecError

    compilation = Compiler().compile_bytes(data, "<stdin>")
    if compilation.document is None:
        raise SpecError(compilation.errors)
    return compilation.document


def _loaded(path: Path) -> Document:
    from ..compiler.cache import default_cache
    from ..compiler.cached import load_cached

    try:
        if path.exists() and not is_readable(path):
            raise Unreadable(f"{path}: it is no regular file")
        return load_cached(path, str(path), default_cache())
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror or error}") from None


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
