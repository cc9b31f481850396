"""The times of a record: RFC 3339 in UTC with six digits after the second, so that they are of one
width and compare as text. Inside a computation a time is whole microseconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

SECOND = 1_000_000
DAY = 86_400 * SECOND

# Years 1000 to 2999: a time plus anything that the lifecycle adds to it stays a time.
_STAMP = re.compile(r"[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class BadTime(ValueError):
    """A text that is no time of a record."""


def stamp(time: datetime) -> str:
    """*time*, which has a zone, as a record has it."""
    if time.tzinfo is None:
        raise BadTime(f"the time {time.isoformat()} has no zone: give it in UTC")
    return write_stamp((time - _EPOCH) // _MICROSECOND)


def write_stamp(microseconds: int) -> str:
    time = _EPOCH + timedelta(microseconds=microseconds)
    return f"{time:%Y-%m-%dT%H:%M:%S.%f}Z"


def read_stamp(text: str) -> int:
    """Raises BadTime."""
    if _STAMP.fullmatch(text) is not None:
        try:
            time = datetime.fromisoformat(text)
        except ValueError:
            pass  # no such day, or hour
        else:
            return (time - _EPOCH) // _MICROSECOND
    raise BadTime(
        f"`{text}` is not a time in UTC with six digits after the second: "
        "write 2026-03-01T12:00:00.000000Z"
    )


def is_stamp(text: str) -> bool:
    try:
        read_stamp(text)
    except BadTime:
        return False
    return True
