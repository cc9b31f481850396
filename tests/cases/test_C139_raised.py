"""C139: only a person raises a budget, and that alone lets a goal that ran into it go on; the agent
can neither raise it nor say that it is exhausted."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle import Refusal
from goalspec.runtime.lifecycle.commands import Limit, Settle
from goalspec.runtime.record import Usage
from goalspec.tests.cli.goal.sessions import SPEC, Commands, refused


@pytest.mark.row("P02")
def test_a_persons_amendment_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = Commands(tmp_path, monkeypatch).created()
    store = goal.store()
    goals = Goals(store)
    limit = Limit(reason="10 of 10 turns")
    with pytest.raises(Refusal, match="only the runtime"):
        goals.perform("s1", limit, "agent")
    goals.perform("s1", Settle(settlement="r1", usage=Usage(turns=10)), "runtime")
    goals.perform("s1", limit, "runtime")
    store.close()
    raised = goal.file("raised.goal", SPEC.replace("turns 10", "turns 20"))
    for asked in (goal.agent("resume"), goal.agent("amend", raised, "--reason", "more")):
        assert refused(asked, "not_a_person")
    assert refused(goal.person("resume"), "budget_exhausted")
    assert goal.status() == "budget_limited"
    assert goal.person("amend", raised, "--reason", "more", stdin="ship\n").exit_code == 0
    shown = goal.shown()
    assert (shown["status"]["name"], shown["usage"]["turns"]) == ("active", 10)
