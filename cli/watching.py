"""Doing a thing again whenever a goal file, or the project's settings, change."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click


def watch_folders(paths: Sequence[str], work: Callable[[], object]) -> None:
    """Do *work* now and after every change below *paths*, until it is interrupted.

    A usage error where `watchfiles` is not installed. What *work* refuses is shown, and waited on.
    """
    try:
        from watchfiles import Change, watch
    except ImportError:
        raise click.UsageError("--watch needs watchfiles: pip install 'goalspec[watch]'") from None

    def concerns(_: Change, path: str) -> bool:
        return path.endswith((".goal", "pyproject.toml"))

    _do(work)
    folders = {path if path.is_dir() else path.parent for path in map(Path, paths)}
    for _ in watch(*folders, watch_filter=concerns, raise_interrupt=False):
        _do(work)


def _do(work: Callable[[], object]) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        click.clear()
    try:
        work()
    except click.ClickException as error:
        error.show()
    sys.stdout.flush()
