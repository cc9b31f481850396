"""`run`: a goal and an agent, driven until the goal stands still or is over."""

from __future__ import annotations

import uuid

from ...compiler.ir.document import Constraint, Criterion, Goal
from ..convergence import Policy
from ..goals import Goals
from ..lifecycle import Refusal
from ..lifecycle.commands import Create, Resume
from ..record.parts import Actor
from ..store import MemoryStore
from ..store.port import Store
from .driver import Driver, Host, Standing
from .session import Session

OWNER = "driver"  # of continuations: whoever has the session's lease follows the one before
_UNFINISHED = ("active", "parked", "paused", "blocked", "budget_limited")
_STOPPED = ("paused", "blocked")


async def run(
    goal: Goal, host: Host, *, store: Store | None = None, session: str | None = None,
    policy: Policy | None = None, resume: bool = False,
) -> Standing:  # fmt: skip
    """Work toward *goal* with *host* until it is complete, over, or a person is needed.

    *session* of *store* has it, or gets it; without a store it is kept for this run alone. A goal
    that was stopped goes on where *resume* says so, which is a person's word. Raises Refusal where
    the session has another unfinished goal, or a stopped one that nobody resumes; LeaseHeld where
    somebody drives it; StoreError; ValueError for a goal that this host could not end.
    """
    check_host(goal, host)
    kept = MemoryStore(clock=host.clock.now) if store is None else store
    name = session or f"run-{uuid.uuid4().hex[:12]}"
    prepare(Goals(kept), name, Create(goal=goal), "person", resume=resume)
    driving = Driver(Session(kept, name, host.clock), host, policy or Policy(owner=OWNER))
    return await driving.drive()


def check_host(goal: Goal, host: Host) -> None:
    """Raises ValueError where *goal* needs a judge that *host* does not have: nobody could decide
    its judged parts."""
    parts: tuple[Criterion | Constraint, ...] = (*goal.criteria, *goal.constraints)
    needs = [part.id for part in parts if part.check is None and part.mode != "advisory"]
    needs += [stop.id for stop in goal.stops if stop.check is None]
    if goal.judge is not None and needs and host.judging is None:
        raise ValueError(
            f"{', '.join(needs)}: only a judge can decide, and there is none: name one, or give "
            "the parts a check"
        )


def prepare(goals: Goals, session: str, create: Create, actor: Actor, *, resume: bool) -> None:
    """Have *session* hold the goal that *create* gives, ready to be worked on. Raises Refusal."""
    record = goals.expected(session)
    held = record.goal
    if held is None or record.status.name not in _UNFINISHED:
        goals.perform(session, create, actor)
    elif (create.contract or create.goal.contract) != record.contract:
        raise Refusal(
            "another_goal",
            f"the session {session} works on another contract ({held.id}, {held.contract}): amend "
            "it (`goalspec goal amend`), or name another session",
        )
    elif record.status.name in _STOPPED:
        if not resume:
            said = f": {record.status.reason}" if record.status.reason else ""
            raise Refusal(
                "stopped",
                f"the goal of session {session} is {record.status.name}{said}: a person resumes it "
                "(`--resume`, or `goalspec goal resume`)",
            )
        goals.perform(session, Resume(), actor)
