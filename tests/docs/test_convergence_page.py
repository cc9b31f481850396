"""The page on the loop is in step with the code: its tables are made from the order, the table of
reasons and the numbers, its example runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from goalspec.runtime.convergence import ORDER, REASONS, LoopEffect, LoopEvent, policy

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "convergence.md"
_MADE = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_NUMBER = re.compile(r"^([A-Z_, ]+) = (.+?)  # (.+)$", re.MULTILINE)


def order() -> str:
    return "\n".join(f"{n}. {stage}" for n, stage in enumerate(ORDER, 1))


def reasons() -> str:
    rows = ["| stage | reason | |", "| --- | --- | --- |"]
    rows += (
        f"| {stage} | `{code}` | {words} |"
        for stage, codes in REASONS.items()
        for code, words in codes.items()
    )
    return "\n".join(rows)


def numbers() -> str:
    found = _NUMBER.findall(inspect.getsource(policy))
    rows = ["| number | value | |", "| --- | --- | --- |"]
    rows += (f"| `{name}` | {value.strip('()')} | {words} |" for name, value, words in found)
    return "\n".join(rows)


PARTS: dict[str, Callable[[], str]] = {"order": order, "reasons": reasons, "numbers": numbers}


@pytest.mark.row("S05", "X15")
def test_the_tables_are_in_step(golden: Callable[[Path, str], None]) -> None:
    page = PAGE.read_text("utf-8")
    assert [match[2] for match in _MADE.finditer(page)] == list(PARTS)
    golden(PAGE, _MADE.sub(lambda part: f"{part[1]}{PARTS[part[2]]()}\n{part[3]}", page))


def test_no_two_reasons_share_a_code() -> None:
    codes = [code for stage in REASONS.values() for code in stage]
    assert len(codes) == len(set(codes))


def test_the_order_is_that_of_the_reasons() -> None:
    assert list(ORDER) == list(REASONS) == [
        "bound", "terminal", "person", "barrier", "account", "floor", "drift", "judge", "budget",
        "progress", "claim",
    ]  # fmt: skip


def test_the_page_names_every_event_and_every_effect() -> None:
    page = PAGE.read_text("utf-8")
    for kind in (*get_args(LoopEvent), *get_args(LoopEffect)):
        assert f"`{kind.__name__}`" in page, kind


def test_the_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    [example] = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["second"].reason == "continuing"
