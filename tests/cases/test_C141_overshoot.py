"""C141: a cost is known only after the turn. It is looked at before each turn, so the last one may
cross the limit by what it takes and no more; it is counted in decimals, and what was done stays."""

from __future__ import annotations

import pytest
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.convergence.loop import Loop, checked, tool


@pytest.mark.parametrize(
    ("costs", "turns"),
    [
        (["0.10", "0.10", "0.10"], 3),
        (["0.29", "9.99"], 2),
        (["0.30"], 1),
        (["0.1", "0.1", "0.0999", "0.0001"], 4),
    ],
)
def test_one_turn_may_cross_the_limit(costs: list[str], turns: int) -> None:
    loop = Loop(checked("budget { cost 0.30 USD }"))
    loop.open()
    said = []
    for n, cost in enumerate(costs):
        usage = Usage(turns=1, cost=f"{cost} USD")
        said.append(loop.turn(usage=usage, effects=(tool("x" * n),)))
    assert said == ["continuing"] * (turns - 1) + ["budget"]
    assert loop.record.usage.turns == turns
    assert loop.record.goal is not None
