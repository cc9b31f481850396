"""Pinned files and the hash of each, taken anew from what they hold: of nothing else can it be told
that it is as it was."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

from ...compiler.ir.document import Protect
from ...compiler.patterns import Matcher, compile_globs
from ...compiler.project import settings
from .reading import MAX_FILES, Met, TooManyFiles, Walk, file_hash, link_text, name_below

SETTINGS = "pyproject.toml [tool.goalspec]"
TOO_MANY = f"more than {MAX_FILES:,} files, narrow the globs: the rest"
_MARKS = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class PinnedFiles:
    """The files and folders that are named as from *root*, or absolutely, what *protect* matches,
    and the project's own settings."""

    root: Path
    files: Sequence[str]
    protect: tuple[Protect, ...] = ()

    def hashes(self) -> dict[str, str | None]:
        """Each pinned file that is there, with the hash of what it holds; None where that cannot be
        read. A link's hash is that of its text and of what it leads to below the root."""
        found: dict[str, str | None] = {}
        globs = tuple(chain.from_iterable(entry.globs for entry in self.protect))
        look = _Look(self.root)
        try:
            found.update(_settings(self.root))
            found.update(look.named([*self.files, *(g for g in globs if not _first_mark(g))]))
            found.update(look.matching(g for g in globs if _first_mark(g)))
        except TooManyFiles:
            found[TOO_MANY] = None
        return found


def _settings(root: Path) -> Iterator[tuple[str, str | None]]:
    try:
        table = settings(root)
    except (OSError, ValueError):
        yield SETTINGS, None
        return
    if table is not None:
        yield SETTINGS, _sha256(json.dumps(table, sort_keys=True, default=str))


class _Look:
    """One look at files below *root*. Raises TooManyFiles."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real_root = os.path.realpath(root)
        self._met = Met()

    def named(self, names: Iterable[str]) -> Iterator[tuple[str, str | None]]:
        """Files by their names, and all below those that are folders."""
        for name in dict.fromkeys(names):
            path = str(self._root / name)
            if os.path.isdir(path) and not os.path.islink(path):
                yield from self._below(path, None)
            elif os.path.lexists(path):
                yield name_below(self._root, path), self._hash(path)

    def matching(self, globs: Iterable[str]) -> Iterator[tuple[str, str | None]]:
        """The files that globs match, each looked for from its last folder without a mark."""
        by_folder: dict[str, list[str]] = {}
        for glob in globs:
            folder = "/".join(glob.split("/")[: _first_mark(glob) - 1])
            by_folder.setdefault(folder, []).append(glob)
        for folder, alike in by_folder.items():
            yield from self._below(str(self._root / folder), compile_globs(tuple(alike)))

    def _below(self, folder: str, matches: Matcher | None) -> Iterator[tuple[str, str | None]]:
        walk = Walk(folder, self._met)
        for entry in walk:
            name = name_below(self._root, entry.path)
            if matches is None or matches(name) or self._leads_to_match(entry, name, matches):
                yield name, self._hash(entry.path)
        for missed in walk.unlistable:
            yield name_below(self._root, missed), None

    def _leads_to_match(self, entry: os.DirEntry[str], name: str, matches: Matcher) -> bool:
        """Is it a link to a folder whose files match by the names that it gives them?"""
        target = self._target(entry.path) if entry.is_symlink() else None
        if target is None:
            return False
        below = (name_below(target, found.path) for found in Walk(target, self._met))
        return any(matches(f"{name}/{rest}") for rest in below)

    # --- one hash

    def _hash(self, path: str) -> str | None:
        text = link_text(path)
        if text is None:
            return file_hash(path)
        target = self._target(path)
        if target is None or not os.path.lexists(target):
            return _sha256(f"link {text}")
        held = self._folder_hash(target) if os.path.isdir(target) else file_hash(target)
        return None if held is None else _sha256(f"link {text}\0{held}")

    def _target(self, link: str) -> str | None:
        """What a link leads to in the end, where that is below the root."""
        target = os.path.realpath(link)
        return target if target.startswith(os.path.join(self._real_root, "")) else None

    def _folder_hash(self, folder: str) -> str | None:
        """One hash of all below *folder*; a link in it is its text, so that no circle is walked."""
        lines: list[str] = []
        walk = Walk(folder, self._met)
        for entry in walk:
            text = link_text(entry.path)
            held = file_hash(entry.path) if text is None else f"link {text}"
            if held is None:
                return None
            lines.append(f"{name_below(folder, entry.path)}\0{held}")
        return None if walk.unlistable else _sha256("\n".join(sorted(lines)))


def _first_mark(glob: str) -> int:
    """The number of a glob's first segment, from 1, that is no plain name; 0 where all are."""
    return next((at for at, part in enumerate(glob.split("/"), 1) if _MARKS & set(part)), 0)


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
