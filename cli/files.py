"""What a command's arguments name: goal files, folders, globs, standard input."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from .terminal import complain, visible

SKIPPED = {"node_modules", "__pycache__", "build", "dist", "venv"}


class Unreadable(click.ClickException):
    """A file or folder that cannot be read, or holds nothing to read: exit code 2."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        complain("goalspec", "error", "GS505", self.format_message())


@contextmanager
def usage_errors() -> Iterator[None]:
    """What a project's settings or the command line ask for in vain is a usage error."""
    from ..compiler.lint.config import BadConfig, UnknownCode

    try:
        yield
    except (BadConfig, UnknownCode) as error:
        raise click.UsageError(visible(str(error))) from None


def goal_files(
    arguments: tuple[str, ...], excludes: Callable[[Path], bool] = lambda path: False
) -> list[Path]:
    """The goal files that *arguments* name, each once, in order; those that a folder's search finds
    and the project *excludes* are left out. Raises Unreadable."""
    found: dict[Path, None] = {}
    for argument in arguments:
        matches = list(_matching(argument, excludes))
        if not matches:
            raise Unreadable(f"{argument}: no .goal file here")
        found.update(dict.fromkeys(matches))
    return list(found)


def _matching(argument: str, excludes: Callable[[Path], bool]) -> Iterator[Path]:
    path = Path(argument)
    try:
        if path.is_dir():
            found = _below(path, lambda place: place.endswith(".goal"))
            yield from (path for path in found if not excludes(path))
        elif path.exists():
            yield path
        elif any(map(_is_pattern, path.parts)):
            yield from _globbed(path)
        else:
            raise Unreadable(f"{argument}: there is no such file or folder")
    except OSError as error:
        raise Unreadable(f"{argument}: {error.strerror}") from None


def _is_pattern(part: str) -> bool:
    return any(mark in part for mark in "*?[")


def _globbed(path: Path) -> Iterator[Path]:
    """The files that a glob matches, in the folder before its first mark: searched as a folder is,
    for `glob` follows links, even in circles."""
    from ..compiler.patterns import PatternError, compile_glob

    first = next(at for at, part in enumerate(path.parts) if _is_pattern(part))
    folder, pattern = Path(*path.parts[:first]), path.parts[first:]
    try:
        matches = compile_glob("/".join(pattern))
    except PatternError as error:
        raise Unreadable(f"{path}: {error.message}") from None
    if folder.is_dir():
        yield from sorted(_below(folder, matches, None if "**" in pattern else len(pattern)))


def _below(
    folder: Path, wanted: Callable[[str], bool], deepest: int | None = None
) -> Iterator[Path]:
    """The files below *folder*, at most *deepest* levels, whose place in it is *wanted*; hidden and
    built folders stay out, and so do links that lead out of it."""
    inside = folder.resolve()
    for where, folders, files in os.walk(folder, onerror=_refuse):
        here = Path(where).relative_to(folder)
        searched = deepest is None or len(here.parts) + 1 < deepest
        folders[:] = sorted(f for f in folders if searched and _is_searched(f))
        for name in sorted(files):
            path = Path(where, name)
            if wanted((here / name).as_posix()) and not _leads_out(path, inside):
                yield path


def _is_searched(folder: str) -> bool:
    return not folder.startswith(".") and folder not in SKIPPED


def _leads_out(path: Path, folder: Path) -> bool:
    """Is *path* a link to something outside of *folder*?"""
    try:
        return path.is_symlink() and not path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError):  # a link to itself: whoever reads it says so
        return False


def _refuse(error: OSError) -> None:
    raise Unreadable(f"{error.filename}: {error.strerror}")


def read_input(argument: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises Unreadable."""
    try:
        if argument == "-":
            if sys.stdin is None:
                raise Unreadable("standard input is closed")
            return sys.stdin.buffer.read()
        return Path(argument).read_bytes()
    except OSError as error:
        raise Unreadable(f"{argument}: {error.strerror}") from None


def write_output(path: Path, text: str, mode: int = 0o644) -> None:
    """Write *text* at once: a reader sees the old file or the new one. Raises Unreadable."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, text, mode)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None


def rewrite(path: Path, text: str) -> None:
    """Give a file another text, at once. It keeps its permissions, one that nobody may write its
    text, and a link stays one: the file that it leads to is written. Raises Unreadable."""
    try:
        file = path.resolve(strict=True)
        mode = stat.S_IMODE(file.stat().st_mode)
        if not (mode & 0o222 and os.access(file, os.W_OK)):
            raise PermissionError(errno.EACCES, "it is read-only")
        _replace(file, text, mode)
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None


def _replace(path: Path, text: str, mode: int) -> None:
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
