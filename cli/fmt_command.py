"""`goalspec fmt`: goal files in their canonical layout, or what would change in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from ..compiler.project import is_readable
from .diffs import show_diff, show_text
from .files import Unreadable, goal_files, read_input, rewrite, usage_errors
from .terminal import visible, wants_color

_CHANGED, _SAME, _FAILED = "changed", "same", "failed"


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 where a file would change.")
@click.option("--diff", is_flag=True, help="As --check, and print what would change.")
@click.option(
    "--stdin-path", type=click.Path(), metavar="PATH", help="What to call standard input."
)
def command(paths: tuple[str, ...], check: bool, diff: bool, stdin_path: str | None) -> None:
    """Lay goal files out in the one canonical way.

    PATH is a file, a folder (with all that lies below it), a glob, or `-` for standard input, which
    is written to standard output. What a file means and its comments stay as they are. A file with
    errors is left alone: they are shown, and the exit code is 2.
    """
    write = not (check or diff)
    show = show_diff if diff else None
    outcomes: Counter[str] = Counter()
    if "-" in paths:
        name, put = stdin_path or "<stdin>", show_text if write else None
        outcomes[_format(name, read_input("-"), put, show, always=True)] += 1
    arguments = [path for path in paths if path != "-"]
    for path in _files(arguments, outcomes):
        outcomes[_format_file(path, write, show)] += 1
    if arguments or not write:
        click.echo(_summary(outcomes, write), err=True)
    if outcomes[_FAILED]:
        raise SystemExit(2)
    raise SystemExit(int(outcomes[_CHANGED] > 0 and not write))


_Show = Callable[[str, str, str], None]  # the name, the old text, the new one


def _files(arguments: list[str], outcomes: Counter[str]) -> list[Path]:
    """The files that *arguments* name, each once; an argument that names none is a failure. What
    the project excludes from a folder's search stays as it is."""
    from ..compiler.lint.projects import Projects

    excludes = Projects().excludes
    files: dict[Path, None] = {}
    for argument in arguments:
        try:
            with usage_errors():
                files.update(dict.fromkeys(goal_files((argument,), excludes)))
        except Unreadable as error:
            error.show()
            outcomes[_FAILED] += 1
    return list(files)


def _format_file(path: Path, write: bool, show: _Show | None) -> str:
    try:
        if not is_readable(path):
            raise Unreadable(f"{path}: it is no regular file")
        put = partial(rewrite, path) if write else None
        return _format(str(path), read_input(str(path)), put, show)
    except Unreadable as error:
        error.show()
        return _FAILED


def _format(
    name: str,
    data: bytes,
    put: Callable[[str], None] | None,
    show: _Show | None,
    *,
    always: bool = False,
) -> str:
    """Format one file. *put* takes the new text, *always* also where it is the old one; without it
    the file is named if it would change."""
    from ..grammar.formatting import format_bytes

    formatted = format_bytes(data, name)
    if formatted.text is None:
        from .render import FORMATS

        text = FORMATS["text"](formatted.diagnostics, 1, color=wants_color())
        click.echo(text, nl=False, err=True)
        return _FAILED
    changed = formatted.text.encode() != data
    if put is not None and (changed or always):
        put(formatted.text)
    if put is None and changed:
        click.echo(f"would reformat {visible(name)}", err=True)
        if show is not None:
            show(name, data.decode("utf-8"), formatted.text)
    return _CHANGED if changed else _SAME


def _summary(outcomes: Counter[str], written: bool) -> str:
    changed = outcomes[_CHANGED]
    files = f"{changed} file{'' if changed == 1 else 's'}"
    parts = [f"{files} {'reformatted' if written else 'would be reformatted'}"]
    parts.append(f"{outcomes[_SAME]} left unchanged")
    if outcomes[_FAILED]:
        parts.append(f"{outcomes[_FAILED]} with errors")
    return ", ".join(parts)
