"""C142: where two limits are reached at once, both are said, in the same order whichever came first."""

from __future__ import annotations

import pytest
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.convergence.loop import Loop, checked


@pytest.mark.parametrize("limits", ["turns 2\ncost 0.2 USD", "cost 0.2 USD\nturns 2"])
def test_both_reasons_are_said_in_one_order(limits: str) -> None:
    loop = Loop(checked(f"budget {{ {limits} }}"))
    loop.open()
    for _ in range(2):
        reason = loop.turn(usage=Usage(turns=1, cost="0.1 USD"))
    assert reason == "budget"
    assert loop.record.status.reason == "turns: 2 of 2; cost: 0.2 USD of 0.2 USD"


def test_a_met_floor_on_the_last_turn_is_no_budget_stop() -> None:
    loop = Loop(checked("budget { turns 1 }"))
    loop.open()
    loop.facts = {"suite.passed": True}
    assert loop.turn() == "complete"
    assert loop.status == "complete"
