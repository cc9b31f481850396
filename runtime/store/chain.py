"""The journal's chain: each entry's digest covers the one before it, so that nobody changes, drops
or reorders an entry without breaking all that follow."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from ..lifecycle.events import Event
from .encoding import write_event
from .port import Entry
from .rows import JournalRow


def link(digest: str, event: str) -> str:
    """The digest of an entry: SHA-256 over the *digest* before it, in hexadecimal and empty for the
    first, and the *event*'s canonical JSON."""
    return hashlib.sha256((digest + event).encode()).hexdigest()


def chained(
    number: int, digest: str, events: Iterable[Event], mutation: str
) -> Iterator[JournalRow]:
    """The *events* of a mutation as the entries after entry *number*, which has *digest*."""
    for event in events:
        text = write_event(event)
        number, digest = number + 1, link(digest, text)
        yield JournalRow(number, text, digest, mutation)


def broken_links(entries: Iterable[Entry]) -> Iterator[str]:
    """What is wrong with the chain of a whole journal, each with its entry's number."""
    digest = ""
    for number, entry in enumerate(entries, 1):
        if entry.number != number:
            yield f"entry {entry.number}: entry {number} should stand here"
            return
        if entry.digest != link(digest, write_event(entry.event)):
            yield f"entry {number}: its digest is not that of its event after the one before it"
        digest = entry.digest
