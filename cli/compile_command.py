"""`goalspec compile`: goal files to the artifacts of targets, or whether those in a folder are
current."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from .artifacts import Made, chosen, left_over, make
from .diffs import show_text
from .files import Unreadable, read_input, write_output
from .render.words import count
from .spec import load_specs, named_specs
from .terminal import emit, json_text, visible, wants_color

_NO_GOAL = "there is no goal here to compile"


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from ..compiler.targets.registry import BUILT_IN

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in BUILT_IN if name.startswith(last)]


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "--target", "names", required=True, metavar="NAME[,NAME]", shell_complete=_complete,
    help="What to compile to; `goalspec targets` lists them.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(), metavar="DIR",
    help="Write files here, not to the terminal.",
)  # fmt: skip
@click.option(
    "--templates", type=click.Path(), metavar="DIR",
    help="Your own templates, for targets that render text.",
)  # fmt: skip
@click.option(
    "--check", is_flag=True,
    help="Write nothing; exit with 1 where a file in DIR is not as it would be written.",
)  # fmt: skip
@click.option(
    "--explain", is_flag=True,
    help="With --target json: print where each value comes from, and write nothing.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="With --explain: print JSON.")
def command(
    paths: tuple[str, ...], names: str, output: str | None, templates: str | None, check: bool,
    explain: bool, as_json: bool,
) -> None:  # fmt: skip
    """Compile goal files to the artifacts of targets.

    PATH is a file, a folder (with all that lies below it), a glob, or `-` for standard input. With
    -o the artifacts become files in DIR; without it a single one is printed. The same goals give
    the same bytes on any day and any machine, and nothing is written where a file has errors.

    With --check a file in DIR that one of the targets made from a goal that is no longer there
    counts as stale too. With --explain each value of a goal is named with the file, the line and
    the preset that say it; what none says is a default.
    """
    if explain or as_json:
        _refuse_explain(explain, names, output, check)
        _explain(paths, as_json)
        return
    if check and output is None:
        raise click.UsageError("--check compares with the files of a folder: -o DIR")
    targets = chosen(names)
    if templates is not None and not any(target.target.renders for target in targets):
        raise click.UsageError(f"--templates is for targets that render text: {names} does not")
    if output is not None and Path(output).is_file():
        raise Unreadable(f"{output}: it is a file, and a folder is needed")
    if templates is not None and not Path(templates).is_dir():
        raise Unreadable(f"{templates}: there is no such folder")
    files = named_specs(paths)
    made = make(zip(files, load_specs(files), strict=True), targets, templates)
    if output is None:
        _print(made)
    elif check:
        renew = shlex.join(_renewing(paths, names, output, templates))
        raise SystemExit(_check(made, left_over(Path(output), targets, made), output, renew))
    else:
        _write(made, Path(output))


def _refuse_explain(explain: bool, names: str, output: str | None, check: bool) -> None:
    if not explain:
        raise click.UsageError("--json goes with --explain")
    if names.strip() != "json" or output is not None or check:
        raise click.UsageError(
            "--explain prints what the target json would write, and where it comes from: "
            "it goes with --target json, without -o and --check"
        )


def _explain(paths: tuple[str, ...], as_json: bool) -> None:
    from .origin_table import described, table

    documents = load_specs(named_specs(paths))
    if not any(document.goals for document in documents):
        raise click.UsageError(_NO_GOAL)
    if as_json:
        emit(json_text([goal for document in documents for goal in described(document)]))
        return
    tables = [table(document, color=wants_color()) for document in documents if document.goals]
    click.echo("\n".join(tables), nl=False)


def _print(made: list[Made]) -> None:
    if len(made) > 1:
        raise click.UsageError(f"{len(made)} artifacts need a folder: -o DIR")
    if not made:
        raise click.UsageError(_NO_GOAL)
    show_text(made[0].artifact.text)


def _write(made: list[Made], folder: Path) -> None:
    for one in made:
        path = folder / one.artifact.name
        write_output(path, one.artifact.text)
        click.echo(f"wrote {visible(str(path))}", err=True)
    if not made:
        click.echo(_NO_GOAL, err=True)


def _check(made: list[Made], left: dict[str, str], folder: str, renew: str) -> int:
    """Say which files in *folder* are not as they would be written; the exit code."""
    wrong = 0
    for one in made:
        path = Path(folder, one.artifact.name)
        state = _state(path, one.artifact.text.encode())
        if state is not None:
            wrong += 1
            click.echo(f"{visible(str(path))}: {state}", err=True)
    for name, why in left.items():
        click.echo(f"{visible(str(Path(folder, name)))}: {why}; delete it", err=True)
    if wrong:
        click.echo(f"{count(wrong, 'artifact')} to renew: {visible(renew)}", err=True)
    if not wrong and not left:
        click.echo(f"{count(len(made), 'artifact')} up to date", err=True)
    return int(wrong > 0 or bool(left))


def _state(path: Path, data: bytes) -> str | None:
    if not path.exists():
        return "missing"
    return None if read_input(str(path)) == data else "stale"


def _renewing(paths: tuple[str, ...], names: str, output: str, templates: str | None) -> list[str]:
    own = ["--templates", templates] if templates is not None else []
    return ["goalspec", "compile", *paths, "--target", names, *own, "-o", output]
