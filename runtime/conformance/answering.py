"""goalspec's own answers to the requests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from ..engine import RefusedObservation
from ..facts import BadFacts
from ..judge.evidence import BadRequest
from ..judge.outcome import consequence, outcome_json
from ..judge.plan import Ask, next_move
from ..judge.policy import Policy, Spent
from ..judge.ports import Route
from ..judge.record import CallRecord, hashes_of, verdict_json
from ..judge.request import JudgeRequest
from ..monitor import Monitor
from ..record.reading import BadRecord, read_object
from ..verdict import Verdict
from .requests import Evaluate, Judge, Seen, read_request
from .sessions import steps_of

_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)  # of every call: nothing follows of it


def answer_line(line: bytes) -> str:
    """The answer to the request in *line*, on a line of its own; an `error` where it is none."""
    id: Any = None
    told: dict[str, Any]
    try:
        values = read_object(line)
        id = values.get("id")
        request = read_request(values)
        match request:
            case Evaluate():
                told = {"histories": [list(_seen(request, one)) for one in request.histories]}
            case Judge():
                told = _judged(request)
            case _:
                told = {"steps": list(steps_of(request))}
    except BadRecord as error:
        told = {"error": "; ".join(error.problems)}
    except Exception as error:  # a goal that no compiler wrote; the next request is to be answered
        told = {"error": f"it cannot be answered: {type(error).__name__}: {error}"}
    return json.dumps({"id": id, **told}) + "\n"


def _seen(request: Evaluate, history: Iterable[Seen]) -> Iterator[dict[str, Any]]:
    """What each observation of a history shows. Raises BadRecord."""
    try:
        monitor = Monitor(request.goal, request.baseline)
    except BadFacts as error:
        raise BadRecord([f"baseline: {error}"]) from None
    for seen in history:
        try:
            yield _shown(_observe(monitor, seen))
        except (BadFacts, RefusedObservation):
            yield {"refused": "observation"}


def _shown(verdict: Verdict) -> dict[str, Any]:
    """The verdict, without what is worded freely."""
    parts = (*verdict.criteria, *verdict.constraints, *verdict.stops)
    return {
        "done": verdict.done,
        "floor": verdict.floor,
        "outcomes": {part.id: part.outcome for part in parts},
        "reasons": {part.id: part.reason for part in parts if part.reason is not None},
        "notes": [{"kind": note.kind, "fact": note.fact} for note in verdict.notes],
    }


def _observe(monitor: Monitor, seen: Seen) -> Verdict:
    return monitor.observe(seen.facts, seen.at, seen.id, seen.rev, seen.received_at)


def _judged(request: Judge) -> dict[str, Any]:
    try:
        asked = JudgeRequest(
            request.goal, _last(request), request.evidence, request.claim, request.nonce,
            request.mode,
        )  # fmt: skip
    except BadRequest:
        return {"refused": "request"}
    judge = request.goal.judge
    route = None if request.route is None else Route(request.route.model, request.route.provider)
    calls: list[CallRecord] = []
    waits: list[float] = []
    while True:
        before = Spent(invocations=request.invocations)
        move = next_move(asked, route, Policy(), calls, sum(waits), before)
        if not isinstance(move, Ask):
            break
        if len(calls) == len(request.replies):
            raise BadRecord([f"replies: there are {len(calls)}, and the judge is asked once more"])
        assert route is not None
        outcome = request.replies[len(calls)]
        hashes = hashes_of(asked, move.problem)
        calls.append(CallRecord(hashes, route, move.member, move.problem, _AT, 0.0, outcome))
        waits.append(move.wait)
    return {
        "calls": list(_calls(calls, waits, asked)),
        "outcome": outcome_json(move),
        "consequence": consequence(move, "fail" if judge is None else judge.on_error),
    }


def _last(request: Judge) -> Verdict:
    monitor = Monitor(request.goal)
    try:
        verdicts = [_observe(monitor, seen) for seen in request.observations]
    except (BadFacts, RefusedObservation) as error:
        raise BadRecord([f"observations: {error}"]) from None
    if not verdicts:
        raise BadRecord(["observations: there are none, and a judge is asked after one"])
    return verdicts[-1]


def _calls(
    calls: Iterable[CallRecord], waits: Iterable[float], asked: JudgeRequest
) -> Iterator[dict[str, Any]]:
    for call, wait in zip(calls, waits, strict=True):
        read = verdict_json(call.read(asked))
        again = call.problem is not None
        yield {"member": call.member, "again": again, "wait": wait, "read": read}
