"""The page on events is in step with the code: its table is made from the kinds, its example runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import goalspec
import pytest
from goalspec.runtime.convergence.effects import LoopEventKind
from goalspec.runtime.sinks import KINDS, Notice
from goalspec.runtime.sinks.kinds import MAX_ENTRIES, MAX_TEXT
from goalspec.runtime.sinks.opentelemetry import SPAN

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "events.md"
_MADE = re.compile(r"(<!-- made: kinds -->\n).*?(<!-- end -->)", re.DOTALL)


def kinds() -> str:
    rows = ["| kind | what happened | details |", "| --- | --- | --- |"]
    for kind, said in KINDS.items():
        rows.append(
            f"| `{kind}` | {said.words} | {', '.join(f'`{one}`' for one in said.details)} |"
        )
    return "\n".join(rows)


@pytest.mark.row("P09")
def test_the_table_is_in_step(golden: Callable[[Path, str], None]) -> None:
    page = PAGE.read_text("utf-8")
    assert len(_MADE.findall(page)) == 1
    golden(PAGE, _MADE.sub(lambda part: f"{part[1]}{kinds()}\n{part[2]}", page))


def test_the_last_four_kinds_are_the_loops() -> None:
    assert len(get_args(LoopEventKind)) == 4
    assert tuple(KINDS)[-4:] == get_args(LoopEventKind)


def test_the_page_names_the_fields_and_the_bounds() -> None:
    page = PAGE.read_text("utf-8")
    for field in fields(Notice):
        assert f"`{field.name}`" in page
    assert f"{MAX_TEXT:,} characters" in page
    assert f"{MAX_ENTRIES} entries" in page
    assert f"`{SPAN}`" in page


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    [example] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.DOTALL)
    [goal] = goalspec.load(ROOT / "specs/examples/merge.goal").goals
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"goal": goal}
    exec(example, names)
    lines = Path("events.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["created", "status_changed"]
