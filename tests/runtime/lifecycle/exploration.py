"""Every state that the reducer tells apart, reached by every command of every actor, breadth first.

A record is brought down to what the reducer branches on (`key`); two records with one key are one
state. Time is part of it: a step may also be that what the goal waits for becomes due. The goal is
one of two (with criteria and without), each with a budget of one settled turn, which a person
raises to two; so there is an end, and the exploration reaches it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from goalspec.compiler.host_goal import read_goal
from goalspec.compiler.ir.canonical import seal
from goalspec.compiler.ir.document import Budget, Criterion, Goal
from goalspec.runtime.lifecycle import Refusal, Step, decide, exhausted, wake_at
from goalspec.runtime.lifecycle.authority import ACTORS
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Begin,
    Block,
    Cancel,
    Clear,
    Command,
    Complete,
    Create,
    DeferClaim,
    End,
    EndClaim,
    Evaluated,
    Finish,
    Input,
    Limit,
    Observe,
    Park,
    Pause,
    Propose,
    Recover,
    Reset,
    Resume,
    Retarget,
    SetMetadata,
    Settle,
    Show,
    StartClaim,
    TakeClaim,
    Wake,
)
from goalspec.runtime.record import Actor, Metadata, Record, Usage, read_stamp, write_stamp
from goalspec.tests.runtime.lifecycle.states import retargeted
from goalspec.tests.runtime.record.records import at

TURNS = 1
_SECOND = 1_000_000

GOAL = seal(
    replace(
        read_goal({"id": "g", "objective": "Ship it.", "success_criteria": ["It ships"]})[0],
        budget=Budget(turns=TURNS),
    )
)


@dataclass(frozen=True)
class State:
    """A record at a moment."""

    record: Record
    now: int

    def key(self) -> Hashable:
        record, claim, status = self.record, self.record.claim, self.record.status
        goal = record.goal
        due = wake_at(record)
        return (
            status.name, status.mechanical, status.ending, (status.reason or "")[:9] == "criteria:",
            goal is not None and (bool(goal.criteria), bool(goal.retired), _turns(goal)),
            goal is not None and exhausted(goal.budget, record.usage) is not None,
            min(record.usage.turns, 2 * TURNS), record.turn.state, record.sealed,
            (record.turn.opened_at or "") < record.created_at,
            claim is not None and (claim.state, claim.retry_at is None),
            due is not None and self.now >= read_stamp(due),
            record.pending is not None,
        )  # fmt: skip


@dataclass(frozen=True)
class Move:
    """One step: *asked* by *actor*, or the time passing, where both are None."""

    before: State
    after: State
    asked: Command | None = None
    actor: Actor | None = None
    step: Step | None = None


@dataclass
class Exploration:
    states: dict[Hashable, State] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    depth: int = 0
    refused: int = 0


@cache
def explored() -> Exploration:
    """Everything that can be reached from a session without a record."""
    first = State(Record(session="s"), read_stamp(at(0)))
    found = Exploration({first.key(): first})
    waiting = deque([(first, 0)])
    while waiting:
        state, depth = waiting.popleft()
        found.depth = max(found.depth, depth)
        for move in _moves(state, found):
            found.moves.append(move)
            key = move.after.key()
            if key not in found.states:
                found.states[key] = move.after
                waiting.append((move.after, depth + 1))
    return found


def _moves(state: State, found: Exploration) -> Iterator[Move]:
    due = wake_at(state.record)
    if due is not None and state.now < read_stamp(due):
        yield Move(state, replace(state, now=read_stamp(due)))
    now = state.now + _SECOND
    for command in commands(state.record, now):
        for actor in ACTORS:
            try:
                step = decide(state.record, command, actor, write_stamp(now))
            except Refusal:
                found.refused += 1
            else:
                if step.events:
                    yield Move(state, State(step.record, now), command, actor, step)


def commands(record: Record, now: int) -> Iterator[Command]:
    """A command of each kind, in each way that makes a difference to *record*."""
    goal = record.goal or GOAL
    soon = write_stamp(now + 60 * _SECOND)
    yield Create(goal=GOAL)
    yield Create(goal=GOAL, replace=True)
    yield Amend(goal=_with(goal, "more"), reason="r")
    yield Amend(goal=seal(replace(goal, budget=Budget(turns=2 * TURNS))), reason="r")
    yield Retarget(goal=retargeted(goal), control_id="c")
    yield Retarget(goal=_with(retargeted(goal), "new"), control_id="c")
    yield SetMetadata(metadata=Metadata(acceptance_note="n"))
    run = record.turn.run or "run"
    yield from (Begin(run=run), Begin(run=f"{run}+"[-9:]), Recover(run=run), Finish(run=run))
    yield from (Cancel(), Reset(), Clear(), Pause(), Resume(), Wake(), Input(), Show(hidden=True))
    yield Park(reason="r", until=soon)
    yield from (Block(reason="r"), Block(reason="r", mechanical=True), Limit(reason="r"))
    yield from (Complete(reason="r"), End(ending="unverified", reason="r"))
    yield from (Propose(outcome="complete"), Propose(outcome="blocked", reason="r"))
    for settlement in (*record.settled[-1:], f"s-{len(record.settled)}"):
        yield Settle(settlement=settlement, usage=Usage(turns=1))
    evaluation = "old" if record.pending is None else record.pending.evaluation
    for outcome in ("continue", "complete", "blocked"):
        yield Evaluated(evaluation=evaluation, outcome=outcome, reason="r")
    yield Evaluated(evaluation="stale", outcome="complete", reason="r")
    keys = ["g:0:1"] if record.claim is None else ["g:0:1", record.claim.key]
    holder = "host" if record.claim is None else record.claim.owner
    for owner in (holder, "other" if holder == "host" else "host"):
        yield TakeClaim(owner=owner, seconds=30)
        for key in keys:
            yield from (
                DeferClaim(key=key, owner=owner, retry_at=soon), StartClaim(key=key, owner=owner),
                EndClaim(key=key, owner=owner), EndClaim(key=key, owner=owner, failed="r"),
            )  # fmt: skip
    yield Observe(monitor={"count": 1})


def _with(goal: Goal, id: str) -> Goal:
    """*goal* with one criterion more, once."""
    if any(criterion.id == id for criterion in goal.criteria):
        return goal
    return seal(replace(goal, criteria=(*goal.criteria, Criterion(id=id, text="It holds"))))


def _turns(goal: Goal) -> int | None:
    return None if goal.budget is None else goal.budget.turns


def status_changes(found: Exploration) -> dict[tuple[str, str], set[tuple[str, Any]]]:
    """Who leads from one status to another, by which command."""
    changes: dict[tuple[str, str], set[tuple[str, Any]]] = {}
    for move in found.moves:
        if move.asked is not None:
            names = (move.before.record.status.name, move.after.record.status.name)
            if names[0] != names[1] or (names[0] == "active" and isinstance(move.asked, Create)):
                changes.setdefault(names, set()).add((move.asked.kind, move.actor))
    return changes
