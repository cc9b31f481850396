"""Simulated lives: a part of what `simulation` runs by the thousand, the seeds of faults that it
found, and that it sees a reducer that is broken on purpose."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.lifecycle.budget import charged
from goalspec.runtime.lifecycle.commands import Settle
from goalspec.tests.runtime.convergence.simulation import simulated

FOUND = tomllib.loads(Path(__file__).with_name("seeds.toml").read_text("utf-8"))["found"]
LIVES, PARTS = 1_000, 5


def _enters_all(course: Any, command: Settle) -> None:
    course.do(command)
    ledger = course.state.ledger
    course.keep(ledger=replace(ledger, session=charged(ledger.session, command.usage)))


LOOP = "goalspec.runtime.convergence"
BROKEN: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "facts of before the last run count": (
        f"{LOOP}.floor._current", lambda course: course.verdict,
    ),
    "open parts are none": (f"{LOOP}.judging.open_parts", lambda verdict: []),
    "drift is none": (f"{LOOP}.drift.drifted", lambda *given: ()),
    "a judge may always accept": (f"{LOOP}.judging._may_accept", lambda course: True),
    "an outage accepts": (f"{LOOP}.judging.consequence", lambda *given: "accept"),
    "quotes are believed": (
        "goalspec.runtime.judge.answer._check_quotes", lambda *given: None,
    ),
    "no guard trips": (f"{LOOP}.guards.tripped", lambda course: ()),
    "no budget is reached": (f"{LOOP}.budgets.reached", lambda *given: {}),
    "the last turn is not judged": (f"{LOOP}.judging.reached", lambda *given: {}),
    "a person calls nothing off": (f"{LOOP}.persons._disarm", lambda *given: None),
    "a claim keeps nobody out": (f"{LOOP}.barriers._on_its_way", lambda *given: None),
    "a turn at work keeps nobody out": (f"{LOOP}.barriers._is_at_work", lambda course: False),
    "usage is charged twice": (
        "goalspec.runtime.lifecycle.settling.charged",
        lambda usage, more: charged(charged(usage, more), more),
    ),
    "a subagent's charge takes the candidate": (
        f"{LOOP}.accounting.Settle", lambda **fields: Settle(**{**fields, "part": False}),
    ),
    "a subagent's charge is a run that settled": (
        f"{LOOP}.accounting.follows_last_settlement", lambda course: False,
    ),
    "the ledger has what no goal was charged": (f"{LOOP}.accounting._charge", _enters_all),
}  # fmt: skip
"""Ways to break the reducer, and what is put in which place."""
RARE = {"a judge may always accept": 500, "a subagent's charge is a run that settled": 270}
"""From which seed on to look for those that many lives do not meet."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_reducer_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*BROKEN[name])
    first = RARE.get(name, 0)
    assert any(simulated([seed]).broken for seed in range(first, first + LIVES))


@pytest.mark.parametrize("found", FOUND, ids=lambda found: str(found["seed"]))
def test_a_fault_that_was_found_is_gone(found: dict[str, Any]) -> None:
    assert simulated([found["seed"]]).broken == []


@pytest.mark.row("X11", "X12", "X15", "P02", "P04", "P06", "P08", "X08")
@pytest.mark.ruling(12, 42, 43, 46, 48, 49, 50, 51, 52)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_invariants_hold_in_simulated_lives(part: int) -> None:
    lives = LIVES // PARTS
    tally = simulated(range(part * lives, (part + 1) * lives))
    assert tally.broken == []
    assert {"complete", "blocked", "ended", "budget_limited", "paused"} <= tally.endings.keys()
