"""The judgements of a session are made again from its exhibits, and are what the journal took up;
whatever is changed of what the judge was shown or said refuses."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from goalspec.runtime.convergence import events
from goalspec.runtime.driving import Judging, run
from goalspec.runtime.exhibits import Exhibit
from goalspec.runtime.judge import CallFailed
from goalspec.runtime.judge.request import digest
from goalspec.runtime.lifecycle import adopt
from goalspec.runtime.lifecycle.commands import Amend
from goalspec.runtime.record import Record
from goalspec.runtime.rejudging import Rejudged, rejudged, sealed
from goalspec.runtime.store import Entry
from goalspec.runtime.store.rows import MAX_EVALUATIONS
from goalspec.tests.runtime.convergence.loop import judged
from goalspec.tests.runtime.driving.hosts import Facts, TurnedClock, driven, host, store_at
from goalspec.tests.runtime.driving.hosts import Script as Agent
from goalspec.tests.runtime.driving.test_judging import ACCEPTS, MET, claims
from goalspec.tests.runtime.judge.goals import FACTS, GOOD, TEXT, goal_of, said
from goalspec.tests.runtime.judge.scripted import Script
from goalspec.tests.runtime.judged_sessions import JudgedSession
from goalspec.tests.runtime.record.records import at

UNMET = said("continue", cause="unmet")


def again(session: JudgedSession, kept: int = MAX_EVALUATIONS) -> list[Rejudged]:
    return list(rejudged(session.store.exhibits("s-1"), session.store.journal("s-1"), kept))


def judged_twice() -> JudgedSession:
    session = JudgedSession()
    assert session.evaluate(["Looks good!", UNMET]) == "continuing"
    assert session.evaluate([GOOD]) == "accepted"
    return session


SESSION = judged_twice()
EXHIBITS, JOURNAL = SESSION.store.exhibits("s-1"), SESSION.store.journal("s-1")
FIRST, SECOND = dict.fromkeys(exhibit.evaluation for exhibit in EXHIBITS)


@pytest.mark.row("X14")
def test_the_same_evidence_gives_the_same_decisions() -> None:
    assert again(SESSION) == [
        Rejudged(FIRST, "full", "continue", "continue"), Rejudged(SECOND, "full", "accept", "accept"),
    ]  # fmt: skip
    assert all(one.same and one.taken for one in again(SESSION))


@pytest.mark.row("X14")
def test_what_was_no_verdict_is_none_again() -> None:
    session = JudgedSession()
    assert session.evaluate([CallFailed("server", "503")] * 4) == "outage"
    session.until_due("the judge")
    assert session.tell(events.Timer) == "judging"
    assert session.answer(["prose", "prose"]) == "unverified"
    [outage, unusable] = again(session)
    assert (outage.recorded, outage.again, outage.same) == ("outage", "outage", True)
    assert (unusable.recorded, unusable.again) == ("unusable", "unusable")
    assert outage.evaluation == unusable.evaluation


def test_a_judged_stop_and_a_quorum_come_again() -> None:
    stopped = said("blocked", no_access="stopped")
    session = JudgedSession()
    assert session.evaluate([stopped]) == "judge_stopped"
    assert [one.again for one in again(session)] == ["stopped"]
    session = JudgedSession(
        goal=goal_of(TEXT.replace("judge {", "judge { quorum 2 of 3 ")), facts=FACTS
    )
    assert session.evaluate([GOOD, "no", "no", GOOD]) == "accepted"
    assert [one.again for one in again(session)] == ["accept"]


# --- what is changed refuses

Exhibits = list[Exhibit]


def at_place(place: int, change: Callable[[Any], object]) -> Callable[[Exhibits], object]:
    """Changes the content of one exhibit."""

    def apply(exhibits: Exhibits) -> None:
        content = copy.deepcopy(exhibits[place].content)
        change(content)
        exhibits[place] = replace(exhibits[place], content=content)

    return apply


def moved(exhibits: Exhibits) -> None:
    """The judgements change places."""
    exhibits[3], exhibits[6] = (
        replace(exhibits[3], content=exhibits[6].content),
        replace(exhibits[6], content=exhibits[3].content),
    )


def forged(exhibits: Exhibits) -> None:
    """Another judgement, which holds together with its request."""
    other = JudgedSession()
    other.requests = 5
    other.evaluate([GOOD])
    exhibits[:4] = [replace(one, evaluation=FIRST) for one in other.store.exhibits("s-1")]


REQUEST, ANSWER, JUDGEMENT = 0, 2, 3
TAKEN = r"it is not the judgement that entry \d+ of the journal took up"
CHANGES: dict[str, tuple[Callable[[Exhibits], object], str]] = {
    "the evidence": (at_place(REQUEST, lambda r: r["evidence"][0].update(text="ok")), "the evidence or the claim is not"),
    "where evidence is from": (at_place(REQUEST, lambda r: r["evidence"][2].update(provenance="tool")), "the evidence or the claim is not"),
    "an item left out": (at_place(REQUEST, lambda r: r["evidence"].pop()), "the evidence or the claim is not"),
    "the claim": (at_place(REQUEST, lambda r: r.update(claim="All is well.")), "the evidence or the claim is not"),
    "what the checks found": (at_place(REQUEST, lambda r: r["criteria"][0].update(explanation="it passed")), "the prompt is not"),
    "what was judged": (at_place(REQUEST, lambda r: r["criteria"][1].update(outcome="met")), "the schema of the answer is not"),
    "the mode": (at_place(REQUEST, lambda r: r.update(mode="unmet_floor")), "in another mode"),
    "the contract": (at_place(REQUEST, lambda r: r.update(contract="c1:00")), "never had the goal"),
    "the fence": (at_place(REQUEST, lambda r: r.update(nonce="f" * 32)), "the request that it answers is not there"),
    "no request": (lambda e: e.pop(REQUEST), "the request that it answers is not there"),
    "a request that is none": (at_place(REQUEST, lambda r: r.pop("claim")), "no request of a judgement: claim"),
    "a call that was filed": (at_place(ANSWER, lambda c: c["reply"].update(text="{}")), "calls that were filed"),
    "no call": (lambda e: e.pop(ANSWER), "calls that were filed"),
    "an answer": (at_place(JUDGEMENT, lambda j: j["calls"][1]["reply"].update(text="{}")), TAKEN),
    "a verdict": (at_place(JUDGEMENT, lambda j: j["calls"][1].update(verdict={"invalid": "prose"})), TAKEN),
    "the hash of the prompt": (at_place(JUDGEMENT, lambda j: j["calls"][1].update(prompt_hash="sha256:0")), TAKEN),
    "the hash of the schema": (at_place(JUDGEMENT, lambda j: j["calls"][1].update(schema_hash="sha256:0")), TAKEN),
    "the hash of the evidence": (at_place(JUDGEMENT, lambda j: j["calls"][1].update(evidence_hash="sha256:0")), TAKEN),
    "the decision": (at_place(JUDGEMENT, lambda j: j["outcome"].update(decision="accept")), TAKEN),
    "a verdict made an outage": (at_place(JUDGEMENT, lambda j: j.update(outcome={"state": "outage"})), TAKEN),
    "what it took": (at_place(JUDGEMENT, lambda j: j["spent"].update(tokens=5)), TAKEN),
    "the model": (at_place(JUDGEMENT, lambda j: j["calls"][1].update(model="better")), TAKEN),
    "a judgement that is none": (at_place(JUDGEMENT, lambda j: j.clear()), TAKEN),
    "another judgement with its request": (forged, TAKEN),
    "judgements that changed places": (moved, TAKEN),
    "no judgement": (lambda e: e.pop(JUDGEMENT), r"the judgement that entry \d+ of the journal took up is not"),
    "nothing of the evaluation": (lambda e: e.__delitem__(slice(4)), r"that entry \d+ of the journal took up is not"),
}  # fmt: skip


@pytest.mark.row("X14")
@pytest.mark.parametrize(("change", "why"), CHANGES.values(), ids=CHANGES)
def test_whatever_is_changed_refuses(change: Callable[[Exhibits], object], why: str) -> None:
    exhibits = list(EXHIBITS)
    change(exhibits)
    found = {one.evaluation: one for one in rejudged(exhibits, JOURNAL, MAX_EVALUATIONS)}
    refused = found[FIRST]
    assert not refused.same
    assert refused.again is None
    assert refused.refused is not None
    assert re.search(why, refused.refused), refused.refused
    if change is not moved:
        assert found[SECOND].same


@pytest.mark.parametrize("content", [None, [], "x", 5, {"outcome": []}, {"outcome": {"state": []}}])
@pytest.mark.parametrize("place", [REQUEST, ANSWER, JUDGEMENT])
def test_no_content_is_a_crash(content: Any, place: int) -> None:
    exhibits = list(EXHIBITS)
    exhibits[place] = replace(exhibits[place], content=content)
    assert not next(iter(rejudged(exhibits, JOURNAL, MAX_EVALUATIONS))).same


# --- what the journal took up


@pytest.mark.row("X14")
def test_the_journal_has_the_hash_of_each_judgement_that_was_taken_up() -> None:
    made = [(one.evaluation, digest(one.content)) for one in EXHIBITS if one.kind == "judgement"]
    assert [(seal.evaluation, seal.digest) for seal in sealed(JOURNAL)] == made


def test_a_judgement_that_the_run_died_before_is_told_apart() -> None:
    session = JudgedSession()
    session.evaluate([GOOD], taken=False)
    session.open()
    assert session.answer([UNMET]) == "continuing"
    died, taken = again(session)
    assert (died.taken, died.same, died.again) == (False, True, "accept")
    assert (taken.taken, taken.same, taken.again) == (True, True, "continue")


def test_a_judgement_that_was_filed_again_after_a_crash_is_one() -> None:
    session = JudgedSession()
    session.evaluate([GOOD], taken=False)
    exhibits = session.store.exhibits("s-1")
    twice = [*exhibits, exhibits[-1]]
    assert [one.same for one in rejudged(twice, [], MAX_EVALUATIONS)] == [False, False]  # no goal
    entries = session.store.journal("s-1")
    assert [one.same for one in rejudged(twice, entries, MAX_EVALUATIONS)] == [True, True]


def test_what_was_judged_before_an_amendment_is_judged_on_the_goal_of_then() -> None:
    session = JudgedSession()
    session.evaluate([UNMET])
    narrower = goal_of(TEXT.replace('advisory criterion style "The message is well written"', ""))
    session.ask(Amend(goal=narrower, reason="style is nobody's business"), "person")
    [one] = again(session)
    assert (one.same, one.taken, one.again) == (True, True, "continue")


def test_what_made_way_is_not_missing() -> None:
    session = judged_twice()
    exhibits = session.store.exhibits("s-1", SECOND)
    entries = session.store.journal("s-1")
    assert [one.same for one in rejudged(exhibits, entries, 1)] == [True]
    first, second = rejudged(exhibits, entries, 2)
    assert (first.same, second.same, second.evaluation) == (True, False, FIRST)
    # An evaluation that nothing was taken of has the place of one that was.
    begun = [*exhibits, Exhibit("begun", "request", {})]
    assert [one.same for one in rejudged(begun, entries, 2)] == [True]
    assert list(rejudged([Exhibit("begun", "request", {})], entries, 1)) == []


def test_what_another_session_judged_is_its_own() -> None:
    session = JudgedSession()
    session.evaluate([UNMET])
    into, _ = adopt(session.record, Record(session="s-2"), "s-2", at(60))
    entries = [Entry(n, event, "") for n, event in enumerate(into.events, 1)]
    assert list(rejudged([], entries, MAX_EVALUATIONS)) == []


@pytest.mark.row("X14")
def test_what_a_driver_files_is_made_again() -> None:
    """The whole way: a run that goalspec drives, with an outage and an answer that is none."""
    clock = TurnedClock()
    store = store_at(clock)
    judge = Script([*[CallFailed("server", "503")] * 4, "prose", ACCEPTS])
    with_judge = host(Agent([claims]), Facts(MET), clock, judging=Judging(judge))
    standing = driven(run(judged(), with_judge, store=store, session="s-1"), clock)
    assert standing.reason == "accepted"
    made = list(rejudged(store.exhibits("s-1"), store.journal("s-1"), MAX_EVALUATIONS))
    assert [(one.again, one.same, one.taken) for one in made] == [
        ("outage", True, True), ("accept", True, True),
    ]  # fmt: skip
