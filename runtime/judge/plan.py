"""What comes next in a judgement, from the calls that were made: another call, after a wait, or the
outcome. It is all there is to decide, so that the same calls give the same judgement at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from .answer import Answer, Invalid
from .outcome import Exhausted, Misconfigured, NoJudge, Outage, Outcome, Unusable
from .policy import Policy, Spent
from .ports import MISCONFIGURED, ROUTE_CLOSED, Route
from .quorum import Decided, decided, needed_of, vetoes
from .record import CallRecord, Failure
from .request import JudgeRequest

RE_ASKS = 1  # after an answer that is none


@dataclass(frozen=True, slots=True)
class Ask:
    """A call that is due: of which member, after what *problem* of its last answer, in how many
    seconds, and within how many."""

    member: int
    problem: str | None
    wait: float
    timeout: float


@dataclass(frozen=True, slots=True)
class _Due:
    """A member that has no answer yet; *failure* is that of its last call, if it failed."""

    problem: str | None = None
    wait: float = 0.0
    failure: Failure | None = None


def next_move(
    request: JudgeRequest, route: Route | None, policy: Policy, calls: Sequence[CallRecord],
    elapsed: float, before: Spent,
) -> Ask | Outcome:  # fmt: skip
    """The next call, or what has come of the *calls* so far, *elapsed* seconds after the beginning;
    *before* is what earlier judgements of the goal took."""
    if request.goal.judge is None:
        return NoJudge()
    if wrong := _wrong_route(request, route):
        return Misconfigured(wrong)
    needed, of = needed_of(request)
    answers: list[Answer] = []
    failed: list[Outcome] = []
    for member in range(of):
        if failed and (len(answers) + of - member < needed or _closed(failed[-1])):
            return _vetoed(answers, request) or failed[-1]
        standing = _standing(member, calls, request, policy)
        if isinstance(standing, _Due):
            bound = _bound(standing, request, policy, calls, elapsed, before)
            if bound is None:
                left = policy.deadline - elapsed - standing.wait
                timeout = min(policy.call_timeout, left)
                return Ask(member, standing.problem, standing.wait, timeout)
            return _vetoed(answers, request) or bound
        if isinstance(standing, Answer):
            answers.append(standing)
        else:
            failed.append(standing)
    return decided(answers, request) or failed[-1]


def _vetoed(answers: Sequence[Answer], request: JudgeRequest) -> Decided | None:
    """The verdict before all members were asked. Who was not asked does not agree: it stands only
    where nobody could outvote it."""
    vetoed = any(vetoes(answer, request) for answer in answers)
    return decided(answers, request) if vetoed else None


def _wrong_route(request: JudgeRequest, route: Route | None) -> str | None:
    """Why the goal's judge is not who would be asked."""
    judge = request.goal.judge
    if route is None or not route.model.strip() or not route.provider.strip():
        return (
            "the judge's model and provider are not set: name them in the goal's `judge` or in the "
            "host's settings; the worker's own model is never meant"
        )
    for name in ("model", "provider"):
        meant, set_up = getattr(judge, name), getattr(route, name)
        if meant is not None and meant != set_up:
            return f"the goal's judge has the {name} `{meant}`, and `{set_up}` is set up"
    return None


def _closed(outcome: Outcome) -> bool:
    """Does it hold for every member, since they share a route?"""
    return isinstance(outcome, Misconfigured) or (isinstance(outcome, Outage) and outcome.closed)


def _standing(
    member: int, calls: Sequence[CallRecord], request: JudgeRequest, policy: Policy
) -> Answer | _Due | Unusable | Outage | Misconfigured:
    """What has come of a member's calls."""
    problems: list[Invalid] = []
    failures = 0
    due = _Due()
    for call in calls:
        if call.member != member:
            continue
        read = call.read(request)
        match read:
            case Answer():
                return read
            case Invalid():
                problems.append(read)
                failures = 0
                if len(problems) > RE_ASKS:
                    return Unusable(read)
                due = _Due(read.words)
            case Failure():
                failures += 1
                if read.kind in MISCONFIGURED:
                    return Misconfigured(read.detail)
                closed = read.kind in ROUTE_CLOSED
                if closed or failures >= policy.attempts:
                    return Outage(read.kind, read.detail, closed, read.retry_after)
                due = _Due(due.problem, policy.wait(failures, read.retry_after), read)
    return due


def _bound(
    due: _Due, request: JudgeRequest, policy: Policy, calls: Sequence[CallRecord],
    elapsed: float, before: Spent,
) -> Outcome | None:  # fmt: skip
    """The bound that keeps a call from being made."""
    assert request.goal.judge is not None
    most = request.goal.judge.max_invocations
    if not calls and before.invocations >= most:
        return Exhausted(
            "invocations", f"the judge has been asked {before.invocations} of {most} times"
        )
    if elapsed + due.wait >= policy.deadline:
        if due.failure is not None:
            failure = due.failure
            return Outage(
                failure.kind, failure.detail, closed=False, retry_after=failure.retry_after
            )
        return Exhausted("deadline", f"no verdict within {policy.deadline:g} s")
    spent = before.plus(spent_on(calls, policy))
    if policy.max_tokens is not None and spent.tokens >= policy.max_tokens:
        return Exhausted("tokens", f"{spent.tokens:,} of {policy.max_tokens:,} tokens are used")
    if policy.max_cost is not None:
        if any(cost_of(call, policy) is None for call in calls if call.replied):
            return Exhausted(
                "cost", "what a call costs is not known: set a price beside `max_cost`"
            )
        if spent.cost >= policy.max_cost:
            return Exhausted("cost", f"{spent.cost} of {policy.max_cost} are spent")
    return None


def spent_on(calls: Sequence[CallRecord], policy: Policy) -> Spent:
    """What *calls* took, as far as it is known: one judgement, if anybody answered."""
    used = [call.usage for call in calls if call.usage is not None]
    costs = [cost_of(call, policy) for call in calls]
    return Spent(
        int(any(call.replied for call in calls)),
        sum(usage.tokens for usage in used),
        sum((cost for cost in costs if cost is not None), Decimal(0)),
    )


def cost_of(call: CallRecord, policy: Policy) -> Decimal | None:
    """What a call cost; None where nobody knows."""
    return None if call.usage is None else policy.cost(call.usage)
