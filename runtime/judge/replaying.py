"""A recorded judgement made again, without a network: the same answers to the same request give the
same verdict, and a record of another request, or one that was changed, is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .answer import Answer, Invalid
from .plan import RE_ASKS
from .quorum import Decided, decided, needed_of, vetoes
from .record import CallRecord, Failure, hashes_of, read_record, verdict_json
from .request import JudgeRequest

_WHAT = {
    "contract": "the contract",
    "evidence_hash": "the evidence or the claim",
    "schema_hash": "the schema of the answer",
    "prompt_hash": "the prompt",
}


class ReplayRefused(ValueError):
    """A record that says nothing about this request."""


def replay(recorded: Mapping[str, Any], request: JudgeRequest) -> Decided | None:
    """The verdict of a recorded judgement on *request*, decided again; None where there was none.
    Raises ReplayRefused."""
    try:
        state = recorded["outcome"]["state"]
        calls = [(read_record(call), call["verdict"]) for call in recorded["calls"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ReplayRefused(f"this is no record of a judgement: {error}") from None
    answers: list[Answer] = []
    asked: set[int] = set()
    problems: dict[int, list[str]] = {}
    for call, verdict in calls:
        asked.add(call.member)
        read = _read(call, verdict, problems.setdefault(call.member, []), request)
        if isinstance(read, Answer):
            answers.append(read)
        elif isinstance(read, Invalid):
            problems[call.member].append(read.words)
    if state != "decided":
        return None
    again = decided(answers, request)
    vetoed = any(vetoes(answer, request) for answer in answers)
    if again is None or (not vetoed and asked != set(range(needed_of(request)[1]))):
        raise ReplayRefused("calls of the judgement are missing")
    if {"state": state, **again.to_json()} != recorded["outcome"]:
        raise ReplayRefused("the answers do not give the verdict that was recorded")
    return again


def _read(
    call: CallRecord, verdict: Any, problems: list[str], request: JudgeRequest
) -> Answer | Invalid | Failure:
    """What a call brought, where it was made for *request* and is as it was recorded."""
    if len(problems) > RE_ASKS or call.problem != (problems[-1] if problems else None):
        raise ReplayRefused("a call was made for another problem than its last answer had")
    expected = hashes_of(request, call.problem)
    for name, what in _WHAT.items():
        if call.hashes[name] != expected[name]:
            raise ReplayRefused(f"{what} is not what the judge was asked about")
    read = call.read(request)
    if verdict_json(read) != verdict:
        raise ReplayRefused("an answer is not read as it was recorded")
    return read
