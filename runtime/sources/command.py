"""A command that prints the facts now, as one JSON object, and exits with 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...compiler.ir.document import Fact
from ..facts import BadFacts
from .answers import answer_in, failed
from .running import TIMEOUT, Untold, told_by


@dataclass(frozen=True, slots=True)
class CommandFacts:
    """The *facts* that *command* and its arguments print, run without a shell in *folder*, where
    *allow_run* says so, for at most *timeout* seconds."""

    command: Sequence[str]
    facts: Sequence[Fact]
    folder: Path
    timeout: float = TIMEOUT
    allow_run: bool = False

    async def __call__(self) -> Mapping[str, Any]:
        try:
            told = await told_by(self.command, self.folder, self.timeout, self.allow_run)
            name = f"`{' '.join(self.command)}`"
            if told.done.code:
                said = f": {told.done.last_words}" if told.done.last_words else ""
                raise Untold(f"{name} ended with exit code {told.done.code}{said}")
            return answer_in(told.done.stdout, self.facts, name)
        except (Untold, BadFacts) as error:
            return failed(self.facts, str(error))
