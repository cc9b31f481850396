"""Simulated lives around the driver itself: a part of what `simulation` runs by the hundred."""

from __future__ import annotations

import pytest
from goalspec.tests.runtime.driving.simulation import simulated

LIVES, PARTS = 200, 4


@pytest.mark.row("P06", "P08", "X12", "S08")
@pytest.mark.ruling(43, 44, 46, 47, 52)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_driver_keeps_what_the_loop_promises(part: int) -> None:
    lives = LIVES // PARTS
    tally = simulated(range(part * lives, (part + 1) * lives))
    assert tally.broken == []
    assert tally.runs > lives  # some of them crashed, or were resumed
    assert {"complete", "blocked"} <= tally.endings.keys()
