"""Text that nobody vouches for, in one line of so many columns."""

from __future__ import annotations

import pytest
from goalspec.compiler.characters import cells, one_line
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.row("P12")
@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("", 5, ""),
        ("plain", 5, "plain"),
        ("plainer", 5, "plai…"),
        ("a  b\n\tc ", 9, "a b c"),
        ("cut here", 5, "cut…"),
        ("\x1b[2Jx\x00\x9by", 9, "[2Jxy"),
        ("a\u202eb\u2066c\u200fd", 9, "abcd"),
        ("漢字漢字", 8, "漢字漢字"),
        ("漢字漢字", 7, "漢字漢…"),
        ("漢字漢字", 6, "漢字…"),
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("a" + "\u0301" * 9, 3, "a" + "\u0301" * 4),
        ("\ud800x", 3, "x"),
        ("x", 0, "…"),
    ],
)
def test_one_line(text: str, width: int, line: str) -> None:
    assert one_line(text, width) == line


@given(st.text(), st.integers(1, 40))
def test_a_line_is_one_that_shows_itself(text: str, width: int) -> None:
    line = one_line(text, width)
    assert line.isprintable()
    assert sum(columns for _, columns in cells(line)) <= width
    assert one_line(line, width) == line
