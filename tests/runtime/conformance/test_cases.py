"""The cases that ship are what the tables and scripts of the tests say, they speak of everything
that has a word of its own, and goalspec's own answers hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import goalspec
import pytest
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.conformance import FAMILIES, Case, answer_line, load_cases
from goalspec.runtime.conformance.matching import differences
from goalspec.runtime.conformance.spelling import EVENTS
from goalspec.runtime.conformance.suite import Family
from goalspec.runtime.convergence import REASONS
from goalspec.runtime.judge.outcome import STATES, Consequence
from goalspec.runtime.record.checking import goal_problems
from goalspec.runtime.record.reading import read_as
from goalspec.runtime.verdict import Outcome
from goalspec.tests.runtime.conformance import evaluation, judge, lifecycle, loop
from goalspec.tests.runtime.conformance.cases import file_of

FOLDER = Path(goalspec.__file__).parent / "runtime" / "conformance" / "cases"
WRITTEN = {
    "evaluation": evaluation.written,
    "judge": judge.written,
    "lifecycle": lifecycle.written,
    "loop": loop.written,
}
CASES = load_cases()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_files_are_what_the_tables_say(
    family: str, golden: Callable[[Path, str], None]
) -> None:
    golden(FOLDER / f"{family}.json", file_of(WRITTEN[family]()))


@pytest.mark.row("X16")
@pytest.mark.parametrize("family", FAMILIES)
def test_goalspec_holds(family: Family) -> None:
    cases = load_cases([family])
    assert len(cases) >= 60
    wrong = {case.name: list(differences(case.answer, answered(case))) for case in cases}
    assert {name: found for name, found in wrong.items() if found} == {}


def answered(case: Case) -> Any:
    answer = json.loads(answer_line(json.dumps(case.request).encode()))
    assert answer["id"] == case.name
    return answer


def test_every_name_is_one_cases() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_every_goal_of_the_files_is_whole() -> None:
    for family in FAMILIES:
        for entry in json.loads((FOLDER / f"{family}.json").read_text("utf-8"))["goals"].values():
            assert list(goal_problems(read_as(Goal, entry["goal"]))) == []


def found(value: Any, key: str) -> Iterator[Any]:
    """What stands under *key* anywhere in *value*."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name == key:
                yield item
            yield from found(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from found(item, key)


@pytest.mark.row("X16")
def test_they_speak_of_all_that_has_a_word() -> None:
    answers = [dict(case.answer) for case in CASES]
    loops = [dict(case.answer) for case in CASES if case.name.startswith("loop/")]
    assert {code for codes in REASONS.values() for code in codes} <= set(found(loops, "reason"))
    assert set(found([dict(case.request) for case in CASES], "event")) == set(EVENTS)
    assert set(found(answers, "consequence")) == set(get_args(Consequence))
    assert {one["state"] for one in found(answers, "outcome") if isinstance(one, dict) and "state" in one} == set(STATES.values())  # fmt: skip
    outcomes = {word for each in found(answers, "outcomes") for word in each.values()}
    assert outcomes == set(get_args(Outcome))
