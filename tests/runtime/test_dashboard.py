"""The status line and the dashboard: each line one line, whatever stands in the record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.characters import cells
from goalspec.compiler.host_goal import read_goal
from goalspec.runtime.dashboard import dashboard, status_line, summary
from goalspec.runtime.record import Claim, Record, Status, Usage
from hypothesis import given
from hypothesis import strategies as st

AT = "2026-03-01T12:00:00.000000Z"
GOAL = read_goal(
    {"objective": "Ship it.", "success_criteria": ["It shipped"], "budget": {"turns": 5}}
)[0]


def record(**more: Any) -> Record:
    given = {"session": "s", "goal": GOAL, "status": Status(name="active", since=AT)}
    return Record(**{**given, **more})


def columns(line: str) -> int:
    return sum(width for _, width in cells(line))


@pytest.mark.row("P01", "P12")
@pytest.mark.parametrize(
    ("status", "line"),
    [
        (Status(name="active", since=AT), "active: Ship it. [0 of 5 turns]"),
        (Status(name="active", reason="resumed", since=AT), "active: Ship it. [0 of 5 turns]"),
        (
            Status(name="paused", reason="lunch", since=AT),
            "paused (lunch): Ship it. [0 of 5 turns]",
        ),
        (
            Status(name="budget_limited", reason="turns", since=AT),
            "budget limited (turns): Ship it. [0 of 5 turns]",
        ),
        (
            Status(name="ended", ending="impossible", since=AT),
            "ended as impossible: Ship it. [0 of 5 turns]",
        ),
    ],
)
def test_the_line(status: Status, line: str) -> None:
    assert status_line(record(status=status)) == line


@pytest.mark.row("P01")
def test_the_line_without_a_goal() -> None:
    assert status_line(Record(session="s")) == "no goal"
    cleared = Status(reason="a person cleared it", since=AT)
    assert status_line(Record(session="s", status=cleared)) == "no goal (a person cleared it)"
    sealed = dashboard(Record(session="s", status=cleared, sealed=True))
    assert sealed.splitlines() == [
        "goal          none",
        "status        cleared (a person cleared it)",
        "sealed        the run was cancelled: only a person's new goal goes on",
    ]


@pytest.mark.row("P01")
def test_what_waits() -> None:
    claim = Claim(key="g:1:3", state="deferred", owner="driver-1", ordinal=3, retry_at=AT)
    lines = dashboard(record(claim=claim, continuations=3)).splitlines()
    assert lines[-2:] == [
        f"continuation  3 deferred by driver-1 until {AT}",
        f"next wake     {AT}",
    ]
    parked = Status(name="parked", reason="reviews", since=AT, until=AT)
    lines = dashboard(record(status=parked, continuations=3)).splitlines()
    assert lines[2] == f"status        parked until {AT} since {AT} (reviews)"
    assert lines[-2:] == ["continuation  none; the last was 3", f"next wake     {AT}"]


def test_a_budget_that_only_advises_says_so() -> None:
    advised = replace(GOAL, budget=None, advisory_budget=GOAL.budget)
    used = Usage(turns=7, tokens=1_234_567, runtime=3_725 * 10**9)
    told = dashboard(record(goal=advised, usage=used))
    assert "turns         7 of 5 (advisory)\n" in told
    assert "tokens        1,234,567\n" in told
    assert "runtime       1h2m5s\n" in told


@pytest.mark.row("P12")
@given(st.text(), st.text(max_size=300), st.text(), st.integers(30, 120))
def test_any_text_stays_in_its_line(objective: str, reason: str, owner: str, width: int) -> None:
    claim = Claim(key="k", state="claimed", owner=owner, ordinal=1, expires_at=AT)
    hostile = record(
        goal=replace(GOAL, objective=objective, id=owner),
        status=Status(name="blocked", reason=reason, since=AT), claim=claim,
    )  # fmt: skip
    line = status_line(hostile, width)
    assert line.isprintable()
    assert columns(line) <= width
    assert line.endswith("[0 of 5 turns]")
    for row in dashboard(hostile, 1, width).splitlines():
        assert row.isprintable()
        assert columns(row) <= width


@given(st.text())
def test_the_object_has_texts_word_for_word(objective: str) -> None:
    shown = summary(record(goal=replace(GOAL, objective=objective)))
    assert shown["goal"]["objective"] == objective
    assert summary(record(objective="whole"))["goal"]["objective"] == "whole"
