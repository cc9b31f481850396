"""Commands and events as JSON: what comes back is what was written, and what is none is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from goalspec.runtime.lifecycle import (
    Event,
    apply,
    read_command,
    read_event,
    replay,
    write_command,
    write_event,
)
from goalspec.runtime.lifecycle.reading import EVENT_UPCASTERS
from goalspec.runtime.record import BadRecord, NewerRecord, Record
from goalspec.tests.runtime.lifecycle.acting import step
from goalspec.tests.runtime.lifecycle.states import COMMANDS, STATES
from goalspec.tests.runtime.record.records import at

EVENT = Event(kind="shown", at=at(1), actor="agent", changes={"hidden": True})


def problem(read: Any, source: Any) -> str:
    with pytest.raises(BadRecord) as caught:
        read(source)
    return str(caught.value)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_comes_back(name: str) -> None:
    written = json.dumps(write_command(COMMANDS[name]))
    assert read_command(written) == COMMANDS[name]


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({}, "kind: it is missing"),
        ({"kind": "explode"}, "its `kind` is one of 'create', 'amend'"),
        ({"kind": "pause", "color": 1}, "color: there is no such field"),
        ({"kind": "park", "reason": "x"}, "until: it is missing"),
        ({"kind": "park", "reason": 1, "until": "x"}, "reason: it is a string, not 1"),
        ({"kind": "set_metadata", "metadata": {"source": 1, "more": 2}}, "metadata.more: there is no such field"),
        ({"kind": "observe", "monitor": float("nan")}, "monitor: nan is not finite"),
        ({"kind": "create", "goal": {}}, "goal.id: it is missing"),
        ("[]", "it is a JSON object, not a list"),
        ("{", "it is not JSON"),
    ],
)  # fmt: skip
def test_what_is_no_command_is_refused(source: Any, says: str) -> None:
    assert says in problem(read_command, source)


@pytest.mark.ruling(46)
def test_an_event_comes_back_and_is_applied_as_it_says() -> None:
    assert read_event(json.dumps(write_event(EVENT))) == EVENT
    assert apply(Record(session="s"), EVENT) == Record(session="s", hidden=True)


@pytest.mark.ruling(46)
def test_an_event_of_an_older_version_is_brought_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(values: dict[str, Any]) -> dict[str, Any]:
        return {**values, "actor": values.get("actor", "runtime")}

    monkeypatch.setitem(EVENT_UPCASTERS, 0, first)
    written = {**write_event(EVENT), "version": 0}
    del written["actor"]
    assert read_event(written) == replace(EVENT, actor="runtime")


@pytest.mark.ruling(46)
def test_a_newer_event_is_refused_and_stays() -> None:
    with pytest.raises(NewerRecord, match="stays as it is"):
        read_event({**write_event(EVENT), "version": 2})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"color": 1}, "event 1 (shown): color: a record has no such field"),
        ({"hidden": "yes"}, 'event 1 (shown): hidden: it is true or false, not "yes"'),
        ({"status": {"name": "asleep"}}, "event 1 (shown): status.name: it is 'cleared', "),
    ],
)
def test_an_event_that_is_of_no_record_is_named(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRecord) as caught:
        replay([replace(EVENT, changes=changes)], "s")
    assert says in str(caught.value)


def test_an_event_has_what_changed_and_nothing_else() -> None:
    [event] = step(STATES["active"], COMMANDS["pause"]).events
    assert set(event.changes) == {"status", "updated_at"}
    assert event.at == event.changes["updated_at"]
