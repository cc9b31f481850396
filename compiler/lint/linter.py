"""Linting: a file through the compiler and the rules, less what its comments silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...grammar.diagnostics import Diagnostic
from ...grammar.walk import children
from ..compilation import Checked, Compiler
from . import suppression
from .catalogue import BY_ID, BY_NAME, RULES
from .rule import Place
from .selection import SELECTABLE

_Look = Callable[[Any, Place], Iterator[Diagnostic]]
_KNOWN = {**BY_ID, **BY_NAME}


@dataclass(frozen=True)
class Linted:
    """One file: what was found, sorted by place, and the file as it was checked."""

    checked: Checked
    found: tuple[Diagnostic, ...]


class Linter:
    """Lints files of one project; what several of them use is read once."""

    def __init__(self, root: Path | None = None) -> None:
        self._compiler = Compiler(root)

    def lint_file(
        self, path: Path, name: str | None = None, active: frozenset[str] = SELECTABLE
    ) -> Linted:
        """Lint the file at *path*, called *name* in messages, for the codes *active*.

        Raises OSError.
        """
        return lint(self._compiler.check_file(path, name), active)

    def lint_bytes(
        self, data: bytes, name: str, path: Path | None = None,
        active: frozenset[str] = SELECTABLE,
    ) -> Linted:  # fmt: skip
        """Lint *data* as if it stood at *path* (which places its `use`)."""
        return lint(self._compiler.check_bytes(data, name, path), active)


def lint(checked: Checked, active: frozenset[str] = SELECTABLE) -> Linted:
    """What the compiler and the rules find in a checked file, for the codes *active*."""
    found = [*checked.found, *_walk(checked, active)]
    # Rules do not look at a file with errors: what a comment silences may be there all the same.
    complete = frozenset() if checked.has_errors else active
    kept = suppression.apply(checked.unit.parsed.file, found, _KNOWN, complete)
    told = [d for d in kept if d.code.id in active or not d.code.can_be_silenced]
    unique = {d.sort_key: d for d in told}
    return Linted(checked, tuple(sorted(unique.values(), key=lambda d: d.sort_key)))


@lru_cache(maxsize=64)
def _looks(active: frozenset[str], broken: bool) -> dict[type, tuple[_Look, ...]]:
    """What looks at the nodes of each kind, in files that have errors (*broken*) or none."""
    rules = [r for r in RULES if r.code.id in active and (r.broken or not broken)]
    kinds = {kind for rule in rules for kind in rule.on}
    return {kind: tuple(rule.look for rule in rules if kind in rule.on) for kind in kinds}


def _walk(checked: Checked, active: frozenset[str]) -> list[Diagnostic]:
    """What the rules find that are shown every node of a file of the kinds they ask for: depth
    first, and not by recursion, since a sum of a thousand parts is a thousand deep."""
    looks = _looks(active, checked.has_errors)
    place = Place(checked)
    found: list[Diagnostic] = []
    waiting: list[Any] = [checked.unit.parsed.file] if looks else []
    while waiting:
        node = waiting.pop()
        if node is None:  # all that is inside the innermost node was seen
            place.around.pop()
            continue
        for look in looks.get(type(node), ()):
            found += look(node, place)
        below = children(node)
        if below:
            place.around.append(node)
            waiting.append(None)
            waiting += reversed(below)
    return found
