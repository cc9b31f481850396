"""Evidence that commands print for a judge: what they print is a tool's result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..judge import Evidence
from ..sources.running import TIMEOUT, told_by


@dataclass(frozen=True, slots=True)
class CommandEvidence:
    """What each of *commands* prints, run in *folder*, where *allow_run* says so. One that tells
    nothing keeps the judge from being asked: Untold is raised."""

    commands: Sequence[Sequence[str]]
    folder: Path
    allow_run: bool = False

    async def __call__(self) -> list[Evidence]:
        return [
            Evidence(f"evidence-{number}", "tool", await self._told(command))
            for number, command in enumerate(self.commands, 1)
        ]

    async def _told(self, command: Sequence[str]) -> str:
        told = await told_by(command, self.folder, TIMEOUT, self.allow_run)
        printed = (told.done.stdout + told.done.stderr).decode(errors="replace")
        return f"$ {' '.join(command)}\n{printed}[exit code {told.done.code}]"
