"""`goalspec goal history` and `journal`."""

from __future__ import annotations

import json
import re
import sqlite3

import pytest
from goalspec.tests.cli.goal.sessions import Commands


def changed(goal: Commands) -> Commands:
    goal.created()
    goal.person("pause", "--reason", "a\x1b[31mb\nc")
    goal.person("resume")
    return goal


@pytest.mark.ruling(36)
def test_the_journal_is_a_line_for_each_event(goal: Commands) -> None:
    lines = changed(goal).agent("journal").stdout.splitlines()
    assert [re.split("  +", line)[2:4] for line in lines] == [
        ["person", "created"], ["person", "status_changed"], ["person", "status_changed"],
    ]  # fmt: skip
    assert all(line.isprintable() for line in lines)
    entries = json.loads(goal.agent("journal", "--json").stdout)["entries"]
    assert [one["number"] for one in entries] == [1, 2, 3]
    assert entries[1]["event"]["changes"]["status"]["name"] == "paused"
    assert re.fullmatch("[0-9a-f]{64}", entries[2]["digest"])


@pytest.mark.ruling(36)
def test_a_whole_journal(goal: Commands) -> None:
    changed(goal)
    digest = json.loads(goal.agent("journal", "--json").stdout)["entries"][-1]["digest"]
    result = goal.agent("journal", "--verify")
    assert (result.exit_code, result.stdout) == (0, f"whole: 3 events, up to {digest}\n")
    assert json.loads(goal.agent("journal", "--verify", "--json").stdout)["problems"] == []


@pytest.mark.ruling(36)
@pytest.mark.parametrize(
    ("tampering", "says"),
    [
        (
            "UPDATE goalspec_journal SET event = replace(event, '\"agent\"', '\"person\"')",
            "entry 1",
        ),
        ("DELETE FROM goalspec_journal WHERE number = 1", "entry 2"),
        ("DELETE FROM goalspec_journal WHERE number = 2", "candidate: "),
        (
            "UPDATE goalspec_sessions SET record = replace(record, '\"blocked\"', '\"complete\"')",
            "candidate: ",
        ),
    ],
)
def test_what_was_tampered_with_is_found(goal: Commands, tampering: str, says: str) -> None:
    goal.agent("create", "--text", "x")
    goal.agent("update", "blocked", "--reason", "y")
    with sqlite3.connect(goal.store_url) as database:
        assert database.execute(tampering).rowcount >= 1
    result = goal.agent("journal", "--verify")
    assert (result.exit_code, result.stdout) == (1, "")
    assert says in result.stderr


def test_the_history(goal: Commands) -> None:
    goal.created()
    assert goal.agent("history").stdout == ""
    goal.person("complete", "--reason", "seen", stdin="ship\n")
    goal.person("create", "--text", "Next.")
    line = goal.agent("history").stdout
    assert line.startswith("1  ")
    assert line.endswith("  complete (seen): Ship it. [0 of 10 turns]\n")
