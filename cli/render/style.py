"""The colours of what a person reads, by the role of the text: a severity, success, a label,
the frame."""

from __future__ import annotations

from collections.abc import Callable

import click

Style = Callable[[str, str], str]
"""Paints a text (the second argument) as its role (the first) asks."""

_STYLES: dict[str, Callable[[str], str]] = {
    "error": lambda text: click.style(text, fg="red", bold=True),
    "warning": lambda text: click.style(text, fg="yellow", bold=True),
    "success": lambda text: click.style(text, fg="green", bold=True),
    "label": lambda text: click.style(text, fg="cyan"),
    "frame": lambda text: click.style(text, fg="blue", bold=True),
    "strong": lambda text: click.style(text, bold=True),
}


def styler(*, color: bool) -> Style:
    return _colored if color else _plain


def _plain(role: str, text: str) -> str:
    return text


def _colored(role: str, text: str) -> str:
    return _STYLES[role](text)
