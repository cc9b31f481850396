"""Loading the specs that a command is about; where they have errors, these are shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..compiler.project import is_readable
from .files import Unreadable, goal_files, read_input, usage_errors
from .terminal import wants_color

if TYPE_CHECKING:
    from ..compiler.cache import Cache
    from ..compiler.ir import Document, Goal
    from ..grammar.diagnostics import Diagnostic


def named_specs(paths: tuple[str, ...]) -> list[str]:
    """The goal files that *paths* name, `-` first; what the project excludes from a folder's search
    stays out."""
    from ..compiler.lint.projects import Projects

    named = tuple(path for path in paths if path != "-")
    with usage_errors():
        files = [str(path) for path in goal_files(named, Projects().excludes)]
    return ["-", *files] if "-" in paths else files


def load_spec(argument: str) -> Document:
    """The document of a goal file (`-`: standard input); shows its errors and exits with 2."""
    return load_specs([argument])[0]


def load_specs(arguments: Sequence[str]) -> list[Document]:
    """The documents of goal files (`-`: standard input); where some have errors, shows those of all
    and exits with 2."""
    from ..compiler.cache import default_cache
    from ..compiler.spec_error import SpecError

    cache = default_cache()
    documents: list[Document] = []
    errors: dict[tuple[object, ...], Diagnostic] = {}  # each once: files share what they use
    for argument in arguments:
        try:
            documents.append(
                _compiled(read_input("-")) if argument == "-" else _loaded(Path(argument), cache)
            )
        except SpecError as error:
            errors |= {diagnostic.sort_key: diagnostic for diagnostic in error.diagnostics}
    if errors:
        from .render import FORMATS

        text = FORMATS["text"](list(errors.values()), len(arguments), color=wants_color())
        click.echo(text, nl=False, err=True)
        raise SystemExit(2)
    return documents


def _compiled(data: bytes) -> Document:
    from ..compiler import Compiler, SpecError

    compilation = Compiler().compile_bytes(data, "<stdin>")
    if compilation.document is None:
        raise SpecError(compilation.errors)
    return compilation.document


def _loaded(path: Path, cache: Cache) -> Document:
    from ..compiler.cached import load_cached

    try:
        if path.exists() and not is_readable(path):
            raise Unreadable(f"{path}: it is no regular file")
        return load_cached(path, str(path), cache)
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
