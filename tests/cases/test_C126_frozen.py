"""C126: what a boundary carries over is read from the record each time: an amendment shows at the
next one, and a goal that was cancelled is never put back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goalspec.tests.cases.commands import goalspec
from goalspec.tests.cli.goal.sessions import SPEC, Commands


def folded(goal: Commands, transcript: str) -> str:
    """*transcript* after a boundary."""
    options = ["--session", "s1", "--store", goal.store_url, "-"]
    done = goalspec("fold", *options, stdin=transcript)
    assert done.exit_code == 0, done.output
    return done.stdout


def stamp(transcript: str) -> tuple[str, int]:
    """The contract and the generation of the one block in *transcript*."""
    messages = [json.loads(line) for line in transcript.splitlines()]
    (found,) = [m["metadata"]["goalspec"] for m in messages if "goalspec" in m.get("metadata", {})]
    return found["contract"], found["generation"]


def test_an_edit_and_a_cancellation_show_at_the_next_boundary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = Commands(tmp_path, monkeypatch).created()
    said = '{"role":"user","content":"hi"}\n{"role":"assistant","content":"ho"}\n'
    first = folded(goal, said)
    assert stamp(first) == (goal.shown()["goal"]["contract"], 1)
    edited = goal.file("edited.goal", SPEC.replace("tests pass", "tests pass twice"))
    goal.person("amend", edited, "--reason", "Once is luck.", stdin="ship\n")
    second = folded(goal, first)
    assert stamp(second) == (goal.shown()["goal"]["contract"], 2) != stamp(first)
    assert "The tests pass twice" in second
    goal.person("cancel", stdin="ship\n")
    assert folded(goal, second) == said
    assert folded(goal, first) == said
