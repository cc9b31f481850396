"""The report as one JSON object, for programs; its members change only with `version`.

    {"version": 1, "passed": n, "failed": n,
     "tests": [{"path", "line", "goal", "name", "outcome",
                "misses": [{"line", "observation", "expected", "seen", "because": {ID: text}}],
                "error": {"line", "message"}}],
     "coverage": {"percent", "seen", "possible",
                  "goals": [{"path", "goal", "tests", "seen", "possible",
                             "parts": [{"kind", "id", "outcomes": {OUTCOME: how}}]}]},
     "mutation": {"percent", "noticed", "tried",
                  "parts": [{"path", "goal", "kind", "id", "noticed", "tried", "left_out",
                             "survivors": [{"clause", "what", "before", "after",
                                            "differs": {"test", "observation", "before", "after"}}
                             ]}]}}

A test's outcome is passed, failed or error; `error` is null but for the last. An outcome of a part
is expected, seen or missing. `mutation` is null where it was not asked for, `after` where a clause
is left out, `differs` where no observation tells a survivor apart. Lines count from 1.
"""

from __future__ import annotations

from typing import Any

from ...compiler.ir.text import write_expression
from ...runtime.coverage import Coverage
from ...runtime.mutation import PartTrials, Trial
from ...runtime.testing import FinishedTest, Miss
from ..terminal import json_text
from . import FileReport, Report, how, outcome_of


def render(report: Report) -> str:
    """The object that the module describes."""
    return json_text(
        {
            "version": 1,
            "passed": report.passed,
            "failed": report.failed,
            "tests": [
                _test(file, number, one) for file in report.files for number, one in file.tested
            ],
            "coverage": {
                "percent": report.coverage.percent,
                "seen": report.coverage.part,
                "possible": report.coverage.whole,
                "goals": [
                    _goal(file, goal) for file in report.files for goal in file.coverage
                ],
            },
            "mutation": _mutation(report),
        }
    )  # fmt: skip


def _test(file: FileReport, number: int, tested: FinishedTest) -> dict[str, Any]:
    fault = tested.fault
    return {
        "path": file.name,
        "line": file.line(number),
        "goal": tested.test.goal,
        "name": tested.test.name,
        "outcome": outcome_of(tested),
        "misses": [_miss(file, number, miss) for miss in tested.misses],
        "error": fault and {"line": file.line(number, fault.step), "message": fault.message},
    }


def _miss(file: FileReport, number: int, miss: Miss) -> dict[str, Any]:
    return {
        "line": file.line(number, miss.step),
        "observation": miss.observation,
        "expected": miss.expected,
        "seen": miss.seen,
        "because": {result.id: result.explanation for result in miss.why},
    }


def _goal(file: FileReport, coverage: Coverage) -> dict[str, Any]:
    return {
        "path": file.name,
        "goal": coverage.goal,
        "tests": coverage.tests,
        "seen": coverage.seen,
        "possible": coverage.possible,
        "parts": [
            {
                "kind": part.kind,
                "id": part.id,
                "outcomes": {outcome: how(part, outcome) for outcome in part.possible},
            }
            for part in coverage.parts
        ],
    }


def _mutation(report: Report) -> dict[str, Any] | None:
    figure = report.mutation
    if figure is None:
        return None
    return {
        "percent": figure.percent,
        "noticed": figure.part,
        "tried": figure.whole,
        "parts": [
            _part(file, part) for file in report.files for part in file.mutated or () if part.trials
        ],
    }


def _part(file: FileReport, part: PartTrials) -> dict[str, Any]:
    return {
        "path": file.name,
        "goal": part.goal,
        "kind": part.kind,
        "id": part.id,
        "noticed": len(part.trials) - len(part.survivors),
        "tried": len(part.trials),
        "left_out": part.more,
        "survivors": [_survivor(trial) for trial in part.survivors],
    }


def _survivor(trial: Trial) -> dict[str, Any]:
    mutant, differs = trial.mutant, trial.differs
    return {
        "clause": mutant.clause,
        "what": mutant.what,
        "before": write_expression(mutant.before),
        "after": None if mutant.after is None else write_expression(mutant.after),
        "differs": differs
        and {
            "test": differs.test,
            "observation": differs.observation,
            "before": differs.before,
            "after": differs.after,
        },
    }
