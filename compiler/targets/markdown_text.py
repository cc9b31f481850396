"""How a string of a goal file stands in a Markdown page: as text, never as structure.

Prose stays prose: words of letters and digits, with the punctuation around them. Any other word is
shown as code, where no parser looks for emphasis, HTML or links and no forge for mentions, issues
or commits. What does not show is written out by its number. No `|` is ever written as it is, so
that nothing divides a table's cell.
"""

from __future__ import annotations

import re

from ..hidden import INVISIBLE, is_called_for

_HIDDEN = re.compile(rf"[\x00-\x09\x0b-\x1f\x7f-\x9f{INVISIBLE}\ud800-\udfff]")
_LETTERS = "[A-Za-z0-9\xa1-\U0010ffff]+"
_WORD = re.compile(rf"{_LETTERS}(?:['’-]{_LETTERS})*|[0-9]+(?:[.,][0-9]+)*%?")
_AROUND = re.compile(r"""([("'“‘]*)(.*?)([.,;:!?)"'”’…]*)""", re.DOTALL)
_SIGNS = {"-": "-", "–": "–", "—": "—", "+": "+", "=": "=", "/": "/", "&": "&amp;"}
# A word that a forge may take for a commit (`deadbeef1`) or an issue (`GH-12`).
_REFERENCE = re.compile(r"[0-9a-f]{7,}|[A-Za-z]+-[0-9]+")
_NUMBERED = re.compile(r"[0-9]+[.)]")  # which begins a list where it stands first
_BAR = re.compile("( ?\\| ?)")
_TICKS = re.compile("`+")


def prose(text: str, indent: str = "") -> str:
    """*text* as a paragraph, its line ends kept; *indent* is before each line but the first."""
    lines = [line for line in text.split("\n") if line.strip(" \t")]
    return f"\\\n{indent}".join(map(_line, lines))


def phrase(text: str) -> str:
    """*text* as prose on one line."""
    return _line(text.replace("\n", " "))


def _line(text: str) -> str:
    words = [word for word in re.split("[ \t]+", text) if word]
    return " ".join(_word(word, first=place == 0) for place, word in enumerate(words))


def _word(word: str, *, first: bool) -> str:
    if first and _NUMBERED.fullmatch(word):
        return code(word)
    if word in _SIGNS and not first:
        return _SIGNS[word]
    around = _AROUND.fullmatch(word)
    assert around is not None
    before, core, after = around.groups()
    if first and not core:  # `!!!` opens an admonition in some wikis
        return code(word)
    shown = visible(core)
    plain = not core or (_WORD.fullmatch(shown) and not _REFERENCE.fullmatch(shown))
    return f"{before}{core if plain else code(core)}{after}"


def code(text: str) -> str:
    """*text* as code within a line; a `|` stands between two pieces of code."""
    first, *rest = _BAR.split(visible(text).replace("\n", "\\n"))
    pieces = [_span(first)]
    for bar, piece in zip(rest[::2], rest[1::2], strict=True):
        pieces += [bar.replace("|", "&#124;"), _span(piece)]
    return "".join(pieces)


def _span(text: str) -> str:
    if not text:
        return ""
    marks = "`" * (_longest_run(text) + 1)
    padded = text.startswith(("`", " ")) or text.endswith(("`", " "))
    return f"{marks} {text} {marks}" if padded and text.strip(" ") else f"{marks}{text}{marks}"


def block(text: str, language: str = "goal") -> str:
    """*text* as a block of code, which ends where it ends and nowhere else."""
    shown = visible(text)
    marks = "`" * max(3, _longest_run(shown) + 1)
    return f"{marks}{language}\n{shown}\n{marks}"


def visible(text: str) -> str:
    """*text* with what does not show written out, but for its line ends."""
    return _HIDDEN.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    if is_called_for(match.string, match.start()):
        return match[0]
    return "\\t" if match[0] == "\t" else f"\\u{{{ord(match[0]):x}}}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
