"""C155: a goal whose notes say that it is not done is not done: an end needs what showed it, what was
not shown ends otherwise, and what failed never turns into done."""

from __future__ import annotations

import pytest
from goalspec.runtime.lifecycle.commands import (
    Complete,
    End,
    Evaluated,
    Propose,
    Settle,
)
from goalspec.runtime.record import Usage
from goalspec.tests.runtime.lifecycle.acting import code, do
from goalspec.tests.runtime.lifecycle.states import STATES

ACTIVE = STATES["active"]
NOTES = "9 of 9 steps done; the deliverable is unreachable and draws nothing"


def test_an_agent_s_done_is_a_claim_and_ends_nothing() -> None:
    assert code(ACTIVE, Complete(reason=NOTES), "agent") == "not_a_person"
    proposed = do(ACTIVE, Propose(outcome="complete", reason=NOTES), "agent")
    assert proposed.status == ACTIVE.status
    settled = do(proposed, Settle(settlement="s", usage=Usage(turns=1), output=NOTES))
    assert settled.status == ACTIVE.status


@pytest.mark.parametrize("reason", [None, "", "  "])
def test_done_needs_what_showed_it(reason: str | None) -> None:
    assert code(ACTIVE, Complete(reason=reason)) == "blank"
    settled = do(ACTIVE, Settle(settlement="s", usage=Usage(turns=1)))
    assert settled.pending is not None
    answer = Evaluated(evaluation=settled.pending.evaluation, outcome="complete", reason=reason)
    assert code(settled, answer) == "blank"


def test_what_is_not_shown_to_be_met_ends_in_a_state_of_its_own() -> None:
    for ending in ("unverified", "impossible"):
        record = do(ACTIVE, End(ending=ending, reason=NOTES))
        assert (record.status.name, record.status.ending) == ("ended", ending)


def test_what_ended_so_never_turns_into_done() -> None:
    ended = STATES["ended"]
    for actor in ("person", "runtime"):
        assert code(ended, Complete(reason="it is done after all"), actor) == "wrong_status"
    assert code(ended, Propose(outcome="complete"), "agent") == "wrong_status"


def test_a_block_turns_into_done_by_a_person_s_word_alone() -> None:
    blocked = STATES["blocked"]
    assert code(blocked, Complete(reason="2 of 2 met")) == "wrong_status"
    assert do(blocked, Complete(), "person").status.name == "complete"
