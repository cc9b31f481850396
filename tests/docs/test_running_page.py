"""The page on running: its examples run, its goal compiles, and its tables are the code's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from goalspec import compile_text
from goalspec.cli.run_command import command
from goalspec.compiler.rendering import BLOCKED, COMPLETE
from goalspec.runtime.driving.agents.command import EXIT_ERRORS, USAGE, read_usage
from goalspec.runtime.driving.session import LEASE

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "running.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {"__name__": "example"}
    for example in blocks("python"):
        exec(example, names)
    assert names["standing"].reason == "impasse"
    [goal] = blocks("goal")
    assert compile_text(goal).document is not None


def test_the_table_of_the_agent_is_the_codes() -> None:
    assert set(map(int, re.findall(r"exits with (\d+)", PAGE))) >= {0, *EXIT_ERRORS}
    assert f"`{COMPLETE}`" in PAGE
    assert f"`{BLOCKED} REASON`" in PAGE
    [line] = re.findall(rf"`({USAGE} {{.*}})`", PAGE)
    assert read_usage([line.removeprefix(USAGE)]).tokens == 1200
    assert f"{LEASE:g} seconds" in PAGE


def test_every_option_that_is_named_is_one() -> None:
    options = {name for parameter in command.params for name in parameter.opts}
    named = set(re.findall(r"(?<![\w-])(--[a-z]+[a-z-]*)", PAGE)) - {"--print"}
    assert named <= options
