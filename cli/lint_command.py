"""`goalspec lint`: what is wrong in goal files and what deserves a look, and its mending."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .diffs import show_diff, show_text
from .files import Unreadable, goal_files, read_input, rewrite, usage_errors, write_output
from .render import FORMATS
from .render.words import count
from .terminal import complain, emit, progress, visible, wants_color

if TYPE_CHECKING:
    from ..compiler.lint.run import Answer, Run
    from ..grammar.diagnostics import Diagnostic
    from ..grammar.source import Source


def _codes(_: click.Context, __: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


@dataclass(frozen=True)
class _Options:
    form: str
    stdin_path: str | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fix: bool
    unsafe_fixes: bool
    diff: bool
    statistics: bool
    exit_zero: bool
    max_warnings: int | None
    baseline: str | None
    write_baseline: str | None
    no_cache: bool


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option(
    "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True,
    help="How findings are written.",
)  # fmt: skip
@click.option(
    "--select", multiple=True, callback=_codes, metavar="CODES",
    help="Look for these only: ids, names, beginnings of ids, or ALL.",
)  # fmt: skip
@click.option(
    "--ignore", multiple=True, callback=_codes, metavar="CODES", help="Do not look for these."
)
@click.option("--fix", is_flag=True, help="Mend what can be mended without changing a verdict.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="With --fix or --diff: also fixes that may change verdicts.",
)
@click.option("--diff", is_flag=True, help="Print what --fix would change, and change nothing.")
@click.option("--statistics", is_flag=True, help="Print how often each code was found.")
@click.option(
    "--exit-zero", is_flag=True, help="Exit with 0 whatever is found; a file that cannot be read "
    "or parsed still is 2.",
)  # fmt: skip
@click.option(
    "--max-warnings", type=click.IntRange(min=0), metavar="N", help="More warnings than N are 1."
)
@click.option(
    "--baseline", type=click.Path(), metavar="FILE",
    help="Leave out the findings that FILE knows.",
)  # fmt: skip
@click.option(
    "--write-baseline", type=click.Path(), metavar="FILE",
    help="Write all findings to FILE, for --baseline.",
)  # fmt: skip
@click.option(
    "--stdin-path", type=click.Path(), metavar="PATH",
    help="Where standard input would stand, for its `use`.",
)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Neither use nor keep what earlier runs found.")
@click.option("--watch", is_flag=True, help="Lint again whenever a file changes.")
def command(paths: tuple[str, ...], watch: bool, **given: Any) -> None:
    """Find errors in goal files, and what deserves a look.

    PATH is a file, a folder (with all that lies below it), a glob, or `-` for standard input.
    Settings stand in `[tool.goalspec]` of the project's pyproject.toml; a comment silences a
    finding on its line: `# goalspec: ignore CODE -- the reason`.

    Exits with 0 where there is no error (warnings change nothing, unless --max-warnings says so),
    1 where there is one, 2 where a file cannot be read or parsed.
    """
    options = _Options(**given)
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise click.UsageError("--unsafe-fixes goes with --fix or --diff")
    if options.fix and options.diff:
        raise click.UsageError("--fix changes files and --diff shows what it would change: one")
    if options.statistics and options.form not in ("text", "concise", "json"):
        raise click.UsageError("--statistics is written as text or json")
    if not watch:
        raise SystemExit(_lint(paths, options))
    if "-" in paths:
        raise click.UsageError("standard input cannot be watched")
    from .watching import watch_folders

    watch_folders(paths, lambda: _lint(paths, options))


def _lint(paths: tuple[str, ...], options: _Options) -> int:
    """One run: print what it finds; the exit code."""
    from ..compiler.cache import Cache, default_cache
    from ..compiler.lint.config import Question
    from ..compiler.lint.run import Run

    cache = Cache(None) if options.no_cache else default_cache()
    run = Run(cache, Question(options.select or None, options.ignore))
    with usage_errors():
        answers = _answers(paths, run, options)
    cache.close()
    files = sum(answer.failed is None for answer in answers)
    mended = 0
    if options.fix or options.diff:
        answers, mended = _mend(answers, run, options)
    if options.write_baseline is not None:
        _write_baseline(answers, run, options.write_baseline)
    answers = _without_known(answers, run, options)
    for answer in answers:
        if answer.failed is not None:
            complain("goalspec", "error", "GS505", answer.failed)
    found = list({d.sort_key: d for answer in answers for d in answer.found}.values())
    failed = any(answer.failed is not None for answer in answers)
    aside = options.diff or (options.fix and "-" in paths)
    _print(found, files, options, aside)
    return _exit_code(found, failed, bool(mended and options.diff), options)


def _answers(paths: tuple[str, ...], run: Run, options: _Options) -> list[Answer]:
    named = tuple(path for path in paths if path != "-")
    files = goal_files(named, run.projects.excludes)
    answers = []
    if "-" in paths:
        where = Path(options.stdin_path or "stdin.goal")
        answers.append(run.lint_text(read_input("-"), options.stdin_path or "<stdin>", where))
    with progress(len(files), "linting") as tell:
        return answers + run.lint(files, tell)


def _mend(answers: list[Answer], run: Run, options: _Options) -> tuple[list[Answer], int]:
    """Apply the fixes, or show them; what is left to say, and how many were applied."""
    from ..compiler.lint.fixing import mend

    left: list[Answer] = []
    applied = files = 0
    for answer in answers:
        mended = mend(answer.source, answer.found, _again(run, answer), options.unsafe_fixes)
        before, after = answer.mark + answer.source.text, answer.mark + mended.source.text
        try:
            if options.diff and mended.applied:
                show_diff(answer.name, before, after)
            elif options.fix and answer.given and _is_text(answer):
                show_text(after)
            elif options.fix and mended.applied:
                rewrite(answer.path, after)
        except Unreadable as error:
            left.append(replace(answer, failed=error.message))
            continue
        left.append(replace(answer, source=mended.source, found=mended.found))
        applied += mended.applied
        files += mended.applied > 0
    if applied:
        verb = "would mend" if options.diff else "mended"
        click.echo(f"{verb} {count(applied, 'finding')} in {count(files, 'file')}", err=True)
    return left, applied


def _again(run: Run, answer: Answer) -> Callable[[str], tuple[Source, tuple[Diagnostic, ...]]]:
    def lint(text: str) -> tuple[Source, tuple[Diagnostic, ...]]:
        again = run.lint_text(text.encode(), answer.name, answer.path)
        return again.source, again.found

    return lint


def _is_text(answer: Answer) -> bool:
    """Is the text of *answer* whole? Of bytes that are no text it has but the beginning."""
    from ..grammar.codes import ENCODING

    return all(diagnostic.code != ENCODING for diagnostic in answer.found)


def _write_baseline(answers: list[Answer], run: Run, file: str) -> None:
    from ..compiler.lint.baseline import write_baseline

    text = write_baseline(answers, lambda answer: run.projects.place_of(answer.path))
    write_output(Path(file), text)
    click.echo(f"wrote {visible(file)}", err=True)


def _without_known(answers: list[Answer], run: Run, options: _Options) -> list[Answer]:
    """*answers* without what a baseline knows: the command line's, or each project's own."""
    from ..compiler.lint.baseline import BadBaseline, read_baseline, without_known
    from ..compiler.project import is_readable

    file = options.write_baseline or options.baseline
    by_file: dict[str | None, list[Answer]] = {}
    for answer in answers:
        config = run.projects.config_of(answer.path)
        own = None if config.baseline is None else str(config.root / config.baseline)
        by_file.setdefault(file or own, []).append(answer)
    left: list[Answer] = []
    for known, these in by_file.items():
        if known is None:
            left += these
            continue
        if Path(known).exists() and not is_readable(Path(known)):
            raise Unreadable(f"{known}: it is no regular file")
        try:
            baseline = read_baseline(read_input(known))
        except BadBaseline as bad:
            raise Unreadable(f"{known}: {bad}") from None
        kept, gone = without_known(these, baseline, lambda a: run.projects.place_of(a.path))
        left += kept
        if gone and not (options.select or options.ignore):  # they may not have been looked for
            click.echo(
                f"{visible(known)}: {count(gone, 'finding')} of it no longer there; write it again "
                "with --write-baseline", err=True,
            )  # fmt: skip
    return left


def _print(found: list[Diagnostic], files: int, options: _Options, aside: bool) -> None:
    """The report: *aside*, on standard error, where standard output has a diff or a mended text."""
    if options.statistics:
        from .render.statistics import statistics

        text = statistics(found, as_json=options.form == "json")
    else:
        text = FORMATS[options.form](found, files, color=wants_color())
    if aside:
        click.echo(text, nl=False, err=True)
    elif options.form in ("text", "concise"):
        click.echo(text, nl=False)
    else:
        emit(text)


def _exit_code(found: list[Diagnostic], failed: bool, differs: bool, options: _Options) -> int:
    from ..grammar.diagnostics import Severity

    if failed or any(d.code.stage in ("lex", "parse") for d in found):
        return 2
    if options.exit_zero:
        return 0
    errors = sum(d.severity is Severity.ERROR for d in found)
    warnings = len(found) - errors
    too_many = options.max_warnings is not None and warnings > options.max_warnings
    if too_many:
        allowed = f"--max-warnings allows {options.max_warnings}"
        click.echo(f"{count(warnings, 'warning')}: {allowed}", err=True)
    return int(errors > 0 or too_many or differs)
