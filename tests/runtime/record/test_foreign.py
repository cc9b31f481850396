"""Records of others: what they say is carried over, what cannot be is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.compiler.host_spec import spec_of
from goalspec.runtime.record import (
    BadRecord,
    Imported,
    Record,
    Status,
    Turn,
    Usage,
    canonical_record,
    read_foreign,
    read_record,
    write_record,
)
from goalspec.tests.runtime.record.records import FULL, GOAL, at
from hypothesis import given
from hypothesis import strategies as st

THREAD = {
    "id": "7d1f", "threadId": "t-1", "objective": "  Land the change.  ", "status": "active",
    "tokenBudget": 50_000, "tokensUsed": 1_200, "timeUsedSeconds": 90,
    "consecutiveContinuations": 3, "createdAt": 1_772_366_400, "updatedAt": 1_772_366_460,
}  # fmt: skip


def thread(**changes: Any) -> Imported:
    goal = {key: value for key, value in {**THREAD, **changes}.items() if value != "DROP"}
    return read_foreign({"version": 1, "goal": goal}, "t-1")


def problems(source: Any) -> str:
    with pytest.raises(BadRecord) as caught:
        read_foreign(source, "s-1")
    return str(caught.value)


# --- the canonical record


@pytest.mark.row("H16", "S12")
def test_a_canonical_record_comes_back_as_it_was() -> None:
    written = canonical_record(FULL)
    imported = read_foreign(json.dumps(written), "s-9")
    record = imported.record
    assert record.goal is not None
    assert spec_of(record.goal) == spec_of(GOAL)
    assert canonical_record(record) == written
    assert (record.session, record.status.name, record.set_by) == ("s-9", "active", "person")
    assert read_record(write_record(record)) == record
    assert "no checks there" in imported.notes[0]


def test_without_a_spec_there_is_no_goal() -> None:
    written = canonical_record(Record(session="s", generation=4))
    assert read_foreign(written, "s").record == Record(session="s", generation=4)


def test_retired_criteria_keep_their_ids_beside_active_ones() -> None:
    written = canonical_record(FULL)
    written["spec"]["retired_criteria"] = [{"id": "passes", "description": "It passed"}]
    written["metadata"]["criterion_sources"] = {"passes": 1}
    record = read_foreign(written, "s").record
    assert record.goal is not None
    assert [retired.id for retired in record.goal.retired] == ["passes"]


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        (None, Turn()),
        ("idle", Turn()),
        ({"state": "idle"}, Turn()),
        ("open", Turn(state="open", run="imported", opened_at=at(9))),
        (
            {"state": "open", "run": "r", "opened_at": "2026-03-01T12:00:01Z"},
            Turn(state="open", run="r", opened_at=at(1)),
        ),
    ],
)
def test_the_marker_stays_as_it_was(given: Any, turn: Turn) -> None:
    assert read_foreign({**canonical_record(FULL), "turn": given}, "s").record.turn == turn


@pytest.mark.parametrize(
    ("text", "stamp"),
    [("2026-03-01T12:00:09Z", at(9)), ("2026-03-01T12:00:09.000+00:00", at(9)), ("", "")],
)
def test_times_take_our_width(text: str, stamp: str) -> None:
    assert (
        read_foreign({**canonical_record(FULL), "updated_at": text}, "s").record.updated_at == stamp
    )


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"color": 1}, "color: there is no such field"),
        ({"spec": 7}, "spec.a goal is a mapping"),
        ({"spec": {"objective": " "}}, "spec.objective: an objective is blank"),
        ({"spec": {"objective": "x", "color": 1}}, "spec.there is no key `color`"),
        (
            {
                "spec": {
                    "objective": "x",
                    "success_criteria": [
                        {"id": "a", "description": "y"},
                        {"id": "a", "description": "z"},
                    ],
                }
            },
            "spec.success_criteria[1].id: the id `a` is there twice",
        ),
        ({"metadata": []}, "metadata: it is an object, not a list"),
        ({"metadata": {"color": 1}}, "metadata.color: there is no such field"),
        ({"metadata": {"criterion_sources": {"nowhere": 1}}}, "metadata.criterion_sources.nowhere"),
        ({"generation": -1}, "generation: it is a whole number from 0 on"),
        ({"generation": True}, "generation: it is a whole number from 0 on"),
        ({"created_at": "2026-03-01T12:00:00+02:00"}, "created_at: it is not a time in UTC"),
        (
            {"created_at": "2026-03-01T25:00:00Z"},
            "created_at: `2026-03-01T25:00:00Z` is not a time",
        ),
        ({"created_at": 7}, "created_at: it is not a time in UTC"),
        ({"turn": "ajar"}, "turn: it is idle, or open"),
        ({"turn": {"state": "open", "color": 1}}, "turn.color: there is no such field"),
        ({"metadata": {"acceptance_note": "x" * 70_000}}, "65536 is the most"),
    ],
)
def test_what_is_no_canonical_record_is_refused(changes: dict[str, Any], says: str) -> None:
    assert says in problems({**canonical_record(FULL), **changes})


# --- a thread's goal file


@pytest.mark.row("S12")
def test_a_thread_s_goal_is_carried_over() -> None:
    imported = thread()
    record = imported.record
    assert record.goal is not None
    assert (record.goal.id, record.goal.objective) == ("7d1f", "Land the change.")
    assert record.goal.budget is None
    assert record.goal.advisory_budget is not None
    assert record.goal.advisory_budget.tokens == 50_000
    assert record.usage == Usage(tokens=1_200, runtime=90 * 10**9)
    assert record.status == Status(name="active", since="2026-03-01T12:01:00.000000Z")
    assert record.created_at == "2026-03-01T12:00:00.000000Z"
    assert record.continuations == 3
    assert imported.notes == ()
    assert read_record(write_record(record)) == record


@pytest.mark.row("S12")
def test_a_cleared_one_has_no_goal() -> None:
    assert read_foreign('{"version": 1, "goal": null}', "t").record == Record(session="t")


@pytest.mark.row("S12")
@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"status": "paused"}, Status(name="paused", since="2026-03-01T12:01:00.000000Z")),
        (
            {"status": "blocked", "blockedReason": "no access", "blockedAt": 1_772_366_430},
            Status(name="blocked", reason="no access", since="2026-03-01T12:00:30.000000Z"),
        ),
        (
            {"status": "complete", "completedAt": 1_772_366_450},
            Status(name="complete", since="2026-03-01T12:00:50.000000Z"),
        ),
    ],
)
def test_it_stands_as_it_stood(changes: dict[str, Any], status: Status) -> None:
    assert thread(**changes).record.status == status


@pytest.mark.row("S12")
@pytest.mark.parametrize("count", [-1, "many", 2.5, None, True, []])
def test_a_corrupt_count_of_continuations_is_dropped(count: Any) -> None:
    imported = thread(consecutiveContinuations=count)
    assert imported.record.continuations == 0
    assert "consecutiveContinuations: it is no count" in imported.notes[0]


def test_what_has_no_place_is_named() -> None:
    imported = thread(lastContinuationSignature="7d1f:1/2", threadId="t-0")
    assert imported.notes == (
        "goal.lastContinuationSignature: it has no place in a record, and is left out",
        "goal.threadId: it was the thread 't-0', now t-1",
    )


@pytest.mark.row("S13")
def test_a_long_objective_is_capped_and_kept() -> None:
    record = thread(objective="word " * 2_000).record
    assert record.goal is not None
    assert len(record.goal.objective) <= 4_000
    assert record.objective == ("word " * 2_000).strip()


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"status": "asleep"}, "goal.status: it is one of active, paused, blocked, complete"),
        ({"status": "blocked"}, "goal.blockedReason: it is a text that says something"),
        ({"objective": " "}, "goal.objective: it is a text"),
        ({"objective": "DROP"}, "goal.objective: it is a text"),
        ({"id": "DROP"}, "goal.id: it is a text"),
        ({"tokensUsed": -1}, "goal.tokensUsed: it is a whole number from 0 on"),
        ({"tokensUsed": "many"}, "goal.tokensUsed: it is a whole number"),
        ({"tokenBudget": "many"}, "goal.tokenBudget: it is a whole number"),
        ({"timeUsedSeconds": 10**12}, "longer than a goal lives"),
        ({"createdAt": 1_772_366_400_000}, "goal.createdAt: it is in whole seconds since 1970"),
        ({"updatedAt": 1.5}, "goal.updatedAt: it is a whole number"),
    ],
)
def test_what_is_no_thread_s_goal_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRecord) as caught:
        thread(**changes)
    assert says in str(caught.value)


@pytest.mark.row("S12")
@pytest.mark.parametrize("version", [0, 2, "1", None, True])
def test_another_version_is_refused_and_stays(version: Any) -> None:
    assert "it stays as it is" in problems({"version": version, "goal": THREAD})


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({}, "neither a canonical record"),
        ({"version": 1, "goal": 7}, "goal: it is an object, or null"),
        ({"version": 1, "goal": None, "more": 1}, "more: there is no such field"),
        (write_record(FULL), "neither a canonical record"),
        ("{", "it is not JSON"),
        ('{"version": 1, "goal": null}}', "it is not JSON: Extra data (line 1, column 29)"),
    ],
)
def test_what_is_neither_is_refused(source: Any, says: str) -> None:
    assert says in problems(source)


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({})


@given(st.sampled_from([*canonical_record(FULL)]), VALUES)
def test_any_value_in_a_canonical_record_is_read_or_refused(name: str, value: Any) -> None:
    try:
        record = read_foreign({**canonical_record(FULL), name: value}, "s").record
    except BadRecord:
        return
    assert read_record(write_record(record)) == record


@given(
    st.sampled_from([*THREAD, "blockedReason", "blockedAt", "completedAt"]),
    VALUES,
    st.sampled_from(["active", "blocked", "complete"]),
)
def test_any_value_in_a_thread_s_goal_is_read_or_refused(
    name: str, value: Any, status: str
) -> None:
    try:
        record = thread(**{"status": status, name: value}).record
    except BadRecord:
        return
    assert read_record(write_record(record)) == record
