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
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from ....grammar.literals import LiteralError, read_money, write_money
from ...convergence.state import ErrorKind
from ...processes import Finished, NotStarted, run_command, untrusted_environment
from ...prompting import read_proposal
from ...record.parts import Usage
from ..ports import Proposal, Turn, Worked

MAX_REPLY = 1024 * 1024  # bytes of what it prints that are kept, from the end
EXIT_ERRORS: Mapping[int, ErrorKind] = {75: "retriable", 77: "auth", 127: "system"}

USAGE = "goalspec-usage:"
_USAGE_LINE = re.compile(rf"^{USAGE}[ \t]*(\{{.*\}})[ \t]*$", re.MULTILINE)
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
        try:
            async with asyncio.timeout(self.timeout):
                done = await run_command(
                    self.command, stdin=turn.prompt.encode(errors="replace"), folder=self.folder,
                    environment=agent_environment(turn, self.environment), max_output=MAX_REPLY,
                    tail=True, leashed=True, on_output=self.on_output,
                )  # fmt: skip
        except NotStarted as error:
            return Worked(stop="error", error="system", detail=str(error))
        except TimeoutError:
            said = f"{self.command[0]}: it took longer than {self.timeout:g} s, and was ended"
            return Worked(stop="error", error="terminal", detail=said)
        return worked_of(done, self.command[0])


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


def worked_of(done: Finished, name: str) -> Worked:
    """What a command that ended says of its turn."""
    output = done.stdout.decode(errors="replace")
    try:
        usage = read_usage(output)
    except ValueError as error:
        return Worked(output, stop="error", error="system", detail=f"{name}: {error}")
    if done.code:
        how = f"exit code {done.code}" if done.code > 0 else f"killed by signal {-done.code}"
        said = f": {done.last_words}" if done.last_words else ""
        kind = EXIT_ERRORS.get(done.code, "terminal")
        return Worked(output, usage, stop="error", error=kind, detail=f"{name}: {how}{said}")
    found = read_proposal(output)
    return Worked(output, usage, proposal=None if found is None else Proposal(*found))


def read_usage(output: str) -> Usage:
    """What the usage lines of a reply add up to: `tokens` and `tool_calls`, whole numbers, and
    `cost`, money as the language writes it. Raises ValueError."""
    counts, costs = dict.fromkeys(_COUNTS, 0), []
    for line in _USAGE_LINE.findall(output):
        try:
            said = json.loads(line)
        except ValueError as error:
            raise ValueError(f"its usage is no JSON ({error})") from None
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
