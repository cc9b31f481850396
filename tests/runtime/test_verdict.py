"""Verdicts: done, the floor, the exit code and the interop view (rulings 12, 13, 16, 57, 73)."""

from __future__ import annotations

from itertools import product

import pytest
from goalspec.runtime import Result, Verdict


def verdict(
    criteria: dict[str, str] | None = None,
    constraints: dict[str, str] | None = None,
    stops: dict[str, str] | None = None,
    modes: dict[str, str] | None = None,
) -> Verdict:
    def results(outcomes: dict[str, str] | None) -> tuple[Result, ...]:
        named = (outcomes or {}).items()
        return tuple(
            Result(id, id, outcome, (modes or {}).get(id, "gating"))  # type: ignore[arg-type]
            for id, outcome in named
        )

    return Verdict("g", "c1:0", results(criteria), results(constraints), results(stops))


CASES = [
    # criteria, constraints, stops: floor, done, exit code
    ({"a": "met"}, {}, {}, "met", True, 0),
    ({"a": "met", "b": "waived"}, {"k": "held"}, {"s": "held"}, "met", True, 0),
    ({"a": "unmet"}, {}, {}, "unmet", False, 1),
    ({"a": "unmet", "b": "unknown"}, {}, {}, "unmet", False, 1),
    ({"a": "met"}, {"k": "violated"}, {}, "unmet", False, 1),
    ({"a": "unknown"}, {"k": "violated"}, {}, "unmet", False, 1),
    ({"a": "unknown"}, {}, {}, "unknown", False, 3),
    ({"a": "met"}, {"k": "unknown"}, {}, "unknown", False, 3),
    ({"a": "met", "b": "judged"}, {}, {}, "met", False, 3),
    ({"a": "met"}, {"k": "judged"}, {}, "met", False, 3),
    ({"a": "judged"}, {}, {}, "empty", False, 3),
    ({"a": "waived"}, {}, {}, "empty", False, 3),
    ({"a": "met"}, {}, {"s": "stopped"}, "met", False, 4),
    ({"a": "unmet"}, {"k": "violated"}, {"s": "stopped"}, "unmet", False, 4),
    ({"a": "met"}, {}, {"s": "unknown"}, "met", True, 0),
    ({"a": "met"}, {}, {"s": "judged"}, "met", True, 0),
    ({"a": "met"}, {"k": "waived"}, {"s": "waived"}, "met", True, 0),
]


@pytest.mark.ruling(12)
@pytest.mark.ruling(13)
@pytest.mark.ruling(16)
@pytest.mark.ruling(73)
@pytest.mark.parametrize(("criteria", "constraints", "stops", "floor", "done", "code"), CASES)
def test_the_table(
    criteria: dict[str, str], constraints: dict[str, str], stops: dict[str, str],
    floor: str, done: bool, code: int,
) -> None:  # fmt: skip
    shown = verdict(criteria, constraints, stops)
    assert (shown.floor, shown.done, shown.exit_code) == (floor, done, code)


@pytest.mark.ruling(57)
def test_advisory_parts_never_gate_and_are_not_counted() -> None:
    shown = verdict(
        {"a": "met", "b": "unmet"}, {"k": "violated"}, modes={"b": "advisory", "k": "advisory"}
    )
    assert shown.done
    assert shown.checkable == 1
    assert shown.to_goal_check() == {"checkable": 1, "done": True, "met": ["a"], "unmet": []}
    assert shown.to_json()["advisory"] == ["b", "k"]


@pytest.mark.ruling(57)
def test_awaited_criteria_gate() -> None:
    assert not verdict({"a": "met", "b": "unmet"}, modes={"b": "awaited"}).done


@pytest.mark.row("X04")
@pytest.mark.parametrize("outcome", ["violated", "unknown", "judged"])
def test_a_constraint_that_is_not_shown_held_vetoes(outcome: str) -> None:
    assert not verdict({"a": "met"}, {"k": outcome}).done


@pytest.mark.row("H10")
def test_goal_check_counts_unknown_as_unmet_and_judged_not_at_all() -> None:
    shown = verdict({"a": "met", "b": "unknown", "c": "judged", "d": "unmet", "e": "waived"})
    assert shown.to_goal_check() == {
        "checkable": 3, "done": False, "met": ["a"], "unmet": ["b", "d"],
    }  # fmt: skip


@pytest.mark.row("H10")
@pytest.mark.ruling(12)
def test_goal_check_of_nothing_checkable_is_not_done() -> None:
    assert verdict({"a": "judged"}).to_goal_check()["done"] is False
    assert verdict({"a": "met"}, {"k": "violated"}).to_goal_check()["done"] is False


def test_done_never_holds_while_anything_stands_in_the_way() -> None:
    """Over every combination of two criteria, a constraint and a stop."""
    criteria = ("met", "unmet", "unknown", "waived", "judged")
    constraints = ("held", "violated", "unknown", "waived", "judged")
    stops = ("held", "stopped", "unknown", "waived", "judged")
    for a, b, k, s in product(criteria, criteria, constraints, stops):
        shown = verdict({"a": a, "b": b}, {"k": k}, {"s": s})
        blocked = {a, b} & {"unmet", "unknown", "judged"} or k in ("violated", "unknown", "judged")
        assert shown.done == ("met" in (a, b) and not blocked and s != "stopped")
        assert (shown.exit_code == 0) == shown.done
        assert shown.floor == "unmet" or "unmet" not in (a, b)
