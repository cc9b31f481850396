"""`goalspec check --allow-run`: the goal's own commands, alone and beside a facts file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from goalspec.cli import group

GOAL = """
facts from run "python3 -c 'print(len(__import__(\\"os\\").listdir()))'" in "sub" timeout 1m {
  ran    : bool
  number : int  at "out"
}
facts {
  given : bool
}
goal g {
  objective "Ship it."
  criterion ran "It ran"
    check ran and number == 1
  criterion given "It was given"
    check given
}
"""


@pytest.fixture
def goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project/sub").mkdir(parents=True)
    (tmp_path / "project/.git").mkdir()
    (tmp_path / "project/sub/file").touch()
    (tmp_path / "project/goals").mkdir()
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "project/goals/g.goal"
    path.write_text(GOAL)
    return path


def check(goal: Path, *options: str, facts: Any = None) -> Result:
    given = () if facts is None else ("--facts", "-")
    text = facts if isinstance(facts, str) else json.dumps(facts)
    return CliRunner().invoke(group, ["check", str(goal), *given, *options], input=text)


def outcomes(result: Result) -> dict[str, str]:
    said = json.loads(result.stdout)
    return {id: kind for kind in ("met", "unmet", "unknown") for id in said[kind]}


@pytest.mark.ruling(41)
def test_nothing_runs_unless_it_is_allowed(goal: Path) -> None:
    assert outcomes(check(goal, "--json", facts={"given": True})) == {
        "ran": "unknown",
        "given": "met",
    }
    nothing = check(goal)
    assert nothing.exit_code == 2
    assert "give facts (--facts), or let the goal's commands run (--allow-run)" in nothing.stderr


@pytest.mark.ruling(64)
def test_the_goals_commands_run_in_its_project(goal: Path) -> None:
    result = check(goal, "--allow-run", "--json")
    assert outcomes(result) == {"ran": "met", "given": "unknown"}
    assert result.exit_code == 3


def test_they_join_the_last_observation(goal: Path) -> None:
    assert check(goal, "--allow-run", facts={"given": True}).exit_code == 0
    assert check(goal, "--allow-run", facts='{"given": true}\n{}').exit_code == 0
    each = check(goal, "--allow-run", "--each", "--json", facts='{"given": true}\n{}')
    first, last = map(json.loads, each.stdout.splitlines())
    assert (first["unknown"], last["unknown"]) == (["ran"], [])


def test_what_both_say_must_be_the_same(goal: Path) -> None:
    assert check(goal, "--allow-run", facts={"given": True, "number": 1}).exit_code == 0
    result = check(goal, "--allow-run", facts={"given": True, "number": 2})
    assert result.exit_code == 3
    assert "two sources say 2 and 1" in " ".join(result.stdout.split())


def test_an_observation_of_another_time_is_refused(goal: Path) -> None:
    facts = {"at": "2026-01-01T00:00Z", "facts": {"given": True}}
    result = check(goal, "--allow-run", facts=facts)
    assert result.exit_code == 2
    assert result.stderr == (
        "-: error[GS503]: commands run now, and their facts join no observation with a time (`at`)\n"
    )


def test_a_bad_value_and_an_undeclared_key_are_said(goal: Path) -> None:
    goal.write_text(GOAL.replace(": int", ": int in 3..").replace("== 1", "== 3"))
    result = check(goal, "--allow-run", facts={"givn": True})
    assert result.exit_code == 3
    assert "GS501" in result.stderr and "number: 1 is outside" in result.stderr
    assert "GS502" in result.stderr and "givn" in result.stderr
    assert check(goal, "--allow-run", "--strict").exit_code == 2


def test_a_goal_without_commands_has_nothing_to_run(goal: Path) -> None:
    goal.write_text(GOAL.replace('from run "python3', 'from elsewhere "python3'))
    result = check(goal, "--allow-run")
    assert result.exit_code == 2
    assert "the goal g takes no fact `from run`" in result.stderr


def test_a_command_that_fails_says_why(goal: Path) -> None:
    goal.write_text(GOAL.replace("python3", "no-such-command"))
    result = check(goal, "--allow-run")
    assert result.exit_code == 3
    assert "was not started" in result.stdout
