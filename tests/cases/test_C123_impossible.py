"""C123: impossible is an outcome of its own. A person says it, and the goal is over and not done; what a
judge or a stop finds in the way blocks the goal, with why, and never ends it as done."""

from __future__ import annotations

from pathlib import Path

import pytest
from goalspec.runtime.lifecycle.commands import Amend, End, Resume
from goalspec.tests.cli.goal.sessions import Commands, refused
from goalspec.tests.runtime.convergence.loop import JUDGED, Loop, checked, goal_of, says
from goalspec.tests.runtime.lifecycle.acting import code

STOPPING = goal_of(JUDGED + 'stop no-access "A credential is missing" check reviewed\n}')


@pytest.mark.ruling(48)
def test_a_person_ends_it_as_impossible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goal = Commands(tmp_path, monkeypatch).created()
    assert refused(goal.agent("end", "It cannot be."), "not_a_person")
    assert refused(goal.person("end", "  ", stdin="ship\n"), "blank")
    assert goal.status() == "active"
    done = goal.person("end", "The service is gone.", stdin="ship\n")
    assert done.exit_code == 0
    assert done.stdout.startswith("ended as impossible (The serv")
    status = goal.shown()["status"]
    assert (status["name"], status["ending"]) == ("ended", "impossible")
    assert status["reason"] == "The service is gone."
    assert refused(goal.person("resume"), "wrong_status")
    assert refused(goal.agent("create", "--text", "Less."), "not_a_person")
    assert goal.person("create", "--text", "Another.").exit_code == 0
    assert '"impossible"' in goal.agent("history", "--json").stdout


@pytest.mark.ruling(48, 52)
def test_what_is_impossible_stays_over() -> None:
    loop = Loop(checked())
    loop.open()
    loop.ask(End(ending="impossible", reason="The service is gone."), "person")
    assert loop.open() == "terminal"
    assert code(loop.record, Resume(), "person", 90) == "wrong_status"
    again = Amend(goal=checked("budget { turns 9 }"), reason="perhaps it can")
    assert code(loop.record, again, "person", 90) == "finished_goal"


@pytest.mark.parametrize("floor", [True, False])
def test_a_judge_that_finds_it_blocked_blocks_it_with_why(floor: bool) -> None:
    loop = Loop(STOPPING, facts={"suite.passed": floor, "reviewed": False})
    loop.open()
    loop.start()
    loop.propose("blocked", "no credential")
    assert loop.settle() == "judging"
    assert loop.judge(says("blocked", text="Ask Ann for the credential.")) == "judge_blocked"
    status = loop.record.status
    assert (status.name, status.reason) == ("blocked", "Ask Ann for the credential.")
    assert (status.mechanical, status.ending) == (False, None)


def test_a_true_stop_blocks_it_over_a_met_floor() -> None:
    loop = Loop(STOPPING, facts={"suite.passed": True, "reviewed": True})
    assert loop.open() == "stopped"
    status = loop.record.status
    assert (status.name, status.reason) == ("blocked", "stop: no-access")
    assert (status.mechanical, status.ending) == (False, None)
