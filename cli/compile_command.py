"""`goalspec compile`: goal files to a target's artifacts."""

from __future__ import annotations

from pathlib import Path

import click

from .files import Unreadable, goal_files, write_output
from .spec import load_spec
from .terminal import emit


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option(
    "--target", type=click.Choice(["json"]), required=True,
    help="json: the IR with each goal's contract hash.",
)  # fmt: skip
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="DIR",
    help="Write files here, not to the terminal.",
)
def command(paths: tuple[str, ...], target: str, output: str | None) -> None:
    """Compile goal files to a target.

    With -o each FILE becomes DIR/NAME.json; without it one FILE is printed. The output is canonical
    JSON (RFC 8785): the same bytes for the same contract.
    """
    from ..compiler.ir import write_document

    files = ["-"] if paths == ("-",) else [str(path) for path in goal_files(paths)]
    if output is None and len(files) > 1:
        raise click.UsageError("several files need a folder: -o DIR")
    names = [Path(file).stem if file != "-" else "stdin" for file in files]
    twice = sorted({name for name in names if names.count(name) > 1})
    if output is not None and twice:
        raise click.UsageError(f"two files would both be {twice[0]}.{target}: compile them apart")
    texts = [write_document(load_spec(file)) for file in files]
    for name, text in zip(names, texts, strict=True):
        if output is None:
            emit(text)
            continue
        path = Path(output, f"{name}.{target}")
        if Path(output).is_file():
            raise Unreadable(f"{output}: it is a file, and a folder is needed")
        write_output(path, text)
        click.echo(f"wrote {path}", err=True)
