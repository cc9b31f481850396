"""`goalspec test`: the tests in goal files, how much of the goals they cover, and whether they
notice small changes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .files import write_output
from .render.words import count
from .spec import load_specs, named_specs
from .terminal import emit, progress, visible, wants_color

if TYPE_CHECKING:
    from ..compiler.ir import Document
    from .report import Figure, FileReport, Report

_PERCENT = click.IntRange(0, 100)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "-k", "wanted", metavar="TEXT",
    help="Only the tests that have TEXT in their name or their goal's, in whatever case.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Print a line for each test.")
@click.option("--coverage", is_flag=True, help="Print which outcomes of each part were seen.")
@click.option(
    "--min-coverage", type=_PERCENT, metavar="N", help="Exit with 1 where fewer percent were seen."
)
@click.option("--mutate", is_flag=True, help="Try small changes of each part, and print those that "
              "no test notices.")  # fmt: skip
@click.option(
    "--min-score", type=_PERCENT, metavar="N",
    help="With --mutate: exit with 1 where fewer percent of the changes are noticed.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--junit", type=click.Path(), metavar="FILE", help="Write the results to FILE as JUnit XML."
)
def command(
    paths: tuple[str, ...], wanted: str | None, verbose: bool, coverage: bool,
    min_coverage: int | None, mutate: bool, min_score: int | None, as_json: bool,
    junit: str | None,
) -> None:  # fmt: skip
    """Run the tests in goal files.

    PATH is a file, a folder (with all that lies below it), a glob, or `-` for standard input.

    Exits with 0 where every test passes, 1 where one fails or too little is covered or noticed, 2
    where a file has errors or cannot be read, or there is no test to run: none is no pass.
    """
    if min_score is not None and not mutate:
        raise click.UsageError("--min-score goes with --mutate")
    names = named_specs(paths)
    report = _run(names, load_specs(names), wanted)
    if mutate:
        report = _mutated(report)
    _print(report, as_json, verbose, coverage)
    if junit is not None:
        from .report.junit import render

        write_output(Path(junit), render(report))
    enough = [_is_enough("coverage", report.coverage, min_coverage)]
    enough.append(_is_enough("mutation score", report.mutation, min_score))
    raise SystemExit(int(report.failed > 0 or not all(enough)))


def _run(names: Sequence[str], documents: Sequence[Document], wanted: str | None) -> Report:
    """Run the tests; without any to run it is a usage error."""
    from .report import Report

    named = ["<stdin>" if name == "-" else name for name in names]
    files = [_tested(*pair, wanted) for pair in zip(named, documents, strict=True)]
    if not any(file.tested for file in files):
        there = sum(len(document.tests) for document in documents)
        if there:
            raise click.UsageError(f"-k {visible(wanted or '')} selects none of {_tests(there)}")
        raise click.UsageError(f"there is no test in {count(len(files), 'file')}")
    return Report(files)


def _tests(number: int) -> str:
    return count(number, "test")


def _tested(name: str, document: Document, wanted: str | None) -> FileReport:
    """The tests of a file that are *wanted*. Without a choice, a goal that has none counts too:
    nothing of it is covered."""
    from ..runtime.coverage import coverage_of
    from ..runtime.testing import run_test
    from .report import FileReport

    text = "" if wanted is None else wanted.casefold()
    tested = tuple(
        (number, run_test(document, test))
        for number, test in enumerate(document.tests)
        if text in test.name.casefold() or text in test.goal.casefold()
    )
    goals = {one.test.goal for _, one in tested}
    coverage = tuple(
        coverage_of(goal, [one for _, one in tested if one.test.goal == goal.id])
        for goal in document.goals
        if wanted is None or goal.id in goals
    )
    return FileReport(name, document, tested, coverage)


def _mutated(report: Report) -> Report:
    """The report with the mutants of its goals; where a test fails there is nothing to notice."""
    from ..runtime.coverage import conditions_of
    from ..runtime.mutation import try_mutants
    from .report import Report

    if report.failed:
        click.echo("no mutants were tried, since a test fails", err=True)
        return report
    goals = [(file, file.document.goal(one.goal)) for file in report.files for one in file.coverage]
    total = sum(1 for _, goal in goals for _ in conditions_of(goal))
    files = {id(file): replace(file, mutated=()) for file in report.files}
    with progress(total, "mutating") as tell:
        for file, goal in goals:
            tested = [one for _, one in file.tested if one.test.goal == goal.id]
            for part in try_mutants(file.document, goal, tested):
                before = files[id(file)]
                files[id(file)] = replace(before, mutated=(*(before.mutated or ()), part))
                tell(1)
    return Report(tuple(files.values()))


def _print(report: Report, as_json: bool, verbose: bool, coverage: bool) -> None:
    if as_json:
        from .report.json import render as render_json

        emit(render_json(report))
    else:
        from .report.text import render

        text = render(report, verbose=verbose, coverage=coverage, color=wants_color())
        click.echo(text, nl=False)


def _is_enough(what: str, figure: Figure | None, least: int | None) -> bool:
    """Does *figure* reach so many percent? Says where it does not."""
    if figure is None or least is None or 100 * figure.part >= least * figure.whole:
        return True
    click.echo(f"the {what} is {figure.percent}%, and {least}% was asked for", err=True)
    return False
