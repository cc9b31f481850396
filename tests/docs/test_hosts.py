"""The page on hosts in Python: its examples run, in order, and say what they are said to say."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import goalspec
import pytest
from goalspec.compiler.host_spec import HOST_LIMITS
from goalspec.runtime import host

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "hosts.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.row("H09")
@pytest.mark.row("H13")
def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for example in blocks("python"):
        exec(example, names)
    [shown] = blocks("text")
    assert shown == "\n".join(names["problems"]) + "\n"


def test_the_page_names_every_function_and_every_limit() -> None:
    functions = [name for name in host.__all__ if inspect.isfunction(getattr(host, name))]
    assert [name for name in functions if name not in PAGE] == []
    assert [name for name in HOST_LIMITS.values() if name not in PAGE] == []
    assert [name for name in functions if name not in goalspec.__all__] == []
