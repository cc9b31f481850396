"""Linting: a file through the compiler and the rules, less what its comments silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
    found = [*checked.found, *_Walk(checked, active).run()]
    # Rules do not look at a file with errors: what a comment silences may be there all the same.
    complete = frozenset() if checked.has_errors else active
    kept = suppression.apply(checked.unit.parsed.file, found, _KNOWN, complete)
    told = [d for d in kept if d.code.id in active or not d.code.can_be_silenced]
    unique = {d.sort_key: d for d in told}
    return Linted(checked, tuple(sorted(unique.values(), key=lambda d: d.sort_key)))


class _Walk:
    """Shows every node of a file to the rules that ask for its kind."""

    def __init__(self, checked: Checked, active: frozenset[str]) -> None:
        self.place = Place(checked)
        self.found: list[Diagnostic] = []
        self.looks: dict[type, list[_Look]] = {}
        for rule in RULES:
            if rule.code.id in active and (rule.broken or not checked.has_errors):
                for kind in rule.on:
                    self.looks.setdefault(kind, []).append(rule.look)

    def run(self) -> list[Diagnostic]:
        if self.looks:
            self._visit(self.place.checked.unit.parsed.file)
        return self.found

    def _visit(self, root: Any) -> None:
        """Depth first, and not recursive: a sum of a thousand parts is a thousand deep."""
        waiting = [iter((root,))]
        while waiting:
            node = next(waiting[-1], None)
            if node is not None:
                for look in self.looks.get(type(node), ()):
                    self.found += look(node, self.place)
                self.place.around.append(node)
                waiting.append(children(node))
                continue
            waiting.pop()
            if waiting:
                self.place.around.pop()
