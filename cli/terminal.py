"""What leaves for a terminal, a pipe or a program: text that can paint nothing, and UTF-8 JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from ..compiler import json_text as artifacts


def visible(text: str) -> str:
    """*text* on one line, with what a terminal would obey or hide written out."""
    folded = " ".join(text.split())
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in folded)


def json_text(document: Any, indent: int | None = 2) -> str:
    """*document* as JSON with a final newline: as an artifact has it, and what else this Python
    calls unprintable as escapes too."""
    text = artifacts.json_text(document, indent)
    return "".join(
        char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text
    )


def emit(text: str) -> None:
    """Write a machine's format to standard output: UTF-8 whatever the locale says."""
    click.echo(text.encode("utf-8"), nl=False)


def complain(place: str, severity: str, code: str, message: str) -> None:
    """One line of trouble on standard error."""
    prefix = f"{visible(place)}: " if place else ""
    click.echo(f"{prefix}{severity}[{code}]: {visible(message)}", err=True)


def wants_color() -> bool:
    """Colour on a terminal, unless NO_COLOR says otherwise."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal and not os.environ.get("NO_COLOR")


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal's standard error while *total* files are worked on; where they are few,
    or nobody looks, nothing. Gives what is told of every few files that are done."""
    if total < 100 or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=total, label=what, file=sys.stderr) as bar:
        yield bar.update


def tolerate_encodings() -> None:
    """Let a character that the output's encoding lacks be written out instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
