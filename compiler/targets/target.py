"""What a target is: a name and a pure function from a compiled file to artifacts.

A target looks at its request and at nothing else: no clock, no environment, no file but the user's
templates, no order of a hash. So the same goals give the same bytes on any day and any machine, and
each artifact says by its stamp what it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ... import __version__

if TYPE_CHECKING:
    from ..ir.document import Document, Goal


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file to be written: its name, without folders and unique in one compilation, and its text,
    which ends with a newline."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """A compiled file, the stem of its name, and the folder of the user's own templates, which only
    a target that renders gets."""

    document: Document
    stem: str
    templates: Path | None = None


class Refusal(Exception):
    """What a target cannot express, or a user's template that is wrong: the message says where,
    why, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of output. *artifacts* may raise Refusal.

    *summary* is one line; *writes* are the forms of its artifacts' names, `GOAL` standing for a
    goal's id and `STEM` for the goal file's name; *renders*: does it take the user's templates?
    """

    name: str
    summary: str
    writes: tuple[str, ...]
    artifacts: Callable[[Request], Iterable[Artifact]]
    renders: bool = False


def stamp(goal: Goal, target: str) -> dict[str, str]:
    """What an artifact of *goal* was made by and from; JSON has it under the key `goalspec`."""
    return {
        "compiler": f"goalspec {__version__}",
        "target": target,
        "goal": goal.id,
        "contract": goal.contract,
    }


def stamp_line(goal: Goal, target: str) -> str:
    """The stamp on one line, for a comment."""
    made = stamp(goal, target)
    return f"Made by {made['compiler']}: target {target}, goal {goal.id}, contract {goal.contract}"


# The stamp as it stands in JSON, in TOML and on one line.
_STAMP = re.compile(
    r'"?compiler"?\s?[:=]\s"goalspec [^"\n]+",?\s+"?target"?\s?[:=]\s"(?P<target>[\w-]+)",?\s+'
    r'"?goal"?\s?[:=]\s"(?P<goal>[\w-]+)"'
)
_STAMP_LINE = re.compile(r"Made by goalspec \S+: target (?P<target>[\w-]+), goal (?P<goal>[\w-]+),")


def read_stamp(text: str) -> dict[str, str] | None:
    """The `target` and the `goal` that the stamp in an artifact's text names; None where it has
    none."""
    found = _STAMP_LINE.search(text) or _STAMP.search(text)
    return found.groupdict() if found is not None else None
