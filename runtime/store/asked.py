"""What a store is asked for, where every kind of store could keep it."""

from __future__ import annotations

from .port import StoreError

MAX_SECONDS = 366 * 86_400  # of a lease or a token
MAX_NAME = 500  # characters of a session's name, an owner's, an evaluation's or a token's digest
MAX_LIMIT = 10**6  # of entries or leases that are asked for at once


def check_name(name: str, what: str) -> None:
    """A name is a key in every store: PostgreSQL keeps no NUL, and an index no long text."""
    is_text = isinstance(name, str) and name.isprintable() and name.strip() == name
    if not is_text or not 0 < len(name) <= MAX_NAME:
        raise StoreError(
            f"{_said(name)} is no {what}: give 1 to {MAX_NAME} printable characters, without "
            "white space around them"
        )


def check_seconds(seconds: float) -> None:
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not (is_number and 0 < seconds <= MAX_SECONDS):
        raise StoreError(
            f"{_said(seconds)} is no span of seconds: give more than 0, {MAX_SECONDS} at most"
        )


def check_limit(limit: int) -> None:
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= MAX_LIMIT:
        raise StoreError(f"{_said(limit)} is no limit: give 0 to {MAX_LIMIT}")


def _said(value: object) -> str:
    """A value of any kind as a message quotes it."""
    return ascii(value)[:60]
