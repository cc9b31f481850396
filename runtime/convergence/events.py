"""What the loop is told: each event has its time, and what the host saw. None is a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from ...compiler.ir.node import Json
from ..judge.outcome import Outcome
from ..record.parts import Usage
from .state import By, ErrorKind, StopReason

Gates: TypeAlias = Mapping[str, str | None]
"""The hashes of the pinned files by their paths; None where one cannot be read."""

ONE_TURN = Usage(turns=1)


@dataclass(frozen=True, slots=True)
class Effect:
    """A tool's call and its result, as text. *mutates*: may it change anything?"""

    tool: str
    arguments: str
    result: str
    succeeded: bool = True
    mutates: bool = True


@dataclass(frozen=True, slots=True)
class Began:
    """A run's turn begins, that of the continuation on its way or another. One that names the
    *claim* that it is of begins only while that is started and held."""

    at: str
    run: str
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A run is over. *settlement* is an id that is the same when it is told again. *error* goes
    with the stop `error`; *todos* are the open ones and all of them. A host that sees nothing of
    its agent's tools says so by *tools_seen*: then none were used is not known either."""

    at: str
    run: str
    settlement: str
    usage: Usage = ONE_TURN
    output: str = ""
    effects: tuple[Effect, ...] = ()
    by: By = "continuation"
    stop: StopReason = "end"
    error: ErrorKind | None = None
    detail: str | None = None
    retry_at: str | None = None
    monitors: int = 0
    todos: tuple[int, int] | None = None
    tools_seen: bool = True


@dataclass(frozen=True, slots=True)
class Charged:
    """What a subagent took, under a settlement of its own. It is a part of the turn that it works
    for: charged to the goal, and no turn, no output and no end of it."""

    at: str
    settlement: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Proposed:
    """The agent proposes an end, to be decided once its run has settled."""

    at: str
    outcome: Literal["complete", "blocked"]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """The facts were taken, as *number* asked: the Monitor's state after it (its verdict comes
    beside the event), the pinned files' hashes, and one hash of the files that are worked on."""

    at: str
    number: int
    monitor: Json
    gates: Gates = field(default_factory=dict)
    files: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of the judgement *number*, what it took, and the pinned files' hashes, taken again:
    nothing completes over older ones. *exhibit* is the SHA-256 of what was filed of it."""

    at: str
    number: int
    outcome: Outcome
    gates: Gates = field(default_factory=dict)
    judgements: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)
    exhibit: str | None = None


@dataclass(frozen=True, slots=True)
class Continued:
    """What became of the continuation under the claim *key*: the host has it, is busy, cannot be
    reached, or does not take it."""

    at: str
    key: str
    outcome: Literal["started", "busy", "unavailable", "rejected"]
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Spoke:
    """A person's message was accepted; their run will settle as theirs."""

    at: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    at: str


@dataclass(frozen=True, slots=True)
class Woke:
    """A monitor has something to say; *monitors* are still running. *human*: it is a person's
    input that came by a monitor."""

    at: str
    monitors: int = 0
    human: bool = False


@dataclass(frozen=True, slots=True)
class Timer:
    """Look again: a time that was asked for has come, or a person's command was applied."""

    at: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The driver is there (again), has the session's lease, and knows of nobody else at work.
    *trailing* are the continuations at the end of the transcript that nobody answered."""

    at: str
    trailing: int = 0


LoopEvent: TypeAlias = (
    Began | Settled | Charged | Proposed | Observed | Judged | Continued | Spoke | Interrupted
    | Woke | Timer | Restarted
)  # fmt: skip
