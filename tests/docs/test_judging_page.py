"""The page on judging: its examples run, in order, and its tables and numbers are the code's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.judge import Policy, adapters
from goalspec.runtime.judge.answer import MAX_QUOTES
from goalspec.runtime.judge.evidence import MAX_BYTES, MAX_ITEMS
from goalspec.runtime.judge.outcome import STATES
from goalspec.runtime.judge.quotes import MIN_QUOTE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "judging.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.row("X14")
def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fix_login.goal").write_text(blocks("goal")[0])
    names: dict[str, Any] = {"__name__": "example"}
    examples = blocks("python")
    for example in examples:
        exec(example, names)
    assert len(examples) == 3
    assert names["judgement"].accepted
    said = capsys.readouterr().out.strip()
    assert f"print(refused)  # {said}\n" in examples[-1]


def test_the_tables_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert set(STATES.values()) <= set(rows)
    assert set(adapters.__all__) <= set(rows)


def test_the_numbers_are_those_of_the_code() -> None:
    policy = Policy()
    for said in (
        f"attempts of one call ({policy.attempts})",
        f"({policy.backoff:g} s, doubling up to {policy.max_backoff:g} s",
        f"one call ({policy.call_timeout:g})",
        f"judgement\n({policy.deadline:g})",
        f"{MAX_BYTES // 1024} KiB",
        f"more than {MAX_ITEMS} items",
        f"at least {MIN_QUOTE} characters",
        f"at most {MAX_QUOTES} quotes",
    ):
        assert said in PAGE
