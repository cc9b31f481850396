"""When the judge is asked, what follows of its word, and that nothing but a word accepts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir.canonical import seal
from goalspec.runtime.convergence import events
from goalspec.runtime.convergence.effects import Continue, Withdraw
from goalspec.runtime.judge.answer import Invalid
from goalspec.runtime.judge.outcome import Exhausted, Misconfigured, NoJudge, Outage, Unusable
from goalspec.runtime.lifecycle.commands import Amend
from goalspec.tests.runtime.convergence.loop import CHECKED, POLICY, Loop, checked, judged, says
from goalspec.tests.runtime.judge.goals import goal_of

MET = {"suite.passed": True}
UNMET = {"suite.passed": False}
OUTAGE = Outage("server", "503", closed=False)


def proposed(outcome: str = "complete", facts: Any = MET, rest: str = "", **values: Any) -> Loop:
    loop = Loop(judged(rest), facts=facts, **values)
    loop.open()
    loop.start()
    loop.propose(outcome, "no access")
    loop.settle()
    return loop


@pytest.mark.row("P03", "X08")
@pytest.mark.ruling(50)
@pytest.mark.parametrize(
    ("outcome", "facts", "rest", "mode"),
    [
        ("complete", MET, "", "full"),
        ("blocked", MET, "", "full"),
        ("blocked", UNMET, "", "unmet_floor"),
        ("complete", UNMET, "", None),
        ("complete", {}, "", None),
        ("complete", UNMET, 'stop no-access "A credential is missing"\n', "unmet_floor"),
    ],
)
def test_at_a_candidate(outcome: str, facts: Any, rest: str, mode: str | None) -> None:
    loop = proposed(outcome, facts, rest)
    assert (loop.asked_judge().mode if loop.state.asked else None) == mode
    if mode is None:
        [given] = loop.found(Continue)
        assert (given.prompt, given.feedback) == ("floor_failed", "open: passes")


@pytest.mark.row("P03")
def test_settled_runs_go_on_without_a_judge() -> None:
    loop = Loop(judged(), facts=MET)
    loop.open()
    assert [loop.turn() for _ in range(7)] == ["continuing"] * 7


@pytest.mark.row("P03")
@pytest.mark.parametrize(("facts", "mode"), [(MET, "full"), (UNMET, "unmet_floor")])
def test_at_an_interval(facts: Any, mode: str) -> None:
    loop = Loop(judged(), replace(POLICY, interval=3), facts=facts)
    loop.open()
    for _ in range(2):
        assert [loop.turn() for _ in range(3)] == ["continuing", "continuing", "judging"]
        assert loop.asked_judge().mode == mode
        assert loop.judge(says("continue")) == "continuing"
        assert loop.found(Continue)[0].feedback == "Explain the cause."


@pytest.mark.row("P04", "X08")
@pytest.mark.parametrize(
    ("outcome", "reason", "status", "said"),
    [
        (says("accept"), "accepted", "complete", "the judge accepts: cause"),
        (says("continue"), "continuing", "active", None),
        (says("blocked", text="Ask for access."), "judge_blocked", "blocked", "Ask for access."),
        (says("continue", stop="no-access"), "judge_stopped", "blocked", "stop: no-access"),
        (OUTAGE, "outage", "active", None),
        (Outage("auth", "401", closed=True), "unreachable", "blocked", "judge: 401"),
        (Misconfigured("no model"), "unverified", "ended", "judge: no model"),
        (NoJudge(), "undecided", "ended", "judge: no_judge"),
        (Exhausted("invocations", "3 of 3"), "judge_exhausted", "blocked", "attempts: 3 of 3"),
        (Exhausted("deadline", "too slow"), "unverified", "ended", "judge: too slow"),
        (
            Unusable(Invalid("word", "It is no answer.")), "unverified", "ended",
            "judge: The answer was refused: It is no answer.",
        ),
    ],
)  # fmt: skip
def test_what_follows(outcome: Any, reason: str, status: str, said: str | None) -> None:
    loop = proposed()
    assert loop.judge(outcome) == reason
    assert loop.status == status
    if said is not None:
        assert loop.record.status.reason == said
    assert loop.replayed() == loop.record


@pytest.mark.row("P04")
def test_on_error_pause_waits_for_a_person() -> None:
    text = CHECKED + 'criterion cause "The cause"\njudge { on_error pause }\n}'
    loop = Loop(goal_of(text), facts=MET)
    loop.open()
    loop.start()
    loop.propose()
    loop.settle()
    assert loop.judge(Misconfigured("no model")) == "judge_paused"
    assert loop.status == "paused"


@pytest.mark.row("P07")
@pytest.mark.ruling(49)
def test_an_outage_is_no_verdict_it_waits_long_and_then_pauses() -> None:
    loop = proposed()
    for wait in (60, 120, 240, 480, 960):
        asked = loop.state.asked
        assert loop.judge(OUTAGE, judgements=0) == "outage"
        assert loop.status == "active"
        began = loop.now
        loop.until_due("the judge", short=1)
        assert round((loop.now - began) / 1_000_000) == wait
        assert loop.tell(events.Timer) == "outage"
        loop.until_due("the judge")
        assert loop.tell(events.Timer) == "judging"
        assert loop.state.asked.number > asked.number
        assert loop.record.pending is not None
    assert loop.judge(OUTAGE) == "outage_exhausted"
    assert loop.status == "paused"


@pytest.mark.row("P07")
def test_an_outage_waits_as_long_as_the_provider_asks() -> None:
    loop = proposed()
    loop.judge(Outage("rate_limited", "429", closed=False, retry_after=300.0))
    began = loop.now
    loop.until_due("the judge")
    assert round((loop.now - began) / 1_000_000) == 300
    assert loop.tell(events.Timer) == "judging"


@pytest.mark.row("P08")
@pytest.mark.ruling(52)
def test_what_settles_during_a_judgement_makes_its_answer_one_of_the_past() -> None:
    loop = proposed()
    first = loop.asked_judge()
    loop.runs += 1
    assert loop.settle(output="newer") == "awaiting_judge"
    assert loop.record.pending is not None
    assert loop.record.pending.candidate is not None
    assert loop.judge(says("accept")) == "judging"
    second = loop.asked_judge()
    assert second.evaluation != first.evaluation
    assert loop.status == "active"
    late = events.Judged(loop.at, first.number, says("accept"))
    assert loop.send(late) == "awaiting_judge"
    assert loop.judge(says("accept")) == "accepted"


@pytest.mark.row("X08")
def test_an_accept_over_a_floor_that_fell_completes_nothing() -> None:
    loop = proposed()
    loop.facts = UNMET
    loop.runs += 1
    loop.settle()
    assert loop.judge(says("accept")) == "continuing"
    assert loop.found(Continue)[0].prompt == "floor_failed"


@pytest.mark.row("P04")
def test_without_a_judge_what_is_judged_stays_open() -> None:
    text = CHECKED + 'criterion cause "The cause"\n}'
    loop = Loop(goal_of(text), facts=MET)
    loop.open()
    assert loop.turn() == "continuing"
    loop.start()
    loop.propose()
    assert loop.settle() == "undecided"
    assert (loop.status, loop.record.status.ending) == ("ended", "unverified")


@pytest.mark.row("P04")
def test_without_a_judge_an_impasse_is_the_agents_word() -> None:
    loop = Loop(checked())
    loop.open()
    loop.start()
    loop.propose("blocked", "no access")
    assert loop.settle() == "impasse"
    assert (loop.record.status.reason, loop.record.status.mechanical) == ("no access", False)


@pytest.mark.row("H12")
def test_a_goal_that_nothing_could_end_does_not_start() -> None:
    loop = Loop(goal_of('goal g { objective "It." criterion a "It is good" }'), facts={})
    assert loop.open() == "nothing_to_meet"
    assert loop.status == "blocked"


@pytest.mark.ruling(13)
@pytest.mark.parametrize("facts", [UNMET, MET])
def test_a_true_stop_beats_everything(facts: Any) -> None:
    loop = Loop(checked('stop broken "It broke" check suite.passed\n'), facts=facts)
    assert loop.open() == ("stopped" if facts == MET else "continuing")


@pytest.mark.ruling(57)
def test_where_only_others_can_go_on_the_run_parks_and_looks_again() -> None:
    loop = Loop(checked('awaited criterion seen "Two people" check reviewed\n'))
    loop.facts = {"suite.passed": True, "reviewed": False}
    assert loop.open() == "awaited"
    assert loop.status == "parked"
    loop.facts = {"suite.passed": True, "reviewed": True}
    loop.until_due("others", short=1)
    assert loop.tell(events.Timer) == "parked"
    loop.later(1)
    assert loop.tell(events.Timer) == "complete"


@pytest.mark.row("P08", "X13")
def test_a_judge_is_asked_no_more_about_a_goal_that_is_another_one() -> None:
    loop = proposed()
    number = loop.asked_judge().number
    amended = replace(judged(), objective="Ship it twice.")
    loop.ask(Amend(goal=seal(amended), reason="more"), "person")
    assert loop.send(events.Timer(loop.at)) == "observing"
    assert loop.found(Withdraw) == [Withdraw(number)]
    late = events.Judged(loop.at, number, says("accept"), judgements=1)
    assert loop.send(late) == "awaiting_facts"
    assert loop.status == "active"


def test_a_look_at_the_clock_while_the_judge_is_asked_asks_nobody_anew() -> None:
    loop = proposed()
    assert loop.tell(events.Timer) == "awaiting_judge"
    assert loop.judge(says("accept")) == "accepted"
    assert loop.state.ledger.judgements == 1
