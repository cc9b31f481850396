"""`goalspec conformance`: hold a program to the cases that another runtime must answer as this one
does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .render.words import count
from .terminal import complain, emit, json_text, visible

if TYPE_CHECKING:
    from ..runtime.conformance import Result

SHOWN = 5  # problems of a case; a runtime that goes another way early has hundreds


@click.command()
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option(
    "--only", "families", multiple=True,
    type=click.Choice(["evaluation", "judge", "lifecycle", "loop"]),
    help="One family of cases. Can be given again.",
)  # fmt: skip
@click.option(
    "--timeout", "patience", metavar="SECONDS", default=10.0, show_default=True,
    type=click.FloatRange(0, min_open=True), help="How long an answer may take.",
)  # fmt: skip
@click.option("--serve", is_flag=True, help="Answer requests as goalspec does.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def command(
    program: tuple[str, ...], families: tuple[str, ...], patience: float, serve: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Hold a program to the conformance cases.

    COMMAND is run without a shell. It reads a JSON request on each line of its standard input, and
    writes a JSON answer on each line of its standard output. With --serve goalspec is such a
    program itself. Exits with 0 where every case holds, 1 where one does not, 2 for usage or I/O.
    """
    if serve == bool(program):
        raise click.UsageError(
            "name the program to be held to the cases, after `--`, or say `--serve`"
        )
    if serve:
        _serve()
        return
    results = _held(program, families, patience)
    failed = [result for result in results if not result.holds]
    if as_json:
        emit(json_text(_json(results)))
    else:
        click.echo(_text(failed, len(results)), nl=False)
    raise SystemExit(1 if failed else 0)


def _serve() -> None:
    import sys

    from ..runtime.conformance import answer_line

    for line in sys.stdin.buffer:
        if line.strip():
            emit(answer_line(line))
            sys.stdout.flush()


def _held(program: tuple[str, ...], families: tuple[str, ...], patience: float) -> list[Result]:
    import asyncio

    from ..runtime.conformance import FAMILIES, hold, load_cases
    from ..runtime.processes import NotStarted

    chosen = [family for family in FAMILIES if not families or family in families]
    try:
        return asyncio.run(hold(program, load_cases(chosen), patience))
    except NotStarted as error:
        complain("", "error", "GS505", str(error))
        raise SystemExit(2) from None


def _json(results: list[Result]) -> dict[str, object]:
    return {
        "holds": all(result.holds for result in results),
        "cases": [
            {
                "name": result.case.name,
                "says": result.case.says,
                "holds": result.holds,
                "problems": list(result.problems),
            }
            for result in results
        ],
    }


def _text(failed: list[Result], cases: int) -> str:
    lines = []
    for result in failed:
        lines.append(f"{result.case.name}: {result.case.says}")
        lines += [f"  {visible(problem)}" for problem in result.problems[:SHOWN]]
        if len(result.problems) > SHOWN:
            lines.append(f"  and {len(result.problems) - SHOWN} more")
    lines.append(f"{count(cases, 'case')}, {len(failed) or 'none'} failed")
    return "".join(f"{line}\n" for line in lines)
