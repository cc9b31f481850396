"""The time that a goal was active, as its runtime is charged: by a clock that only grows, and with
no single span longer than a writer may be silent, so that a machine that slept is not charged."""

from __future__ import annotations

SECOND = 1_000_000_000  # nanoseconds


class Stopwatch:
    """*longest* is what one span counts at most, in seconds."""

    def __init__(self, now: float, longest: float) -> None:
        self._last = now
        self._longest = longest
        self._elapsed = 0.0

    def lap(self, now: float, *, active: bool) -> None:
        """Count the time since the last lap, if the goal was active over it."""
        span, self._last = now - self._last, now
        if active:
            self._elapsed += min(max(span, 0.0), self._longest)

    def take(self) -> int:
        """The nanoseconds that were counted since this was asked last."""
        elapsed, self._elapsed = self._elapsed, 0.0
        return int(elapsed * SECOND)
