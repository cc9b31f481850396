"""Commands that are run for a goal: an agent, a judge, what facts come from.

Each is run without a shell, in a process group of its own, with what it prints bounded. It ends,
with all that it started, when nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

MAX_STDERR = 64 * 1024  # bytes that are kept of it
LEASH = str(Path(__file__).with_name("leash.py"))
_CHUNK = 64 * 1024
_POLL = 0.1  # seconds between two looks at whether a command has ended
_GRACE = 1.0  # seconds that pipes may be held open by what fled from its group


class NotStarted(Exception):
    """A command that could not be started, and why."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended: its exit code, below 0 for the signal that killed it, and what was kept
    of what it printed. *too_much*: it printed more than that."""

    code: int
    stdout: bytes
    stderr: bytes
    too_much: bool = False

    @property
    def last_words(self) -> str:
        """The last line of its standard error."""
        lines = self.stderr.decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""


async def run_command(
    command: Sequence[str], *, stdin: bytes = b"", folder: Path | None = None,
    environment: Mapping[str, str] | None = None, max_output: int, tail: bool = False,
    leashed: bool = False, on_output: Callable[[bytes], None] | None = None,
) -> Finished:  # fmt: skip
    """What became of *command*. *on_output* is told of each piece that it prints, at once. Output
    beyond *max_output* bytes ends it; of a *tail* only the last ones are kept. One that is
    *leashed* ends with this process, however that ends. Who waits too long cancels it. Raises
    NotStarted."""
    if leashed and os.name == "posix":
        with _leash() as held:
            return await _run(
                [sys.executable, "-I", LEASH, str(held), *command], (held,), stdin, folder,
                environment, max_output, tail, on_output,
            )  # fmt: skip
    return await _run(command, (), stdin, folder, environment, max_output, tail, on_output)


@contextmanager
def _leash() -> Iterator[int]:
    """A descriptor for a command, whose other end closes with this process."""
    held, holding = os.pipe()
    try:
        yield held
    finally:
        os.close(held)
        os.close(holding)


async def _run(
    command: Sequence[str], passed: Sequence[int], stdin: bytes, folder: Path | None,
    environment: Mapping[str, str] | None, max_output: int, tail: bool,
    on_output: Callable[[bytes], None] | None,
) -> Finished:  # fmt: skip
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=folder, env=environment,
            start_new_session=True, pass_fds=passed,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise NotStarted(f"{command[0]}: {said}") from None
    leaving = asyncio.ensure_future(_leaves_nothing(process))
    try:
        assert process.stdin and process.stdout and process.stderr
        _, (stdout, too_much), (stderr, _) = await asyncio.gather(
            _fed(process.stdin, stdin),
            (
                _tail(process.stdout, max_output, on_output)
                if tail
                else _head(process.stdout, max_output, on_output, lambda: _kill(process))
            ),
            _tail(process.stderr, MAX_STDERR, None),
        )
        code = await process.wait()
    finally:
        leaving.cancel()
        await _ended(process)
    return Finished(code, stdout, stderr, too_much)


async def _fed(stdin: asyncio.StreamWriter, given: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # a command need not read it
        stdin.write(given)
        await stdin.drain()
        stdin.close()
        await stdin.wait_closed()


async def _head(
    stream: asyncio.StreamReader, most: int, told: Callable[[bytes], None] | None,
    too_much: Callable[[], None],
) -> tuple[bytes, bool]:  # fmt: skip
    """The beginning of the stream, and whether there was more."""
    kept, read = bytearray(), 0
    while chunk := await stream.read(_CHUNK):
        if told is not None and read <= most:
            told(chunk)
        kept += chunk[: max(most - read, 0)]
        if read <= most < read + len(chunk):
            too_much()
        read += len(chunk)
    return bytes(kept), read > most


async def _tail(
    stream: asyncio.StreamReader, most: int, told: Callable[[bytes], None] | None
) -> tuple[bytes, bool]:
    """The end of the stream, and whether there was more."""
    kept, read = b"", 0
    while chunk := await stream.read(_CHUNK):
        if told is not None:
            told(chunk)
        kept = (kept + chunk)[-most:]
        read += len(chunk)
    return kept, read > most


def _kill(process: Process) -> None:
    """Kill the process and, where there are process groups, all that it started."""
    with suppress(ProcessLookupError, PermissionError):  # they have all ended
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


async def _leaves_nothing(process: Process) -> None:
    """Once the command has ended, kill what it left running in its group: that may hold its pipes
    open for as long as it lives. (To wait for the process is to wait for its pipes.)"""
    while process.returncode is None:
        await asyncio.sleep(_POLL)
    await asyncio.sleep(_GRACE)
    _kill(process)


async def _ended(process: Process) -> None:
    """Kill what is left, and read what it left behind, so that its pipes close. What has fled from
    the group may hold them open, and is not waited for."""
    _kill(process)
    with suppress(TimeoutError):
        await asyncio.wait_for(process.communicate(), _GRACE)


def untrusted_environment() -> dict[str, str]:
    """The environment for a command that an agent may have had a hand in: without what speaks for a
    person."""
    return {name: text for name, text in os.environ.items() if name != "GOALSPEC_TOKEN"}
