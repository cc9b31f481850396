"""C143: each turn's prompt says what is used of each limit of the budget, what the limit is, and what is
left of it, and not only the last one's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goalspec.runtime.convergence import Policy
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.convergence.state import PromptKind
from goalspec.runtime.lifecycle.commands import Amend
from goalspec.runtime.prompting import Prompts
from goalspec.runtime.record import Usage
from goalspec.tests.compiler.rendering.reading import parse_block
from goalspec.tests.runtime.convergence.loop import Loop, checked, tool


def used(loop: Loop, given: Continue | None = None, **values: bool) -> str:
    text = Prompts(loop.policy, **values)(given or loop.start(), loop.record, loop.verdict)
    return parse_block(text).values["Budget used"]


def test_every_turn_says_what_is_left() -> None:
    loop = Loop(checked("budget { turns 4  cost 2.00 USD  tokens 1000 }"))
    loop.open()
    said = []
    for turn in range(4):
        said.append(used(loop))
        loop.settle(usage=Usage(turns=1, tokens=300, cost="0.55 USD"), effects=(tool(f"{turn}"),))
    assert said == [
        "turns 0 of 4 (4 left), tokens 0 of 1,000 (1,000 left), cost 0 of 2 USD (2 USD left)",
        "turns 1 of 4 (3 left), tokens 300 of 1,000 (700 left), "
        "cost 0.55 USD of 2 USD (1.45 USD left)",
        "turns 2 of 4 (2 left), tokens 600 of 1,000 (400 left), "
        "cost 1.1 USD of 2 USD (0.9 USD left)",
        "turns 3 of 4 (1 left), tokens 900 of 1,000 (100 left), "
        "cost 1.65 USD of 2 USD (0.35 USD left)",
    ]
    assert loop.status == "budget_limited"


@pytest.mark.parametrize("kind", ["full", "minimal", "floor_failed"])
def test_whatever_the_turn_is_for(kind: PromptKind) -> None:
    loop = Loop(checked("budget { turns 4 }"))
    loop.open()
    loop.turn()
    assert used(loop, replace(loop.start(), prompt=kind)) == "turns 1 of 4 (3 left)"


def test_the_default_turns_are_a_limit_too() -> None:
    loop = Loop(checked(), Policy(owner="host"))
    loop.open()
    assert used(loop) == "turns 0 of 25 (25 left)"


def test_a_raised_budget_is_the_one_that_is_said() -> None:
    loop = Loop(checked("budget { turns 4 }"))
    loop.open()
    loop.turn()
    loop.ask(Amend(goal=checked("budget { turns 9 }"), reason="more"), "person")
    loop.open()
    assert used(loop) == "turns 1 of 9 (8 left)"


def test_beyond_a_limit_nothing_is_left_and_not_less() -> None:
    loop = Loop(checked("budget advisory { tokens 100 }"))
    loop.open()
    loop.turn(usage=Usage(turns=1, tokens=250))
    assert used(loop).endswith(", tokens (advisory) 250 of 100 (0 left)")


def test_time_is_counted_down_only_where_the_host_says_so() -> None:
    loop = Loop(checked("budget { turns 4  runtime 1h }"))
    loop.open()
    loop.turn(usage=Usage(turns=1, runtime=90 * 10**9))
    given = loop.start()
    assert used(loop, given) == "turns 1 of 4 (3 left)"
    assert used(loop, given, sees_time=True) == (
        "turns 1 of 4 (3 left), runtime 90s of 1h (3510s left)"
    )
