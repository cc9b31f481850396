"""What the driver needs of a host: an agent that works, facts, evidence, the files. Each is a small
protocol; what ships with goalspec stands beside them, a file each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ..convergence.events import Effect
from ..convergence.state import ErrorKind, StopReason
from ..judge.evidence import Evidence
from ..record.parts import Usage

NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that an agent is to work. *run* is a name that no other turn of the session has,
    *key* that of the continuation that began it: the same key again is the same continuation."""

    session: str
    run: str
    key: str
    number: int
    prompt: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """The end that an agent proposes. It decides nothing."""

    outcome: Literal["complete", "blocked"]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """What became of a turn. *usage* is without the turn and its time, which the driver counts;
    *settlement* is the host's own id of the turn, the same when it is told again; *error* goes with
    the stop `error`, and *retry_at* says when its provider lets someone through again. *tools_seen*
    is False where nobody sees what tools the agent uses."""

    output: str = ""
    usage: Usage = NOTHING
    effects: tuple[Effect, ...] = ()
    stop: StopReason = "end"
    error: ErrorKind | None = None
    detail: str | None = None
    retry_at: str | None = None
    proposal: Proposal | None = None
    settlement: str | None = None
    monitors: int = 0
    todos: tuple[int, int] | None = None
    tools_seen: bool = True


class Agent(Protocol):
    """Works one turn. It is cancelled where the turn is to end, and raises for nothing else: what
    it raises all the same is an error of the host."""

    async def __call__(self, turn: Turn) -> Worked: ...


class FactSource(Protocol):
    """The facts now, as JSON in the spelling of facts files; what could not be had is
    `{"$unknown": "error", "because": …}`."""

    async def __call__(self) -> Mapping[str, Any]: ...


class EvidenceSource(Protocol):
    """What a judge is shown beside the facts, taken anew for each judgement."""

    async def __call__(self) -> Sequence[Evidence]: ...


class Pins(Protocol):
    """The pinned files' hashes by their paths, as they are now; None where one cannot be read."""

    def hashes(self) -> Mapping[str, str | None]: ...


class Tree(Protocol):
    """The files that are worked on."""

    def digest(self) -> str | None:
        """One hash of them all, by which a change counts as progress."""

    def revision(self) -> str | None:
        """The commit that they are of, and the hash of what was changed since."""


@dataclass(frozen=True, slots=True)
class NoPins:
    """Of a host that pins nothing."""

    pinned: Mapping[str, str | None] = field(default_factory=dict)

    def hashes(self) -> Mapping[str, str | None]:
        return self.pinned


class NoTree:
    """Of a host without files."""

    def digest(self) -> str | None:
        return None

    def revision(self) -> str | None:
        return None
