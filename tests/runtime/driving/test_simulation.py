"""Simulated lives around the driver itself: a part of what `simulation` runs by the hundred."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.runtime.convergence.effects import AskJudge
from goalspec.runtime.driving import Driver
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


_ONCE = Driver._carry_out


async def _begins_always(driver: Driver, *given: Any) -> bool:
    return True


def _asks_twice(driver: Driver, effect: Any, *more: Any) -> None:
    for _ in range(2 if isinstance(effect, AskJudge) else 1):
        _ONCE(driver, effect, *more)


@pytest.mark.parametrize(
    ("place", "instead"), [("_begin", _begins_always), ("_carry_out", _asks_twice)]
)
def test_a_broken_driver_is_seen(place: str, instead: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Driver, place, instead)
    assert any(simulated([seed]).broken for seed in range(LIVES))
