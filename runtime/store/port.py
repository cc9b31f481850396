"""The port behind which records live. A store knows no lifecycle: it runs a pure decision inside
one transaction, and keeps what comes of it or nothing at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from ..exhibits import Exhibit
from ..lifecycle.commands import Command
from ..lifecycle.events import Event, Step
from ..record.parts import Actor, Record


class StoreError(Exception):
    """A store that cannot be used, or a write that did not happen: what is wrong, where, and what
    to do. Nothing of the change is there."""


class StaleVersion(StoreError):
    """The record changed since it was read."""


class LeaseLost(StoreError):
    """The writer's lease is over, broken or another's."""


class LeaseHeld(StoreError):
    """Another live writer has the session's lease; *owner* and *until* say who, how long."""

    def __init__(self, message: str, owner: str, until: str) -> None:
        super().__init__(message)
        self.owner = owner
        self.until = until


@dataclass(frozen=True, slots=True)
class Posted:
    """A command that waits in the inbox, in the order of its *number*."""

    number: int
    command: Command
    actor: Actor
    at: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A record and its version, which every change raises by one."""

    record: Record
    version: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A journal's line: the event, its place in the session's journal from 1 on, and the chain:
    *digest* is the SHA-256 over the one before it and this event's canonical JSON."""

    number: int
    event: Event
    digest: str


class Sessions(NamedTuple):
    """Every session's record that can be read, and why not of each other one, by its name."""

    stored: list[Stored]
    unreadable: dict[str, str]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write a session until *expires_at* by the store's clock. A later lease has a
    higher *token*, and a write with a lower one is refused."""

    session: str
    owner: str
    token: int
    expires_at: str


Decide: TypeAlias = Callable[[Record, Sequence[Posted], str], Step]
"""The record (of a session without one, an empty one), the inbox, which is emptied with it, and the
store's time: what comes of them. It is pure, may raise Refusal, and may be called again."""


class Side(NamedTuple):
    """One of two sessions: its record, and its inbox, which is emptied with it."""

    record: Record
    inbox: Sequence[Posted]


DecideBoth: TypeAlias = Callable[[Side, Side, str], tuple[Step, Step]]
"""Two sessions and the store's time: what comes of the one and of the other, as for Decide."""


class Store(Protocol):
    """Records by session. Every method is atomic, durable when it returns, and may be called from
    several processes at once. Raises StoreError."""

    def get(self, session: str) -> Stored | None: ...

    def snapshot(self, session: str) -> tuple[Stored, list[Entry]] | None:
        """The record and the whole journal that made it, of one moment."""

    def sessions(self) -> Sessions:
        """Every session, the one that changed last first."""

    def mutate(
        self, session: str, decide: Decide, *, lease: Lease | None = None,
        version: int | None = None, breaking: bool = False,
    ) -> Stored:  # fmt: skip
        """Read, decide and write in one transaction. With *lease* it must be the live one; without
        one no other may be live, or, *breaking*, whoever has it can write no more: a person's pause
        or clear, which waits for nobody. With *version* the record must have it still. A Refusal is
        raised after it was written to the audit, and breaks no lease."""

    def mutate_both(
        self, first: str, second: str, decide: DecideBoth, *, lease: Lease | None = None
    ) -> tuple[Stored, Stored]:
        """Two different sessions' records in one transaction, so that a goal that moves is never in
        both or in neither. *lease* is the first's; of the second none may be live. A Refusal is
        audited with the first."""

    def post(self, session: str, command: Command, actor: Actor) -> Posted:
        """Put a command into the inbox, whoever holds the lease."""

    def inbox(self, session: str) -> list[Posted]:
        """What waits and can be read; the next mutation tells the audit of what cannot."""

    def journal(self, session: str, after: int = 0, limit: int | None = None) -> list[Entry]: ...

    def history(self, session: str) -> list[Record]:
        """The goals that ended or made way, oldest first."""

    def audit(self, session: str) -> list[dict[str, Any]]:
        """What was refused: `at`, `actor`, `command`, `code`, `message`, oldest first."""

    def add_exhibit(self, session: str, exhibit: Exhibit, lease: Lease | None = None) -> None:
        """Keep what a judge was shown or said. With *lease* it must be the live one; without one no
        other may be live. Of each session the exhibits of the last evaluations are kept."""

    def exhibits(self, session: str, evaluation: str | None = None) -> list[Exhibit]:
        """The session's exhibits, or those of one evaluation, oldest first."""

    def lease(self, session: str, owner: str, seconds: float) -> Lease:
        """A new lease on the session. The same owner's earlier one is fenced off by it, for who
        asks again under a name may be a successor; `renew` prolongs. Raises LeaseHeld."""

    def renew(self, lease: Lease, seconds: float) -> Lease:
        """Raises LeaseLost."""

    def release(self, lease: Lease) -> None: ...

    def take_due(self, owner: str, seconds: float, limit: int = 1) -> list[Lease]:
        """Leases on sessions whose wake is due and that nobody holds, each given to one asker."""

    def add_token(self, session: str, digest: str, seconds: float) -> str:
        """Let the token of which *digest* is the SHA-256 (the token itself is kept nowhere) speak
        for a person about the session; gives when it ends by the store's clock."""

    def has_token(self, session: str, digest: str) -> bool:
        """Was this token given for the session, and has it not ended?"""

    def now(self) -> str:
        """The time by the store's clock, which never goes back."""

    def close(self) -> None: ...
