"""Running a command for what it tells: within its time, where that is allowed, and with the reason
where it told nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..processes import Finished, NotStarted, run_command, untrusted_environment
from .answers import MAX_FACTS

TIMEOUT = 600.0  # seconds, where nobody says
_MILLISECOND = 10**6


class Untold(Exception):
    """A command that told nothing, and why."""


@dataclass(frozen=True, slots=True)
class Told:
    """A command that came to its own end. *took* is in nanoseconds, of whole milliseconds."""

    done: Finished
    took: int


async def told_by(command: Sequence[str], folder: Path, timeout: float, allow_run: bool) -> Told:
    """What *command* tells, run in *folder*. Raises Untold where it may not run, does not start, is
    killed, runs out of its *timeout* in seconds, or prints too much."""
    if not command:
        raise Untold("the command is empty")
    name = f"`{' '.join(command)}`"
    if not allow_run:
        raise Untold(f"{name} is not allowed to run")
    if not folder.is_dir():
        raise Untold(f"{name} was not started: there is no folder {folder}")
    began = time.monotonic_ns()
    try:
        running = run_command(
            command, folder=folder, environment=untrusted_environment(), max_output=MAX_FACTS
        )
        done = await asyncio.wait_for(running, timeout)
    except NotStarted as error:
        raise Untold(f"{name} was not started: {error}") from None
    except TimeoutError:
        raise Untold(f"{name} was killed after {timeout:g}s, its timeout") from None
    if done.too_much:
        raise Untold(f"{name} was killed: it printed more than {MAX_FACTS:,} bytes")
    if done.code < 0:
        raise Untold(f"{name} was killed by signal {-done.code}")
    return Told(done, -(-(time.monotonic_ns() - began) // _MILLISECOND) * _MILLISECOND)
