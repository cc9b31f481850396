"""Mutation: tests notice what they expect, survivors say why they survive, and a part that is run
alone comes to what it comes to in its goal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from goalspec import Document, compile_text, load
from goalspec.compiler.mutants import mutants_of
from goalspec.runtime.coverage import Kind, conditions_of
from goalspec.runtime.mutation import Differing, PartTrials, try_mutants
from goalspec.runtime.testing import run_test

SPECS = sorted((Path(__file__).resolve().parents[2] / "specs" / "examples").glob("*.goal"))
FIELDS: dict[Kind, str] = {"criterion": "criteria", "constraint": "constraints", "stop": "stops"}
GOAL = """\
facts {
  n  : int in 0..
  ok : bool
}

goal g {
  objective "o"
  criterion few "Few" check n <= 3
  criterion ok "It is fine" check ok
}
"""


def trials(*tests: str, goal: str = GOAL) -> dict[str, PartTrials]:
    blocks = "".join(f'\ntest "t{n}" for g {{\n{body}\n}}\n' for n, body in enumerate(tests))
    document = compile_text(goal + blocks).document
    assert document is not None
    return {part.id: part for part in tried(document)}


def tried(document: Document) -> list[PartTrials]:
    found = []
    for goal in document.goals:
        tested = [run_test(document, test) for test in document.tests if test.goal == goal.id]
        assert all(run.passed for run in tested)
        found += list(try_mutants(document, goal, tested))
    return found


def survivors(part: PartTrials) -> list[tuple[str, Differing | None]]:
    return [(trial.mutant.what, trial.differs) for trial in part.survivors]


@pytest.mark.row("X05")
def test_values_at_the_boundary_notice_every_mutant() -> None:
    found = trials("observe { n = 3 }\n expect few met\n observe { n = 4 }\n expect few unmet")
    assert [trial.mutant.what for trial in found["few"].trials] == [
        "`<=` becomes `<`", "`3` becomes `4`",
    ]  # fmt: skip
    assert survivors(found["few"]) == []


def test_a_survivor_that_no_observation_tells_apart() -> None:
    found = trials("observe { n = 9 }\n expect few unmet")
    assert survivors(found["few"]) == [("`<=` becomes `<`", None), ("`3` becomes `4`", None)]
    assert found["few"].expected


def test_a_survivor_that_differs_where_nothing_is_expected() -> None:
    found = trials(
        "observe { n = 9 }\n expect few unmet",
        "observe { n = 9 }\n observe { n = 3 }\n expect ok unknown",
    )
    differing = Differing("t1", 2, "met", "unmet")
    assert survivors(found["few"]) == [("`<=` becomes `<`", differing), ("`3` becomes `4`", None)]


def test_done_notices_through_the_other_parts() -> None:
    found = trials("observe { n = 3  ok = true }\n expect done")
    assert survivors(found["few"]) == [("`3` becomes `4`", None)]
    assert survivors(found["ok"]) == []
    assert found["few"].expected and found["ok"].expected


def test_not_done_is_noticed_where_this_part_alone_keeps_it() -> None:
    found = trials("observe { n = 4  ok = true }\n expect not done")
    assert survivors(found["few"]) == [("`<=` becomes `<`", None)]
    other = trials("observe { n = 4  ok = false }\n expect not done")
    assert [differs for _, differs in survivors(other["few"])] == [
        None, Differing("t0", 1, "unmet", "met"),
    ]  # fmt: skip


def test_a_part_of_which_nothing_is_expected() -> None:
    found = trials("observe { n = 3 }\n expect few met")
    assert not found["ok"].expected
    assert len(found["ok"].survivors) == len(found["ok"].trials) == 1


def test_a_goal_without_tests() -> None:
    found = trials()
    assert all(not part.expected and part.survivors == part.trials for part in found.values())


def test_time_revisions_and_the_baseline_reach_the_part() -> None:
    goal = """\
facts {
  ok : bool
  x  : number
}

goal g {
  objective "o"
  criterion held "Held" check ok for 10m every 5m
  criterion same "Same" check ok for 2 runs on one revision
  criterion less "Less" check x < x at baseline
}
"""
    found = trials(
        "observe at 2026-03-01T10:00Z { ok = true }\n observe at 2026-03-01T10:05Z { ok = true }\n"
        "expect held unknown\n observe at 2026-03-01T10:10Z { ok = true }\n expect held met",
        "observe at 2026-03-01T10:00Z { ok = true }\n observe at 2026-03-01T10:06Z { ok = true }\n"
        "observe at 2026-03-01T10:10Z { ok = true }\n expect held unknown",
        'observe rev "a" { ok = true }\n observe rev "b" { ok = true }\n expect same unknown\n'
        'observe rev "b" { ok = true }\n expect same met\n'
        'observe rev "b" { ok = false }\n expect same unmet',
        "baseline { x = 2 }\n observe { x = 1 }\n expect less met\n observe { x = 2 }\n"
        "expect less unmet",
        goal=goal,
    )
    assert survivors(found["same"]) == []
    assert survivors(found["less"]) == []
    assert [what for what, _ in survivors(found["held"])] == ["`for 10m` becomes `for 9m`"]


def test_a_part_alone_is_the_part_in_its_goal() -> None:
    """The whole goal with the mutant in it, run by the runner of tests, must fail where the mutant
    is noticed, and nowhere else."""
    compared = 0
    for path in SPECS:
        document = load(path)
        for goal in document.goals:
            tests = [test for test in document.tests if test.goal == goal.id]
            tested = [run_test(document, test) for test in tests]
            parts = {part.id: part for part in try_mutants(document, goal, tested)}
            for kind, condition in conditions_of(goal):
                if not parts[condition.id].expected:
                    continue
                for trial in parts[condition.id].trials:
                    places = getattr(goal, FIELDS[kind])
                    others = (trial.mutant.condition if p == condition else p for p in places)
                    changed: dict[str, object] = {FIELDS[kind]: tuple(others)}
                    whole = replace(document, goals=(replace(goal, **changed),))  # type: ignore[arg-type]
                    failed = any(not run_test(whole, test).passed for test in tests)
                    assert trial.noticed is failed, (path.name, trial.mutant.what)
                    compared += 1
    assert compared > 100


def test_every_mutant_of_a_part_is_tried_once() -> None:
    document = load(SPECS[0])
    facts = {fact.name: fact for fact in document.facts}
    [goal] = document.goals
    parts = {part.id: part for part in tried(document)}
    for _, condition in conditions_of(goal):
        mutants, more = mutants_of(condition, facts)
        assert [trial.mutant for trial in parts[condition.id].trials] == mutants
        assert parts[condition.id].more == more
