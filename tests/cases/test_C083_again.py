"""C083, C084: formatting twice is formatting once, and no comment is lost or moved past another: for
every text of the cases, with and without a comment at the end of each of its lines."""

from __future__ import annotations

import re

import pytest
from goalspec import compile_text
from goalspec.tests.cases.commands import formatted
from goalspec.tests.cases.test_cases import CASES, FOLDER


def texts() -> dict[str, str]:
    """Every text of a case that has no mistake in its text, by the case."""
    found = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.goal")}
    for named in CASES:
        for kind in ("check", "lint"):
            for number, expected in enumerate(getattr(named.case, kind), 1):
                if expected.text is not None:
                    text, _ = named.file(expected.text)
                    if not any(
                        d.code.stage in ("lex", "parse") for d in compile_text(text).diagnostics
                    ):
                        found[f"{named.id}-{kind}-{number}"] = text
    return found


TEXTS = texts()


def commented(text: str) -> str:
    """The text with a comment of its own at the end of each line that does not stand in a string."""
    lines = re.split(r"\r\n|\r|\n", text)
    inside = False
    for number, line in enumerate(lines):
        inside ^= line.count('"""') % 2 == 1
        if not inside:
            lines[number] = f"{line} # {number} end"
    return "\n".join(lines)


def comments(text: str) -> list[str]:
    return re.findall(r"# \d+ end", text)


@pytest.mark.parametrize("name", TEXTS)
def test_formatting_again_changes_nothing(name: str) -> None:
    once = formatted(TEXTS[name])
    assert formatted(once) == once


@pytest.mark.parametrize("name", TEXTS)
def test_every_comment_stays_in_its_place(name: str) -> None:
    text = commented(TEXTS[name])
    once = formatted(text)
    assert comments(once) == comments(text)
    assert formatted(once) == once
