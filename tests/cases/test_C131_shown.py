"""C131: what a run may take is said when it starts, with the numbers that it ends at; a marker that is not
there is no marker, and never the whole text; and an option that nobody knows is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from goalspec.cli import group
from goalspec.compiler.host_goal import BadGoal
from goalspec.runtime.convergence import Policy
from goalspec.runtime.dashboard import effective_budget
from goalspec.runtime.host import goal_judge, goal_reloop
from goalspec.runtime.prompting import read_proposal
from goalspec.tests.runtime.convergence.loop import Loop, checked

FULL = "budget { turns 3 tokens 1500 cost 2.50 USD runtime 90m attempts 4 tool_calls 70 }"


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("budget { turns 3 }", "turns 3; no limit of tokens, cost, runtime, attempts, tool calls"),
        (
            FULL,
            "turns 3, tokens 1,500, cost 2.5 USD, runtime 90m, attempts 4, tool calls 70",
        ),
        (
            "budget { cost 2 USD } budget advisory { tokens 100 }\n"
            'judge { model "judge-1" provider "acme" max_invocations 5 }',
            "turns 7 (by default), cost 2 USD, judge calls 5, tokens 100 (advisory); "
            "no limit of tokens, runtime, attempts, tool calls",
        ),
    ],
)
def test_the_budget_in_one_line(rest: str, said: str) -> None:
    assert effective_budget(checked(rest), Policy(owner="host", turns=7)) == said


@pytest.mark.parametrize("rest", ["", "budget { turns 3 }"])
def test_the_turns_that_are_said_are_those_that_it_ends_at(rest: str) -> None:
    loop = Loop(checked(rest), Policy(owner="host", turns=2))
    turns, reason = 0, loop.open()
    while reason == "continuing":
        turns += 1
        reason = loop.turn(output=f"step {turns}")
    assert reason == "budget"
    assert effective_budget(checked(rest), loop.policy).startswith(f"turns {turns}")


def test_without_a_marker_there_is_no_end() -> None:
    assert read_proposal("The promise is kept: complete.\n" * 500) is None


@pytest.mark.parametrize("option", ["max_calls", "max-invocations", "completion_promise"])
def test_an_option_that_nobody_knows_is_refused(option: str) -> None:
    with pytest.raises(BadGoal, match=option):
        goal_judge(checked(), {option: 3})
    with pytest.raises(BadGoal, match=option):
        goal_reloop(checked(), {"judge": {option: 3}})


@pytest.mark.parametrize(
    "glued", [["--max-iterations=3"], ["--max-turns", "3"], ["and", "--turns", "3"]]
)
def test_no_option_of_a_run_is_swallowed(tmp_path: Path, glued: list[str]) -> None:
    result = CliRunner().invoke(group, ["run", str(tmp_path / "g.goal"), "--agent", "a", *glued])
    assert result.exit_code == 2
    assert "No such option" in result.stderr or "unexpected extra argument" in result.stderr
