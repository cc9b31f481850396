"""What the shape of a host is: how a row of its transcript reads as messages, and is written again.

Writing gives back what was read, whatever JSON it was. What does not fit a shape is carried whole
under one key, by which writing knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

UNREAD = "goalspec:unread"
JOINED = "goalspec:joined"  # in a message: it is of one row with the message before it


@dataclass(frozen=True, slots=True)
class Shape:
    """*read* gives a row's messages, at least one, of which all but the first are JOINED; *write*
    gives the row of such messages again, or the rows that one made elsewhere comes to."""

    name: str
    summary: str
    read: Callable[[Any], list[Any]]
    write: Callable[[Sequence[Any]], list[Any]]

    def messages(self, rows: Iterable[Any]) -> list[Any]:
        """The transcript of a host in the common shape."""
        return [message for row in rows for message in self.read(row)]

    def rows(self, messages: Iterable[Any]) -> list[Any]:
        """A transcript in the host's shape; what `messages` made is as it was before."""
        return [row for group in grouped(messages) for row in self.write(group)]


def grouped(messages: Iterable[Any]) -> Iterator[list[Any]]:
    """The messages of each row. One that lost what it was joined to is a row of its own."""
    group: list[Any] = []
    for message in messages:
        joined = isinstance(message, dict) and message.get(JOINED) is True
        if group and not (joined and _joinable(group[-1]) and _joinable(message)):
            yield group
            group = []
        group.append(message)
    if group:
        yield group


def row_of(messages: Sequence[Any], place: int) -> int:
    """The place of the row that the message at *place* is of."""
    return sum(1 for _ in grouped(messages[: place + 1])) - 1


def _joinable(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("user", "tool")


def one(read: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    """*read* for a shape in which each row is one message."""
    return lambda row: [read(row)]


def single(write: Callable[[Any], Any]) -> Callable[[Sequence[Any]], list[Any]]:
    """*write* for a shape in which each row is one message."""
    return lambda messages: [write(messages[0])]


def unread(value: Any, **shown: Any) -> dict[str, Any]:
    """*value*, carried whole, and what is *shown* of it."""
    return {**shown, UNREAD: value}


def is_unread(value: Any) -> bool:
    return isinstance(value, dict) and UNREAD in value


COMMON = Shape("common", "the common chat shape itself", one(lambda row: row), single(lambda m: m))
