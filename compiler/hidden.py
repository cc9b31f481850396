"""Characters that leave no ink of their own, and where one of them is called for all the same: lint
reports them in goal files, prompts show them by their numbers.

Listed here, since the tables of Unicode differ between versions of Python.
"""

from __future__ import annotations

import re

# Formats, fillers, directions, tags and variation selectors: for the brackets of a pattern.
INVISIBLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

_JOINER, _NON_JOINER = "\u200d", "\u200c"
# Arabic, the scripts of India, Tibetan, Burmese, Khmer and Mongolian shape letters by joiners.
_JOINING = "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\uabff]"
_IDEOGRAPH = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_MONGOLIAN = "[\u1820-\u18af]"
_EMOJI = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_KEYCAP = "[0-9#*]\ufe0f\u20e3"


def is_called_for(text: str, place: int) -> bool:
    """Does the character at *place* shape what stands beside it?"""
    char, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if char in (_JOINER, _NON_JOINER):
        if re.match(_JOINING, before) and re.match(_JOINING, after):
            return True
        shown = text[place - 2 : place - 1] if before == "\ufe0f" else before
        return bool(char == _JOINER and re.match(_EMOJI, shown) and re.match(_EMOJI, after))
    if "\ufe0e" <= char <= "\ufe0f":
        return bool(re.match(_EMOJI, before) or re.match(_KEYCAP, text[place - 1 : place + 2]))
    if "\ufe00" <= char <= "\ufe0d" or "\U000e0100" <= char <= "\U000e01ef":
        return re.match(_IDEOGRAPH, before) is not None
    return "\u180b" <= char <= "\u180f" and re.match(_MONGOLIAN, before) is not None
