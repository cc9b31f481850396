"""What a sink is told: every transition, in order, with few and small details."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from goalspec.runtime import convergence
from goalspec.runtime.convergence import effects, events
from goalspec.runtime.lifecycle import adopt, commands, fork
from goalspec.runtime.lifecycle.events import Event, EventKind
from goalspec.runtime.record import Record, Usage
from goalspec.runtime.sinks import KINDS, kinds, notices
from goalspec.runtime.sinks.kinds import MAX_ENTRIES, MAX_TEXT
from goalspec.tests.runtime.convergence.loop import Loop, checked
from goalspec.tests.runtime.record.records import GOAL, at
from goalspec.tests.runtime.sinks.notices import Watched, perform

SESSION = Record(session="s-1")


@pytest.mark.row("P09")
def test_each_kind_of_event_has_its_words() -> None:
    assert list(KINDS) == [*get_args(EventKind), *get_args(effects.LoopEventKind)]
    for kind in KINDS.values():
        assert kind.words and kind.words[0].islower() and kind.words[-1] != "."


@pytest.mark.row("P09")
def test_a_run_is_told_from_its_beginning_to_its_end() -> None:
    loop = Watched(checked())
    loop.open()
    loop.start()
    loop.send(events.Proposed(loop.at, "complete", "the suite passes"))
    loop.facts = {"suite.passed": True}
    loop.settle()
    assert loop.status == "complete"
    transitions = [kind for kind in loop.kinds() if kind not in ("kept", "observed")]
    assert transitions == [
        "created", "continuation_claimed", "continuation_started", "auto_continued",
        "continuation_ended", "begun", "terminal_candidate_requested",
        "progress_accounted", "finished", "evaluated", "status_changed",
    ]  # fmt: skip
    said = {notice.kind: notice.details for notice in loop.told}
    assert said["terminal_candidate_requested"] == {
        "outcome": "complete", "reason": "the suite passes",
    }  # fmt: skip
    assert said["progress_accounted"]["usage"]["tokens"] == 10
    assert said["progress_accounted"]["total"]["turns"] == 1
    assert said["status_changed"]["from"] == "active"
    assert said["status_changed"]["to"] == "complete"
    assert {(n.session, n.goal, n.generation) for n in loop.told} == {("s-1", "ship", 1)}
    assert [n.at for n in loop.told] == sorted(n.at for n in loop.told)


@pytest.mark.row("P09")
def test_what_fails_is_told_until_it_is_not_tried_again() -> None:
    loop = Watched(checked())
    loop.open()
    failed = {"stop": "error", "error": "retriable", "detail": "503"}
    reason = loop.turn(**failed)
    while reason == "provider_retry":
        loop.later(30)
        loop.tell(events.Timer)
        reason = loop.turn(**failed)
    told = [n for n in loop.told if n.kind in ("error", "retry_scheduled", "retry_exhausted")]
    scheduled = [n.details for n in told if n.kind == "retry_scheduled"]
    assert [one["attempt"] for one in scheduled] == [1, 2, 3, 4]
    assert {one["what"] for one in scheduled} == {"provider"}
    assert told[-1].kind == "retry_exhausted"
    assert told[-1].details["attempts"] == 5
    assert {n.actor for n in told} == {"runtime"}


@pytest.mark.row("P09")
def test_a_continuation_is_told_when_it_is_deferred_and_when_a_restart_recovers() -> None:
    loop = Watched(checked())
    loop.open()
    [given] = loop.found(effects.Continue)
    loop.send(events.Continued(loop.at, given.key, "busy"))
    deferred = next(n for n in loop.told if n.kind == "continuation_deferred")
    assert deferred.details["key"] == given.key
    assert deferred.details["reason"] == "busy"
    loop.later(60)
    loop.tell(events.Timer)
    loop.start()
    loop.open()  # the driver died in the turn
    recovered = next(n for n in loop.told if n.kind == "recovered")
    assert recovered.details == {"run": "run-1", "failed": True}


@pytest.mark.row("P09")
def test_what_goals_exchange_is_told_under_the_goal_it_happened_to() -> None:
    other = replace(GOAL, id="other")
    record, told = perform(
        SESSION,
        (commands.Create(goal=GOAL), "person"),
        (commands.Show(hidden=True), "person"),
        (commands.Create(goal=other, replace=True), "person"),
        (commands.Pause(reason="lunch"), "person"),
        (commands.Clear(), "person"),
        (commands.Create(goal=GOAL), "person"),
        (commands.Cancel(reason="enough"), "person"),
    )
    assert [(n.kind, n.goal, n.generation) for n in told] == [
        ("created", "ship", 1), ("shown", "ship", 1), ("created", "other", 2),
        ("status_changed", "other", 2), ("cleared", "other", 3), ("created", "ship", 4),
        ("cleared", "ship", 5), ("sealed", None, 5),
    ]  # fmt: skip
    assert told[2].details["replaced"] == "ship"
    assert told[3].details == {"from": "active", "to": "paused", "reason": "lunch",
                               "mechanical": False}  # fmt: skip
    assert {n.actor for n in told} == {"person"}
    assert record.goal is None


def test_a_goal_that_comes_from_another_session_is_told_with_where_from() -> None:
    source, _ = perform(SESSION, (commands.Create(goal=GOAL), "person"))
    forked = fork(source, Record(session="s-2"), "s-2", True, at(200))
    [told] = notices(Record(session="s-2"), forked.events)
    assert (told.kind, told.goal, told.details) == (
        "forked",
        "ship",
        {"from": "s-1", "carry": True},
    )
    into, left = adopt(source, Record(session="s-3"), "s-3", at(200))
    [told] = notices(Record(session="s-3"), into.events)
    assert (told.goal, told.generation, told.details) == ("ship", 2, {"from": "s-1"})
    [told] = notices(source, left.events)
    assert (told.kind, told.goal) == ("cleared", "ship")


@pytest.mark.row("P09")
def test_no_notice_has_the_monitors_state_or_grows_with_what_happened() -> None:
    loop = Watched(checked())
    loop.facts = {"suite.passed": False}
    loop.open()
    loop.start()
    loop.settle(output="x" * 100_000, effects=())
    for notice in loop.told:
        assert "monitor" not in notice.details
        assert len(json.dumps(notice.to_json())) < 1_000, notice.kind
    monitor = {"facts": "f" * 100_000}
    big = Event(kind="observed", at=at(1), actor="runtime", changes={"monitor": monitor})
    [told] = notices(loop.record, [big])
    assert told.details == {}


def test_what_is_long_is_cut_with_a_mark() -> None:
    assert kinds.bounded("x" * MAX_TEXT) == "x" * MAX_TEXT
    cut = kinds.bounded("x" * (MAX_TEXT + 1))
    assert isinstance(cut, str) and len(cut) == MAX_TEXT and cut.endswith("x…")
    outcomes = {f"c{number}": "met" for number in range(MAX_ENTRIES + 1)}
    loop = {"outcomes": outcomes, "drift": ["gone"], "exhibit": "ab" * 32, "guards": {"errors": 1}}
    kept = Event(kind="kept", at=at(1), actor="runtime", changes={"loop": loop})
    [told] = notices(SESSION, [kept])
    assert len(told.details["outcomes"]) == MAX_ENTRIES
    assert told.details["drift"] == ["gone"]
    assert set(told.details) == {"outcomes", "drift", "exhibit"}


def told_by_the_loop() -> Iterator[tuple[str, str]]:
    """The kinds and the names of details in each `course.tell(…)` of the reducer."""
    for path in Path(convergence.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "course.tell":
                yield from ((ast.literal_eval(call.args[0]), str(one.arg)) for one in call.keywords)


def test_nothing_that_the_loop_tells_is_lost() -> None:
    kinds_told = get_args(effects.LoopEventKind)
    named = {(kind, name) for kind in kinds_told for name in KINDS[kind].details}
    by_the_driver = {("error", "code"), ("error", "message")}  # of a command that was refused
    assert set(told_by_the_loop()) == named - by_the_driver


def test_a_charge_of_nothing_has_no_total() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    step = perform(
        loop.record, (commands.Settle(settlement="none", usage=Usage(), output=""), "runtime")
    )
    assert "total" not in step[1][0].details
