"""The status line and the dashboard: each line one line, whatever stands in the record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.characters import cells
from goalspec.compiler.host_goal import read_goal
from goalspec.runtime.dashboard import dashboard, status_line, summary
from goalspec.runtime.record import Claim, Record, Status, Usage
from goalspec.runtime.record.parts import Candidate, Evaluation, Pending
from goalspec.tests.runtime.convergence.loop import Loop, checked
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
@given(st.text(), st.text(max_size=300), st.text(), st.integers(30, 120), st.booleans())
def test_any_text_stays_in_its_line(
    objective: str, reason: str, owner: str, width: int, open_claim: bool
) -> None:
    claim = Claim(key="k", state="claimed", owner=owner, ordinal=1, expires_at=AT)
    evaluation = Evaluation(id=owner, outcome="continue", reason=reason, at=AT)
    hostile = record(
        goal=replace(GOAL, objective=objective, id=owner),
        status=Status(name="blocked", reason=reason, since=AT),
        claim=claim if open_claim else None,
        candidate=Candidate(outcome="blocked", reason=reason, at=AT),
        evaluation=evaluation,
        pending=Pending(evaluation=owner, settlements=(owner,), output=reason),
    )
    line = status_line(hostile, width)
    assert line.isprintable()
    assert columns(line) <= width
    assert line.endswith("[0 of 5 turns]")
    rows = dashboard(hostile, 1, width)
    labels = [row[:14].strip() for row in rows.split("\n")[:-1]]
    assert labels == ["goal", "objective", "status", "turns", "proposed", "evaluation", "pending",
                      "continuation", *(["next wake"] if open_claim else []), "inbox"]  # fmt: skip
    for row in rows.splitlines():
        assert row.isprintable()
        assert columns(row) <= width


@pytest.mark.row("P12")
@given(st.text(max_size=300), st.integers(30, 120))
def test_why_there_is_no_goal_stays_in_its_line(reason: str, width: int) -> None:
    cleared = Record(session="s", status=Status(reason=reason, since=AT), sealed=True)
    for row in (status_line(cleared, width), *dashboard(cleared, width=width).split("\n")[:-1]):
        assert row.isprintable()
        assert columns(row) <= width


@pytest.mark.row("P12")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand\r\nmore", "two lines and more"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]0;title\x07bell", "]0;titlebell"),
        ("a\u202eb\u2066c\u200bd\ufeffe", "abcde"),
        ("a\x00b\x7fc\x9bd", "abcd"),
        ("\u2028a\u2029b\x85c", "a b c"),
        ("x" * 86, "x" * 86),
        ("x" * 87, "x" * 85 + "…"),
        ("漢" * 43, "漢" * 43),
        ("漢" * 44, "漢" * 42 + "…"),
        ("e\u0301" * 87, "e\u0301" * 85 + "…"),
    ],
)
def test_a_line_is_folded_cleaned_and_cut(text: str, shown: str) -> None:
    rows = dashboard(record(goal=replace(GOAL, objective=text))).splitlines()
    assert rows[1] == f"objective     {shown}"


@given(st.text())
def test_the_object_has_texts_word_for_word(objective: str) -> None:
    shown = summary(record(goal=replace(GOAL, objective=objective)))
    assert shown["goal"]["objective"] == objective
    assert summary(record(objective="whole"))["goal"]["objective"] == "whole"


@pytest.mark.row("X11")
def test_what_drifted_is_listed() -> None:
    loop = Loop(checked(), gates={"ship.goal": "a"})
    loop.open()
    assert summary(loop.record)["drift"] == []
    loop.gates = {"ship.goal": "b", "tests/\x1b[0mnew.py": "c"}
    loop.turn()
    assert summary(loop.record)["drift"][0] == "ship.goal was changed"
    [line] = [line for line in dashboard(loop.record).splitlines() if line.startswith("drift")]
    assert line.split(maxsplit=1)[1].startswith("ship.goal was changed, tests/")
    assert "\x1b" not in line
