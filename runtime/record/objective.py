"""The objective that somebody typed, cut to what is shown; the whole text stands beside it.

Only such a text is cut. A goal file's objective binds as it stands, and one that is too long is an
error of the file.
"""

from __future__ import annotations

import unicodedata

from ...compiler.ir.document import MAX_OBJECTIVE

_NEAR = 200  # how far back a cut looks for white space, or for the start of a character
_JOINER = "\u200d"


def capped_objective(text: str) -> tuple[str, str | None]:
    """*text* without the white space around it, and None; where it is too long, as much of it as
    there is room for, with a mark that says so, and the whole of it."""
    whole = text.strip()
    if len(whole) <= MAX_OBJECTIVE:
        return whole, None
    mark = f" […the objective goes on: {len(whole)} characters, whole in the record]"
    return whole[: _cut(whole, MAX_OBJECTIVE - len(mark))].rstrip() + mark, whole


def _cut(text: str, most: int) -> int:
    """Where to cut *text*, at *most* or before: at white space if some is near, and never inside of
    what a reader takes for one character."""
    for place in range(most, most - _NEAR, -1):
        if text[place].isspace():
            return place
    for place in range(most, most - _NEAR, -1):
        if not _joined(text, place):
            return place
    return most


def _joined(text: str, place: int) -> bool:
    """Do the characters on both sides of *place* make one?"""
    before, after = text[place - 1], text[place]
    return (
        ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
        or unicodedata.category(after).startswith("M")
        or _JOINER in (before, after)
        or "\U0001f3fb" <= after <= "\U0001f3ff"  # the tone of a skin
        or (_is_half_flag(after) and _half_flags_before(text, place) % 2 == 1)
    )


def _half_flags_before(text: str, place: int) -> int:
    count = 0
    while count < place and _is_half_flag(text[place - count - 1]):
        count += 1
    return count


def _is_half_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
