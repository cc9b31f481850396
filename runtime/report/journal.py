"""The journal as the page has it: what happened, in words, and which values it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..sinks.kinds import KINDS
from .moments import Moment
from .texts import Text, said

FIRST, LAST = 200, 800  # entries that are shown; those between are left out
MAX_PROBLEMS = 20
MAX_CHANGES = 16  # of an entry
MAX_VALUE = 400  # characters of a value

_UNSAID = "updated_at"  # every entry changes it


@dataclass(frozen=True, slots=True)
class Change:
    """A value of the record at *path*, before and after; None where it was empty, or none."""

    path: str
    before: Text | None
    after: Text | None


@dataclass(frozen=True, slots=True)
class Line:
    """An entry: *words* say what its *kind* means; *details* stand beside the changes, of which
    *left_out* are not here."""

    number: int
    at: str
    actor: str
    kind: str
    words: str
    details: tuple[tuple[str, Text], ...]
    changes: tuple[Change, ...]
    left_out: int
    digest: str


@dataclass(frozen=True, slots=True)
class Journal:
    """The *first* lines and the *last*; *left_out* are between them. *problems* are what is wrong
    with the whole: its chain is broken, or the record is not what it makes."""

    entries: int
    digest: str | None
    problems: tuple[str, ...]
    problems_left_out: int
    first: tuple[Line, ...]
    last: tuple[Line, ...]
    left_out: int


def journal_of(moments: Sequence[Moment], problems: Sequence[str]) -> Journal:
    few = len(moments) <= FIRST + LAST
    first, last = (moments, ()) if few else (moments[:FIRST], moments[-LAST:])
    return Journal(
        entries=len(moments),
        digest=moments[-1].entry.digest if moments else None,
        problems=tuple(problems[:MAX_PROBLEMS]),
        problems_left_out=len(problems[MAX_PROBLEMS:]),
        first=tuple(map(_line, first)),
        last=tuple(map(_line, last)),
        left_out=len(moments) - len(first) - len(last),
    )


def _line(moment: Moment) -> Line:
    event = moment.event
    changes = (
        Change(path, _value(before), _value(after))
        for name in event.changes
        if name != _UNSAID
        for path, before, after in differences(moment.before.get(name), moment.after[name], name)
    )
    shown = tuple(islice(changes, MAX_CHANGES))
    return Line(
        number=moment.number,
        at=event.at,
        actor=event.actor,
        kind=event.kind,
        words=KINDS[event.kind].words,
        details=tuple((name, said(value, MAX_VALUE)) for name, value in event.details.items()),
        changes=shown,
        left_out=sum(1 for _ in changes),
        digest=moment.entry.digest,
    )


def differences(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """The innermost values that differ, each with its path: what objects have in common is left
    out, and a list is one value."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {**before, **after}:
            yield from differences(before.get(key), after.get(key), f"{path}.{key}")
    elif before != after:
        yield path, before, after


def _value(value: Any) -> Text | None:
    return None if value in (None, "") else said(value, MAX_VALUE)
