"""Records in each state that the lifecycle knows, each reached by commands, and a command of each
kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goalspec.compiler.host_goal import read_goal
from goalspec.compiler.ir.canonical import seal
from goalspec.compiler.ir.document import Budget, Criterion, Goal, Retired
from goalspec.runtime.lifecycle import Command, Step, decide
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Begin,
    Block,
    Cancel,
    Clear,
    Complete,
    Create,
    DeferClaim,
    End,
    EndClaim,
    Evaluated,
    Finish,
    Input,
    Keep,
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
from goalspec.runtime.record import Metadata, Record, Usage
from goalspec.tests.runtime.record.records import GOAL, at

ONCE = 60  # the second at which a state is asked; it was reached before


def changed_goal(**changes: Any) -> Goal:
    return seal(replace(GOAL, **changes))


ADDED = changed_goal(
    criteria=(*GOAL.criteria, Criterion(id="docs", text="The docs say so", check=None))
)
RAISED = changed_goal(budget=Budget(turns=50, cost="5.00 USD", runtime="4h"))
OTHER = read_goal({"id": "other", "objective": "Something else", "success_criteria": ["It is"]})[0]


def retargeted(goal: Goal = GOAL, criteria: tuple[Criterion, ...] = ()) -> Goal:
    """*goal* under a new objective, which may have criteria of its own."""
    retired = (*goal.retired, *(Retired(id=c.id, text=c.text) for c in goal.criteria))
    return seal(replace(goal, objective="Ship the other.", criteria=criteria, retired=retired))


COMMANDS: dict[str, Command] = {
    "create": Create(goal=OTHER),
    "replace": Create(goal=OTHER, replace=True),
    "amend": Amend(goal=ADDED, reason="the docs were forgotten"),
    "raise": Amend(goal=RAISED, reason="it takes longer"),
    "retarget": Retarget(
        goal=retargeted(criteria=(Criterion(id="passes", text="It passes"),)), control_id="c-1"
    ),
    "strip": Retarget(goal=retargeted(), control_id="c-2"),
    "set_metadata": SetMetadata(metadata=Metadata(acceptance_note="look twice")),
    "begin": Begin(run="run-2"),
    "recover": Recover(run="run-1"),
    "finish": Finish(run="run-1"),
    "cancel": Cancel(),
    "reset": Reset(),
    "clear": Clear(),
    "pause": Pause(reason="lunch"),
    "resume": Resume(),
    "park": Park(reason="CI runs", until=at(ONCE + 600)),
    "wake": Wake(),
    "block": Block(reason="no access"),
    "input": Input(),
    "limit": Limit(reason="turns: 25 of 25"),
    "complete": Complete(reason="the floor is met"),
    "end": End(ending="unverified", reason="the judge is out"),
    "propose": Propose(outcome="complete"),
    "settle": Settle(settlement="s-2", usage=Usage(turns=1, tokens=10), output="again"),
    "evaluated": Evaluated(evaluation="PENDING", outcome="continue"),
    "take_claim": TakeClaim(owner="host"),
    "defer_claim": DeferClaim(key="ship:1:1", owner="host", retry_at=at(ONCE + 30)),
    "start_claim": StartClaim(key="ship:1:1", owner="host"),
    "end_claim": EndClaim(key="ship:1:1", owner="host"),
    "observe": Observe(monitor={"count": 1}),
    "keep": Keep(loop={"state_version": 1}),
    "show": Show(hidden=True),
}

# How each state is reached from an empty record: commands, each by its actor.
_CREATED = (Create(goal=GOAL), "person")
_SETTLED = (
    Settle(settlement="s-1", usage=Usage(turns=1, tokens=10), output="one"), "runtime",
)  # fmt: skip
_CLAIMED = (TakeClaim(owner="host"), "runtime")
PATHS: dict[str, tuple[Any, ...]] = {
    "none": (),
    "active": (_CREATED,),
    "paused": (_CREATED, (Pause(), "person")),
    "parked": (_CREATED, (Park(reason="CI runs", until=at(300)), "runtime")),
    "blocked": (_CREATED, (Block(reason="no access"), "runtime")),
    "mechanical": (_CREATED, (Block(reason="login", mechanical=True), "runtime")),
    "no_criteria": (_CREATED, (COMMANDS["strip"], "person")),
    "limited": (
        _CREATED,
        (Settle(settlement="s-1", usage=Usage(turns=25)), "runtime"),
        (Limit(reason="turns: 25 of 25"), "runtime"),
    ),
    "complete": (_CREATED, (Complete(), "person")),
    "ended": (_CREATED, (End(ending="impossible", reason="no such thing"), "runtime")),
    "cleared": (_CREATED, (Clear(), "person")),
    "sealed": (_CREATED, (Cancel(), "person")),
    "open": (_CREATED, (Begin(run="run-1"), "runtime")),
    "pending": (_CREATED, _SETTLED),
    "claimed": (_CREATED, _CLAIMED),
    "deferred": (_CREATED, _CLAIMED, (DeferClaim(key="ship:1:1", owner="host", retry_at=at(90)), "runtime")),
    "started": (_CREATED, _CLAIMED, (StartClaim(key="ship:1:1", owner="host"), "runtime")),
}  # fmt: skip


def perform(record: Record, command: Command, actor: Any, time: str) -> Step:
    if isinstance(command, Evaluated) and command.evaluation == "PENDING":
        pending = record.pending
        command = replace(command, evaluation="none" if pending is None else pending.evaluation)
    return decide(record, command, actor, time)


def in_state(name: str) -> Record:
    """A record that reached the state one second after the other."""
    record = Record(session="s-1")
    for second, (command, actor) in enumerate(PATHS[name]):
        record = perform(record, command, actor, at(second)).record
    return record


STATES = {name: in_state(name) for name in PATHS}
