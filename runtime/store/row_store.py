"""What every store does with its rows: versions, leases and their fences, the inbox, the journal's
chain, the audit. How rows are kept and how a transaction begins and ends is a store's own."""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from ..exhibits import Exhibit
from ..lifecycle.claiming import wake_at
from ..lifecycle.commands import Command
from ..lifecycle.events import Refusal, Step
from ..record.parts import Actor, Record
from ..record.times import DAY, SECOND, read_stamp, write_stamp
from .asked import check_limit, check_name, check_seconds
from .chain import chained
from .encoding import (
    MAX_NUMBER,
    UnreadableRow,
    as_read,
    read_audit,
    read_entry,
    read_exhibit,
    read_json,
    read_posted,
    read_record,
    read_row,
    read_time,
    write_exhibit,
    write_json,
    write_record,
)
from .port import (
    Decide,
    DecideBoth,
    Entry,
    Lease,
    LeaseHeld,
    LeaseLost,
    Posted,
    Sessions,
    Side,
    StaleVersion,
    Stored,
    StoreError,
)
from .rows import AuditRow, InboxRow, JournalRow, Locked, Row, Rows

MAX_AUDITED = 4096  # characters of a refused command that the audit keeps, and of what was said

_T = TypeVar("_T")


class RowStore(ABC):
    """A Store over rows. A transaction that fails is done again where the failure is one that
    passes, also where it is not known whether it was done: each is written so that it can be."""

    _place = ""  # what a message about a row begins with

    @abstractmethod
    def _write(self, work: Callable[[Rows], _T]) -> _T:
        """Do *work* in one transaction, which is durable then. Nothing of it is there where it
        raises."""

    @abstractmethod
    def _read(self, work: Callable[[Rows], _T]) -> _T:
        """Do *work*, one query."""

    @abstractmethod
    def _snapshot(self, work: Callable[[Rows], _T]) -> _T:
        """Do *work*, several queries, which see the rows of one moment."""

    @abstractmethod
    def close(self) -> None: ...

    # --- reading

    def get(self, session: str) -> Stored | None:
        check_name(session, "session")

        def work(rows: Rows) -> Stored | None:
            found = rows.get(session)
            return None if found is None or found[0].record is None else _stored(*found)

        return self._read(work)

    def snapshot(self, session: str) -> tuple[Stored, list[Entry]] | None:
        check_name(session, "session")

        def work(rows: Rows) -> tuple[Stored, list[Entry]] | None:
            found = rows.get(session)
            if found is None or found[0].record is None:
                return None
            entries = rows.journal(session, 0, None)
            return _stored(*found), [read_entry(session, row) for row in entries]

        return self._snapshot(work)

    def sessions(self) -> Sessions:
        def work(rows: Rows) -> Sessions:
            sessions = Sessions([], {})
            for row, monitor in rows.all():
                try:
                    sessions.stored.append(_stored(row, monitor))
                except UnreadableRow as error:
                    sessions.unreadable[str(row.session)] = f"{self._place}{error}"
            return sessions

        return self._read(work)

    def inbox(self, session: str) -> list[Posted]:
        check_name(session, "session")

        def work(rows: Rows) -> list[Posted]:
            waiting = _postings(session, rows.inbox(session))
            return [posted for _, posted in waiting if isinstance(posted, Posted)]

        return self._read(work)

    def journal(self, session: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        check_name(session, "session")

        def work(rows: Rows) -> list[Entry]:
            entries = rows.journal(session, min(max(after, 0), MAX_NUMBER), limit)
            return [read_entry(session, row) for row in entries]

        if limit is not None:
            check_limit(limit)
        return self._read(work)

    def history(self, session: str) -> list[Record]:
        check_name(session, "session")

        def work(rows: Rows) -> list[Record]:
            return [read_record(session, text, None) for text in rows.history(session)]

        return self._read(work)

    def audit(self, session: str) -> list[dict[str, Any]]:
        check_name(session, "session")
        return self._read(lambda rows: [read_audit(session, row) for row in rows.audit(session)])

    # --- mutations

    def mutate(
        self, session: str, decide: Decide, *, lease: Lease | None = None,
        version: int | None = None, breaking: bool = False,
    ) -> Stored:  # fmt: skip
        check_name(session, "session")
        attempt = _Attempt()

        def work(rows: Rows) -> Stored | Refusal | LeaseLost | LeaseHeld:
            locked = _lock(rows, session)
            if attempt.happened(rows, session):
                return attempt.outcome[0]
            barred = None if breaking else _check_writer(rows, locked, session, lease)
            if barred is not None:
                return barred
            if version is not None and locked.row.version != version:
                raise StaleVersion(
                    f"session {session} is at version {locked.row.version}, not {version}: it "
                    "changed since it was read; read it again and decide anew"
                )
            record, posted = _side(rows, locked)
            try:
                step = decide(record, posted, locked.at)
            except Refusal as refusal:
                _refuse(rows, locked, refusal)
                return refusal
            if breaking and locked.row.owner is not None:
                locked = replace(locked, row=_end_lease(rows, locked, token=locked.row.token + 1))
            change = _Change(locked, record, step, attempt.id)
            change.keep(rows, posted)
            attempt.outcome, attempt.entries = [change.stored], change.entries
            return change.stored

        return _outcome(self._write(work))

    def mutate_both(
        self, first: str, second: str, decide: DecideBoth, *, lease: Lease | None = None
    ) -> tuple[Stored, Stored]:
        check_name(first, "session")
        check_name(second, "session")
        if first == second:
            raise StoreError(f"session {first} is named twice: a goal moves between two sessions")
        attempt = _Attempt()

        def work(rows: Rows) -> tuple[Stored, Stored] | Refusal | LeaseLost | LeaseHeld:
            # Always in one order, so that two of them never wait for each other.
            locked = {session: _lock(rows, session) for session in sorted((first, second))}
            if attempt.happened(rows, first):
                return attempt.outcome[0], attempt.outcome[1]
            barred = _check_writer(rows, locked[first], first, lease)
            barred = barred or _check_writer(rows, locked[second], second, None)
            if barred is not None:
                return barred
            at = max(each.at for each in locked.values())
            sides = [_side(rows, locked[session]) for session in (first, second)]
            try:
                steps = decide(sides[0], sides[1], at)
            except Refusal as refusal:
                _refuse(rows, locked[first], refusal)
                return refusal
            changes = [
                _Change(replace(locked[session], at=at), side.record, step, attempt.id)
                for session, side, step in zip((first, second), sides, steps, strict=True)
            ]
            for change, side in zip(changes, sides, strict=True):
                change.keep(rows, side.inbox)
            attempt.outcome = [change.stored for change in changes]
            attempt.entries = changes[0].entries
            return changes[0].stored, changes[1].stored

        return _outcome(self._write(work))

    def post(self, session: str, command: Command, actor: Actor) -> Posted:
        check_name(session, "session")
        text, id = write_json(command, f"the command `{command.kind}`"), uuid.uuid4().hex

        def work(rows: Rows) -> Posted:
            at = rows.time()
            # What was taken is kept for a day, so that a posting of which the answer was lost is
            # not made twice.
            rows.forget_taken(write_stamp(read_stamp(at) - DAY))
            posted = rows.post(id, session, text, actor, at)
            return as_read(lambda: read_posted(session, posted))

        return self._write(work)

    # --- exhibits

    def add_exhibit(self, session: str, exhibit: Exhibit, lease: Lease | None = None) -> None:
        check_name(session, "session")
        check_name(exhibit.evaluation, "evaluation")
        text, id = write_exhibit(exhibit), uuid.uuid4().hex

        def work(rows: Rows) -> LeaseLost | LeaseHeld | None:
            barred = _check_writer(rows, _lock(rows, session), session, lease)
            if barred is None:
                rows.file(id, session, exhibit.evaluation, exhibit.kind, text)
            return barred

        _outcome(self._write(work))

    def exhibits(self, session: str, evaluation: str | None = None) -> list[Exhibit]:
        check_name(session, "session")

        def work(rows: Rows) -> list[Exhibit]:
            return [read_exhibit(session, row) for row in rows.exhibits(session, evaluation)]

        return self._read(work)

    # --- leases

    def lease(self, session: str, owner: str, seconds: float) -> Lease:
        check_name(session, "session")
        check_name(owner, "owner")
        check_seconds(seconds)

        def work(rows: Rows) -> Lease | LeaseHeld:
            locked = _lock(rows, session)
            row = locked.row
            if _is_live(row, locked.at) and row.owner != owner:
                return _held(row)
            return _grant(rows, row, owner, row.token + 1, locked.at, seconds)

        return _outcome(self._write(work))

    def renew(self, lease: Lease, seconds: float) -> Lease:
        check_seconds(seconds)

        def work(rows: Rows) -> Lease | LeaseLost | LeaseHeld:
            locked = _lock(rows, lease.session)
            barred = _check_writer(rows, locked, lease.session, lease)
            if barred is not None:
                return barred
            return _grant(rows, locked.row, lease.owner, lease.token, locked.at, seconds)

        return _outcome(self._write(work))

    def release(self, lease: Lease) -> None:
        def work(rows: Rows) -> None:
            locked = _lock(rows, lease.session)
            if (locked.row.owner, locked.row.token) == (lease.owner, lease.token):
                _end_lease(rows, locked)

        self._write(work)

    def take_due(self, owner: str, seconds: float, limit: int = 1) -> list[Lease]:
        check_name(owner, "owner")
        check_seconds(seconds)
        check_limit(limit)

        def work(rows: Rows) -> list[Lease]:
            at = rows.time()
            return [
                _grant(rows, row, owner, row.token + 1, at, seconds)
                for row in _due(rows, at, limit)
            ]

        return self._write(work)

    # --- tokens and time

    def add_token(self, session: str, digest: str, seconds: float) -> str:
        check_name(session, "session")
        check_name(digest, "token's digest")
        check_seconds(seconds)

        def work(rows: Rows) -> str:
            at = rows.time()
            rows.drop_tokens(at)
            expires_at = _later(at, seconds)
            rows.save_token(session, digest, expires_at)
            return expires_at

        return self._write(work)

    def has_token(self, session: str, digest: str) -> bool:
        check_name(session, "session")
        check_name(digest, "token's digest")

        def work(rows: Rows) -> bool:
            at = rows.time()
            expires_at = rows.token(session, digest)
            if expires_at is None:
                return False
            if read_time(expires_at, f"a token of session {session}") <= at:
                rows.drop_tokens(at)  # so that no clock that goes back lets it speak again
                return False
            return True

        return self._write(work)

    def now(self) -> str:
        def work(rows: Rows) -> str:
            at = rows.time()
            rows.save_time(at)
            return at

        return self._write(work)


class _Attempt:
    """What a mutation wrote when it was last tried. Where the answer to that is lost, its first
    entry in the journal says whether it happened: no other mutation's has its id."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self.outcome: list[Stored] = []
        self.entries: list[JournalRow] = []

    def happened(self, rows: Rows, session: str) -> bool:
        if not self.entries:
            return False
        first = self.entries[0]
        return [first] == rows.journal(session, first.number - 1, 1)


class _Change:
    """What a step makes of a locked row. Everything is text, and was read again, before anything is
    written."""

    def __init__(self, locked: Locked, record: Record, step: Step, mutation: str) -> None:
        row, at = locked.row, locked.at
        if step.record.session != row.session:
            raise ValueError(f"the decision for {row.session} gave {step.record.session}'s record")
        self.before, self.monitor_before, self.after = row, locked.monitor, row
        self.record = record
        self.refusals = [
            _audit_row(each.at, each.actor, each.command, each.code, each.message)
            for each in step.refused
        ]
        self.archived = [_archived(row.session, each) for each in step.archived]
        self.entries = list(chained(row.events, row.digest, step.events, mutation))
        for entry in self.entries:
            as_read(partial(read_entry, row.session, entry))
        self.monitor = locked.monitor
        if self.entries or step.record != record:
            text, self.monitor = write_record(step.record)
            self.record = as_read(lambda: read_record(row.session, text, self.monitor))
            self.after = replace(
                row, version=row.version + 1, record=text, events=row.events + len(self.entries),
                digest=self.entries[-1].digest if self.entries else row.digest,
                updated_at=at, wake_at=wake_at(self.record), seen_at=at,
            )  # fmt: skip

    @property
    def stored(self) -> Stored:
        return Stored(self.record, self.after.version)

    def keep(self, rows: Rows, posted: Sequence[Posted]) -> None:
        session = self.before.session
        if posted:
            rows.take([each.number for each in posted])
        if self.refusals:
            rows.note(session, self.refusals)
        if self.archived:
            rows.archive(session, self.archived)
        if self.entries:
            rows.append(session, self.entries)
        if self.monitor != self.monitor_before:
            rows.save_monitor(session, self.monitor)
        if self.after != self.before:
            rows.save(self.before, self.after)


def _lock(rows: Rows, session: str) -> Locked:
    locked = rows.lock(session)
    read_row(locked.row)
    return locked


def _due(rows: Rows, at: str, limit: int) -> list[Row]:
    """The rows to wake. One that cannot be read is passed over: it keeps no other asleep."""
    asked = limit
    while True:
        found = rows.due(at, asked)
        readable = [row for row in found if _is_readable(row)]
        if len(readable) >= limit or len(found) < asked:
            return readable[:limit]
        asked += limit


def _is_readable(row: Row) -> bool:
    try:
        read_row(row)
    except UnreadableRow:
        return False
    return True


def _side(rows: Rows, locked: Locked) -> Side:
    """The record, and the commands that wait. One that cannot be read (an older goalspec does not
    know it, or somebody edited it) is told to the audit and taken out: it must shut nobody out."""
    session = locked.row.session
    record = read_record(session, locked.row.record, locked.monitor)
    inbox = []
    for row, posted in _postings(session, rows.inbox(session) if locked.waiting else ()):
        if isinstance(posted, Posted):
            inbox.append(posted)
        else:
            rows.note(session, [_audit_row(locked.at, None, None, "bad_command", str(posted))])
            rows.take([row.number])
    return Side(record, inbox)


def _postings(
    session: str, waiting: Iterable[InboxRow]
) -> Iterator[tuple[InboxRow, Posted | UnreadableRow]]:
    for row in waiting:
        try:
            yield row, read_posted(session, row)
        except UnreadableRow as error:
            yield row, error


def _archived(session: str, record: Record) -> str:
    text = write_json(record, f"the goal of session {session} that made way")
    as_read(lambda: read_record(session, text, None))
    return text


def _stored(row: Row, monitor: str | None) -> Stored:
    return Stored(read_record(row.session, read_row(row).record, monitor), row.version)


def _outcome(outcome: _T | Refusal | LeaseLost | LeaseHeld) -> _T:
    """What a transaction came to. A refusal that leaves a trace, if only that the time was asked
    for, is raised after the trace is durable."""
    if isinstance(outcome, Refusal | LeaseLost | LeaseHeld):
        raise outcome
    return outcome


def _refuse(rows: Rows, locked: Locked, refusal: Refusal) -> None:
    line = _audit_row(locked.at, refusal.actor, refusal.command, refusal.code, str(refusal))
    rows.note(locked.row.session, [line])
    rows.save(locked.row, replace(locked.row, seen_at=locked.at))


def _audit_row(
    at: str, actor: Actor | None, command: Command | None, code: str, message: str
) -> AuditRow:
    """A line of the audit. A command may be refused since it is not JSON, or could not be read
    again; then it is left out. Of a long one only its kind is kept, and of a message the beginning,
    in characters that every store can keep."""
    text = None
    if command is not None:
        with suppress(StoreError):
            written = write_json(command, "the refused command")
            if len(written) > MAX_AUDITED:
                written = write_json({"kind": command.kind}, "the refused command's kind")
            read_json(written, "the refused command")
            text = written
    said = message.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
    cut = said if len(said) <= MAX_AUDITED else f"{said[: MAX_AUDITED - 1]}…"
    return AuditRow(at, actor, text, code, cut)


# --- leases


def _is_live(row: Row, at: str) -> bool:
    return row.expires_at is not None and at < row.expires_at


def _held(row: Row) -> LeaseHeld:
    owner, until = row.owner or "", row.expires_at or ""
    return LeaseHeld(
        f"session {row.session} has a live writer, {owner}, until {until}: wait until then, post "
        "the command to its inbox, or break the lease by a person's pause or clear",
        owner,
        until,
    )


def _check_writer(
    rows: Rows, locked: Locked, session: str, lease: Lease | None
) -> LeaseLost | LeaseHeld | None:
    """What bars the row from being written under *lease*, to be raised once what it leaves is
    durable: a lease found to be over is ended for good, so that no clock that goes back makes it
    live again."""
    row = locked.row
    if lease is None:
        if _is_live(row, locked.at):
            return _held(row)
        return None
    if lease.session != session:
        return LeaseLost(f"the lease is of session {lease.session}, not of {session}")
    if (row.owner, row.token) != (lease.owner, lease.token):
        now = "nobody has it" if row.owner is None else f"{row.owner} has it, token {row.token}"
        return LeaseLost(
            f"the lease of {lease.owner} on session {session} (token {lease.token}) was broken or "
            f"given on, and now {now}: nothing was written; take a new lease and read again"
        )
    if _is_live(row, locked.at):
        return None
    _end_lease(rows, locked)
    return LeaseLost(
        f"the lease of {lease.owner} on session {session} (token {lease.token}) ended at "
        f"{row.expires_at}, and it is {locked.at}: nothing was written; take a new lease and read "
        "again"
    )


def _grant(rows: Rows, row: Row, owner: str, token: int, at: str, seconds: float) -> Lease:
    expires_at = _later(at, seconds)
    rows.save(row, replace(row, owner=owner, token=token, expires_at=expires_at, seen_at=at))
    return Lease(row.session, owner, token, expires_at)


def _end_lease(rows: Rows, locked: Locked, token: int | None = None) -> Row:
    row = locked.row
    ended = replace(
        row, owner=None, expires_at=None, token=row.token if token is None else token,
        seen_at=locked.at,
    )  # fmt: skip
    rows.save(row, ended)
    return ended


def _later(at: str, seconds: float) -> str:
    return write_stamp(read_stamp(at) + round(seconds * SECOND))
