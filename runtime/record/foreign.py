"""Records that others wrote: the canonical form of six fields, and a thread's goal file. What
cannot be carried over is named in the notes, never dropped quietly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...compiler.host_goal import BadGoal, read_goal
from ...compiler.ir.canonical import seal
from ...compiler.ir.document import Budget, Goal
from ...grammar.literals import MAX_INT, LiteralError, read_time
from .checking import record_problems, size_problems
from .objective import capped_objective
from .parts import Metadata, Record, Status, Turn, Usage
from .reading import BadRecord, raise_any, read_as, read_object
from .times import is_stamp, write_stamp

_CANONICAL = ("spec", "metadata", "generation", "created_at", "updated_at", "turn")
_THREAD = (
    "id", "threadId", "objective", "status", "tokenBudget", "tokensUsed", "timeUsedSeconds",
    "consecutiveContinuations", "createdAt", "updatedAt", "blockedReason", "blockedAt",
    "completedAt",
)  # fmt: skip
_THREAD_VERSION = 1
_STATUSES = ("active", "paused", "blocked", "complete")
_SECOND = 10**9


@dataclass(frozen=True, slots=True)
class Imported:
    """A record as *session* has it from now on, and what of its source is not in it."""

    record: Record
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    """What is wrong, and what is left out, collected while reading goes on."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def closed(self, values: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
        for key in values:
            if key not in known:
                self.problems.append(f"{place}{key}: there is no such field")

    def count(self, values: Mapping[str, Any], key: str, place: str = "") -> int:
        """A whole number from 0 on; 0 where it is absent."""
        value = values.get(key, 0)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.problems.append(f"{place}{key}: it is a whole number from 0 on")
        return 0

    def text(self, values: Mapping[str, Any], key: str, place: str = "") -> str:
        value = values.get(key)
        if isinstance(value, str) and value.strip():
            return value
        self.problems.append(f"{place}{key}: it is a text that says something")
        return ""


def read_foreign(source: str | bytes | Mapping[str, Any], session: str) -> Imported:
    """The record that *source* holds in one of the forms of others, as one of *session*'s. Raises
    BadRecord."""
    values = read_object(source)
    if "spec" in values:
        return _canonical(values, session)
    if "goal" in values and "version" in values and "record_version" not in values:
        return _thread(values, session)
    message = (
        "it is neither a canonical record (`spec`, `metadata`, `generation`, `created_at`, "
        "`updated_at`, `turn`) nor a thread's goal file (`version`, `goal`)"
    )
    raise BadRecord([message])


# --- the canonical record


def _canonical(values: Mapping[str, Any], session: str) -> Imported:
    reading = _Reading()
    reading.closed(values, _CANONICAL, "")
    goal = None if values["spec"] is None else _goal(values["spec"], "spec", reading)
    created, updated = (
        _utc(values.get(key, ""), key, reading) for key in ("created_at", "updated_at")
    )
    turn = _turn(values.get("turn"), updated, reading)
    generation = reading.count(values, "generation")
    raise_any(reading.problems)
    given = values.get("metadata")
    metadata: Metadata = read_as(Metadata, {} if given is None else given, "metadata")
    status = Status() if goal is None else Status(name="active", since=updated or created)
    if goal is not None:
        reading.notes.append("its criteria have no checks there, so a judge or a person decides")
    record = Record(
        session=session, goal=goal, contract=None if goal is None else goal.contract,
        metadata=metadata, generation=generation, created_at=created, updated_at=updated,
        turn=turn, status=status, set_by=None if goal is None else "person",
    )  # fmt: skip
    raise_any((*record_problems(record), *size_problems(record)))
    return Imported(record, tuple(reading.notes))


def _goal(spec: Any, place: str, reading: _Reading) -> Goal | None:
    try:
        return read_goal(spec)[0]
    except BadGoal as error:
        reading.problems += (f"{place}.{problem}" for problem in error.problems)
        return None


