"""Every command in every state, by every actor: what it comes to, or that it changes nothing."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from goalspec.runtime.lifecycle import AUTHORITY, Refusal, decide
from goalspec.runtime.lifecycle.authority import ACTORS
from goalspec.runtime.lifecycle.commands import Command, Create
from goalspec.runtime.lifecycle.reducing import HANDLERS
from goalspec.runtime.record import Actor, Record, read_record, write_record
from goalspec.tests.runtime.lifecycle.states import COMMANDS, ONCE, STATES, perform
from goalspec.tests.runtime.record.records import GOAL, at

TABLE = tomllib.loads(Path(__file__).with_name("transitions.toml").read_text("utf-8"))
CASES = [
    (name, row["actor"], state, outcome)
    for name, row in TABLE.items()
    for outcome, states in row.items()
    if outcome != "actor"
    for state in states
]
KINDS = {kind.__name__ for kind in get_args(get_args(Command)[0])}


def outcome_of(record: Record, name: str, actor: Actor) -> str:
    try:
        step = perform(record, COMMANDS[name], actor, at(ONCE))
    except Refusal as refusal:
        return f"refused {refusal.code}"
    if not step.events:
        assert step.record == record
        return "unchanged"
    return " ".join([step.record.status.name, *(event.kind for event in step.events)])


@pytest.mark.row("H20", "H21", "S02", "P08")
@pytest.mark.ruling(48, 49, 52)
@pytest.mark.parametrize(("name", "actor", "state", "outcome"), CASES)
def test_what_it_comes_to(name: str, actor: Actor, state: str, outcome: str) -> None:
    assert outcome_of(STATES[state], name, actor) == outcome


def test_the_table_is_complete() -> None:
    assert set(TABLE) == set(COMMANDS)
    for name, row in TABLE.items():
        states = [state for key, group in row.items() if key != "actor" for state in group]
        assert sorted(states) == sorted(STATES), name
    assert {type(command).__name__ for command in COMMANDS.values()} == KINDS
    assert {kind.__name__ for kind in HANDLERS} == KINDS
    assert {command.kind for command in COMMANDS.values()} == set(AUTHORITY)


@pytest.mark.row("H18", "P10")
@pytest.mark.parametrize("actor", ACTORS)
@pytest.mark.parametrize("name", COMMANDS)
def test_who_may_not_is_refused_in_every_state(name: str, actor: Actor) -> None:
    leave = AUTHORITY[COMMANDS[name].kind][actor]
    for state, record in STATES.items():
        outcome = outcome_of(record, name, actor)
        if leave == "no":
            assert outcome.startswith("refused not_"), (state, outcome)
        if actor == "agent" and AUTHORITY[COMMANDS[name].kind]["person"] == "yes" and leave == "no":
            assert outcome == "refused not_a_person", state


@pytest.mark.row("H20")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_refusal_says_what_why_and_what_to_do_and_leaves_no_trace(name: str) -> None:
    for record in STATES.values():
        before = json.dumps(write_record(record))
        for actor in ACTORS:
            try:
                step = perform(record, COMMANDS[name], actor, at(ONCE))
            except Refusal as refusal:
                assert len(str(refusal)) > 20
                assert refusal.code.replace("_", "").isalpha()
            else:
                assert read_record(write_record(step.record)) == step.record
            assert json.dumps(write_record(record)) == before


@pytest.mark.parametrize(
    ("name", "actor", "code", "says"),
    [
        ("clear", "agent", "not_a_person", "an agent may not clear: a person does"),
        ("clear", "runtime", "not_a_person", "the runtime may not clear: a person does"),
        ("settle", "agent", "not_the_runtime", "only the runtime may ask to settle"),
        ("propose", "person", "not_the_agent", "only the agent at work may propose"),
        ("propose", "runtime", "not_the_agent", "only the agent at work may propose"),
    ],
)
def test_a_refusal_says_whose_it_is(name: str, actor: Actor, code: str, says: str) -> None:
    with pytest.raises(Refusal, match=says) as caught:
        perform(STATES["active"], COMMANDS[name], actor, at(ONCE))
    assert caught.value.code == code


@pytest.mark.parametrize("time", ["", "now", "2026-03-01T12:00:00Z"])
def test_a_time_that_is_none_is_refused(time: str) -> None:
    with pytest.raises(Refusal, match="is not a time") as caught:
        decide(Record(session="s"), Create(goal=GOAL), "person", time)
    assert caught.value.code == "bad_time"
