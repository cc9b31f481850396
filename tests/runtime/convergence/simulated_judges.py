"""Judges that are simulated down to the text of their answers: what they say is read, refused, asked
once more and voted on by what really does so. Only the carrier and the clock are made up."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from typing import Any

from goalspec.runtime.judge import (
    Ask,
    CallFailed,
    CallRecord,
    Evidence,
    JudgeRequest,
    Policy,
    Reply,
    Route,
    Spent,
    Usage,
    next_move,
)
from goalspec.runtime.judge.outcome import Outcome
from goalspec.runtime.judge.plan import spent_on
from goalspec.runtime.judge.record import Failure, failure_of

ROUTE = Route("judge-1", "acme")
TOLD = Evidence("log", "tool", "fix: the lock was dropped before the write")
CLAIMED = Evidence("said", "assistant", "The message explains the cause.")
GOOD = {"criteria": "met", "constraints": "held", "stops": "held"}
BAD = {"criteria": "unmet", "constraints": "violated", "stops": "unclear"}
UNCLEAR = dict.fromkeys(GOOD, "unclear")
QUOTED = [{"source": "log", "quote": "the lock was dropped"}]


@dataclass
class Judgement:
    """What a judgement came to: *accepts* are the calls in which an accept was really said."""

    outcome: Outcome
    spent: Spent
    seconds: float
    accepts: int


@dataclass
class SimulatedJudge:
    """Says what *words* give. *asked* counts the calls."""

    rng: Random
    words: tuple[str, ...]
    policy: Policy = field(default_factory=lambda: Policy(call_timeout=60.0, deadline=400.0))
    asked: int = 0

    def judge(self, request: JudgeRequest, before: Spent) -> Judgement:
        calls: list[CallRecord] = []
        elapsed, accepts = 0.0, 0
        while True:
            move = next_move(request, ROUTE, self.policy, calls, elapsed, before)
            if not isinstance(move, Ask):
                return Judgement(move, spent_on(calls, self.policy), elapsed, accepts)
            elapsed += move.wait
            word = self.rng.choice(self.words)
            outcome, took = self._called(word, request, move)
            accepts += word in ACCEPTING and isinstance(outcome, Reply)
            elapsed += took
            calls.append(
                CallRecord({}, ROUTE, move.member, move.problem, EPOCH, took, outcome)
            )  # fmt: skip
            self.asked += 1

    def _called(self, word: str, request: JudgeRequest, ask: Ask) -> tuple[Reply | Failure, float]:
        took = self.rng.choice([0.0, 1.0, 20.0, 200.0 if word == "slow" else 5.0])
        if took > ask.timeout:
            return Failure("timeout", f"no answer within {ask.timeout:g} s"), ask.timeout
        if word in FAILURES:
            wait = self.rng.choice([None, 5.0, float("nan")])
            return failure_of(CallFailed(word, "so", wait)), took  # type: ignore[arg-type]
        reply = SAYS.get(word, _accept)(request)
        if isinstance(reply, str):
            reply = Reply(reply)
        usage = self.rng.choice([None, Usage(90, 10, Decimal("0.01"))])
        return Reply(reply.text, reply.finish, usage), took


def answer(request: JudgeRequest, decision: str, outcomes: Mapping[str, str]) -> dict[str, Any]:
    step = {"part": request.goal.criteria[0].id, "step": "Explain the cause."}
    lists = {
        kind: {id: {"evidence": QUOTED, "reason": "It says so.", "outcome": outcomes[kind]}
               for id in ids}
        for kind, ids in request.judged.lists()
    }  # fmt: skip
    return {**lists, "decision": decision, "next_step": None if decision == "accept" else step}


def _accept(request: JudgeRequest) -> str:
    return json.dumps(answer(request, "accept", GOOD))


def _quoting(source: str, quote: str) -> Callable[[JudgeRequest], str]:
    def says(request: JudgeRequest) -> str:
        said = answer(request, "accept", GOOD)
        for kind, ids in request.judged.lists():
            for id in ids:
                said[kind][id]["evidence"] = [{"source": source, "quote": quote}]
        return json.dumps(said)

    return says


def _without_a_part(request: JudgeRequest) -> str:
    said = answer(request, "accept", GOOD)
    for kind, ids in request.judged.lists():
        del said[kind][ids[0]]
    return json.dumps(said)


def _with_a_part(request: JudgeRequest) -> str:
    said = answer(request, "accept", GOOD)
    for kind in GOOD:
        invented = {"evidence": QUOTED, "reason": "so", "outcome": GOOD[kind]}
        said.setdefault(kind, {})["invented"] = invented
    return json.dumps(said)


def _stopped(request: JudgeRequest) -> str:
    return json.dumps(answer(request, "blocked", {**BAD, "stops": "stopped"}))


SAYS: Mapping[str, Callable[[JudgeRequest], str | Reply]] = {
    "accept": _accept,
    "fenced": lambda request: f"```json\n{_accept(request)}\n```",
    "continue": lambda request: json.dumps(answer(request, "continue", BAD)),
    "blocked": lambda request: json.dumps(answer(request, "blocked", BAD)),
    "stopped": _stopped,
    "garbage": lambda request: "\x00\ufffd}{accept[[",
    "empty": lambda request: "",
    "prose": lambda request: "I have looked at everything, and I accept. It is complete!",
    "prose_around": lambda request: f"Of course!\n{_accept(request)}\nI hope that helps.",
    "german": lambda request: _accept(request).replace('"accept"', '"annehmen"'),
    "other_keys": lambda request: _accept(request).replace('"decision"', '"entscheidung"'),
    "contradiction": lambda request: json.dumps(answer(request, "accept", BAD)),
    "unsure": lambda request: json.dumps(answer(request, "accept", UNCLEAR)),
    "half": lambda request: Reply(_accept(request)[:40], "length"),
    "cut_off": lambda request: Reply(_accept(request), "length"),
    "withheld": lambda request: Reply(_accept(request), "filtered"),
    "invented_quote": _quoting("log", "all tests are green"),
    "quoting_a_claim": _quoting("said", "explains the cause"),
    "unknown_source": _quoting("nowhere", "the lock was dropped"),
    "without_a_part": _without_a_part,
    "with_a_part": _with_a_part,
    "array": lambda request: f"[{_accept(request)}]",
    "twice": lambda request: _accept(request) * 2,
}
ACCEPTING = ("accept", "fenced", "slow")
FAILURES = (
    "transport", "timeout", "rate_limited", "server", "protocol", "failed", "auth", "quota",
    "rejected", "not_allowed", "unset",
)  # fmt: skip
NONSENSE = tuple(word for word in SAYS if word not in (
    "accept", "fenced", "continue", "blocked", "stopped"))  # fmt: skip
MAY_PASS = FAILURES[:6]
EPOCH = datetime(2026, 3, 1, tzinfo=UTC)

TEMPERS: Mapping[str, tuple[str, ...]] = {
    "fair": ("accept", "continue", "continue", "fenced"),
    "lenient": ("accept", "fenced"),
    "harsh": ("continue", "continue", "blocked", "stopped"),
    "unsure": ("unsure", "contradiction", "continue"),
    "mad": NONSENSE,
    "erratic": ("accept", "continue", "blocked", *NONSENSE),
    "down": MAY_PASS,
    "flaky": (*MAY_PASS, "accept", "continue"),
    "closed": ("auth", "quota", "accept"),
    "misconfigured": ("rejected", "not_allowed", "unset", "continue"),
    "slow": ("slow", "slow", "continue"),
    "anything": (*SAYS, *FAILURES, "slow"),
}
"""What a judge of each temper says, one as often as another."""
