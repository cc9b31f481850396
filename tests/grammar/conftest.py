"""A test of this folder that does not end fails, so that a loop in the parser is a failed test."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

SECONDS = 20  # far beyond what the slowest test takes


class Endless(BaseException):
    """Not an Exception: no `except` of the code under test may catch it."""


@pytest.fixture(autouse=True)
def no_endless_test() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Endless(f"no end after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
