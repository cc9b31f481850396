"""The example of the page on the store prints what the page shows."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from goalspec.tests.runtime.store.decisions import GOAL

PAGE = Path(__file__).resolve().parents[2] / "docs" / "store.md"


def test_the_example_prints_what_the_page_shows() -> None:
    page = PAGE.read_text("utf-8")
    [code] = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    [shown] = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(PAGE), "exec"), {"goal": GOAL})
    assert printed.getvalue() == shown


def test_the_page_names_every_table() -> None:
    from goalspec.runtime.store.tables import METADATA, REVISION

    named = set(re.findall(r"^\| `(goalspec_\w+)`", PAGE.read_text("utf-8"), re.MULTILINE))
    assert named == METADATA.tables.keys() - {REVISION.name}
