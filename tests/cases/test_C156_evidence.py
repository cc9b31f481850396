"""C156: an agent's claim is a claim. It completes nothing, evaluates nothing and settles nothing;
what the runtime wrote is a chain, so that evidence which was put in or changed later is found."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle import Command, Refusal
from goalspec.runtime.lifecycle.commands import Complete, Evaluated, Observe, Settle
from goalspec.runtime.record import Usage
from goalspec.tests.cli.goal.sessions import Commands

FORGED: tuple[Command, ...] = (
    Complete(reason="all green"),
    Evaluated(evaluation="e1", outcome="complete"),
    Settle(settlement="r1", usage=Usage(), output="all green"),
    Observe(monitor={"suite.passed": True}),
)


@pytest.fixture
def goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(tmp_path, monkeypatch).created()


@pytest.mark.parametrize("command", FORGED, ids=lambda command: command.kind)
def test_an_agent_writes_no_evidence(goal: Commands, command: Command) -> None:
    before = goal.shown()
    store = goal.store()
    with pytest.raises(Refusal):
        Goals(store).perform("s1", command, "agent")
    store.close()
    assert goal.shown() == before


def test_a_claim_stays_one(goal: Commands) -> None:
    assert goal.agent("update", "complete", "--reason", "all green").exit_code == 0
    assert goal.status() == "active"
    last = json.loads(goal.agent("journal", "--json").stdout)["entries"][-1]["event"]
    assert (last["actor"], last["kind"]) == ("agent", "terminal_candidate_requested")


def test_evidence_that_was_made_afterwards_breaks_the_chain(goal: Commands) -> None:
    store = goal.store()
    Goals(store).perform("s1", Settle(settlement="r1", usage=Usage(), output="2 failed"), "runtime")
    store.close()
    goal.agent("update", "complete", "--reason", "2 failed")
    assert goal.agent("journal", "--verify").exit_code == 0
    with sqlite3.connect(goal.store_url) as database:
        database.execute(
            "UPDATE goalspec_journal SET event = replace(event, '2 failed', '0 failed')"
        )
    result = goal.agent("journal", "--verify")
    assert result.exit_code == 1
    assert "its digest is not that of its event" in result.stderr
