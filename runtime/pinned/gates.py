"""What is pinned for a goal, whether its protections name it or not: the files that decide what
done means."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from ...compiler.ir.document import Document, Goal
from .pinned_files import PinnedFiles

_PACK = "std:"  # what ships with goalspec is no file of the project


def gates_of(
    document: Document | None, goal: Goal, root: Path, *, also: Iterable[Path] = (),
    commands: Iterable[Sequence[str]] = (), folder: Path | None = None,
) -> PinnedFiles:  # fmt: skip
    """The pinned files of *goal*: the files that *document* is made of (None where the goal is a
    record's), *also* (a baseline, a folder of templates), the files that the goal's own commands
    name and *commands* that a host runs in *folder*, and what the goal protects."""
    root = root.resolve()
    sources = () if document is None else document.source.files
    files = [root / file.path for file in sources if _is_file_of(file.path)]
    files += [Path(os.path.abspath(path)) for path in also]
    run = chain(_own(goal, root), ((command, folder or root) for command in commands))
    scripts = chain.from_iterable(_scripts(command, where) for command, where in run)
    files += (path for path in scripts if path.is_relative_to(root))
    names = dict.fromkeys(_name(path, root) for path in files)
    return PinnedFiles(root, tuple(names), goal.protect)


def _is_file_of(name: str) -> bool:
    return not name.startswith((_PACK, "<"))


def _own(goal: Goal, root: Path) -> Iterator[tuple[Sequence[str], Path]]:
    """The commands of the goal's facts, each with its folder."""
    for fact in goal.facts:
        source = fact.source
        if source is not None and source.name == "run" and source.argument is not None:
            try:
                yield shlex.split(source.argument), root / (source.directory or "")
            except ValueError:  # it is never run
                continue


def _scripts(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """The files that a command names: an argument, what follows its `=`, what is before its `::`;
    and the program itself where it is a path, there or not."""
    for number, argument in enumerate(command):
        for name in (argument, argument.partition("=")[2], argument.partition("::")[0]):
            path = os.path.abspath(folder / name)
            is_file = os.path.lexists(path) and not os.path.isdir(path)
            if is_file or (number == 0 and "/" in name):
                yield Path(path)


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
