"""The truth tables, hand-written from the language page: the Monitor's and the oracle's alike.

Each row of the `*.toml` beside this file goes through the compiler and the Monitor, and through
the reference interpreter. The format stands at the head of logic.toml.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.mark import ParameterSet
from goalspec.compiler import compile_text
from goalspec.compiler.ir.document import Goal
from goalspec.grammar import literals
from goalspec.runtime import Monitor
from goalspec.tests.reference.interpreter import Interpreter, Observation, Outcome, done, part
from goalspec.tests.reference.values import enter_facts

FOLDER = Path(__file__).parent
SHOWN = {  # the rows of the register (tests/rows.toml) that a table shows; others show X02
    "temporal": ["X02", "X03"],
    "views": ["X02", "X03"],
    "time": ["X02", "X03"],
    "parts": ["X02", "X04"],
}
SHORT = {"T": "met", "F": "unmet", "?": "unknown"}


class Step(NamedTuple):
    """One observation and what is expected after it, as `(part, word, reason)`; no expectations
    where the observation is to be refused."""

    facts: Mapping[str, Any]
    at: str | None
    id: str | None
    rev: str | None
    wanted: tuple[tuple[str, str, str | None], ...] | None


class Row(NamedTuple):
    """One history of a case, the marks of the case, and what the evaluator does wrong in it."""

    marks: Sequence[pytest.MarkDecorator]
    bug: str | None
    source: str
    baseline: Mapping[str, Any] | None
    steps: Sequence[Step]


def load(path: Path) -> Iterator[tuple[str, Row]]:
    """The rows of a file, each under a readable name."""
    with path.open("rb") as file:
        cases = tomllib.load(file)["case"]
    for case in cases:
        source = source_of(case)
        marks = [pytest.mark.row(*SHOWN.get(path.stem, ["X02"]))]
        if "rulings" in case:
            marks.append(pytest.mark.ruling(*case["rulings"]))
        baseline = read_json(case["baseline"]) if "baseline" in case else None
        histories = [[row] for row in case.get("rows", ())] + list(case.get("series", ()))
        for number, history in enumerate(histories):
            steps = [step(observation, outcomes) for observation, outcomes in history]
            row = Row(marks, case.get("bug"), source, baseline, steps)
            yield f"{path.stem}: {case['name']} [{number}]", row


def source_of(case: Mapping[str, Any]) -> str:
    body = case.get("goal") or "\n".join(
        f'criterion p{place} "x" check {check}'
        for place, check in enumerate(case.get("checks", [case.get("check")]))
    )
    return "\n".join(
        [
            f"facts {{\n{case['facts']}\n}}" if "facts" in case else "",
            f"facts lasting {{\n{case['lasting']}\n}}" if "lasting" in case else "",
            f'goal g {{ objective "o"\n{body}\n}}',
        ]
    )


def step(observation: str, outcomes: str) -> Step:
    envelope, brace, rest = observation.partition("{")
    at = id = rev = None
    for word in envelope.split():
        if word[0] == "#":
            id = word[1:]
        elif word[0] == "@":
            rev = word[1:]
        else:
            at = f"2026-01-01T{word}Z" if re.fullmatch(r"[\d:]+", word) else word
    wanted = None if outcomes == "refused" else tuple(wishes(outcomes.split()))
    return Step(read_json(brace + rest), at, id, rev, wanted)


def wishes(words: Sequence[str]) -> Iterator[tuple[str, str, str | None]]:
    """`T F ?null` for the checks in their order, or `id=word:reason floor=met done`."""
    for place, word in enumerate(words):
        if word in ("done", "open"):
            yield "done", word, None
        elif "=" in word:
            name, _, value = word.partition("=")
            said, _, reason = value.partition(":")
            yield name, said, reason or None
        else:
            yield f"p{place}", SHORT[word[0]], word[1:] or None


def read_json(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


ROWS = dict(row for path in sorted(FOLDER.glob("*.toml")) for row in load(path))


@cache
def compiled(source: str) -> Goal:
    result = compile_text(source)
    said = [f"{d.code.id} {d.message}" for d in result.diagnostics]
    assert result.document is not None, "\n".join([source, *said])
    return result.document.goals[0]


def test_there_are_enough_rows() -> None:
    assert len(ROWS) >= 600
    assert {name.partition(":")[0] for name in ROWS} == {
        path.stem for path in FOLDER.glob("*.toml")
    }


def rows(*, evaluator: bool) -> list[ParameterSet]:
    """The rows as parameters; where the evaluator has a known bug, it is expected to fail."""
    found = []
    for name, row in ROWS.items():
        marks: list[pytest.MarkDecorator | pytest.Mark] = list(row.marks)
        if evaluator and row.bug is not None:
            marks.append(pytest.mark.xfail(reason=row.bug, strict=True))
        found.append(pytest.param(name, marks=marks))
    return found


@pytest.mark.parametrize("name", rows(evaluator=True))
def test_monitor(name: str) -> None:
    row = ROWS[name]
    monitor = Monitor(compiled(row.source), baseline=row.baseline)
    for place, step in enumerate(row.steps):
        if step.wanted is None:
            with pytest.raises(ValueError):
                monitor.observe(step.facts, at=step.at, id=step.id, rev=step.rev)
            continue
        verdict = monitor.observe(step.facts, at=step.at, id=step.id, rev=step.rev)
        results = {
            result.id: Outcome(result.outcome, result.reason)
            for group in (verdict.criteria, verdict.constraints, verdict.stops)
            for result in group
        }
        results["floor"] = Outcome(verdict.floor)
        results["done"] = Outcome("done" if verdict.done else "open")
        compare(step, results, f"observation {place}\n{row.source}")


@pytest.mark.parametrize("name", rows(evaluator=False))
def test_reference(name: str) -> None:
    row = ROWS[name]
    goal = compiled(row.source)
    baseline = enter_facts(goal.facts, row.baseline or {})
    history: list[Observation] = []
    for place, step in enumerate(row.steps):
        if step.wanted is None:  # what is refused is not part of the history
            continue
        at = None if step.at is None else literals.read_time(step.at)
        history.append(Observation(enter_facts(goal.facts, step.facts), at, step.id, step.rev))
        reading = Interpreter(goal.facts, history, baseline)
        results = {
            condition.id: part(reading, condition, group)
            for group in ("criteria", "constraints", "stops")
            for condition in getattr(goal, group)
        }
        results["done"] = Outcome("done" if done(goal, reading) else "open")
        compare(step, results, f"observation {place}\n{row.source}")


def compare(step: Step, results: Mapping[str, Outcome], where: str) -> None:
    """Every wish that *results* speak of."""
    assert step.wanted is not None
    for name, word, reason in step.wanted:
        if name not in results:
            assert name == "floor"  # the oracle has none
            continue
        found = results[name]
        assert found.word == word, f"{name}: {found}, not {word}; {where}"
        if reason is not None:
            assert found.reason == reason, f"{name}: {found}, not {reason}; {where}"
