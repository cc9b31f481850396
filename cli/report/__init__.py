"""What a run of `goalspec test` found, and the forms in which it leaves the command line: text,
JSON and JUnit XML. A form is pure: a report in, the whole output out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ...compiler.ir import Document
from ...runtime.coverage import Coverage, PartCoverage, percent
from ...runtime.mutation import PartTrials
from ...runtime.testing import FinishedTest
from ...runtime.verdict import Outcome


@dataclass(frozen=True, slots=True)
class FileReport:
    """A goal file as the command names it: its tests that were run, each by its number in the file,
    the coverage of its goals, and, if it was asked for, their mutants."""

    name: str
    document: Document
    tested: tuple[tuple[int, FinishedTest], ...]
    coverage: tuple[Coverage, ...]
    mutated: tuple[PartTrials, ...] | None = None

    def line(self, test: int, step: int | None = None) -> int:
        """The line of a test, or of a step of it."""
        key = f"{test}" if step is None else f"{test}.{step}"
        return self.document.source.tests[key].line

    def place(self, goal: str, part: str) -> str:
        """Where a part of a goal stands (`ID`, or `ID.check`), in whichever file says it."""
        places = self.document.source.places
        place = places[f"{goal}/{part}"]
        file = self.name if place.file == places[goal].file else place.file
        return f"{file}:{place.line}"


@dataclass(frozen=True, slots=True)
class Figure:
    """How many of how many."""

    part: int
    whole: int

    @property
    def percent(self) -> int:
        return percent(self.part, self.whole)


@dataclass(frozen=True, slots=True)
class Report:
    """The files of one run."""

    files: Sequence[FileReport]

    @property
    def tested(self) -> Iterator[FinishedTest]:
        return (tested for file in self.files for _, tested in file.tested)

    @property
    def failed(self) -> int:
        return sum(not tested.passed for tested in self.tested)

    @property
    def passed(self) -> int:
        return sum(tested.passed for tested in self.tested)

    @property
    def coverage(self) -> Figure:
        """The outcomes that were seen, of all that the parts can have."""
        goals = [goal for file in self.files for goal in file.coverage]
        return Figure(sum(goal.seen for goal in goals), sum(goal.possible for goal in goals))

    @property
    def mutation(self) -> Figure | None:
        """The mutants that were noticed, of all that were tried; None where none was asked for."""
        if all(file.mutated is None for file in self.files):
            return None
        parts = [part for file in self.files for part in file.mutated or ()]
        tried = sum(len(part.trials) for part in parts)
        return Figure(tried - sum(len(part.survivors) for part in parts), tried)


def outcome_of(tested: FinishedTest) -> Literal["passed", "failed", "error"]:
    """How a test went; one that could not be carried out is an error."""
    if tested.fault is not None:
        return "error"
    return "failed" if tested.misses else "passed"


def how(part: PartCoverage, outcome: Outcome) -> Literal["expected", "seen", "missing"]:
    """How well a possible outcome of a part is covered."""
    if outcome in part.expected:
        return "expected"
    return "seen" if outcome in part.seen else "missing"
