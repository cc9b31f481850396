"""C092: the mark of a finding stands under what it is about, and SARIF says what its columns count."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec, put

BEFORE = {
    "tabs": '\tcriterion c\t"It is small"\tcheck\t',
    "emoji": '  criterion c "\U0001f384\U0001f384" check ',
    "wide": '  criterion c "漢字かな" check ',
    "combining": '  criterion c "e\u0301e\u0301" check ',
}
WIDTHS = {"emoji": 2, "wide": 4, "combining": -2}  # cells more, or less, than code points


def spec(path: Path, before: str) -> Path:
    text = f'facts {{\n  pr.size : percent\n}}\n\ngoal g {{\n  objective "o"\n{before}pr.size <= 5\n}}\n'
    return put(path / "c.goal", text)


@pytest.mark.parametrize("name", BEFORE)
def test_the_mark_stands_under_the_mistake(tmp_path: Path, name: str) -> None:
    lines = goalspec("lint", spec(tmp_path, BEFORE[name])).output.splitlines()
    shown = next(line for line in lines if line.endswith("pr.size <= 5"))
    mark = lines[lines.index(shown) + 1]
    assert mark.strip("| ") == "^"
    assert mark.index("^") == len(shown) - 1 + WIDTHS.get(name, 0)


@pytest.mark.parametrize("name", BEFORE)
def test_sarif_counts_code_points_and_says_so(tmp_path: Path, name: str) -> None:
    result = goalspec("lint", spec(tmp_path, BEFORE[name]), "--format", "sarif")
    run = json.loads(result.stdout)["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    (found,) = run["results"]
    region = found["locations"][0]["physicalLocation"]["region"]
    column = len(BEFORE[name]) + len("pr.size <= ") + 1
    assert (region["startLine"], region["startColumn"]) == (7, column)
