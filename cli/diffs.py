"""What would change in a file, as a unified diff that `patch` applies."""

from __future__ import annotations

import sys

from .terminal import emit, visible


def show_diff(name: str, before: str, after: str) -> None:
    """Print the diff of the file called *name*."""
    from difflib import unified_diff

    lines = unified_diff(_lines(before), _lines(after), visible(name), visible(name), lineterm="")
    show_text("".join(f"{line}\n" for line in lines))


def _lines(text: str) -> list[str]:
    """The lines as `patch` counts them, of which the last may lack its end."""
    *lines, last = text.split("\n")
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


def show_text(text: str) -> None:
    """Write a file's text: as it is for a program; on a terminal so that it can paint nothing."""
    if sys.stdout is not None and sys.stdout.isatty():
        from ..compiler.characters import visible as shown

        text = "\n".join(map(shown, text.split("\n")))
    emit(text)
