"""The page on compactions: its examples run, in order, and it names what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from goalspec.cli import COMMANDS
from goalspec.runtime.compaction.verifying import Trouble
from goalspec.runtime.pins import MAX_NO_COMPACT
from goalspec.runtime.transcript import SHAPES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "compaction.md").read_text("utf-8")


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    examples = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for example in examples:
        exec(example, names)
    assert len(examples) == 5
    assert "metadata" not in names["request"][0]


def test_the_page_names_every_finding_shape_and_command() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE)
    assert rows == [*get_args(Trouble), *(name for name in SHAPES if name != "common")]
    assert {"fold", "verify-fold"} <= set(COMMANDS)
    assert f"at most {MAX_NO_COMPACT} of them" in PAGE
