"""How a string of a goal file, or a value that a host reported, is spelled in text for a model.

`<`, `>` and `&`, the openings of template languages and of a host's placeholders, controls and what
leaves no ink become references (`&lt;`, `&#x202e;`). A line break stays one, but each line after it
begins with a mark, so that no string can begin a line of the structure around it. Nothing is lost:
`unescaped` gives it back.
"""

from __future__ import annotations

import re
from functools import cache

from ..hidden import INVISIBLE, is_called_for

CONTINUED = "  | "  # before each line of a string but its first; no line of the structure begins so

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_REFERENCE = re.compile(r"&(?:amp|lt|gt|#x([0-9a-f]+));")
_PLAIN_ID = re.compile(r"[A-Za-z0-9_.-]")


def escaped(text: str) -> str:
    """*text* as it stands inside a fence."""
    lines = _special().sub(_reference_to, text).split("\n")
    return f"\n{CONTINUED}".join(lines)


def escaped_id(id: str) -> str:
    """The id of a part: one word, whatever a host has called it."""
    return "".join(char if _PLAIN_ID.match(char) else f"&#x{ord(char):x};" for char in id)


def unescaped(text: str) -> str:
    """The string that was escaped."""
    return _REFERENCE.sub(_referred, text.replace(f"\n{CONTINUED}", "\n"))


@cache
def _special() -> re.Pattern[str]:
    """Compiled when a text first needs it: it takes longer than all else here."""
    controls = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
    return re.compile(
        rf"[&<>]|\{{(?=[{{%#])|@(?=@)|[{controls}{INVISIBLE}\ud800-\udfff\ufffe\uffff]"
    )


def _reference_to(match: re.Match[str]) -> str:
    char = match[0]
    if char in _NAMED:
        return _NAMED[char]
    if is_called_for(match.string, match.start()):
        return char
    return f"&#x{ord(char):x};"


def _referred(match: re.Match[str]) -> str:
    if match[1] is not None:
        return chr(int(match[1], 16))
    return next(char for char, name in _NAMED.items() if name == match[0])
