"""A test of this folder that does not end fails, so that a loop in the parser is a failed test."""

from __future__ import annotations

import signal
from collections.abc import Generator
from types import FrameType

import pytest

SECONDS = 10  # beyond what the slowest test takes


class Endless(BaseException):
    """Not an Exception: no `except` of the code under test may catch it."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Endless


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    if not hasattr(signal, "setitimer"):
        return (yield)
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return (yield)
    except Endless:
        pytest.fail(f"no end after {SECONDS} s", pytrace=False)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
