"""The record of a session's goal: what is known of it now, as one frozen value that is plain JSON.

The six fields of the canonical record (`canonical_record`) are what hosts exchange; the rest stands
beside them: the goal with its checks, how it stands, what was charged, and what is on its way.
Times are RFC 3339 in UTC, such as `2026-03-01T12:00:00.000000Z`, of one width, so that they compare
as text.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ...compiler.ir.document import Goal
from ...compiler.ir.node import Json, Node, node

RECORD_VERSION = 1
MAX_SETTLED = 256

Actor: TypeAlias = Literal["person", "agent", "runtime"]
"""Who asks for a change: a person, the agent that works on the goal, or the runtime itself (the
driver, a timer, a restart)."""

StatusName: TypeAlias = Literal[
    "cleared", "active", "paused", "parked", "blocked", "budget_limited", "complete", "ended"
]


@node
class Status(Node):
    """How a goal stands and since when. *until* belongs to `parked`; *mechanical* to `blocked`: it
    lifts on accepted input; `ended` gives `unverified`, `impossible` or `cancelled` as *ending*."""

    name: StatusName = "cleared"
    reason: str | None = None
    since: str = ""
    until: str | None = None
    mechanical: bool = False
    ending: Literal["unverified", "impossible", "cancelled"] | None = None


@node
class Verification(Node):
    """The exact command that a goal is verified with, and where that comes from, which nobody
    interprets."""

    command: str
    source: Json = None


@node
class Metadata(Node):
    """What is kept about a goal and never put into a prompt. The keys of *criterion_sources* are
    ids of active or retired criteria."""

    acceptance_note: str | None = None
    criterion_sources: dict[str, Json] = field(default_factory=dict)
    verification: Verification | None = None
    source: Json = None


@node
class Turn(Node):
    """The turn's marker: idle, or open with the run that opened it."""

    state: Literal["idle", "open"] = "idle"
    run: str | None = None
    opened_at: str | None = None


@node
class Usage(Node):
    """What was charged: settled turns, tokens, tool calls, completion attempts; *cost* is money as
    the language writes it, *runtime* nanoseconds while active."""

    turns: int = 0
    tokens: int = 0
    tool_calls: int = 0
    attempts: int = 0
    cost: str | None = None
    runtime: int = 0


@node
class Candidate(Node):
    """What an agent proposes as the end of its goal."""

    outcome: Literal["complete", "blocked"]
    reason: str | None = None
    at: str = ""


@node
class Pending(Node):
    """Settled runs that await their evaluation, added up. A new settlement gives it a new id: an
    answer under another one is of the past."""

    evaluation: str
    settlements: tuple[str, ...] = ()
    usage: Usage = Usage()
    output: str = ""
    candidate: Candidate | None = None
    attempt: int = 0


@node
class Evaluation(Node):
    """The last answer to an evaluation of this goal."""

    id: str
    outcome: Literal["continue", "complete", "blocked"]
    reason: str | None = None
    at: str


@node
class Claim(Node):
    """The one continuation that may be on its way. Its key is the goal's id, the generation and the
    continuation's ordinal."""

    key: str
    state: Literal["claimed", "deferred", "started"]
    owner: str
    ordinal: int
    attempt: int = 0
    expires_at: str = ""  # of a claim that nobody defers, starts or answers
    retry_at: str | None = None  # of a deferred one; without it, whoever asks takes it


@node
class Lineage(Node):
    """A session that a goal came from."""

    session: str
    how: Literal["adopted", "forked"]
    at: str
    generation: int


@node
class Record(Node):
    """A session's goal. *contract* is the hash of what its file says, `goal.contract` of what is
    enforced. *objective* is the whole text where the goal's had to be capped."""

    record_version: Literal[1] = 1
    session: str
    goal: Goal | None = None
    contract: str | None = None
    objective: str | None = None
    set_by: Actor | None = None
    metadata: Metadata = Metadata()
    generation: int = 0
    created_at: str = ""
    updated_at: str = ""
    turn: Turn = Turn()
    status: Status = Status()
    usage: Usage = Usage()
    settled: tuple[str, ...] = ()  # the settlements that were charged, the last MAX_SETTLED
    candidate: Candidate | None = None
    pending: Pending | None = None
    evaluation: Evaluation | None = None
    claim: Claim | None = None
    continuations: int = 0  # the ordinal of the last continuation of this goal and generation
    monitor: Json = None  # the Monitor's state
    loop: Json = None  # what the loop's reducer keeps: guards, ledger, what it has asked
    effects: tuple[str, ...] = ()  # fingerprints of the last effects, by which progress is measured
    gates: Json = None  # the hashes of the pinned files, as they were when the work began
    lineage: tuple[Lineage, ...] = ()
    sealed: bool = False  # a cancelled run's: nothing but a person's new goal changes it
    hidden: bool = False  # is its dashboard hidden?
