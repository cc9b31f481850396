"""C118: no judge, a judge that broke, one that is set up wrong, one that said no and one that nobody
may ask any more are different states, in the record and in what follows."""

from __future__ import annotations

from dataclasses import replace

from goalspec.runtime.judge import CallFailed, Judgement, Spent, consequence
from goalspec.tests.runtime.judge.goals import GOAL, GOOD, request, said
from goalspec.tests.runtime.judge.scripted import Script, judged

CLOSED = CallFailed("auth", "no key")
MADE: dict[str, Judgement] = {
    "accepted": judged(request(), Script([GOOD])),
    "rejected": judged(request(), Script([said("continue", cause="unmet")])),
    "none": judged(request(goal=replace(GOAL, judge=None)), None),
    "not set up": judged(request(), None),
    "garbage": judged(request(), Script(["?", "?"])),
    "down": judged(request(), Script([CallFailed("server", "x")] * 4)),
    "shut out": judged(request(), Script([CLOSED])),
    "asked enough": judged(request(), Script([GOOD]), before=Spent(3)),
}


def test_each_is_a_state_of_its_own() -> None:
    told = {name: consequence(made.outcome, "fail") for name, made in MADE.items()}
    assert told == {
        "accepted": "accept",
        "rejected": "continue",
        "none": "undecided",
        "not set up": "unverified",
        "garbage": "unverified",
        "down": "later",
        "shut out": "unreachable",
        "asked enough": "attempts",
    }
    states = {name: made.to_json(request())["outcome"] for name, made in MADE.items()}
    assert len({str(state) for state in states.values()}) == len(MADE)
    assert states["none"] == {"state": "no_judge"}
    for name in ("not set up", "garbage", "down", "shut out", "asked enough"):
        assert states[name]["detail"]


def test_only_one_of_them_accepts() -> None:
    assert [name for name, made in MADE.items() if made.accepted] == ["accepted"]
