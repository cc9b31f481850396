"""C120: a rejection is not promoted by anything: not by other judges, not by a further answer, not by
the judge's own accept; and what the machine found unmet is not the judge's to say."""

from __future__ import annotations

from itertools import permutations

import pytest
from goalspec.runtime.judge import BadRequest, Decided
from goalspec.tests.runtime.judge.goals import FACTS, GOOD, request, said, with_quorum
from goalspec.tests.runtime.judge.scripted import Script, judged

UNMET = said("continue", cause="unmet")


@pytest.mark.parametrize("needed", [1, 2, 3])
def test_one_rejection_among_accepts_stands(needed: int) -> None:
    asked = request(goal=with_quorum(needed, 3))
    for order in permutations([GOOD, GOOD, UNMET]):
        made = judged(asked, Script(order))
        assert isinstance(made.outcome, Decided)
        assert made.outcome.decision == "continue"
        assert [part.outcome for part in made.outcome.parts if part.id == "cause"] == ["unmet"]


def test_an_accept_over_a_rejection_of_its_own_is_none() -> None:
    made = judged(request(), Script([said("accept", cause="unmet")] * 2))
    assert not isinstance(made.outcome, Decided)


def test_the_host_comes_before_the_judge() -> None:
    with pytest.raises(BadRequest, match="no judge may accept over stable"):
        request({**FACTS, "suite.passed": False})
