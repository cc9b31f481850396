"""A verdict as a table that a person can read; plain text in a pipe."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

import click

from .terminal import visible

if TYPE_CHECKING:
    from ..runtime import Result, Verdict

_COLORS = {
    "met": "green",
    "held": "green",
    "unmet": "red",
    "violated": "red",
    "stopped": "red",
    "unknown": "yellow",
    "judged": "cyan",
    "waived": "bright_black",
}


def table(verdict: Verdict, title: str, *, color: bool, done: bool | None = None) -> str:
    """The verdict's head line, a line for each part with its explanation, and a summary. *done* is
    what came of it, where more than the checks decided."""
    rows = [
        ("criterion", verdict.criteria),
        ("constraint", verdict.constraints),
        ("stop", verdict.stops),
    ]
    width = max((len(r.id) for _, results in rows for r in results), default=0)
    lines = [_head(verdict, title, color, verdict.done if done is None else done)]
    for kind, results in rows:
        if results:
            lines += ["", f"  {kind if len(results) == 1 else _plural(kind)}"]
        for result in results:
            lines += _row(result, min(width, 28), color)
    lines += ["", _summary(verdict), ""]
    return "\n".join(lines)


def _plural(kind: str) -> str:
    return "criteria" if kind == "criterion" else kind + "s"


def _head(verdict: Verdict, title: str, color: bool, done: bool) -> str:
    state = "done" if done else "stopped" if verdict.stopped else "not done"
    shade = "green" if done else "red" if verdict.exit_code in (1, 4) else "yellow"
    text = f"{verdict.goal}: {state}"
    head = click.style(text, fg=shade, bold=True) if color else text
    return f"{head}  {title}".rstrip()


def _row(result: Result, width: int, color: bool) -> list[str]:
    outcome = result.outcome.ljust(8)
    if color:
        outcome = click.style(outcome, fg=_COLORS[result.outcome])
    mode = f" ({result.mode})" if result.mode != "gating" else ""
    indent = " " * (4 + 8 + 2 + width + 2)
    room = max(40, min(shutil.get_terminal_size((100, 24)).columns, 120) - len(indent))
    text = textwrap.wrap(visible(result.text) + mode, room) or [""]
    lines = [f"    {outcome}  {result.id.ljust(width)}  {text[0]}"]
    lines += [indent + line for line in text[1:]]
    why = textwrap.wrap(visible(result.explanation), room - 2)
    for place, line in enumerate(why):
        lines.append(indent + ("- " if place == 0 else "  ") + line)
    return lines


def _summary(verdict: Verdict) -> str:
    results = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    counts: dict[str, int] = {}
    for result in results:
        counts[result.outcome] = counts.get(result.outcome, 0) + 1
    order = [name for name in _COLORS if name in counts]
    said = ", ".join(f"{counts[name]} {name}" for name in order)
    return f"floor {verdict.floor}; {said}; contract {verdict.contract[:15]}"
