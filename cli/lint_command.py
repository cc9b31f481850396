"""`goalspec lint`: every error of the files that are named, in one run."""

from __future__ import annotations

from pathlib import Path

import click

from .files import goal_files, is_readable, read_input
from .render import FORMATS
from .terminal import complain, emit, wants_color


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True,
    help="How findings are written.",
)  # fmt: skip
@click.option(
    "--stdin-path", type=click.Path(), metavar="PATH",
    help="Where standard input would stand, for its `use`.",
)  # fmt: skip
def command(paths: tuple[str, ...], form: str, stdin_path: str | None) -> None:
    """Find errors in goal files.

    PATH is a file, a folder (with all that lies below it), a glob, or `-` for standard input. Exits
    with 0 where there is no error, 1 where there is one, 2 where a file cannot be read or parsed.
    """
    from ..compiler import Compiler
    from ..grammar.diagnostics import Severity

    compiler = Compiler()
    files = goal_files(tuple(path for path in paths if path != "-"))
    compilations = []
    if "-" in paths:
        where = Path(stdin_path) if stdin_path else None
        name = stdin_path or "<stdin>"
        compilations.append(compiler.compile_bytes(read_input("-"), name, where))
    unread = False
    for path in files:
        try:
            if not is_readable(path):
                raise OSError(0, "it is no regular file")
            compilations.append(compiler.compile_file(path))
        except OSError as error:
            complain("goalspec", "error", "GS505", f"{path}: {error.strerror or error}")
            unread = True
    found = list({d.sort_key: d for c in compilations for d in c.diagnostics}.values())
    text = FORMATS[form](found, len(compilations), color=wants_color())
    if form in ("text", "concise"):  # for people: in their terminal's encoding
        click.echo(text, nl=False)
    else:
        emit(text)
    if unread or any(d.code.stage in ("lex", "parse") for d in found):
        raise SystemExit(2)
    raise SystemExit(int(any(d.severity is Severity.ERROR for d in found)))
