"""The report that a person reads, as test runners print it: a line for each file with a mark for
each test, what failed, what was not covered and which mutants survived, and the lines that sum up.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...compiler.characters import visible
from ...compiler.ir.text import write_expression
from ...runtime.coverage import CHECKED, Coverage, Kind, PartCoverage
from ...runtime.mutation import Differing, PartTrials, Trial
from ...runtime.testing import FinishedTest, Miss
from ...runtime.verdict import Outcome
from ..render.style import Style, styler
from ..render.words import count
from . import FileReport, Report, how, outcome_of

_MARKS = {"passed": ".", "failed": "F", "error": "E"}
_ROLES = {"passed": "success", "failed": "error", "error": "error"}


def render(report: Report, *, verbose: bool, coverage: bool, color: bool) -> str:
    """The text: with *verbose* a line for each test, with *coverage* its tables."""
    style = styler(color=color)
    lines: list[str] = []
    for file in report.files:
        if file.tested:
            lines += _tests(file, style) if verbose else [_marks(file, style)]
    for file in report.files:
        for number, tested in file.tested:
            if not tested.passed:
                head, *rest = failure(file, number, tested)
                lines += ["", style("error", head), *rest]
    if coverage:
        lines += _coverage(report, style)
    for file in report.files:
        lines += _survivors(file, style)
    return "\n".join([*lines, "", *_summary(report, style), ""])


# --- tests


def _marks(file: FileReport, style: Style) -> str:
    marks = (outcome_of(tested) for _, tested in file.tested)
    return f"{visible(file.name)} {''.join(style(_ROLES[mark], _MARKS[mark]) for mark in marks)}"


def _tests(file: FileReport, style: Style) -> Iterator[str]:
    for number, tested in file.tested:
        outcome = outcome_of(tested)
        yield f"{_title(file, number, tested)} {style(_ROLES[outcome], outcome.upper())}"


def _title(file: FileReport, number: int, tested: FinishedTest) -> str:
    name = f"{file.name}:{file.line(number)}"
    return visible(f'{name} "{tested.test.name}" for {tested.test.goal}')


def failure(file: FileReport, number: int, tested: FinishedTest) -> Iterator[str]:
    """The lines about a test that did not pass, without colours."""
    yield f"{outcome_of(tested).upper()} {_title(file, number, tested)}"
    for miss in tested.misses:
        yield from _miss(f"{file.name}:{file.line(number, miss.step)}", miss)
    if tested.fault is not None:
        line = file.line(number, tested.fault.step)
        yield f"  {visible(f'{file.name}:{line}')}: {visible(tested.fault.message)}"


def _miss(place: str, miss: Miss) -> Iterator[str]:
    yield f"  {visible(place)}: expected {miss.expected}, seen {miss.seen}"
    yield f"    after observation {miss.observation}"
    if not miss.why:
        yield "    - no criterion is met"
    for result in miss.why:
        subject = "" if len(miss.why) == 1 and miss.expected.startswith(result.id) else (
            f"{result.id} is {result.outcome}: "
        )  # fmt: skip
        first, *rest = result.explanation.split("\n")
        yield f"    - {visible(subject + first)}"
        for line in rest:
            yield f"      {visible(line)}"


# --- coverage

_PLURALS: dict[Kind, str] = {
    "criterion": "criteria",
    "constraint": "constraints",
    "stop": "stops",
}


def _coverage(report: Report, style: Style) -> Iterator[str]:
    for file in report.files:
        for goal in file.coverage:
            yield ""
            figure = f"{goal.seen} of {goal.possible} outcomes seen in {count(goal.tests, 'test')}"
            yield style("strong", visible(f"{file.name}: {goal.goal}")) + f": {figure}"
            yield from _table(goal)


def _table(coverage: Coverage) -> Iterator[str]:
    """A row for each part; a column for each outcome that parts of its kind can have."""
    width = max([11, *(len(part.id) for part in coverage.parts)])
    for kind, plural in _PLURALS.items():
        parts = [part for part in coverage.parts if part.kind == kind]
        if parts:
            possible = {outcome for part in parts for outcome in part.possible}
            order: tuple[Outcome, ...] = (*CHECKED[kind], "judged", "unknown", "waived")
            columns = [outcome for outcome in order if outcome in possible]
            yield _row(plural, list(columns), width)
            for part in parts:
                yield _row(part.id, [_cell(part, column) for column in columns], width)


def _cell(part: PartCoverage, outcome: Outcome) -> str:
    return how(part, outcome) if outcome in part.possible else "-"


def _row(name: str, cells: list[str], width: int) -> str:
    return f"  {name:<{width}}  {'  '.join(f'{cell:<8}' for cell in cells)}".rstrip()


# --- mutants


def _survivors(file: FileReport, style: Style) -> Iterator[str]:
    tests = {goal.goal: goal.tests for goal in file.coverage}
    for goal, number in tests.items():
        parts = [part for part in file.mutated or () if part.goal == goal and part.survivors]
        if not parts:
            continue
        yield ""
        yield style("strong", visible(f"{file.name}: {goal}"))
        if not number:
            survivors = sum(len(part.survivors) for part in parts)
            yield f"  {_survive(survivors)}: the goal has no test"
            continue
        for part in parts:
            yield from _part(file, part, style)


def _survive(number: int) -> str:
    return "1 mutant survives" if number == 1 else f"{number} mutants survive"


def _part(file: FileReport, part: PartTrials, style: Style) -> Iterator[str]:
    survivors = _survive(len(part.survivors))
    head = f"  {visible(file.place(part.goal, part.id))}: {part.id}: "
    if not part.expected:
        yield f"{head}{survivors}: no test expects anything of it"
        return
    more = f", {part.more} more were not tried" if part.more else ""
    yield f"{head}{survivors} of {len(part.trials)}{more}"
    for trial in part.survivors:
        yield from _survivor(trial, style)


def _survivor(trial: Trial, style: Style) -> Iterator[str]:
    mutant = trial.mutant
    yield f"    {visible(mutant.what)}: {_why(trial.differs)}"
    yield style("error", f"      - {mutant.clause} {visible(write_expression(mutant.before))}")
    if mutant.after is not None:
        yield style("success", f"      + {mutant.clause} {visible(write_expression(mutant.after))}")


def _why(differs: Differing | None) -> str:
    if differs is None:
        return "no observation tells them apart"
    return visible(
        f"{differs.after} instead of {differs.before} after observation {differs.observation} of "
        f'"{differs.test}", where no expectation sees it'
    )


# --- the lines that sum up


def _summary(report: Report, style: Style) -> Iterator[str]:
    failed, passed = report.failed, report.passed
    said = ([f"{failed} failed"] if failed else []) + [f"{passed} passed"]
    files = sum(bool(file.tested) for file in report.files)
    yield style("error" if failed else "success", f"{', '.join(said)} in {count(files, 'file')}")
    covered = report.coverage
    yield f"coverage {covered.percent}%: {covered.part} of {covered.whole} outcomes seen"
    noticed = report.mutation
    if noticed is not None:
        figure = f"{noticed.part} of {noticed.whole} mutants noticed"
        yield f"mutation score {noticed.percent}%: {figure}"
