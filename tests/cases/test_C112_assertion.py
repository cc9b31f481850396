"""C112: saying that it is done, in whatever language, makes nothing done: the file that is not there
vetoes before a judge is asked, and a judge who is asked cannot accept."""

from __future__ import annotations

import json

import pytest
from goalspec.runtime.judge import BadRequest, Evidence, Invalid, read_answer
from goalspec.tests.runtime.judge.goals import goal_of, request

GOAL = goal_of("""
facts {
  relatorio.exists   : bool
  relatorio.modified : time
}
goal salvar {
  objective "Salvar o relatório em relatorio.md."
  criterion file "O arquivo existe e é novo"
    check relatorio.exists and relatorio.modified > 2026-01-01T12:00Z
  criterion clear "O relatório responde à pergunta"
  judge { model "judge-1"  provider "acme" }
}
""")
SAID = Evidence("e1", "assistant", "Pronto! O relatório foi salvo em relatorio.md.")
ACCEPT = {
    "criteria": {
        "clear": {
            "evidence": [{"source": "e1", "quote": "O relatório foi salvo em relatorio.md."}],
            "reason": "The worker says so.",
            "outcome": "met",
        }
    },
    "decision": "accept",
    "next_step": None,
}


@pytest.mark.parametrize(
    "facts",
    [
        {"relatorio": {"exists": False}},
        {"relatorio": {"exists": True, "modified": "2026-01-01T11:59:59Z"}},
        {},
    ],
    ids=["no file", "a file from before the start", "nobody looked"],
)
def test_the_host_fact_vetoes(facts: dict[str, object]) -> None:
    with pytest.raises(BadRequest, match="no judge may accept over file"):
        request(facts, (SAID,), goal=GOAL)
    asked = request(facts, (SAID,), mode="unmet_floor", goal=GOAL)
    assert isinstance(read_answer(json.dumps(ACCEPT), asked), Invalid)


def test_what_the_agent_said_shows_nothing_to_the_judge_either() -> None:
    there = {"relatorio": {"exists": True, "modified": "2026-01-01T12:30:00Z"}}
    read = read_answer(json.dumps(ACCEPT), request(there, (SAID,), goal=GOAL))
    assert isinstance(read, Invalid)
    assert read.kind == "claim"
