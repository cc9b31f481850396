"""The page on sources: its examples run, in order, and its tables and numbers are the code's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime import sources
from goalspec.runtime.pinned import reading
from goalspec.runtime.sources import FactsFileRefused, FileFacts
from goalspec.runtime.sources.answers import MAX_FACTS
from goalspec.runtime.sources.running import TIMEOUT

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sources.md").read_text("utf-8")
SUITE = "print('{\"failed\": 0}')\n"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mend.goal").write_text(blocks("goal")[0])
    (tmp_path / "approvals.json").write_text('{"review.approved": true}')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/suite.py").write_text(SUITE)
    names: dict[str, Any] = {"__name__": "example"}
    examples = blocks("python")
    for example in examples:
        exec(example, names)
        shown = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == shown
    assert len(examples) == 2
    with pytest.raises(FactsFileRefused):  # as the page says
        FileFacts(tmp_path / "approvals.json", (), tmp_path)


def test_every_source_is_in_the_table() -> None:
    rows = re.findall(r"^\| `(\w+Facts)` \|", PAGE, re.MULTILINE)
    assert set(rows) == {name for name in sources.__all__ if name.endswith("Facts")}


def test_the_numbers_are_those_of_the_code() -> None:
    assert "has 10 minutes" in PAGE and TIMEOUT == 600
    assert PAGE.count("16 MiB") == 2 and MAX_FACTS == 16 * 1024**2
    assert f"{reading.MAX_FILES:,} files" in PAGE
    assert "over 1 GiB" in PAGE and reading.MAX_BYTES == 1024**3
    named = re.findall(r"`(\.?\w+)`", PAGE.partition("the folders that tools fill:")[2][:80])
    assert len(named) == 4 and set(named) <= reading.TOOL_NAMES
