"""C074: a choice of tests that selects none is no pass, and neither is a folder without any; how many
ran is printed. C106: a test that expects nothing is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

GOAL = 'facts {\n  a.ok : bool\n}\n\ngoal g {\n  objective "o"\n  criterion c "It holds" check a.ok\n}\n'
TEST = '\ntest "holds" for g {\n  observe { a.ok = true }\n  expect c met\n}\n'


@pytest.mark.parametrize(
    ("text", "options", "code", "says"),
    [
        (GOAL + TEST, [], 0, "1 passed in 1 file"),
        (GOAL + TEST, ["-k", "hold"], 0, "1 passed in 1 file"),
        (GOAL + TEST, ["-k", "holdss"], 2, "selects none of 1 test"),
        (GOAL, [], 2, "there is no test in 1 file"),
        (GOAL + TEST.replace("expect c met", ""), [], 1, "the test expects nothing"),
        (GOAL + '\ntest "empty" for g {\n}\n', [], 1, "the test expects nothing"),
    ],
    ids=str,
)
def test_none_is_no_pass(
    tmp_path: Path, text: str, options: list[str], code: int, says: str
) -> None:
    result = goalspec("test", put(tmp_path / "g.goal", text), *options)
    assert result.exit_code == code, result.output
    assert says in result.output
