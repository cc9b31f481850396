"""A run over many files: what earlier runs know is taken from them, the rest is shared out among
the processor's cores.

A file's answer depends on its bytes, on those of the files that it uses, on where it stands in its
project, on how it is named, and on what is asked of it; that is its key. This module imports the
rules only where a file has no answer yet.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ...grammar.diagnostics import Diagnostic
from ...grammar.source import Source, byte_order_mark
from ..cache import Cache, Record, code_digest
from ..project import is_readable
from ..used_files import UsedFiles, used_files
from .config import ANYTHING, Question
from .projects import Projects
from .records import read_record, source_of, write_record

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .linter import Linted

_SHARES = 4  # of each process: large, since each share reads anew what its files use
_WORTH = 48  # with fewer unknown files, starting processes takes longer than it saves
_MOST = 61  # processes that Windows can wait for


@dataclass(frozen=True)
class Answer:
    """What was found in the file at *path*, or why it could not be read (or written, once mended).

    *given* says that its text was given, and not read from there. *mark* is the byte-order mark
    before its text, if it has one.
    """

    name: str
    path: Path
    source: Source
    found: tuple[Diagnostic, ...] = ()
    failed: str | None = None
    given: bool = False
    mark: str = ""


@dataclass(frozen=True)
class _Task:
    """A file that is to be linted: its place, its bytes' key, and what is looked for."""

    name: str
    path: Path
    data: bytes
    root: Path
    question: Question
    key: bytes


class Run:
    """Lints files of any number of projects. *asked* is what the command line asks for."""

    def __init__(self, cache: Cache, asked: Question = ANYTHING, jobs: int | None = None) -> None:
        self._cache = cache
        self._asked = asked
        self._jobs = jobs or _cores()
        self.projects = Projects()
        self._used = UsedFiles()
        self._seen_from: dict[Path, str] = {}

    def lint(
        self, paths: Sequence[Path], progress: Callable[[int], None] = lambda count: None
    ) -> list[Answer]:
        """What is found in each of the files at *paths*, in their order; *progress* is told of
        every few that are done. Raises BadConfig, UnknownCode."""
        answers: dict[int, Answer] = {}
        tasks: dict[int, _Task] = {}
        for number, path in enumerate(paths):
            try:
                if not is_readable(path):
                    raise OSError(0, "it is no regular file")
                tasks[number] = self._task(path)
            except OSError as error:
                reason = error.strerror or str(error)
                source = Source(str(path), "")
                answers[number] = Answer(str(path), path, source, failed=f"{path}: {reason}")
        known = self._cache.get(task.key for task in tasks.values())
        unknown: dict[int, _Task] = {}
        for number, task in tasks.items():
            answer = self._known(task, known.get(task.key))
            if answer is None:
                unknown[number] = task
            else:
                answers[number] = answer
        progress(len(answers))
        kept = []
        for number, (task, record) in zip(
            unknown, self._linted(list(unknown.values())), strict=True
        ):
            answers[number] = _answer(task, record)
            kept.append((task.key, record))
            progress(1)
        self._cache.put((key, record) for key, record in kept if record["uses"] is not None)
        return [answers[number] for number in range(len(paths))]

    def lint_text(self, data: bytes, name: str, path: Path) -> Answer:
        """What is found in *data*, which stands for the file at *path*. Raises as `lint` does."""
        from .linter import Linter
        from .selection import select

        question = self.projects.config_of(path).question(self.projects.place_of(path), self._asked)
        active = select(question.select, question.ignore)
        linted = Linter().lint_bytes(data, name, path, active)
        source = linted.checked.unit.source
        return Answer(name, path, source, linted.found, given=True, mark=byte_order_mark(data))

    def _task(self, path: Path) -> _Task:
        data = path.read_bytes()
        place = self.projects.place_of(path)
        question = self.projects.config_of(path).question(place, self._asked)
        root = self.projects.root_of(path)
        if root not in self._seen_from:
            self._seen_from[root] = _seen_from(root)
        seen_from = self._seen_from[root]
        named = json.dumps([str(path), place, seen_from, question.select, question.ignore])
        key = sha256(code_digest() + named.encode(errors="surrogatepass") + b"\0" + data).digest()
        return _Task(str(path), path, data, root, question, key)

    def _known(self, task: _Task, record: Record | None) -> Answer | None:
        """The answer that *record* gives, if the files that it used are as they were."""
        if record is not None and self._used.are_unchanged(task.root, record["uses"]):
            return _answer(task, record)
        return None

    def _linted(self, tasks: list[_Task]) -> Iterator[tuple[_Task, Record]]:
        if not tasks:
            return
        if len(tasks) < _WORTH or self._jobs == 1:
            yield from zip(tasks, _lint_all(tasks), strict=True)
            return
        together = -(-len(tasks) // (self._jobs * _SHARES))
        chunks = [tasks[at : at + together] for at in range(0, len(tasks), together)]
        with _pool(min(self._jobs, len(chunks))) as pool:
            for chunk, records in zip(chunks, pool.map(_lint_chunk, chunks), strict=True):
                yield from zip(chunk, records, strict=True)


def _pool(jobs: int) -> Executor:
    """So many processes; one thread where the system gives none (it has no semaphores, say)."""
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
    from multiprocessing import get_context

    from . import linter  # noqa: F401  (imported before the fork, once for all)

    method = "fork" if sys.platform == "linux" else "spawn"  # macOS' own libraries mind a fork
    try:
        return ProcessPoolExecutor(min(jobs, _MOST), get_context(method))
    except (ImportError, NotImplementedError, OSError):
        return ThreadPoolExecutor(1)


def _seen_from(root: Path) -> str:
    """What the names of a project's files depend on: where it stands below the working folder, or
    where it stands at all."""
    here = Path.cwd()
    return str(root.relative_to(here)) if root.is_relative_to(here) else str(root)


def _cores() -> int:
    """The processor's cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _lint_chunk(tasks: list[_Task]) -> list[Record]:
    return list(_lint_all(tasks))


def _lint_all(tasks: Iterable[_Task]) -> Iterator[Record]:
    from .linter import Linter
    from .selection import select

    linter = Linter()
    for task in tasks:
        active = select(task.question.select, task.question.ignore)
        linted = linter.lint_bytes(task.data, task.name, task.path, active)
        yield _record(linted, task.root)


def _record(linted: Linted, root: Path) -> Record:
    unit = linted.checked.unit
    return {**write_record(unit.source, linted.found), "uses": used_files(unit, root)}


def _answer(task: _Task, record: Record) -> Answer:
    source = source_of(task.data, task.name)
    found = read_record(record, source)
    return Answer(task.name, task.path, source, found, mark=byte_order_mark(task.data))
