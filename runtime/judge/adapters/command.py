"""A judge that is a command: the request enters it as JSON on standard input, and a JSON object
with the answer's `text` leaves it on standard output.

Beside `text` the object may have `finish` and a `usage` of `input_tokens`, `output_tokens` and
`cost`, a decimal string. Nothing runs that was not allowed; the command and all that it started are
killed when it is waited for no more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, get_args

from ...processes import NotStarted, run_command
from ..answer import Finish
from ..ports import CallFailed, Reply, Route, Usage
from ..request import Prompt

MAX_OUTPUT = 4 * 1024 * 1024  # bytes; an answer is bounded again when it is read
_KEYS = {"text", "finish", "usage"}
_USAGE_KEYS = {"input_tokens", "output_tokens", "cost"}


@dataclass(frozen=True, slots=True)
class CommandCall:
    """*command* and its arguments, run without a shell in *folder*, stand for *model* of
    *provider*. It runs only where *allow_run* says so."""

    command: Sequence[str]
    model: str
    provider: str = "command"
    allow_run: bool = False
    folder: Path | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def route(self) -> Route:
        return Route(self.model, self.provider, self.parameters)

    async def __call__(self, prompt: Prompt) -> Reply:
        if not self.command:
            raise CallFailed("unset", "the judge's command is empty")
        name = self.command[0]
        if not self.allow_run:
            raise CallFailed("not_allowed", f"the command `{name}` is not allowed to run")
        try:
            done = await run_command(
                self.command, stdin=json.dumps(prompt.to_json()).encode(), folder=self.folder,
                max_output=MAX_OUTPUT,
            )  # fmt: skip
        except NotStarted as error:
            raise CallFailed("unset", str(error)) from None
        if done.too_much:
            raise CallFailed("protocol", f"{name}: it prints more than {MAX_OUTPUT:,} bytes")
        if done.code:
            said = f": {done.last_words}" if done.last_words else ""
            raise CallFailed("failed", f"{name}: exit code {done.code}{said}")
        return read_reply(done.stdout, name)


# --- the reply


def read_reply(stdout: bytes, name: str) -> Reply:
    """The reply that a command prints. Raises CallFailed."""
    try:
        found = json.loads(stdout)
    except (ValueError, RecursionError) as error:
        raise CallFailed("protocol", f"{name}: standard output is no JSON: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise CallFailed("protocol", f"{name}: it prints an object with the answer's `text`")
    if unknown := sorted(found.keys() - _KEYS):
        raise CallFailed("protocol", f"{name}: there is no key `{unknown[0]}` in a reply")
    finish = found.get("finish", "stop")
    if finish not in get_args(Finish):
        known = ", ".join(get_args(Finish))
        raise CallFailed("protocol", f"{name}: `finish` is one of {known}")
    return Reply(found["text"], finish, _usage(found.get("usage"), name))


def _usage(said: Any, name: str) -> Usage | None:
    if said is None:
        return None
    if not isinstance(said, dict) or said.keys() - _USAGE_KEYS:
        raise CallFailed(
            "protocol", f"{name}: `usage` is an object of {', '.join(sorted(_USAGE_KEYS))}"
        )
    counts = [said.get(key, 0) for key in ("input_tokens", "output_tokens")]
    if not all(type(count) is int and count >= 0 for count in counts):
        raise CallFailed("protocol", f"{name}: tokens are whole numbers, 0 or more")
    return Usage(counts[0], counts[1], _cost(said.get("cost"), name))


def _cost(said: Any, name: str) -> Decimal | None:
    if said is None:
        return None
    try:
        cost = Decimal(said) if isinstance(said, str) else Decimal("NaN")
    except InvalidOperation:
        cost = Decimal("NaN")
    if not cost.is_finite() or cost < 0:
        raise CallFailed("protocol", f'{name}: `cost` is a decimal as a string, such as "0.012"')
    return cost
