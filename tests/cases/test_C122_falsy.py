"""C122: 0, null, an empty list or an empty mapping is never taken for a default, for no limit, or for no
judge: it is refused with a message that names the setting. Where a setting has no limit, that is said."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from goalspec.cli import group
from goalspec.compiler import compile_text
from goalspec.compiler.host_goal import BadGoal, read_goal
from goalspec.runtime.convergence import Policy
from goalspec.runtime.dashboard import effective_budget
from goalspec.runtime.host import goal_judge, goal_reloop
from goalspec.runtime.judge import Policy as JudgePolicy
from goalspec.tests.runtime.convergence.loop import checked

FALSY: tuple[Any, ...] = (0, None, [], {}, "", False, 0.0, -1)
WRONG: tuple[Any, ...] = (*FALSY, "5", True, float("nan"), float("inf"))
CI = {"objective": "Ship it.", "success_criteria": [{"id": "green", "description": "CI is green",
      "check": lambda facts: facts["green"]}]}  # fmt: skip


@pytest.mark.parametrize("limit", ["turns 0", "tokens 0", "cost 0 USD", "attempts 0", "runtime 0s"])
def test_a_goal_file(limit: str) -> None:
    text = f'goal g {{ objective "It." criterion a "A" budget {{ {limit} }} }}'
    compilation = compile_text(text)
    assert compilation.document is None
    [error] = compilation.errors
    assert limit.split()[0] in error.message


@pytest.mark.parametrize("key", ["turns", "max_iterations", "tokens", "attempts", "tool_calls"])
@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_limit_of_a_host_s_goal(key: str, value: Any) -> None:
    with pytest.raises(BadGoal, match=f"budget.{key}: "):
        read_goal({**CI, "budget": {key: value}})


@pytest.mark.parametrize("value", [0, [], "", False, "unlimited"], ids=repr)
def test_a_budget_of_a_host_s_goal(value: Any) -> None:
    with pytest.raises(BadGoal, match="budget: it is a mapping of limits"):
        read_goal({**CI, "budget": value})


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_the_turns_of_a_run(value: Any) -> None:
    with pytest.raises(ValueError, match=r"turns: it is a whole number, 1 or more, not "):
        Policy(owner="host", turns=value)


@pytest.mark.parametrize("value", [v for v in WRONG if v != 0 or v is False or type(v) is float],
                         ids=repr)  # fmt: skip
def test_the_interval_of_a_run(value: Any) -> None:
    with pytest.raises(ValueError, match=r"interval: it is a whole number, 0 or more, not "):
        Policy(owner="host", interval=value)


@pytest.mark.parametrize("name", ["owner", "interactive"])
@pytest.mark.parametrize("value", [0, None, [], {}, ""], ids=repr)
def test_the_rest_of_a_run(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name}: it is "):
        Policy(**{"owner": "host", name: value})


NUMBERS = ("attempts", "backoff", "max_backoff", "call_timeout", "deadline")


@pytest.mark.parametrize("name", [*NUMBERS, "max_tokens", "max_cost"])
@pytest.mark.parametrize("value", [*WRONG, Decimal(0), Decimal("NaN")], ids=repr)
def test_the_bounds_of_a_judge(name: str, value: Any) -> None:
    if value is None and name not in NUMBERS:
        assert getattr(JudgePolicy(), name) is None  # the one bound is then `max_invocations`
        return
    with pytest.raises(ValueError, match=f"{name}: it is .* more than 0, not "):
        JudgePolicy(**{name: value})


@pytest.mark.parametrize("value", [0, [], {}, "", 1], ids=repr)
def test_the_price_of_a_judge(value: Any) -> None:
    with pytest.raises(ValueError, match="price: it is a Price, not "):
        JudgePolicy(price=value)


@pytest.mark.parametrize("value", [v for v in WRONG if v is not None], ids=repr)
def test_the_calls_of_a_judge_and_the_claims_of_a_loop(value: Any) -> None:
    with pytest.raises(BadGoal, match=r"judge\.max_invocations: it is a whole number, 1 or more"):
        goal_judge(CI, {"max_invocations": value})
    with pytest.raises(BadGoal, match="max_attempts: it is a whole number, 1 or more"):
        goal_reloop(CI, {"max_attempts": value})


def test_nothing_falsy_switches_a_judge_off() -> None:
    judged = checked('judge { model "judge-1" provider "acme" }')
    for kept in (None, {}):
        options = goal_reloop(judged, {"judge": kept, "facts_fn": dict})
        assert options["turn_end_condition"]["max_invocations"] == 3
    for value in ([], 0, ""):
        with pytest.raises(BadGoal, match="judge: it is True, False or the judge's options"):
            goal_reloop(judged, {"judge": value})


def test_what_has_no_limit_is_said() -> None:
    assert effective_budget(checked(), Policy(owner="host")) == (
        "turns 25 (by default); no limit of tokens, cost, runtime, attempts, tool calls"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--turn-timeout", "0s"], "--turn-timeout"),
        (["--turn-timeout", ""], "--turn-timeout"),
        (["--agent", ""], "--agent: it is empty"),
        (["--interval", "null"], "--interval"),
        (["--interval", ""], "--interval"),
    ],
)
def test_nothing_falsy_is_an_option_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.goal").write_text(
        'facts { n : int }\ngoal g { objective "o" criterion c "c" check n == 1 }\n'
    )
    Path("facts.json").write_text("{}")
    given = ["--agent", "a", "--facts", "facts.json", "--facts-from-agent", "--store", "memory:"]
    result = CliRunner().invoke(group, ["run", "g.goal", *given, *options])
    assert result.exit_code == 2
    assert said in result.stderr
