"""The page on the report is in step with the code: its parts, its bounds, its keys, its example."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from goalspec.runtime.report import Page, journal, judgements, page, spending, standing, timeline
from goalspec.runtime.store.rows import MAX_EVALUATIONS
from goalspec.tests.runtime.report.sessions import store_of_long_session

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "report.md").read_text("utf-8")
TEMPLATE = ROOT / "runtime" / "report" / "templates" / "page.html.j2"


def test_the_page_names_every_part_in_order() -> None:
    titles = re.findall(r'^  \("\w+", "([^"]+)",', TEMPLATE.read_text("utf-8"), re.M)
    assert len(titles) == 9
    rows = re.findall(r"^\| ([A-Z][\w ]+) \|", PAGE, re.M)
    assert rows == titles


def test_the_page_names_every_key() -> None:
    keys = PAGE[PAGE.index("## For programs") :]
    assert [field.name for field in fields(Page) if f"`{field.name}`" not in keys] == []


def test_the_page_names_every_bound() -> None:
    bounds = PAGE[PAGE.index("## How much of it") : PAGE.index("## For programs")]
    for said in (
        f"the first {journal.FIRST} entries and the last {journal.LAST}",
        f"{journal.MAX_CHANGES}, each value {journal.MAX_VALUE} characters",
        f"the first {journal.MAX_PROBLEMS} |",
        f"the last {timeline.MAX_COLUMNS} columns",
        f"{spending.MAX_POINTS} points, and the last {spending.MAX_LINES} lines",
        f"the last {judgements.MAX_EVALUATIONS}, which",
        f"{judgements.MAX_ITEMS} items, {judgements.MAX_SHOWN:,} characters together, "
        f"{judgements.MAX_ITEM:,} of one",
        f"the last {judgements.MAX_CALLS} |",
        f"the last {page.MAX_REFUSALS} |",
        f"the first {standing.MAX_FILES}, the first {standing.MAX_DRIFT} |",
    ):
        assert said in bounds
    assert judgements.MAX_EVALUATIONS == MAX_EVALUATIONS
    assert page.MAX_REFUSALS == page.MAX_GOALS


def test_the_example_runs() -> None:
    [example] = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.DOTALL)
    names: dict[str, Any] = {"store": store_of_long_session()}
    exec(example.replace('"s1"', '"7f3a"'), names)
    assert names["html"].startswith("<!doctype html>")
