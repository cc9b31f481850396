"""C140: a limit of N turns drives N turns, the first one counted, and never one more; none is lifted
by saying 0."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir.canonical import seal
from goalspec.compiler.ir.document import Budget
from goalspec.runtime.convergence import events
from goalspec.tests.runtime.convergence.loop import CHECKED, Loop, checked, tool


@pytest.mark.parametrize("turns", [1, 2, 3, 7])
def test_as_many_turns_as_it_says(turns: int) -> None:
    loop = Loop(checked(f"budget {{ turns {turns} }}"))
    reason, begun = loop.open(), 0
    while reason == "continuing":
        begun += 1
        reason = loop.turn(effects=(tool("x" * begun),))
    assert (reason, begun) == ("budget", turns)
    assert loop.tell(events.Timer) == "budget_limited"
    assert loop.open() == "budget_limited"


def test_a_file_cannot_say_0() -> None:
    assert compile_text(CHECKED + "budget { turns 0 } }").document is None


def test_0_that_comes_another_way_starts_nothing() -> None:
    loop = Loop(seal(replace(checked(), budget=Budget(turns=0))))
    assert loop.open() == "budget"
    assert loop.status == "budget_limited"
