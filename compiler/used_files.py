"""The files that a file used, as a cache's entry names them, and whether they are as they were.

An entry names each by its path, where that leads, and the digest of what it holds, the paths as
from the project's root. Packs are not among them: they belong to goalspec.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .resolve import Unit


def used_files(unit: Unit, root: Path) -> list[list[str]] | None:
    """What *unit* used, itself and through others; None where one of them could not be had."""
    from ..grammar.syntax import Literal, Use
    from .project import is_pack

    found: list[list[str]] = []
    for part in unit.reach():
        named = [node for node in part.parsed.file.statements if isinstance(node, Use)]
        if len(named) != len(part.uses):
            return None
        if part.path is None or is_pack(part.path):
            continue
        for node, used in part.uses:
            if not node.std and isinstance(node.target, Literal) and used.path is not None:
                path = part.path.parent / str(node.target.value)
                leads = os.path.relpath(used.path, root)
                found.append([os.path.relpath(path, root), leads, used.sha256])
    return found


class UsedFiles:
    """The used files of one run, each looked at once."""

    def __init__(self) -> None:
        self._now: dict[str, list[str] | None] = {}

    def are_unchanged(self, root: Path, used: Iterable[Any]) -> bool:
        """Are the files that an entry names as they were?"""
        return all(self._look(root, name) == then for name, *then in used)

    def _look(self, root: Path, name: str) -> list[str] | None:
        path = f"{root}{os.sep}{name}"
        if path not in self._now:
            self._now[path] = _leads_to(Path(path), root)
        return self._now[path]


def _leads_to(path: Path, root: Path) -> list[str] | None:
    try:
        if path.is_file():
            return [os.path.relpath(path.resolve(), root), sha256(path.read_bytes()).hexdigest()]
    except (OSError, RuntimeError):
        pass
    return None
