"""What a store keeps of a session, as text, and what a transaction can do with it. `RowStore` has
the rules; a kind of store has nothing but these rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

MAX_REFUSALS = 1000  # that the audit keeps of a session: who is refused in a loop fills no disk
MAX_EVALUATIONS = 64  # of a session whose exhibits are kept


@dataclass(frozen=True, slots=True)
class Row:
    """A session's row: its record after the last event, and its writer's lease.

    The lease stands in the row, so that one lock covers the write and the right to it. The record
    is kept whole rather than as snapshots with a tail of events: it is bounded, so a mutation reads
    one row however long the journal is, and the journal's events have their outcome for replay.
    """

    session: str
    version: int = 0
    record: str | None = None  # without the monitor's state; None until the first mutation
    events: int = 0  # in the journal
    digest: str = ""  # of the journal's last entry
    updated_at: str = ""
    wake_at: str | None = None
    owner: str | None = None
    token: int = 0
    expires_at: str | None = None
    seen_at: str = ""  # the store's time at the last write: no later transaction is before it


@dataclass(frozen=True, slots=True)
class Locked:
    """A session's row, which nobody else can write now, and as it was found then: the store's time,
    the monitor's state, and whether a command waits in the inbox. The monitor's state stands in a
    row of its own, since it is large and changes less often."""

    row: Row
    at: str
    monitor: str | None
    waiting: bool


@dataclass(frozen=True, slots=True)
class InboxRow:
    number: int
    command: str
    actor: str
    at: str


@dataclass(frozen=True, slots=True)
class JournalRow:
    number: int
    event: str
    digest: str
    mutation: str  # the id of the one that wrote it


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A refusal; actor and command are None where the decision did not say them."""

    at: str
    actor: str | None
    command: str | None
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ExhibitRow:
    number: int
    evaluation: str
    kind: str
    content: str


class Rows(Protocol):
    """The rows in one transaction. What is written is there after it, or none of it is."""

    def lock(self, session: str) -> Locked:
        """A session that is unknown gets an empty row."""

    def time(self) -> str:
        """The store's time: its clock's, but never before what was seen."""

    def save_time(self, at: str) -> None: ...

    def save(self, before: Row, after: Row) -> None: ...

    def save_monitor(self, session: str, monitor: str | None) -> None: ...

    def get(self, session: str) -> tuple[Row, str | None] | None: ...

    def all(self) -> list[tuple[Row, str | None]]: ...

    def due(self, at: str, limit: int) -> list[Row]:
        """The rows to wake that nobody holds, the longest due first; they are locked, and those
        that another transaction has are passed over."""

    def append(self, session: str, entries: Sequence[JournalRow]) -> None: ...

    def journal(self, session: str, after: int, limit: int | None) -> list[JournalRow]: ...

    def archive(self, session: str, records: Iterable[str]) -> None: ...

    def history(self, session: str) -> list[str]: ...

    def note(self, session: str, refusals: Iterable[AuditRow]) -> None:
        """Of a session the last MAX_REFUSALS are kept."""

    def audit(self, session: str) -> list[AuditRow]: ...

    def post(self, id: str, session: str, command: str, actor: str, at: str) -> InboxRow:
        """What waits now. A second posting under the same *id* is the first one."""

    def inbox(self, session: str) -> list[InboxRow]: ...

    def take(self, numbers: Sequence[int]) -> None:
        """Take these commands out of the inbox."""

    def forget_taken(self, before: str) -> None:
        """Forget the commands taken that were posted before *before*."""

    def file(self, id: str, session: str, evaluation: str, kind: str, content: str) -> None:
        """Of a session the exhibits of the last MAX_EVALUATIONS are kept. A second filing under the
        same *id* is the first one."""

    def exhibits(self, session: str, evaluation: str | None) -> list[ExhibitRow]: ...

    def save_token(self, session: str, digest: str, expires_at: str) -> None: ...

    def token(self, session: str, digest: str) -> str | None:
        """When it ends."""

    def drop_tokens(self, at: str) -> None:
        """Forget the tokens that ended by *at*."""
