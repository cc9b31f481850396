"""Pinned files: hashed when the work begins; drift forbids completion until a person amends."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.compiler.ir.document import Protect
from goalspec.runtime.convergence import events
from goalspec.runtime.convergence.drift import drifted
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.lifecycle import Refusal
from goalspec.runtime.lifecycle.commands import Amend
from goalspec.tests.runtime.convergence.loop import Loop, checked, judged, says

PINNED = {"ship.goal": "a", "tests/test_it.py": "b"}
ALLOW = (Protect(globs=("tests/**",), allow_new=("tests/test_*.py",)),)


@pytest.mark.row("X11")
@pytest.mark.ruling(34)
@pytest.mark.parametrize(
    ("now", "protect", "found"),
    [
        (PINNED, (), ()),
        ({**PINNED, "ship.goal": "c"}, (), ("ship.goal was changed",)),
        ({"ship.goal": "a"}, (), ("tests/test_it.py is gone",)),
        ({**PINNED, "tests/test_new.py": "n"}, (), ("tests/test_new.py was added",)),
        ({**PINNED, "tests/test_new.py": "n"}, ALLOW, ()),
        ({**PINNED, "tests/conftest.py": "n"}, ALLOW, ("tests/conftest.py was added",)),
        ({"ship.goal": "a", "tests/test_x.py": "b"}, ALLOW, ("tests/test_it.py is gone",)),
        ({**PINNED, "ship.goal": None}, (), ("ship.goal cannot be read",)),
        ({}, (), ("ship.goal is gone", "tests/test_it.py is gone")),
    ],
)
def test_what_drifted(now: Any, protect: Any, found: tuple[str, ...]) -> None:
    assert drifted(PINNED, now, protect) == found


@pytest.mark.row("X11")
def test_a_file_that_could_not_be_read_at_the_start_is_drift() -> None:
    assert drifted({"a": None}, {"a": None}, ()) == ("a cannot be read",)


@pytest.mark.row("X11")
@pytest.mark.ruling(12)
def test_drift_vetoes_a_met_floor_and_is_listed_until_it_is_taken_back() -> None:
    loop = Loop(checked(), gates=PINNED)
    loop.open()
    loop.gates = {**PINNED, "ship.goal": "c"}
    loop.facts = {"suite.passed": True}
    loop.start()
    loop.propose()
    assert loop.settle() == "continuing"
    said = "pinned files drifted: ship.goal was changed"
    assert loop.found(Continue)[0].feedback == said
    assert loop.record.evaluation is not None
    assert loop.record.evaluation.reason == said
    assert loop.state.drift == ("ship.goal was changed",)
    loop.gates = PINNED
    assert loop.turn() == "complete"


@pytest.mark.row("X11", "X13")
def test_drift_lifts_by_a_persons_amendment_alone() -> None:
    loop = Loop(checked(), gates=PINNED)
    loop.open()
    changed = {**PINNED, "ship.goal": "c"}
    loop.gates, loop.facts = changed, {"suite.passed": True}
    assert loop.turn() == "continuing"
    loop.send(events.Spoke(loop.at))
    loop.begin()
    loop.settle(by="person")
    assert loop.open() == "grace"
    assert loop.state.drift
    loop.ask(Amend(goal=checked("budget { turns 9 }"), reason="the file was wrong"), "person")
    assert loop.record.gates is None
    assert loop.tell(events.Timer) == "complete"
    assert loop.record.gates == changed


@pytest.mark.row("X11", "X13")
def test_a_person_may_accept_the_files_as_they_are_and_change_nothing_else() -> None:
    loop = Loop(checked(), gates=PINNED)
    loop.open()
    loop.gates, loop.facts = {**PINNED, "tests/test_it.py": "c"}, {"suite.passed": True}
    assert loop.turn() == "continuing"
    same = Amend(goal=checked(), reason="the test was wrong")
    with pytest.raises(Refusal, match="nothing to amend"):
        loop.ask(same, "agent")
    loop.ask(same, "person")
    assert loop.open() == "complete"
    assert loop.replayed() == loop.record


@pytest.mark.row("X11", "X13")
def test_an_agents_amendment_lifts_no_drift_and_forgives_nothing() -> None:
    loop = Loop(checked(), gates=PINNED)
    loop.open()
    loop.gates, loop.facts = {}, {"suite.passed": True}
    assert loop.turn() == "continuing"
    loop.start()
    loop.ask(Amend(goal=checked('criterion more "M" check reviewed'), reason="more"), "agent")
    assert loop.settle() == "continuing"
    assert loop.state.drift == ("ship.goal is gone", "tests/test_it.py is gone")
    assert loop.state.guards.without_effect == 1


@pytest.mark.row("X11")
@pytest.mark.ruling(34)
@pytest.mark.parametrize("gates", [{**PINNED, "ship.goal": "c"}, {}])
def test_hashes_are_taken_again_in_the_transaction_that_completes(gates: Any) -> None:
    loop = Loop(judged(), gates=PINNED, facts={"suite.passed": True})
    loop.open()
    loop.start()
    loop.propose()
    assert loop.settle() == "judging"
    assert loop.judge(says("accept"), gates=gates) == "continuing"
    assert loop.status == "active"


@pytest.mark.row("X11")
def test_no_judge_is_asked_to_accept_over_drift() -> None:
    loop = Loop(judged(), gates=PINNED, facts={"suite.passed": True})
    loop.open()
    loop.gates = {}
    loop.start()
    loop.propose()
    assert loop.settle() == "continuing"
    assert loop.state.asked is None


@pytest.mark.row("X11")
def test_what_drifted_is_told_and_no_proposal_is_made_up() -> None:
    loop = Loop(checked(), gates=PINNED)
    loop.open()
    loop.gates, loop.facts = {**PINNED, "ship.goal": "c"}, {"suite.passed": True}
    loop.turn()
    [given] = loop.found(Continue)
    assert (given.prompt, given.feedback) == (
        "full", "pinned files drifted: ship.goal was changed",
    )  # fmt: skip
    loop.start()
    loop.propose()
    loop.settle()
    assert loop.found(Continue)[0].prompt == "floor_failed"
