"""Decisions, a clock and edits for tests of a store, which knows no lifecycle."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from goalspec.compiler import compile_text
from goalspec.compiler.ir.canonical import plain
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.lifecycle.commands import Pause
from goalspec.runtime.lifecycle.events import Event, Refusal, Step
from goalspec.runtime.record.parts import Claim, Record, Status
from goalspec.runtime.record.times import SECOND, read_stamp, write_stamp
from goalspec.runtime.store import Posted
from goalspec.runtime.store.port import Decide

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ACTIVE = Status(name="active")


@dataclass
class Clock:
    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def go(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def later(at: str, seconds: float) -> str:
    return write_stamp(read_stamp(at) + int(seconds * SECOND))


def changed(record: Record, at: str, **fields: Any) -> Step:
    """A step with one event, which gives the record these *fields*."""
    after = replace(record, updated_at=at, **fields)
    changes = {name: plain(getattr(after, name)) for name in ("updated_at", *fields)}
    event = Event(kind="observed", at=at, actor="runtime", changes=changes)
    return Step(record=after, events=(event,))


def count(record: Record, posted: Sequence[Posted], at: str) -> Step:
    return changed(record, at, continuations=record.continuations + 1)


def wait_until(time: str | None) -> Decide:
    """The record has a claim that is over at *time*, or none."""
    claim = time and Claim(key="ship:0:1", state="claimed", owner="o", ordinal=1, expires_at=time)

    def decide(record: Record, posted: Sequence[Posted], at: str) -> Step:
        return changed(record, at, goal=GOAL, status=ACTIVE, claim=claim or None)

    return decide


def observe(state: Any) -> Decide:
    return lambda record, posted, at: changed(record, at, monitor=state)


def refuse(record: Record, posted: Sequence[Posted], at: str) -> Step:
    raise Refusal("not_a_person", "only a person may", Pause(reason="now"), "agent")


def keep(record: Record, posted: Sequence[Posted], at: str) -> Step:
    return Step(record=record)


def edit(path: Path, statement: str) -> None:
    """Change a store's file by hand."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def goal_of(text: str) -> Goal:
    document = compile_text(text).document
    assert document is not None
    return document.goals[0]


GOAL = goal_of(
    """
facts { tests.failed : int in 0.. }

goal ship {
  objective "Ship it."
  criterion tests "The tests pass" check tests.failed == 0
  constraint scope "Nothing outside src/ changes"
  judge {}
}
"""
)
