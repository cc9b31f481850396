"""How text that nobody vouches for looks in one line of a terminal.

What could move the cursor, change colours, turn the writing direction or hide is written out by its
number; the rest is shown as it is, with the columns that it takes.
"""

from __future__ import annotations

import unicodedata

_TAB = " " * 4
_STACK = 4  # combining marks drawn on one character; what is piled higher is escaped

# Drawn as nothing or as a blank although Unicode calls them letters, marks or symbols.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = (
    range(0x180B, 0x1810),  # Mongolian variation selectors
    range(0xFE00, 0xFE10),  # variation selectors 1 to 16
    range(0xE0100, 0xE01F0),  # variation selectors 17 to 256
)
# Vowels and finals of a decomposed Hangul syllable are drawn inside the syllable's cell.
_JAMO = (range(0x1161, 0x1200), range(0xD7B0, 0xD7FC))


def visible(text: str) -> str:
    """*text* in one line, with every character that does not show itself escaped."""
    return "".join(char for char, _ in cells(text.replace("\t", _escaped("\t"))))


def cells(text: str) -> list[tuple[str, int]]:
    """Each code point as it is shown, with the number of terminal columns that it takes."""
    shown: list[tuple[str, int]] = []
    stacked = 0
    for char in text:
        if " " <= char <= "~":
            shown.append((char, 1))
            stacked = 0
            continue
        zero = _takes_no_column(char)
        stacked = stacked + 1 if zero else 0
        if char == "\t":
            shown.append((_TAB, len(_TAB)))
        elif _hides(char) or stacked > _STACK:
            shown.append((_escaped(char), len(_escaped(char))))
        elif zero:
            shown.append((char, 0))
        else:
            shown.append((char, 2 if unicodedata.east_asian_width(char) in "WF" else 1))
    return shown


def one_line(text: str, width: int) -> str:
    """*text* in at most *width* columns of one line: white space folded, what does not show itself
    taken out, and the end cut with an ellipsis."""
    folded = " ".join("".join(char for char in text if char.isspace() or not _hides(char)).split())
    shown = [(char, columns) for char, columns in cells(folded) if len(char) == 1]
    if sum(columns for _, columns in shown) <= width:
        return "".join(char for char, _ in shown)
    kept, taken = "", 1  # the ellipsis
    for char, columns in shown:
        taken += columns
        if taken > width:
            break
        kept += char
    return f"{kept.rstrip()}…"


def _escaped(char: str) -> str:
    return f"\\u{{{ord(char):x}}}"


def _hides(char: str) -> bool:
    """Whether *char* leaves no ink of its own: controls, formats, blanks, unassigned ones."""
    if char in _BLANKS or any(ord(char) in selectors for selectors in _SELECTORS):
        return True
    return unicodedata.category(char)[0] in "CZ" and char != " "


def _takes_no_column(char: str) -> bool:
    if unicodedata.combining(char) or any(ord(char) in jamo for jamo in _JAMO):
        return True
    return unicodedata.category(char) in ("Mn", "Me")
