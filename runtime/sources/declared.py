"""The goal's own commands: each `from run "…"` block is run once at each asking, and its facts are
selected from how it ended and what it printed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from ...compiler.ir.document import Fact, Goal
from ...compiler.ir.types import ScalarType, Type
from ...compiler.typing import base
from ...grammar.literals import read_quantity, write_duration
from ..facts import BadFacts, parse_json
from ..observations import facts_text
from .answers import answer, failed, without_value
from .running import TIMEOUT, Told, Untold, told_by

RUN = "run"
_SECOND = 10**9
_ABSENT = object()

# A block's argument, folder and timeout: facts that share them share one execution.
_Block: TypeAlias = tuple[str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class DeclaredFacts:
    """The facts that *goal* takes `from run`, whose commands run in folders below *root*, one after
    the other, where *allow_run* says so."""

    goal: Goal
    root: Path
    allow_run: bool = False

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Those that it feeds."""
        return tuple(chain.from_iterable(blocks_of(self.goal.facts).values()))

    async def __call__(self) -> Mapping[str, Any]:
        found: dict[str, Any] = {}
        for block, facts in blocks_of(self.goal.facts).items():
            found |= await self._asked(block, facts)
        return found

    async def _asked(self, block: _Block, facts: list[Fact]) -> Mapping[str, Any]:
        argument, directory, timeout = block
        seconds = TIMEOUT if timeout is None else float(read_quantity(timeout)[1]) / _SECOND
        try:
            folder = self._folder(directory)
            told = await told_by(_arguments(argument), folder, seconds, self.allow_run)
        except Untold as error:
            return failed(facts, str(error))
        selected = {fact.name: _selected(fact, told) for fact in facts}
        return answer(selected, facts, f"`{argument}`")

    def _folder(self, directory: str | None) -> Path:
        """Where a block is run. No link leads it out of the root. Raises Untold."""
        root = os.path.realpath(self.root)
        folder = os.path.realpath(os.path.join(root, directory or ""))
        if folder != root and not folder.startswith(os.path.join(root, "")):
            raise Untold(f"the folder {directory} is a link that leads out of the project")
        return Path(folder)


def blocks_of(facts: Iterable[Fact]) -> dict[_Block, list[Fact]]:
    """The facts that come from running a command, by the execution that they share."""
    blocks: dict[_Block, list[Fact]] = {}
    for fact in facts:
        source = fact.source
        if source is not None and source.name == RUN:
            block = (source.argument, source.directory, source.timeout)
            blocks.setdefault(block, []).append(fact)
    return blocks


def _arguments(argument: str | None) -> list[str]:
    if argument is None:
        raise Untold('there is no command: write `from run "…"`')
    try:
        return shlex.split(argument)
    except ValueError as error:
        raise Untold(f"`{argument}` is no command: {error}") from None


# --- what is selected


def _selected(fact: Fact, told: Told) -> Any:
    """The value of *fact*, as facts files spell it."""
    kind = base(fact.type).kind
    match fact.source.selector if fact.source is not None else None:
        case None if kind in ("bool", "int"):
            return _exit(kind, told)
        case None:
            return without_value("invalid", 'say what it is: `at "out"`, or `at "/pointer"`')
        case "exit":
            return _exit(kind, told)
        case "took":
            return write_duration(told.took)
        case "out":
            return _output(fact.type, told.done.stdout)
        case selector:
            return _pointed(selector, told.done.stdout)


def _exit(kind: str, told: Told) -> bool | int:
    return told.done.code == 0 if kind == "bool" else told.done.code


def _output(type: Type, stdout: bytes) -> Any:
    """The text without its last line end; a number where *type* takes one as JSON."""
    try:
        text = stdout.decode()
    except UnicodeDecodeError as error:
        return without_value("error", f"the output is not UTF-8 (byte {error.start})")
    text = text.removesuffix("\n").removesuffix("\r")
    of = base(type)
    if isinstance(of, ScalarType) and (of.kind in ("int", "number") or of.unit is not None):
        try:
            return parse_json(text)
        except BadFacts:
            return text  # with its unit; or it is invalid, and shown
    return text


def _pointed(pointer: str, stdout: bytes) -> Any:
    """What a JSON pointer leads to in the output."""
    if pointer and not pointer.startswith("/"):
        known = "`exit`, `took`, `out` or a pointer such as `/a/0`"
        return without_value("error", f"`{pointer}` is none of {known}")
    try:
        value = parse_json(facts_text(stdout))
    except BadFacts as error:
        return without_value("error", f"standard output is {error}")
    for step in pointer.split("/")[1:]:
        value = _step(value, step.replace("~1", "/").replace("~0", "~"))
        if value is _ABSENT:
            return without_value("missing", f"there is nothing at {pointer} in the output")
    return value


def _step(value: Any, step: str) -> Any:
    if isinstance(value, dict):
        return value.get(step, _ABSENT)
    if isinstance(value, list) and step.isdecimal() and step.isascii() and int(step) < len(value):
        return value[int(step)] if step == "0" or step[0] != "0" else _ABSENT
    return _ABSENT
