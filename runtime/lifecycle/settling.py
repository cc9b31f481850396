"""What runs leave behind: their usage, charged once; what they claim; and what an evaluation makes
of it."""

from __future__ import annotations

import hashlib
import json

from ..record.parts import MAX_SETTLED, Candidate, Evaluation, Pending, Record, Usage
from .budget import charged, need_cost
from .commands import Evaluated, Keep, Observe, Propose, Settle
from .draft import Draft, is_unfinished, need_goal, need_status, need_text, said_status
from .events import Refusal

MAX_OUTPUT = 65_536  # characters of a run's output that await its evaluation
_COUNTS = ("turns", "tokens", "tool_calls", "attempts", "runtime")


def propose(draft: Draft, command: Propose) -> None:
    need_status(
        draft.record, f"propose `{command.outcome}`", frozenset({"active"}),
        "only the end of an active goal is proposed",
    )  # fmt: skip
    reason = command.reason
    if command.outcome == "blocked":
        reason = need_text(reason, "reason", "what is missing from outside to go on")
    candidate = Candidate(outcome=command.outcome, reason=reason, at=draft.at)
    draft.happen("terminal_candidate_requested", candidate=candidate)


def settle(draft: Draft, command: Settle) -> None:
    need_goal(draft.record, "charge")
    id = need_text(command.settlement, "settlement", "which run settled")
    record = draft.record
    if id in record.settled:
        return  # charged already
    negative = [name for name in _COUNTS if getattr(command.usage, name) < 0]
    if negative:
        raise Refusal("bad_usage", f"usage.{negative[0]} is below 0: usage only grows")
    need_cost(command.usage.cost, record)
    usage = Usage() if _began_before(record) else command.usage
    candidate, waits = (None, record.candidate) if command.part else (record.candidate, None)
    pending = record.pending
    if is_unfinished(record):  # paused too: it is evaluated when it goes on
        earlier = pending or Pending(evaluation="")
        pending = Pending(
            evaluation=evaluation_id(record, id),
            settlements=(*earlier.settlements, id)[-MAX_SETTLED:],
            usage=charged(earlier.usage, usage),
            output=bounded(command.output),
            candidate=candidate or earlier.candidate,
        )
    draft.happen(
        "progress_accounted",
        {"settlement": id, "usage": usage},
        usage=charged(record.usage, usage),
        settled=(*record.settled, id)[-MAX_SETTLED:],
        pending=pending,
        candidate=waits,
    )


def bounded(output: str, most: int = MAX_OUTPUT) -> str:
    """*output*, or its head and its tail where it has more than *most* characters: what a run
    printed never keeps its usage from being charged."""
    if len(output) <= most:
        return output
    half = most // 2
    return f"{output[:half]}\n[cut: {len(output) - 2 * half} characters]\n{output[-half:]}"


def _began_before(record: Record) -> bool:
    """Is the open turn older than the goal? What it did was done for no goal, or another."""
    return "" < (record.turn.opened_at or "") < record.created_at


def evaluation_id(record: Record, settlement: str) -> str:
    """The id of what awaits an evaluation once *settlement* has joined it: the same wherever it is
    computed, so that deciding again gives the same."""
    source = json.dumps([record.session, record.generation, settlement])
    return hashlib.sha256(source.encode()).hexdigest()[:32]


def evaluated(draft: Draft, command: Evaluated) -> None:
    pending = draft.record.pending
    if pending is None or pending.evaluation != command.evaluation:
        current = "none is awaited" if pending is None else f"{pending.evaluation} is awaited"
        raise Refusal(
            "stale_evaluation",
            f"the evaluation {command.evaluation} is of the past ({current}): drop its answer, "
            "and evaluate what is there now",
        )
    need_status(
        draft.record, "evaluate", frozenset({"active"}),
        "what awaits its evaluation still does once the goal goes on",
    )  # fmt: skip
    reason = command.reason
    if command.outcome != "continue":
        reason = need_text(reason, "reason", "the evidence of it, or what is missing from outside")
    draft.happen(
        "evaluated",
        {"evaluation": command.evaluation, "outcome": command.outcome, "reason": reason},
        pending=None,
        evaluation=Evaluation(
            id=command.evaluation, outcome=command.outcome, reason=reason, at=draft.at
        ),
    )
    if command.outcome != "continue":
        draft.stand(command.outcome, reason)


def observe(draft: Draft, command: Observe) -> None:
    need_goal(draft.record, "observe")
    if not is_unfinished(draft.record):
        raise Refusal(
            "finished_goal", f"nothing is left to observe: {said_status(draft.record.status)}"
        )
    if command.monitor != draft.record.monitor:
        draft.happen("observed", monitor=command.monitor)


def keep(draft: Draft, command: Keep) -> None:
    kept = {name: getattr(command, name) for name in ("loop", "effects", "gates")}
    if any(getattr(draft.record, name) != value for name, value in kept.items()):
        draft.happen("kept", **kept)
