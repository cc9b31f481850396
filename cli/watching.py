"""Doing a thing again whenever a goal file, or the project's settings, change."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import click


def watch_folders(paths: Sequence[str], work: Callable[[], object]) -> None:
    """Do *work* now and after every change in the projects of *paths*, until it is interrupted.

    A usage error where `watchfiles` is not installed. What *work* refuses is shown, and waited on.
    """
    try:
        from watchfiles import Change, watch
    except ImportError:
        raise click.UsageError("--watch needs watchfiles: pip install 'goalspec[watch]'") from None

    def concerns(_: Change, path: str) -> bool:
        return path.endswith((".goal", "pyproject.toml"))

    with suppress(KeyboardInterrupt):
        _do(work)
        for _ in watch(*set(map(_project, paths)), watch_filter=concerns):
            _do(work)


def _project(path: str) -> Path:
    """The root of the project of *path*, which may be a glob, or not be there yet: what is used and
    the settings may stand anywhere in it."""
    from ..compiler.project import find_root

    here = Path(path).absolute()
    return find_root(next(folder for folder in (here, *here.parents) if folder.is_dir()))


def _do(work: Callable[[], object]) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        click.clear()
    try:
        work()
    except click.ClickException as error:
        error.show()
    sys.stdout.flush()
