"""A judgement from its first call to its outcome: re-asks, retries, deadlines and caps."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from goalspec.runtime.judge import (
    CallFailed,
    CallRecord,
    Decided,
    Exhausted,
    Misconfigured,
    NoJudge,
    Outage,
    Policy,
    Price,
    Reply,
    Route,
    Spent,
    Unusable,
    Usage,
    consequence,
    judge,
    replay,
)
from goalspec.runtime.judge.outcome import Outcome
from goalspec.runtime.judge.ports import (
    MISCONFIGURED,
    RETRIABLE,
    ROUTE_CLOSED,
    FailureKind,
)
from goalspec.runtime.judge.reading import MAX_ANSWER
from goalspec.tests.runtime.judge.goals import GOAL, GOOD, request, said, with_quorum
from goalspec.tests.runtime.judge.scripted import Clock, Script, judged
from hypothesis import given
from hypothesis import strategies as st

REQUEST = request()
LIMITED = CallFailed("rate_limited", "slow down")


def test_a_good_answer_is_a_verdict_after_one_call() -> None:
    script = Script([GOOD])
    made = judged(REQUEST, script)
    assert made.accepted
    assert made.spent.invocations == 1
    assert script.asked == [REQUEST.prompt]
    assert script.clock.slept == []


def test_of_an_answer_that_is_too_long_to_be_one_the_beginning_is_recorded() -> None:
    """What a judge prints without end fills no record, and is read again as it was read."""
    usage = Usage(10, 90_000)
    long = Reply("{" + "x" * MAX_ANSWER, usage=usage)
    made = judged(REQUEST, Script([long, GOOD]))
    assert made.accepted
    [cut, _] = made.calls
    assert isinstance(cut.outcome, Reply)
    assert (len(cut.outcome.text), cut.outcome.finish, cut.usage) == (4_096, "length", usage)
    assert replay(made.to_json(REQUEST), REQUEST) == made.outcome
    whole = Reply(json.dumps(GOOD).ljust(MAX_ANSWER))
    assert judged(REQUEST, Script([whole])).accepted


@pytest.mark.row("P04", "P07")
def test_what_is_no_answer_is_asked_for_once_more_with_what_was_wrong() -> None:
    script = Script(["Looks good to me!", GOOD])
    made = judged(REQUEST, script)
    assert made.accepted
    assert "refused: it is not a JSON object." in script.asked[1].message
    assert [call.problem for call in made.calls] == [None, "it is not a JSON object."]
    assert made.spent.invocations == 1, "it is one judgement"


@pytest.mark.row("P04")
def test_and_not_a_third_time() -> None:
    made = judged(REQUEST, Script(["Looks good to me!", '{"decision": "accept"}', GOOD]))
    assert isinstance(made.outcome, Unusable)
    assert made.outcome.last.kind == "missing"
    assert not made.accepted
    assert len(made.calls) == 2


@pytest.mark.row("P07")
def test_retries_back_off_and_end() -> None:
    script = Script([LIMITED] * 9)
    made = judged(REQUEST, script, Policy(attempts=6, backoff=2, max_backoff=10))
    assert script.clock.slept == [2, 4, 8, 10, 10]
    assert made.outcome == Outage("rate_limited", "slow down", closed=False)
    assert len(made.calls) == 6
    assert made.spent.invocations == 0, "an outage is no judgement"


def test_a_failure_between_two_answers_is_no_answer() -> None:
    script = Script(["no", LIMITED, GOOD])
    made = judged(REQUEST, script)
    assert made.accepted
    assert made.calls[2].problem == made.calls[1].problem == "it is not a JSON object."


def test_a_provider_may_ask_for_a_longer_wait_and_not_for_a_shorter_one() -> None:
    script = Script([CallFailed("rate_limited", "x", 45.0), CallFailed("server", "x", 0.1), GOOD])
    assert judged(REQUEST, script).accepted
    assert script.clock.slept == [45, 4]


def test_a_wait_beyond_the_deadline_is_not_waited_for() -> None:
    script = Script([CallFailed("rate_limited", "tomorrow", 86_400.0), GOOD])
    made = judged(REQUEST, script)
    assert made.outcome == Outage("rate_limited", "tomorrow", closed=False, retry_after=86_400)
    assert script.clock.slept == []


@pytest.mark.parametrize("kind", sorted(ROUTE_CLOSED))
def test_a_closed_route_is_not_tried_again(kind: FailureKind) -> None:
    """401 and 403: whoever asks again gets the same, and the goal waits for a person."""
    made = judged(REQUEST, Script([CallFailed(kind, "no key"), GOOD]))
    assert made.outcome == Outage(kind, "no key", closed=True)
    assert consequence(made.outcome, "fail") == "unreachable"


@pytest.mark.parametrize("kind", sorted(MISCONFIGURED))
def test_what_stays_wrong_is_not_tried_again(kind: FailureKind) -> None:
    made = judged(REQUEST, Script([CallFailed(kind, "no such model"), GOOD]))
    assert made.outcome == Misconfigured("no such model")


@pytest.mark.parametrize("kind", sorted(RETRIABLE))
def test_what_may_pass_is_tried_again(kind: FailureKind) -> None:
    assert judged(REQUEST, Script([CallFailed(kind, "x"), GOOD])).accepted


@pytest.mark.parametrize("error", [RuntimeError("boom\n\x1b[31m" + "x" * 900), KeyError("k")])
def test_whatever_a_carrier_raises_is_a_failed_call(error: Exception) -> None:
    made = judged(REQUEST, Script([error] * 9))
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == "failed"
    assert made.outcome.detail.startswith(type(error).__name__)
    assert len(made.outcome.detail) <= 500
    assert made.outcome.detail.isprintable()


def test_a_carrier_that_gives_no_reply_is_a_failed_call() -> None:
    class Odd(Script):
        async def __call__(self, prompt: object) -> Any:
            return {"text": "accept"}

    made = judged(REQUEST, Odd([]))
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == "protocol"


def test_a_call_that_takes_too_long_is_cancelled() -> None:
    ended = []

    class Slow(Script):
        async def __call__(self, prompt: object) -> Reply:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(True)
            return Reply("")

    made = judged(REQUEST, Slow([]), Policy(attempts=1, call_timeout=0.01))
    assert made.outcome == Outage("timeout", "no answer within 0.01 s", closed=False)
    assert ended == [True]


@pytest.mark.parametrize("wait", [float("nan"), float("inf"), -1.0])
def test_a_wait_that_is_none_is_not_waited_for(wait: float) -> None:
    script = Script([CallFailed("rate_limited", "x", wait), GOOD])
    made = judged(REQUEST, script)
    assert made.accepted
    assert script.clock.slept == [2]
    json.dumps(made.to_json(REQUEST), allow_nan=False)


def test_a_carriers_own_timeout_is_told_in_its_words() -> None:
    made = judged(REQUEST, Script([TimeoutError("the socket timed out")]), Policy(attempts=1))
    assert made.outcome == Outage("timeout", "the socket timed out", closed=False)


@pytest.mark.parametrize("value", [object(), float("nan"), {1, 2}])
def test_parameters_that_cannot_be_recorded_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no JSON values"):
        Route("m", "p", {"x": value})


def test_being_cancelled_goes_through() -> None:
    with pytest.raises(asyncio.CancelledError):
        judged(REQUEST, Script([asyncio.CancelledError()]))


def test_a_deadline_is_of_the_whole_judgement() -> None:
    script = Script(["no", GOOD], took=301)
    made = judged(REQUEST, script, Policy(deadline=300))
    assert made.outcome == Exhausted("deadline", "no verdict within 300 s")
    assert len(script.asked) == 1


# --- who is asked


def test_a_goal_without_a_judge_has_none() -> None:
    made = judged(request(goal=replace(GOAL, judge=None)), Script([GOOD]))
    assert made.outcome == NoJudge()
    assert made.calls == ()


@pytest.mark.parametrize("script", [None, Script([GOOD], model=""), Script([GOOD], provider=" ")])
def test_a_model_that_is_not_set_is_not_guessed(script: Script | None) -> None:
    made = judged(REQUEST, script)
    assert isinstance(made.outcome, Misconfigured)
    assert "worker's own model is never meant" in made.outcome.detail


def test_the_goals_own_judge_is_not_replaced() -> None:
    made = judged(REQUEST, Script([GOOD], model="worker-1"))
    assert made.outcome == Misconfigured(
        "the goal's judge has the model `judge-1`, and `worker-1` is set up"
    )


# --- caps


@pytest.mark.ruling(48)
def test_judgements_are_counted_over_the_run() -> None:
    assert judged(REQUEST, Script([GOOD]), before=Spent(2)).accepted
    made = judged(REQUEST, Script([GOOD]), before=Spent(3))
    assert made.outcome == Exhausted("invocations", "the judge has been asked 3 of 3 times")
    assert consequence(made.outcome, "fail") == "attempts"


PRICE = Price(Decimal("3"), Decimal("15"))
REPLY = Reply("no", usage=Usage(1_000, 200))


def test_cost_is_exact() -> None:
    made = judged(REQUEST, Script([REPLY, REPLY]), Policy(price=PRICE))
    assert made.spent == Spent(1, 2_400, Decimal("0.012"))
    own = Reply("no", usage=Usage(1_000, 200, Decimal("0.1")))
    made = judged(REQUEST, Script([own, REPLY]), Policy(price=PRICE))
    assert made.spent.cost == Decimal("0.106"), "what the carrier says wins"


def test_a_cap_is_looked_at_before_each_call() -> None:
    policy = Policy(price=PRICE, max_cost=Decimal("0.006"))
    made = judged(REQUEST, Script([REPLY, GOOD]), policy)
    assert made.outcome == Exhausted("cost", "0.006 of 0.006 are spent")
    assert judged(
        REQUEST, Script([REPLY, GOOD]), replace(policy, max_cost=Decimal("0.0061"))
    ).accepted
    made = judged(REQUEST, Script([REPLY, GOOD]), Policy(max_tokens=1_200))
    assert made.outcome == Exhausted("tokens", "1,200 of 1,200 tokens are used")
    made = judged(REQUEST, Script([GOOD]), Policy(max_tokens=10), before=Spent(1, 10))
    assert isinstance(made.outcome, Exhausted)


def test_an_answer_counts_though_its_call_reached_a_cap() -> None:
    script = Script([Reply(json.dumps(GOOD), usage=Usage(9_000, 0))])
    assert judged(REQUEST, script, Policy(max_tokens=10)).accepted


def test_a_cost_that_nobody_knows_is_no_zero() -> None:
    made = judged(REQUEST, Script(["no", GOOD]), Policy(max_cost=Decimal(1)))
    assert isinstance(made.outcome, Exhausted)
    assert "set a price" in made.outcome.detail


@pytest.mark.parametrize("change", [{"attempts": 0}, {"deadline": -1.0}, {"max_tokens": 0}])
def test_a_bound_of_nothing_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        Policy(**change)


# --- several judges

TWO_OF_THREE = request(goal=with_quorum(2, 3))


def test_all_members_are_asked() -> None:
    made = judged(TWO_OF_THREE, Script([GOOD, GOOD, said("continue", cause="unmet")]))
    assert isinstance(made.outcome, Decided)
    assert made.outcome.decision == "continue"
    assert made.spent.invocations == 1


def test_one_that_fails_may_be_done_without() -> None:
    script = Script([GOOD, "no", "no", GOOD])
    assert judged(TWO_OF_THREE, script).accepted


def test_two_that_fail_may_not() -> None:
    script = Script([GOOD, "no", "no", "no", "no", GOOD])
    made = judged(TWO_OF_THREE, script)
    assert isinstance(made.outcome, Unusable)


def test_when_the_quorum_is_out_of_reach_nobody_else_is_asked() -> None:
    script = Script(["no"] * 9)
    made = judged(TWO_OF_THREE, script)
    assert isinstance(made.outcome, Unusable)
    assert len(script.asked) == 4


def test_what_one_found_unmet_holds_though_the_others_fail() -> None:
    script = Script([said("continue", cause="unmet"), CallFailed("auth", "no key")])
    made = judged(TWO_OF_THREE, script)
    assert isinstance(made.outcome, Decided)
    assert made.outcome.decision == "continue"


def test_who_was_not_asked_since_the_route_closed_does_not_agree() -> None:
    asked = request(goal=with_quorum(1, 3))
    closed = CallFailed("auth", "no key")
    assert judged(asked, Script([GOOD, closed])).outcome == Outage("auth", "no key", closed=True)
    assert judged(asked, Script([GOOD, GOOD, closed])).accepted, "everybody was asked"


def test_who_was_not_asked_for_want_of_money_does_not_agree() -> None:
    paid = Reply(json.dumps(GOOD), usage=Usage(10, 0))
    made = judged(TWO_OF_THREE, Script([paid, paid, paid]), Policy(max_tokens=20))
    assert isinstance(made.outcome, Exhausted)


# --- going on after a crash


def test_recorded_calls_are_not_made_again() -> None:
    kept: list[CallRecord] = []
    script = Script(["no", KeyboardInterrupt()])
    with pytest.raises(KeyboardInterrupt):
        judged(REQUEST, script, record=kept.append)
    assert len(kept) == 1
    later = Script([GOOD])
    made = judged(REQUEST, later, calls=kept)
    assert made.accepted
    assert len(later.asked) == 1
    assert "refused: it is not a JSON object." in later.asked[0].message


def test_recorded_calls_of_another_request_are() -> None:
    kept = judged(request(claim="Done."), Script([GOOD])).calls
    script = Script([said("continue", cause="unmet")])
    made = judged(REQUEST, script, calls=kept)
    assert len(made.calls) == len(script.asked) == 1
    assert not made.accepted


# --- what follows

OUTCOMES: list[tuple[Outcome, str, str]] = [
    (Unusable(None), "unverified", "pause"),  # type: ignore[arg-type]
    (Outage("server", "x", closed=False), "later", "later"),
    (Outage("auth", "x", closed=True), "unreachable", "unreachable"),
    (Misconfigured("x"), "unverified", "pause"),
    (NoJudge(), "undecided", "undecided"),
    (Exhausted("invocations", "x"), "attempts", "attempts"),
    (Exhausted("deadline", "x"), "unverified", "pause"),
    (Exhausted("cost", "x"), "unverified", "pause"),
    (Exhausted("tokens", "x"), "unverified", "pause"),
]


@pytest.mark.ruling(42)
@pytest.mark.parametrize(("outcome", "fail", "pause"), OUTCOMES)
def test_nothing_accepts_on_an_error(outcome: Outcome, fail: str, pause: str) -> None:
    assert consequence(outcome, "fail") == fail
    assert consequence(outcome, "pause") == pause


@pytest.mark.parametrize(
    ("answer", "follows"),
    [
        (GOOD, "accept"),
        (said("continue", cause="unmet"), "continue"),
        (said("blocked", cause="unclear"), "blocked"),
        (said("blocked", no_access="stopped"), "stopped"),
        (said("continue", no_access="stopped"), "stopped"),
    ],
)
def test_a_verdict_is_followed(answer: dict[str, Any], follows: str) -> None:
    assert consequence(judged(REQUEST, Script([answer])).outcome, "fail") == follows


LINES = st.sampled_from(
    ["no", "", '{"decision": "accept"}', LIMITED, CallFailed("auth", "x"), RuntimeError("x"),
     CallFailed("rejected", "x"), Reply("", "length"), said("continue", cause="unmet"),
     said("blocked", cause="unclear")]
)  # fmt: skip


@given(st.lists(LINES, min_size=30, max_size=30), st.sampled_from([(1, 1), (2, 3), (1, 3), (3, 3)]))
def test_no_script_without_an_accept_accepts_or_goes_on_for_ever(
    lines: list[Any], quorum: tuple[int, int]
) -> None:
    asked = request(goal=with_quorum(*quorum))
    script = Script(lines)
    made = judged(asked, script)
    assert not made.accepted
    assert consequence(made.outcome, "fail") != "accept"
    assert len(made.calls) <= quorum[1] * 2 * 4


def test_the_same_calls_give_the_same_judgement() -> None:
    first = judged(REQUEST, Script(["no", GOOD]))
    again = asyncio.run(judge(REQUEST, Script([]), Policy(), Clock(), calls=first.calls))
    assert again == first
