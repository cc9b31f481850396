"""A facts file that somebody else writes, read anew at each asking.

One in the folder in which the agent works could be written by the agent itself, and is refused
unless that is allowed; where it lies is looked at through links, at each asking.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...compiler.ir.document import Fact
from ..facts import BadFacts
from ..pinned.reading import open_regular
from .answers import MAX_FACTS, answer_in, failed


class FactsFileRefused(ValueError):
    """A facts file that the agent could write."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The *facts* in the file at *path*. It may lie in *agent_folder* only where *from_agent* says
    so; raises FactsFileRefused where it does from the first."""

    path: Path
    facts: Sequence[Fact]
    agent_folder: Path | None = None
    from_agent: bool = False

    def __post_init__(self) -> None:
        self._place()

    async def __call__(self) -> Mapping[str, Any]:
        try:
            data = await asyncio.to_thread(self._read)
            return answer_in(data, self.facts, str(self.path))
        except OSError as error:
            return failed(self.facts, f"{self.path}: {error.strerror or error}")
        except (BadFacts, FactsFileRefused) as error:
            return failed(self.facts, f"{self.path}: {error}")

    def _place(self) -> str:
        """Where the file is, all links followed. Raises FactsFileRefused."""
        place = os.path.realpath(self.path)
        if self.agent_folder is not None and not self.from_agent:
            folder = os.path.realpath(self.agent_folder)
            if place.startswith(os.path.join(folder, "")):
                raise FactsFileRefused(
                    f"the facts file {self.path} is in the folder in which the agent works, "
                    f"{self.agent_folder}, and the agent could write it; put it elsewhere"
                )
        return place

    def _read(self) -> bytes:
        with open(open_regular(self._place()), "rb") as file:
            data = file.read(MAX_FACTS + 1)
        if len(data) > MAX_FACTS:
            raise BadFacts(f"a facts file has at most {MAX_FACTS:,} bytes")
        return data
