"""When a record next has something to do by itself."""

from __future__ import annotations

from ..record.parts import Record


def wake_at(record: Record) -> str | None:
    """The earliest of a park's end, a deferred claim's retry and a claim's expiry."""
    claim = record.claim
    return min(
        (
            time
            for time in (
                record.status.until,
                claim and (claim.retry_at if claim.state == "deferred" else claim.expires_at),
            )
            if time
        ),
        default=None,
    )
