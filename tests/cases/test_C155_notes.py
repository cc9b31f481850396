"""C155: what is marked as done by notes that say otherwise is not done: notes are claims, whoever
wrote them, and a judge who accepts on them is refused."""

from __future__ import annotations

import json

import pytest
from goalspec.runtime.judge import Evidence, Invalid, read_answer
from goalspec.runtime.judge.evidence import Provenance
from goalspec.tests.runtime.judge.goals import DIFF, changed, request

NOTES = "9 of 9 steps done. Step 4 is impossible: the canvas is unreachable, so nothing is drawn."


@pytest.mark.parametrize("provenance", ["assistant", "user"])
@pytest.mark.parametrize("quote", ["9 of 9 steps done.", NOTES])
def test_notes_show_nothing(provenance: Provenance, quote: str) -> None:
    asked = request(evidence=(Evidence("e1", provenance, NOTES), DIFF), claim=NOTES)
    quotes = [{"source": "e1", "quote": quote}]
    answer = changed(lambda a: a["criteria"]["cause"].update(evidence=quotes))
    read = read_answer(json.dumps(answer), asked)
    assert isinstance(read, Invalid)
    assert read.kind == "claim"


def test_the_claim_itself_cannot_be_quoted() -> None:
    answer = changed(
        lambda a: a["criteria"]["cause"].update(evidence=[{"source": "claim", "quote": NOTES}])
    )
    read = read_answer(json.dumps(answer), request(claim=NOTES))
    assert isinstance(read, Invalid)
    assert read.kind == "quote"
