"""Simulated lives: a part of what `simulation` runs by the thousand, the seeds of faults that it
found, and that it finds a reducer that was broken on purpose."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from goalspec.tests.runtime.convergence.simulation import simulated

FOUND = tomllib.loads(Path(__file__).with_name("seeds.toml").read_text("utf-8"))["found"]
LIVES, PARTS = 1_200, 6


@pytest.mark.parametrize("found", FOUND, ids=lambda found: str(found["seed"]))
def test_a_fault_that_was_found_is_gone(found: dict[str, Any]) -> None:
    assert simulated([found["seed"]]).broken == []


@pytest.mark.row("X12", "X15", "P02", "P04", "P06", "P08", "X08", "X11")
@pytest.mark.ruling(12, 42, 43, 46, 48, 49, 50, 51, 52)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_invariants_hold_in_simulated_lives(part: int) -> None:
    lives = LIVES // PARTS
    tally = simulated(range(part * lives, (part + 1) * lives))
    assert tally.broken == []
    assert {"complete", "blocked", "ended", "budget_limited", "paused"} <= tally.endings.keys()
