"""The one layer of commands over a store: what the command line, hooks and tools ask of goals.

A command that came while another writer had the session waits in the inbox; the inbox is applied
in order before anything else. A person's pause and clear wait for nobody.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from .compaction import GoalState, Unreadable
from .compaction.goal_state import State
from .lifecycle import Command, Refusal, Step, adopt, decide, fork, replay
from .lifecycle.commands import Cancel, Clear, Pause, Reset
from .lifecycle.events import Refused
from .lifecycle.importing import import_record
from .record import Actor, BadRecord, Record, Turn, read_record, write_record
from .record.foreign import Imported, read_foreign
from .record.reading import read_object
from .store.chain import broken_links
from .store.port import Decide, Entry, Lease, LeaseHeld, Posted, Side, Store, Stored, StoreError

_AT_ONCE = (Pause, Clear, Reset, Cancel)

_Then: TypeAlias = Callable[[Record, str], Step]


class Goals:
    """The goals in *store*. Every method may raise Refusal, which changes nothing, and
    StoreError."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def record(self, session: str) -> Record:
        """The session's record, as it is."""
        stored = self.store.get(session)
        if stored is None:
            raise _unknown(session)
        return stored.record

    def expected(self, session: str) -> Record:
        """The session's record as it is once what waits in the inbox is done: an empty one where
        there is none."""
        stored = self.store.get(session)
        record = Record(session=session) if stored is None else stored.record
        return _drained(record, self.store.inbox(session), self.store.now()).record

    def perform(
        self, session: str, command: Command, actor: Actor, lease: Lease | None = None
    ) -> Stored | Posted:
        """Apply *command*. Where another writer is alive, a person's command that would hold after
        what waits already is posted to it, or, where it stops the work, breaks that writer's lease
        and is applied at once; anybody else's is refused."""

        def asked(record: Record, now: str) -> Step:
            try:
                return decide(record, command, actor, now)
            except Refusal as refusal:
                refusal.command, refusal.actor = command, actor
                raise

        try:
            return self._apply(session, asked, lease)
        except LeaseHeld:
            if actor != "person":
                raise
        if isinstance(command, _AT_ONCE):
            return self.store.mutate(session, after_inbox(asked), breaking=True)
        asked(self.expected(session), self.store.now())
        return self.store.post(session, command, actor)

    def take_inbox(self, session: str, lease: Lease | None = None) -> Stored:
        """Apply what waits in the inbox."""
        return self.store.mutate(session, after_inbox(None), lease=lease)

    def fork(self, parent: str, session: str, actor: Actor, *, carry: bool) -> Stored:
        """Give *session*, which is new, an isolated copy of its parent's goal."""
        source = self.record(parent)

        def forked(record: Record, now: str) -> Step:
            _need_person(actor, "fork a session's goal")
            return fork(source, record, session, carry, now)

        return self._apply(session, forked, None)

    def adopt(
        self, source: str, session: str, actor: Actor, lease: Lease | None = None
    ) -> tuple[Stored, Stored]:
        """Carry a goal over from a session that this one succeeds; both records, *session*'s
        first."""
        self.record(source)

        def adopted(into: Side, old: Side, now: str) -> tuple[Step, Step]:
            _need_person(actor, "adopt a session's goal")
            before = _drained(into.record, into.inbox, now)
            waited = _drained(old.record, old.inbox, now)
            taken, left = adopt(waited.record, before.record, session, now)
            return joined(before, taken), joined(waited, left)

        return self.store.mutate_both(session, source, adopted, lease=lease)

    def export(self, session: str) -> dict[str, Any]:
        """The session's record as JSON values."""
        return write_record(self.record(session))

    def import_(
        self, session: str, source: str | bytes | Mapping[str, Any], actor: Actor, *,
        over: bool = False,
    ) -> tuple[Stored, tuple[str, ...]]:  # fmt: skip
        """Give *session* the goal of a record that was exported, here or by another tool; with
        notes of what could not be carried. Raises BadRecord too."""
        imported = read_exported(source, session)

        def asked(record: Record, now: str) -> Step:
            return import_record(record, imported.record, actor, now, over=over)

        stored = self._apply(session, asked, None)
        return stored, (*imported.notes, *_left_behind(imported.record, stored.record))

    def issue_token(self, session: str, seconds: float) -> tuple[str, str]:
        """A new token, which speaks for a person about *session*, and when it ends. It is kept
        nowhere but where it is taken to."""
        token = secrets.token_urlsafe(32)
        return token, self.store.add_token(session, _digest(token), seconds)

    def has_token(self, session: str, token: str) -> bool:
        """Does *token* speak for a person about *session*?"""
        return self.store.has_token(session, _digest(token))

    def state(self, session: str) -> State:
        """What a compaction's boundary is to know of the session. A session without a record is
        unreadable too: nobody can tell whether the store is the right one."""
        try:
            return goal_state(self.record(session))
        except (StoreError, Refusal) as error:
            return Unreadable(str(error))

    def check_journal(self, session: str) -> list[str]:
        """What is wrong with the session's journal."""
        return journal_problems(*self.recorded(session))

    def recorded(self, session: str) -> tuple[Record, list[Entry]]:
        """The session's record and its journal, of one moment."""
        found = self.store.snapshot(session)
        if found is None:
            raise _unknown(session)
        stored, entries = found
        return stored.record, entries

    def _apply(self, session: str, then: _Then, lease: Lease | None) -> Stored:
        try:
            return self.store.mutate(session, after_inbox(then), lease=lease)
        except Refusal:
            if self.store.inbox(session):  # which the refusal left where it was
                self.take_inbox(session, lease)
            raise


