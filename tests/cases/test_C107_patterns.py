"""C107: matching takes time in proportion to the text, so there is no pattern that is given up on and
then counts as not found."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

SECONDS = 10
TEXT = "a" * 60_000
CATASTROPHIC = [  # none is found in many an `a` and then `!`; a search by trial would not end
    "^(a+)+$",
    "^(a|a)*$",
    "^(a|aa)+$",
    "^(a*)*$",
    "^([a-z]+)*$",
    "(.*a){12}$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "a*a*a*a*a*b",
    "^(.?){20}a{20}$",
]
GLOBS = ["*a*a*a*a*a*b", "**/a/**/a/**/a/**/b"]


def spec(path: Path, check: str) -> Path:
    return put(
        path / "c.goal",
        "facts {\n  pr.title : string\n}\n\ngoal g {\n"
        f'  objective "o"\n  criterion c "It is named so"\n    check {check}\n}}\n',
    )


@pytest.mark.parametrize("negated", [False, True], ids=["", "not"])
@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_a_pattern_decides_in_time(tmp_path: Path, pattern: str, negated: bool) -> None:
    check = f'pr.title matches r"{pattern}"'
    name = spec(tmp_path, f"not ({check})" if negated else check)
    facts = put(tmp_path / "facts.json", f'{{"pr.title": "{TEXT}!"}}')
    began = time.monotonic()
    code = goalspec("check", name, "--facts", facts).exit_code
    assert time.monotonic() - began < SECONDS
    assert code == (0 if negated else 1)


@pytest.mark.parametrize("pattern", GLOBS)
def test_a_glob_decides_in_time(tmp_path: Path, pattern: str) -> None:
    facts = put(tmp_path / "facts.json", f'{{"pr.title": "{"a/" * 30_000}c"}}')
    began = time.monotonic()
    name = spec(tmp_path, f'pr.title like "{pattern}"')
    assert goalspec("check", name, "--facts", facts).exit_code == 1
    assert time.monotonic() - began < SECONDS


@pytest.mark.parametrize(
    "pattern", ["(a{1,100}){1,100}", "a{1001}", "((a{10}){10}){20}", "a" * 1_001]
)
def test_a_pattern_of_too_many_states_is_refused(tmp_path: Path, pattern: str) -> None:
    result = goalspec("lint", spec(tmp_path, f'pr.title matches r"{pattern}"'))
    assert result.exit_code == 1
    assert "GS314" in result.output
