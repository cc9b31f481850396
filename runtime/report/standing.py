"""How the goal stands and why, and what is on its way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..lifecycle.claiming import wake_at
from ..record.parts import Record
from .moments import field_of

MAX_DRIFT = 100  # files that drifted
MAX_FILES = 400  # pinned ones


@dataclass(frozen=True, slots=True)
class Standing:
    """*name* is the status, *reason* why it is so. *gone* says why the session has no goal any
    more, where *name* is how its last one ended. *drift* has what of the pinned files is not as it
    was; *rows* the rest, as named texts."""

    name: str
    ending: str | None
    reason: str | None
    since: str
    until: str | None
    gone: str | None
    sealed: bool
    drift: tuple[str, ...]
    drift_left_out: int
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A pinned file: the hash that it had when the work began, None where it could not be read."""

    path: str
    hash: str | None


@dataclass(frozen=True, slots=True)
class Pinned:
    """The first of the pinned files, by their names; *left_out* come after them."""

    files: tuple[PinnedFile, ...]
    left_out: int


def standing_of(record: Record, subject: Record, loop: Any) -> Standing:
    """How the *subject* stands, which is the *record* of now, or an earlier one where that has no
    goal."""
    status = subject.status
    drift = field_of(loop, "drift") or ()
    return Standing(
        name=status.name,
        ending=status.ending,
        reason=status.reason,
        since=status.since,
        until=status.until,
        gone=None if record.goal is not None else record.status.reason or "the goal was cleared",
        sealed=record.sealed,
        drift=tuple(drift[:MAX_DRIFT]),
        drift_left_out=len(drift[MAX_DRIFT:]),
        rows=tuple(_rows(subject, loop)),
    )


def pinned_of(gates: Any) -> Pinned:
    """The files whose hashes the record keeps as its *gates*."""
    files = [PinnedFile(path, hash) for path, hash in sorted((gates or {}).items())]
    return Pinned(tuple(files[:MAX_FILES]), len(files[MAX_FILES:]))


def _rows(record: Record, loop: Any) -> Iterator[tuple[str, str]]:
    status = record.status
    facts = field_of(record.metadata.source, "facts")
    if isinstance(facts, str):
        yield "the facts come", facts
    if status.name == "blocked":
        lifts = "with a person's next message" if status.mechanical else "when a person resumes it"
        yield "the block lifts", lifts
    if record.candidate is not None:
        yield "proposed", _reasoned(record.candidate.outcome, record.candidate.reason)
    if record.evaluation is not None:
        yield "last evaluation", _reasoned(record.evaluation.outcome, record.evaluation.reason)
    if record.pending is not None:
        count = len(record.pending.settlements)
        yield "awaits its evaluation", f"{count} settled {'run' if count == 1 else 'runs'}"
    if record.turn.state == "open":
        yield "a run is at work", f"{record.turn.run} since {record.turn.opened_at}"
    if record.claim is not None:
        claim = record.claim
        yield "continuation", f"{claim.ordinal}, {claim.state} by {claim.owner}"
    wake = wake_at(record)
    if wake is not None:
        yield "next wake", wake
    turn = field_of(loop, "turn")
    if field_of(turn, "error") or field_of(turn, "detail"):
        yield (
            "the last run stopped",
            " ".join(str(turn[name]) for name in ("stop", "error", "detail") if turn.get(name)),
        )
    for one in record.lineage:
        yield f"{one.how} from", f"{one.session}, generation {one.generation}, at {one.at}"


def _reasoned(outcome: str, reason: str | None) -> str:
    return outcome if reason is None else f"{outcome}: {reason}"
