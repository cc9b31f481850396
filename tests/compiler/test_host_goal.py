"""Goals that a host builds in Python: what they become in the IR, and what is refused, with all of
its problems at once."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from goalspec.compiler.host_goal import BadGoal, read_goal
from goalspec.compiler.host_spec import HOST_LIMITS, host_budget, spec_of
from goalspec.compiler.ir import document as ir
from goalspec.compiler.ir.canonical import contract_hash, plain
from goalspec.compiler.ir.expressions import HostCheck
from hypothesis import given
from hypothesis import strategies as st

REFUSED = tomllib.loads(Path(__file__).with_name("host_goals.toml").read_text("utf-8"))["refused"]


def ci_green(facts: Any) -> bool:
    return facts["ci_green"] is True


SPEC: dict[str, Any] = {
    "objective": "Fix the flaky login test",
    "success_criteria": [
        "the suite passes twice in a row",
        {"id": "green", "description": "CI is green", "check": ci_green},
    ],
    "constraints": ["do not touch auth.go"],
    "budget": {"max_cost_usd": 5.0},
}


@pytest.mark.row("H09")
def test_a_goal_is_normalized() -> None:
    goal, checks = read_goal(SPEC)
    assert goal.objective == "Fix the flaky login test"
    assert goal.criteria == (
        ir.Criterion(id="sc_0", text="the suite passes twice in a row"),
        ir.Criterion(id="green", text="CI is green", check=HostCheck(name="green")),
    )
    assert goal.constraints == (ir.Constraint(id="c_0", text="do not touch auth.go"),)
    assert goal.budget == ir.Budget(cost="5 USD")
    assert checks == {"green": ci_green}
    assert goal.contract == contract_hash(plain(goal))


@pytest.mark.row("H09")
@pytest.mark.parametrize("case", REFUSED, ids=[case["name"] for case in REFUSED])
def test_a_goal_that_means_nothing_is_refused_with_every_problem(case: dict[str, Any]) -> None:
    with pytest.raises(BadGoal) as refused:
        read_goal(case["spec"])
    assert list(refused.value.problems) == case["problems"]
    assert str(refused.value) == "\n".join(case["problems"])


@pytest.mark.row("H09")
@pytest.mark.parametrize("spec", [None, "Fix it", 3, ["Fix it"]])
def test_a_goal_is_a_mapping(spec: Any) -> None:
    with pytest.raises(BadGoal, match="a goal is a mapping with an `objective`, not"):
        read_goal(spec)


@pytest.mark.row("H09")
def test_ids_are_generated_by_the_place_among_all_criteria() -> None:
    goal, _ = read_goal(
        {"objective": "x", "success_criteria": [{"id": "a", "description": "1"}, "2"]}
    )
    assert [criterion.id for criterion in goal.criteria] == ["a", "sc_1"]


def test_a_constraint_may_have_a_check() -> None:
    goal, checks = read_goal(
        {"objective": "x", "constraints": [{"description": "small", "check": ci_green}]}
    )
    assert goal.constraints[0].check == HostCheck(name="c_0")
    assert checks == {"c_0": ci_green}


def test_a_key_that_is_not_a_string_is_named() -> None:
    with pytest.raises(BadGoal, match="there is no key `3`; known are id, objective"):
        read_goal({"objective": "x", 3: "y"})  # type: ignore[dict-item]


def test_an_objective_has_a_longest_length() -> None:
    read_goal({"objective": "x" * 4_000})
    with pytest.raises(BadGoal, match="objective: it has 4001 characters, 4000 is the most"):
        read_goal({"objective": "x" * 4_001})


def test_line_ends_are_evened_out_and_lone_surrogates_refused() -> None:
    assert read_goal({"objective": "a\r\nb\rc"})[0].objective == "a\nb\nc"
    with pytest.raises(BadGoal, match="objective: an objective has a lone surrogate"):
        read_goal({"objective": "a\ud800"})


@pytest.mark.row("H09")
@pytest.mark.parametrize(
    ("budget", "read"),
    [
        ({"cost": "5.00 EUR"}, ir.Budget(cost="5 EUR")),
        ({"max_cost_usd": Decimal("0.10")}, ir.Budget(cost="0.1 USD")),
        ({"max_cost_usd": 0.1}, ir.Budget(cost="0.1 USD")),
        ({"runtime": "1h30m"}, ir.Budget(runtime="90m")),
        ({"wall_clock_ms": 1500}, ir.Budget(runtime="1500ms")),
        ({"max_iterations": 25, "max_attempts": 3}, ir.Budget(turns=25, attempts=3)),
        ({"tokens": 200_000, "tool_calls": 40}, ir.Budget(tokens=200_000, tool_calls=40)),
        ({}, None),
    ],
)
def test_a_budget_is_read_by_its_own_names_or_a_hosts(
    budget: dict[str, Any], read: ir.Budget | None
) -> None:
    assert read_goal({"objective": "x", "budget": budget})[0].budget == read


def test_a_limit_that_no_host_has_a_number_for_keeps_its_unit() -> None:
    assert host_budget(ir.Budget(cost="5 EUR", runtime="1500us", turns=3)) == {
        "cost": "5 EUR", "max_iterations": 3, "runtime": "1500us",
    }  # fmt: skip
    assert host_budget(ir.Budget(cost="0.1234567890123456789 USD")) == {
        "cost": "0.1234567890123456789 USD"
    }


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
COUNTS = st.integers(1, 2**53 - 1)


@given(
    st.fixed_dictionaries(
        {"objective": TEXTS},
        optional={
            "success_criteria": st.lists(TEXTS, max_size=3),
            "constraints": st.lists(TEXTS, max_size=3),
            "budget": st.dictionaries(
                st.sampled_from(sorted(set(HOST_LIMITS.values()) - {"max_cost_usd"})), COUNTS
            ),
        },
    )
)
def test_a_hosts_value_reads_back_as_the_goal_that_it_was_made_of(spec: dict[str, Any]) -> None:
    try:
        goal, _ = read_goal(spec)
    except BadGoal as error:
        assert "characters" in str(error)
        return
    assert read_goal(spec_of(goal))[0] == goal


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["id", "objective", "success_criteria", "constraints", "budget", "retired_criteria"]),
        JSON | st.lists(st.dictionaries(st.sampled_from(["id", "description", "check"]), JSON))
        | st.dictionaries(st.sampled_from(sorted(HOST_LIMITS.values())), JSON),
    )
)  # fmt: skip
def test_whatever_is_given_is_read_or_refused(spec: dict[str, Any]) -> None:
    try:
        read_goal(spec)
    except BadGoal as error:
        assert error.problems


@pytest.mark.parametrize(
    "value", [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), float("inf")]
)
def test_a_limit_that_is_not_finite_is_refused(value: Any) -> None:
    with pytest.raises(BadGoal, match=r"budget\.max_cost_usd: it is not finite"):
        read_goal({"objective": "x", "budget": {"max_cost_usd": value}})
