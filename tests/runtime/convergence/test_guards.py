"""Each guard at its boundary, and what sets it back."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.convergence import events
from goalspec.runtime.convergence.effects import Continue, RemindTodos, WakeAt
from goalspec.runtime.lifecycle.commands import Resume
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.convergence.loop import Loop, checked, tool
from goalspec.tests.runtime.record.records import at

TABLE = tomllib.loads(Path(__file__).with_name("guards.toml").read_text("utf-8"))["guard"]
CASES = [pytest.param(case, id=case["name"], marks=pytest.mark.row(case["row"])) for case in TABLE]

ERRORS = ("terminal", "system", "retriable")


def turn(loop: Loop, kind: str, n: int) -> str:
    """The reason after the *n*th turn of the *kind*."""
    values: dict[str, Any] = {}
    match kind:
        case "same":
            values["output"] = "All done."
        case "numbers":
            values["output"] = f"{'All' if n % 2 else 'ALL '} done, {n} tests."
        case "again" | "monitor":
            values["effects"] = (tool("ok"),)
        case "failed":
            values["effects"] = (tool("x" * n, succeeded=False),)
        case "new":
            values["effects"] = (tool("x" * n),)
        case "look":
            look = events.Effect("read", f"main.py {n}-{n + 9}", "text", mutates=False)
            values["effects"] = (look,)
        case "timed":
            values["effects"] = (
                tool(f"2026-03-01T12:00:{n % 60:02d}Z took {n}.5s commit 00{n:05d}abc"),
            )
        case "files":
            loop.files = "x" * n
        case "flip":
            loop.files = "a" if n % 2 else "b"
        case "todo":
            values["todos"] = (n, 99)
        case "length":
            values["stop"] = "length"
    if kind in ERRORS:
        values |= {"stop": "error", "error": kind, "detail": "503"}
    if kind == "monitor":
        loop.start()
        assert loop.settle(**values, monitors=1) == "monitors"
        return loop.tell(events.Woke)
    reason = loop.turn(**values)
    if reason == "provider_retry":
        loop.later(30)
        reason = loop.tell(events.Timer)
    return reason


@pytest.mark.parametrize("case", CASES)
def test_a_guard_at_its_boundary(case: dict[str, Any]) -> None:
    after = {int(n): reason for n, reason in case["after"].items()}
    loop = Loop(checked())
    assert loop.open() == "continuing"
    for n in range(1, max(after) + 1):
        assert turn(loop, case["turns"], n) == after.get(n, "continuing"), n
    assert loop.status == case["status"]
    if loop.status == "blocked":
        assert loop.record.status.mechanical
        assert not loop.found(Continue)
    assert loop.replayed() == loop.record


@pytest.mark.row("S05", "S06")
@pytest.mark.parametrize(("since", "new"), [(255, False), (256, True)])
def test_the_last_256_effects_are_remembered(since: int, new: bool) -> None:
    """An effect is nothing new with 255 others since, and is new again with 256."""
    loop = Loop(checked())
    loop.open()
    loop.turn(effects=(tool("first"),))
    loop.turn(effects=tuple(tool("y" * (n + 1)) for n in range(since)))
    loop.turn(effects=(tool("y"),) if since < 256 else ())
    before = loop.state.guards.without_progress
    loop.turn(effects=(tool("first"),))
    assert (loop.state.guards.without_progress == 0) is new
    assert before > 0
    assert len(loop.record.effects) == 256


@pytest.mark.row("S07")
def test_the_prompt_leads_with_a_stall_check_from_the_third_turn_without_a_tool() -> None:
    loop = Loop(checked())
    loop.open()
    said = []
    for _ in range(4):
        loop.turn()
        [given] = loop.found(Continue)
        said.append((given.turns_without_tool, given.stalled))
    assert said == [(1, False), (2, False), (3, True), (4, True)]
    loop.turn(effects=(tool("ok"),))
    assert not loop.found(Continue)[0].stalled


@pytest.mark.row("S07")
def test_the_stall_check_knows_of_running_monitors() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    assert loop.settle(monitors=1) == "monitors"
    assert loop.tell(events.Woke, 1) == "continuing"
    assert loop.found(Continue)[0].monitors


@pytest.mark.row("S08")
@pytest.mark.parametrize(("seconds", "reason"), [(9.999, "grace"), (10, "continuing")])
def test_a_person_has_10_seconds_after_their_turn(seconds: float, reason: str) -> None:
    loop = Loop(checked())
    loop.open()
    assert loop.send(events.Spoke(loop.at)) == "person_spoke"
    assert loop.record.claim is None
    loop.begin()
    assert loop.settle(by="person") == "grace"
    [wait] = loop.found(WakeAt)
    assert loop.state.turn is not None
    loop.later(seconds)
    assert loop.tell(events.Timer) == reason
    assert wait.why == "grace"


@pytest.mark.row("S08")
def test_after_a_persons_turn_that_failed_there_is_no_grace() -> None:
    loop = Loop(checked())
    loop.open()
    loop.send(events.Spoke(loop.at))
    loop.begin()
    assert loop.settle(by="person", stop="error", error="terminal") == "continuing"


@pytest.mark.row("S08")
def test_a_message_disarms_the_continuation_and_nothing_starts_before_its_run() -> None:
    loop = Loop(checked())
    loop.open()
    [given] = loop.found(Continue)
    assert loop.send(events.Spoke(loop.at)) == "person_spoke"
    assert loop.record.claim is None
    assert loop.send(events.Continued(loop.at, given.key, "started")) == "person_waits"
    loop.later(3600)
    assert loop.send(events.Timer(loop.at)) == "person_waits"
    assert loop.record.claim is None


@pytest.mark.row("S05", "S08", "S10")
@pytest.mark.parametrize("kind", ["words", "same", "length", "terminal"])
def test_a_mechanical_block_lifts_with_a_message_and_the_guard_begins_again(kind: str) -> None:
    loop = Loop(checked())
    loop.open()
    n = 0
    while loop.status == "active":
        n += 1
        turn(loop, kind, n)
    loop.send(events.Spoke(loop.at))
    assert loop.status == "active"
    loop.begin()
    loop.settle(by="person")
    loop.later(10)
    assert loop.tell(events.Timer) == "continuing"
    assert turn(loop, kind, 1) == "continuing"


@pytest.mark.row("S10")
@pytest.mark.parametrize(
    ("error", "reason", "mechanical"),
    [("auth", "provider_login", True), ("policy", "provider_policy", False)],
)
def test_a_closed_provider_blocks_on_the_first_hit(
    error: Any, reason: str, mechanical: bool
) -> None:
    loop = Loop(checked())
    loop.open()
    assert loop.turn(stop="error", error=error, detail="403") == reason
    assert (loop.status, loop.record.status.mechanical) == ("blocked", mechanical)
    loop.send(events.Spoke(loop.at))
    assert loop.status == ("active" if mechanical else "blocked")
    if not mechanical:
        loop.begin()
        assert loop.settle(by="person") == "blocked"


@pytest.mark.row("S10")
def test_a_usage_limit_waits_as_long_as_the_provider_says() -> None:
    loop = Loop(checked())
    loop.open()
    assert loop.turn(stop="error", error="usage_limit", retry_at=at(600)) == "provider_limit"
    assert loop.status == "parked"
    loop.later(590)
    assert loop.tell(events.Timer) == "parked"
    loop.later(10)
    assert loop.tell(events.Timer) == "continuing"


@pytest.mark.row("S10")
def test_a_usage_limit_without_an_end_waits_for_a_person() -> None:
    loop = Loop(checked())
    loop.open()
    assert loop.turn(stop="error", error="usage_limit") == "provider_limit"
    assert loop.record.status.mechanical


@pytest.mark.row("S10")
def test_an_error_of_the_host_waits_for_a_live_monitor() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    assert loop.settle(stop="error", error="system", monitors=1) == "monitors"
    loop.later(239)
    assert loop.tell(events.Timer) == "monitors"
    loop.later(1)
    assert loop.tell(events.Timer) == "continuing"
    assert loop.found(Continue)[0].prompt == "minimal"


@pytest.mark.row("S09")
def test_the_recovery_of_a_truncation_has_a_minimal_prompt_and_a_clean_turn_forgives() -> None:
    loop = Loop(checked())
    loop.open()
    assert loop.turn(stop="length") == "continuing"
    assert loop.found(Continue)[0].prompt == "minimal"
    assert loop.turn() == "continuing"
    assert loop.found(Continue)[0].prompt == "full"
    assert loop.turn(stop="length") == "continuing"


@pytest.mark.row("S05")
def test_a_settlement_that_is_told_again_starts_nothing_more() -> None:
    """Single flight, and then the stale signature: nothing settled since the last continuation."""
    loop = Loop(checked())
    loop.open()
    loop.turn()
    usage = loop.record.usage
    waiting = Loop(record=loop.record, verdict=loop.verdict, now=loop.now)
    assert waiting.send(events.Settled(loop.at, "run-1", "s-1")) == "single_flight"
    loop.start()
    assert loop.tell(events.Settled, "run-2", "s-1") == "stale"
    assert loop.record.usage == usage


@pytest.mark.row("S11")
@pytest.mark.parametrize(("trailing", "reason"), [(7, "continuing"), (8, "held"), (9, "held")])
def test_a_flooded_transcript_does_not_start_by_itself(trailing: int, reason: str) -> None:
    loop = Loop(checked())
    assert loop.tell(events.Restarted, trailing) == reason
    if reason == "held":
        assert loop.tell(events.Timer) == "held"
        loop.send(events.Spoke(loop.at))
        loop.begin()
        loop.settle(by="person")
        loop.later(10)
        assert loop.tell(events.Timer) == "continuing"


@pytest.mark.row("S05", "S11")
def test_the_counters_outlive_a_restart_and_end_with_a_resume() -> None:
    loop = Loop(checked())
    loop.open()
    for _ in range(7):
        loop.turn()
    assert loop.open() == "recovered"
    assert loop.turn() == "no_effect"
    assert loop.open() == "blocked"
    loop.ask(Resume(), "person")
    assert loop.tell(events.Timer) == "continuing"


@pytest.mark.row("S14")
def test_open_todos_are_recalled_twice_where_there_is_no_goal() -> None:
    loop = Loop()
    said = []
    for n in range(4):
        settled = events.Settled(loop.at, f"r{n}", f"s{n}", todos=(2, 3))
        said.append(loop.send(settled))
    assert said == ["todo_reminder", "todo_reminder", "no_goal", "no_goal"]
    assert loop.send(events.Spoke(loop.at)) == "no_goal"
    assert loop.send(events.Settled(loop.at, "r9", "s9", todos=(2, 3))) == "todo_reminder"
    assert loop.found(RemindTodos)[0].open == 2


@pytest.mark.row("S05")
def test_a_run_that_nobody_announced_counts_as_a_continuation() -> None:
    """A host that never answers with `Continued`, or after the claim is over, escapes no guard."""
    loop = Loop(checked())
    said = [loop.open()]
    while said[-1] == "continuing":
        loop.later(301)
        loop.begin()
        said.append(loop.settle())
    assert said == ["continuing"] * 8 + ["no_effect"]


@pytest.mark.row("S07")
def test_who_sees_no_tools_says_of_none_that_it_was_not_used() -> None:
    loop = Loop(checked())
    loop.open()
    for _ in range(3):
        loop.turn(tools_seen=False)
    assert not loop.found(Continue)[0].stalled
    for _ in range(3):
        loop.turn()
    assert loop.found(Continue)[0].stalled
    loop.turn(usage=Usage(turns=1, tool_calls=2))
    assert not loop.found(Continue)[0].stalled
