"""Goal files with marks: `⟪GS304⟫` stands directly before the place of a finding and is no part of
the file, `⟪U+00A0⟫` stands for a character that an editor would not show."""

from __future__ import annotations

import re

_MARK = re.compile(r"⟪(?:(GS\d{3})|U\+([0-9A-F]+))⟫")


def unmarked(marked: str) -> tuple[str, list[str]]:
    """The text without its marks, and `line:column code` of each; columns count code points."""
    text, expected, last = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[last : mark.start()]
        last = mark.end()
        if mark[2]:
            text += chr(int(mark[2], 16))
        else:
            line, column = text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1
            expected.append(f"{line}:{column} {mark[1]}")
    return text + marked[last:], expected
