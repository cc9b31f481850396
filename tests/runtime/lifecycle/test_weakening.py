"""What an agent may do to a goal: add to it, and nothing else."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler.ir.document import FactSource, Goal, Pins
from goalspec.compiler.ir.types import ScalarType
from goalspec.runtime.lifecycle import weakenings
from goalspec.runtime.lifecycle.commands import Amend, Create
from goalspec.runtime.record import Record
from goalspec.tests.runtime.lifecycle.acting import code, do, refusal
from goalspec.tests.runtime.lifecycle.states import ADDED, STATES, changed_goal
from goalspec.tests.runtime.record.records import GOAL, goal

CASES = tomllib.loads(Path(__file__).with_name("weakenings.toml").read_text("utf-8"))["case"]
LAYOUT = """
facts {{ n : int  ok : bool }}
goal g {{
  objective "Ship it."
  criterion base "The base holds" check n > 10
  {}
}}
"""


def ids(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.row("X13", "P10")
@pytest.mark.parametrize("case", CASES, ids=ids)
def test_whatever_is_not_the_same_or_added_weakens(case: dict[str, Any]) -> None:
    old, new = (goal(LAYOUT.format(case[key])) for key in ("old", "new"))
    assert list(weakenings(old, new)) == case["says"]
    assert weakenings(old, old) == ()


@pytest.mark.row("P10")
@pytest.mark.parametrize("case", [case for case in CASES if case["name"] != "nothing"], ids=ids)
def test_an_agent_amends_where_nothing_is_weakened(case: dict[str, Any]) -> None:
    old, new = (goal(LAYOUT.format(case[key])) for key in ("old", "new"))
    record = do(Record(session="s"), Create(goal=old), "person", 1)
    amend = Amend(goal=new, reason="as I found out")
    if case["says"]:
        assert code(record, amend, "agent") == "not_a_person"
        assert case["says"][0] in str(refusal(record, amend, "agent"))
    else:
        assert do(record, amend, "agent").goal == new
    assert do(record, amend, "person").goal is not None


def with_fact(**changes: Any) -> Goal:
    return changed_goal(facts=(replace(GOAL.facts[0], **changes), *GOAL.facts[1:]))


@pytest.mark.parametrize(
    ("new", "says"),
    [
        (changed_goal(objective="Ship some of it."), "the objective was changed"),
        (with_fact(type=ScalarType(kind="string")), f"the type of the fact `{GOAL.facts[0].name}` was changed"),
        (with_fact(source=FactSource(name="run", argument="true")), f"the source of the fact `{GOAL.facts[0].name}` was changed"),
        (with_fact(lasting=True), f"the lasting of the fact `{GOAL.facts[0].name}` was changed"),
        (changed_goal(pins=Pins(keep=())), "the pins was changed: there was none"),
        (changed_goal(edition=2), "the edition was changed: 1 became 2"),
    ],
)  # fmt: skip
def test_the_rest_of_the_contract_stands_too(new: Goal, says: str) -> None:
    assert weakenings(GOAL, new) == (says,)


def test_a_fact_s_description_is_no_part_of_it() -> None:
    assert weakenings(GOAL, with_fact(description="how many")) == ()


@pytest.mark.row("P10")
def test_the_order_of_the_criteria_is_no_matter_of_weakness() -> None:
    assert weakenings(GOAL, changed_goal(criteria=GOAL.criteria[::-1])) == ()


@pytest.mark.row("P10")
def test_an_agent_s_own_goal_is_no_exception() -> None:
    record = do(STATES["none"], Create(goal=ADDED), "agent")
    assert code(record, Amend(goal=GOAL, reason="too much"), "agent") == "not_a_person"