def _utc(text: Any, place: str, reading: _Reading) -> str:
    """A time in UTC as a record has it; an empty one stays."""
    if text == "":
        return ""
    try:
        if not isinstance(text, str) or not text.endswith(("Z", "z", "+00:00")):
            raise LiteralError("it is not a time in UTC", "write 2026-03-01T12:00:00Z")
        stamp = write_stamp(read_time(text) // 1_000)
        if not is_stamp(stamp):
            raise LiteralError("it is before the year 1000 or after 2999")
    except LiteralError as error:
        hint = f": {error.hint}" if error.hint else ""
        reading.problems.append(f"{place}: {error.message}{hint}")
        return ""
    return stamp


def _turn(value: Any, updated: str, reading: _Reading) -> Turn:
    """The marker, as a word or as an object with its `state`. An open one stays open."""
    if value is None or value == "idle":
        return Turn()
    given = value if isinstance(value, dict) else {"state": value}
    reading.closed(given, Turn.field_names, "turn.")
    run = given.get("run")
    if given.get("state") == "idle" and run is None:
        return Turn()
    if given.get("state") != "open" or not isinstance(run, str | None):
        reading.problems.append("turn: it is idle, or open with the run that opened it")
        return Turn()
    if run is None:
        reading.notes.append("turn: it is open, and the run that opened it has no name there")
    opened = _utc(given.get("opened_at", ""), "turn.opened_at", reading) or updated
    return Turn(state="open", run=run or "imported", opened_at=opened)


# --- a thread's goal file


def _thread(values: Mapping[str, Any], session: str) -> Imported:
    reading = _Reading()
    reading.closed(values, ("version", "goal"), "")
    if values["version"] != _THREAD_VERSION or isinstance(values["version"], bool):
        reading.problems.append(
            f"version: a thread's goal file is read in the version {_THREAD_VERSION}, and this is "
            "another: it stays as it is"
        )
    goal = values["goal"]
    if goal is not None and not isinstance(goal, dict):
        reading.problems.append("goal: it is an object, or null where the goal was cleared")
    raise_any(reading.problems)
    if goal is None:
        return Imported(Record(session=session))
    record = _thread_record(goal, session, reading)
    raise_any(reading.problems)
    raise_any((*record_problems(record), *size_problems(record)))
    return Imported(record, tuple(reading.notes))


def _thread_record(goal: Mapping[str, Any], session: str, reading: _Reading) -> Record:
    _note_left_out(goal, session, reading)
    shown, whole = capped_objective(reading.text(goal, "objective", "goal."))
    spec = {"id": reading.text(goal, "id", "goal."), "objective": shown or "…"}
    made = _goal(spec, "goal", reading)
    budget = reading.count(goal, "tokenBudget", "goal.") if goal.get("tokenBudget") else 0
    if made is not None and budget:
        # It is written down there and never acts.
        made = seal(replace(made, advisory_budget=Budget(tokens=budget)))
    created, updated = (_whole_seconds(goal, key, reading) for key in ("createdAt", "updatedAt"))
    return Record(
        session=session,
        goal=made,
        contract=None if made is None else made.contract,
        objective=whole,
        set_by="person",
        created_at=created,
        updated_at=updated,
        status=_thread_status(goal, updated, reading),
        usage=Usage(
            tokens=reading.count(goal, "tokensUsed", "goal."),
            runtime=_runtime(goal, reading),
        ),
        continuations=_continuations(goal, reading),
    )


def _note_left_out(goal: Mapping[str, Any], session: str, reading: _Reading) -> None:
    reading.notes += (
        f"goal.{key}: it has no place in a record, and is left out"
        for key in goal
        if key not in _THREAD
    )
    thread = goal.get("threadId")
    if thread is not None and thread != session:
        reading.notes.append(f"goal.threadId: it was the thread {thread!r}, now {session}")


def _whole_seconds(goal: Mapping[str, Any], key: str, reading: _Reading) -> str:
    stamp = ""
    seconds = reading.count(goal, key, "goal.")
    if seconds < 32_503_680_000:  # the year 3000
        stamp = write_stamp(seconds * 1_000_000)
    else:
        reading.problems.append(f"goal.{key}: it is in whole seconds since 1970, not {seconds}")
    return stamp


def _runtime(goal: Mapping[str, Any], reading: _Reading) -> int:
    """Nanoseconds."""
    seconds = reading.count(goal, "timeUsedSeconds", "goal.")
    if seconds * _SECOND > MAX_INT:
        reading.problems.append(f"goal.timeUsedSeconds: {seconds} s is longer than a goal lives")
        return 0
    return seconds * _SECOND


def _continuations(goal: Mapping[str, Any], reading: _Reading) -> int:
    """A count that only guards: a corrupt one is dropped."""
    value = goal.get("consecutiveContinuations", 0)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    reading.notes.append(
        "goal.consecutiveContinuations: it is no count, and is dropped: it starts again at 0"
    )
    return 0


def _thread_status(goal: Mapping[str, Any], updated: str, reading: _Reading) -> Status:
    name, reason = goal.get("status"), goal.get("blockedReason")
    since = updated
    for key, status in (("blockedAt", "blocked"), ("completedAt", "complete")):
        if name == status and key in goal:
            since = _whole_seconds(goal, key, reading)
    if name not in _STATUSES:
        reading.problems.append(f"goal.status: it is one of {', '.join(_STATUSES)}")
        return Status(name="paused", since=since)
    if name == "blocked":
        reason = reading.text(goal, "blockedReason", "goal.")
    return Status(name=name, reason=reason if name == "blocked" else None, since=since)