def journal_problems(record: Record, entries: Sequence[Entry]) -> list[str]:
    """What is wrong with a whole journal: its chain is broken, or the *record* of the same moment
    is not what its events make of it."""
    broken = list(broken_links(entries))
    if broken:
        return broken
    try:
        replayed = replay((entry.event for entry in entries), record.session)
    except BadRecord as error:
        return list(error.problems)
    return list(_differences(replayed, record))


def goal_state(record: Record) -> GoalState | None:
    """How the record's goal stands, for a compaction's boundary."""
    if record.goal is None:
        return None
    until = record.status.until
    return GoalState(
        record.goal, record.status.name, record.generation,
        None if until is None else datetime.fromisoformat(until),
    )  # fmt: skip


def read_exported(source: str | bytes | Mapping[str, Any], session: str) -> Imported:
    """A record in its own form or in one of other tools'. Raises BadRecord."""
    values = read_object(source)
    if "record_version" in values:
        return Imported(read_record(values), ())
    return read_foreign(values, session)


def _left_behind(imported: Record, record: Record) -> Iterator[str]:
    """What of an imported record is otherwise here, but for the notes of reading it."""
    if imported.status.name != record.status.name:
        yield f"status: it was {imported.status.name}, and is paused until a person resumes it"
    for name in ("turn", "candidate", "pending", "claim"):
        if getattr(imported, name) not in (None, Turn()):
            yield f"{name}: it was of the session that it came from, and is left out"


def _differences(replayed: Record, record: Record) -> Iterator[str]:
    for name in Record.field_names:
        if getattr(replayed, name) != getattr(record, name):
            yield f"{name}: the record has another value than its journal makes"


def _unknown(session: str) -> Refusal:
    return Refusal(
        "unknown_session",
        f"the store has no session `{session}`: look at the sessions that it has (`goal show` "
        "without one), or at the store's URL",
    )


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def _need_person(actor: Actor, what: str) -> None:
    if actor != "person":
        raise Refusal("not_a_person", f"only a person may {what}")


def after_inbox(then: _Then | None) -> Decide:
    """A decision over the inbox, in order, then over what is asked. A command of the inbox that is
    refused is told to the audit and stops nothing."""

    def decision(record: Record, inbox: Sequence[Posted], now: str) -> Step:
        step = _drained(record, inbox, now)
        return step if then is None else joined(step, then(step.record, now))

    return decision


def _drained(record: Record, inbox: Sequence[Posted], now: str) -> Step:
    """What the commands of the inbox come to, in their order."""
    step = Step(record=record)
    for posted in inbox:
        try:
            step = joined(step, decide(step.record, posted.command, posted.actor, now))
        except Refusal as refusal:
            refused = Refused(
                at=now, actor=posted.actor, command=posted.command, code=refusal.code,
                message=str(refusal),
            )  # fmt: skip
            step = joined(step, Step(record=step.record, refused=(refused,)))
    return step


def joined(first: Step, second: Step) -> Step:
    """Two steps as one."""
    return Step(
        record=second.record,
        events=first.events + second.events,
        archived=first.archived + second.archived,
        refused=first.refused + second.refused,
    )
