"""An agent that is a command: its prompt enters it on standard input, and what it prints is its
reply.

An exit code of 0 is a turn that ended by itself. 75 says that the trouble may pass, 77 that nobody
is logged in (as `sysexits.h` has them); any other is an error. The last line of the reply may
propose an end, and a line `goalspec-usage: {…}` says what the turn took. The agent ends with the
run, however that ends, so that no two ever work on one goal.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from ....grammar.literals import LiteralError, read_money, write_money
from ...convergence.state import ErrorKind
from ...processes import Finished, NotStarted, run_command, untrusted_environment
from ...prompting import read_proposal
from ...record.parts import Usage
from ..ports import NOTHING, Proposal, Turn, Worked

MAX_REPLY = 1024 * 1024  # bytes of what it prints that are kept, from the end
EXIT_ERRORS: Mapping[int, ErrorKind] = {75: "retriable", 77: "auth", 127: "system"}

USAGE = "goalspec-usage:"
_LONGEST = 64 * 1024  # bytes of a line that is looked at
_COUNTS = ("tokens", "tool_calls")


@dataclass(frozen=True, slots=True)
class CommandAgent:
    """*command*, run without a shell in *folder*, with *environment* beside what names the session.
    *timeout* is the seconds that a turn may take; *on_output* is told of what it prints."""

    command: Sequence[str]
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    on_output: Callable[[bytes], None] | None = None

    async def __call__(self, turn: Turn) -> Worked:
        usage = UsageLines()

        def told(piece: bytes) -> None:
            usage.tell(piece)
            if self.on_output is not None:
                self.on_output(piece)

        try:
            async with asyncio.timeout(self.timeout):
                done = await run_command(
                    self.command, stdin=turn.prompt.encode(errors="replace"), folder=self.folder,
                    environment=agent_environment(turn, self.environment), max_output=MAX_REPLY,
                    tail=True, leashed=True, on_output=told,
                )  # fmt: skip
        except NotStarted as error:
            return _failed("system", str(error))
        except TimeoutError:
            said = f"{self.command[0]}: it took longer than {self.timeout:g} s, and was ended"
            return _failed("terminal", said)
        return worked_of(done, self.command[0], usage.found())


class UsageLines:
    """The usage lines of what is printed, however long that is."""

    def __init__(self) -> None:
        self._rest = b""
        self._lines: list[str] = []

    def tell(self, piece: bytes) -> None:
        *lines, rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._take(line)
        self._rest = rest[:_LONGEST]

    def found(self) -> list[str]:
        """What stands behind the mark on each of them."""
        self._take(self._rest)
        self._rest = b""
        return self._lines

    def _take(self, line: bytes) -> None:
        text = line.decode(errors="replace").strip()
        if text.startswith(USAGE):
            self._lines.append(text.removeprefix(USAGE).strip())


def agent_environment(turn: Turn, more: Mapping[str, str]) -> dict[str, str]:
    """What the agent's command finds in its environment: its session, that it is an agent, and
    nothing that speaks for a person."""
    return {
        **untrusted_environment(),
        **more,
        "AGENT": "goalspec",
        "GOALSPEC_SESSION": turn.session,
        "GOALSPEC_TURN": str(turn.number),
    }


def worked_of(done: Finished, name: str, usage_lines: Sequence[str]) -> Worked:
    """What a command that ended says of its turn."""
    output = done.stdout.decode(errors="replace")
    try:
        usage = read_usage(usage_lines)
    except ValueError as error:
        return _failed("system", f"{name}: {error}", output)
    if done.code:
        how = f"exit code {done.code}" if done.code > 0 else f"killed by signal {-done.code}"
        said = f": {done.last_words}" if done.last_words else ""
        kind = EXIT_ERRORS.get(done.code, "terminal")
        return _failed(kind, f"{name}: {how}{said}", output, usage)
    found = read_proposal(_without_usage(output))
    proposal = None if found is None else Proposal(*found)
    return Worked(output, usage, proposal=proposal, tools_seen=False)


def _failed(kind: ErrorKind, detail: str, output: str = "", usage: Usage = NOTHING) -> Worked:
    return Worked(output, usage, stop="error", error=kind, detail=detail, tools_seen=False)


def _without_usage(output: str) -> str:
    lines = output.splitlines()
    return "\n".join(line for line in lines if not line.strip().startswith(USAGE))


def read_usage(lines: Sequence[str]) -> Usage:
    """What usage lines add up to: `tokens` and `tool_calls`, whole numbers, and `cost`, money as
    the language writes it. Raises ValueError."""
    counts, costs = dict.fromkeys(_COUNTS, 0), []
    for line in lines:
        said = _usage_object(line)
        if unknown := sorted(said.keys() - {*_COUNTS, "cost"}):
            known = ", ".join((*_COUNTS, "cost"))
            raise ValueError(f"its usage has `{unknown[0]}`, and there are {known}")
        for name in _COUNTS:
            count = said.get(name, 0)
            if type(count) is not int or count < 0:
                raise ValueError(f"{name} of its usage is a whole number, 0 or more")
            counts[name] += count
        if "cost" in said:
            costs.append(said["cost"])
    return Usage(cost=_total(costs), **counts)


def _usage_object(line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its usage is no JSON ({error})") from None
    if not isinstance(said, dict):
        raise ValueError("its usage is a JSON object, of tokens, tool_calls and cost")
    return said


def _total(costs: Sequence[object]) -> str | None:
    if not costs:
        return None
    try:
        amounts = [read_money(str(cost)) for cost in costs]
    except LiteralError as error:
        raise ValueError(f"cost of its usage: {error.message}") from None
    currencies = {currency for _, currency in amounts}
    if len(currencies) > 1:
        raise ValueError(f"cost of its usage: there are {' and '.join(sorted(currencies))}")
    return write_money(sum((amount for amount, _ in amounts), Decimal(0)), currencies.pop())
