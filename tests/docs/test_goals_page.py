"""What docs/goals.md shows is what the commands print; `pytest --update-golden` renews it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from goalspec.cli.goal_command import VERBS
from goalspec.tests.cli.goal.sessions import Commands

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "goals.md"
_GOAL = re.compile(r"^```goal\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SESSION = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^(agent)?\$ goalspec goal (.*)$", re.MULTILINE)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


@pytest.mark.row("P01", "S01", "X13")
def test_the_sessions_are_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[Path, str], None]
) -> None:
    text = PAGE.read_text("utf-8")
    first, amended = _GOAL.findall(text)
    goal = Commands(tmp_path, monkeypatch)
    goal.file("login.goal", first)
    goal.file("amended.goal", amended)
    monkeypatch.chdir(tmp_path)

    def session(match: re.Match[str]) -> str:
        lines = (answered(goal, prompt) for prompt in _PROMPT.finditer(match[1]))
        return f"```console\n{''.join(lines)}```"

    assert len(_SESSION.findall(text)) == 6
    golden(PAGE, _SESSION.sub(session, text))


def answered(goal: Commands, prompt: re.Match[str]) -> str:
    """A command and what it prints. The times and digests of the page are not those of today."""
    words = shlex.split(prompt[2])
    if prompt[1]:
        result = goal.agent(*words, session="7f3a")
    else:
        result = goal.person(*words, session="7f3a", stdin=f"{goal_id(goal)}\n")
    printed = _TIME.sub("2026-03-01T12:00:00.000000Z", result.output)
    return f"{prompt[0]}\n{_DIGEST.sub('5e' * 32, printed)}"


def goal_id(goal: Commands) -> str:
    shown = goal.shown("7f3a")["goal"]
    return "" if shown is None else str(shown["id"])


def test_the_page_names_every_verb_and_every_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = PAGE.read_text("utf-8")
    for verb in VERBS:
        assert re.search(rf"(goalspec goal |`){verb}\b", text), verb
    goal = Commands(tmp_path, monkeypatch)
    created = json.loads(goal.agent("create", "--text", "x", "--json").stdout)
    table = text.partition("| key | |")[2].partition("\n\n")[0]
    named = {
        key
        for row in table.splitlines()
        for key in re.findall("`(\\w+)`", row.split("|")[1:2][0] if row.count("|") > 1 else "")
    }
    assert named == {*created, "inbox", "notes"}
