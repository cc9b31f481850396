"""C078: a file means the same and has the same findings at the same places with LF, CRLF and CR,
and with a mixture of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from goalspec import Compilation, compile_text

SPECS = sorted((Path(__file__).parents[2] / "specs").rglob("*.goal"))
BROKEN = """facts {
  a.size : percent
}

goal g {
  objective \"\"\"
    Two lines
      of text.
    \"\"\"
  criterion c "It is small"
    check a.size <= 5   # a count
  criterion d "It is large" check a.siz > 5%
  budget { turn 5 }
}
"""


def mixed(text: str) -> str:
    ends = cycle(["\r\n", "\n", "\r"])  # after a CR never an LF
    return "".join(line + next(ends) for line in text.split("\n"))


SPELLINGS: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "mixed": mixed,
    "one CRLF": lambda text: text.replace("\n", "\r\n", 1),
}


def found(compilation: Compilation) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    return [
        (d.code.id, (d.start.line, d.start.column), (d.end.line, d.end.column))
        for d in compilation.diagnostics
    ]


@pytest.mark.parametrize("respelt", SPELLINGS.values(), ids=SPELLINGS.keys())
@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_means_the_same(path: Path, respelt: Callable[[str], str]) -> None:
    text = "\n".join(
        line for line in path.read_text("utf-8").split("\n") if not line.startswith('use "')
    )
    before, after = compile_text(text), compile_text(respelt(text))
    assert found(after) == found(before)
    assert (after.document is None) == (before.document is None)
    if before.document is not None and after.document is not None:
        assert after.document.goals == before.document.goals
        assert after.document.facts == before.document.facts


@pytest.mark.parametrize("respelt", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_findings_stand_where_they_stood(respelt: Callable[[str], str]) -> None:
    before = found(compile_text(BROKEN))
    assert [place for _, place, _ in before] == [(11, 21), (12, 35), (13, 12)]
    assert found(compile_text(respelt(BROKEN))) == before
