"""What can come of asking a judge. A verdict, an answer that is none, an outage, a wrong setting,
no judge at all, and a bound that was reached are different things, and only a verdict can accept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .answer import Invalid
from .policy import Spent
from .ports import FailureKind
from .quorum import Decided
from .record import CallRecord
from .request import JudgeRequest


@dataclass(frozen=True, slots=True)
class Unusable:
    """The judge answered, was asked once more, and gave no verdict either time."""

    last: Invalid


@dataclass(frozen=True, slots=True)
class Outage:
    """Nobody answered. *closed*: the route lets nobody through until a person mends it; else it may
    pass, not before *retry_after* seconds where the provider said so."""

    kind: FailureKind
    detail: str
    closed: bool
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Misconfigured:
    """The judge cannot be asked as it is set up."""

    detail: str


@dataclass(frozen=True, slots=True)
class NoJudge:
    """The goal has none, and its judged parts stay open."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """A bound that was reached before there was a verdict."""

    bound: Literal["invocations", "deadline", "tokens", "cost"]
    detail: str


Outcome: TypeAlias = Decided | Unusable | Outage | Misconfigured | NoJudge | Exhausted

STATES: dict[type, str] = {
    Decided: "decided",
    Unusable: "unusable",
    Outage: "outage",
    Misconfigured: "misconfigured",
    NoJudge: "no_judge",
    Exhausted: "exhausted",
}

Consequence: TypeAlias = Literal[
    "accept", "continue", "blocked", "stopped",  # what the judge said
    "later",  # the goal stays active, and the judge is asked again after a long wait
    "unreachable",  # blocked until a person mends the route
    "attempts",  # blocked until a person raises the judgements
    "unverified", "pause",  # the judge failed, as `on_error` says
    "undecided",  # there is no judge
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of one judgement, its calls, and what it took."""

    outcome: Outcome
    calls: tuple[CallRecord, ...]
    spent: Spent

    @property
    def accepted(self) -> bool:
        """Did a judge accept? Nothing else does."""
        return isinstance(self.outcome, Decided) and self.outcome.decision == "accept"

    def to_json(self, request: JudgeRequest) -> dict[str, Any]:
        """The judgement as it is recorded, from which `replay` makes it again."""
        return {
            "goal": request.goal.id,
            "mode": request.mode,
            "nonce": request.nonce,
            "outcome": outcome_json(self.outcome),
            "spent": {
                "invocations": self.spent.invocations,
                "tokens": self.spent.tokens,
                "cost": str(self.spent.cost),
            },
            "calls": [call.to_json(request) for call in self.calls],
        }


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    state = {"state": STATES[type(outcome)]}
    match outcome:
        case Decided():
            return {**state, **outcome.to_json()}
        case Unusable(last):
            return {**state, "kind": last.kind, "detail": f"The answer was refused: {last.words}"}
        case Outage():
            retry = {} if outcome.retry_after is None else {"retry_after": outcome.retry_after}
            closed = {"kind": outcome.kind, "detail": outcome.detail, "closed": outcome.closed}
            return {**state, **closed, **retry}
        case Misconfigured(detail):
            return {**state, "detail": detail}
        case Exhausted(bound, detail):
            return {**state, "bound": bound, "detail": detail}
        case NoJudge():
            return dict(state)


def consequence(outcome: Outcome, on_error: Literal["fail", "pause"]) -> Consequence:
    """What follows for the run. On an error nothing accepts, and nothing goes on as if there had
    been a verdict."""
    match outcome:
        case Decided() if outcome.stopped:
            return "stopped"
        case Decided(decision):
            return decision
        case NoJudge():
            return "undecided"
        case Outage(closed=True):
            return "unreachable"
        case Outage():
            return "later"
        case Exhausted(bound="invocations"):
            return "attempts"
    return "unverified" if on_error == "fail" else "pause"
