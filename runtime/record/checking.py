"""What a record must be beyond its shape: ids, times, and parts that belong together.

The same rules hold for a record that is read and for one that a command would make.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...compiler.ir.canonical import contract_hash, plain
from ...compiler.ir.document import Condition, Criterion, Goal, Retired
from ...grammar.literals import LiteralError, read_money
from .measuring import MAX_BESIDE, MAX_RECORD, measure, measure_beside
from .objective import capped_objective
from .parts import (
    MAX_SETTLED,
    Candidate,
    Claim,
    Lineage,
    Pending,
    Record,
    Status,
    Turn,
    Usage,
)
from .times import BadTime, read_stamp

_CONTRACT = re.compile(r"c1:[0-9a-f]{64}")


def record_problems(record: Record, seen: Goal | None = None) -> Iterator[str]:
    """What is wrong with a record whose values are JSON of the right shape, each with its place;
    the goal *seen* was looked at before."""
    if not record.session.strip():
        yield "session: it is blank: a record belongs to a session"
    if record.goal is not None and record.goal is not seen:
        yield from (f"goal.{problem}" for problem in goal_problems(record.goal))
    yield from _source_problems(record)
    yield from _negative(record, "", ("generation", "continuations"))
    yield from _time(record.created_at, "created_at", may_be_empty=True)
    yield from _time(record.updated_at, "updated_at", may_be_empty=True)
    yield from _turn_problems(record.turn)
    yield from _status_problems(record.status, record.goal)
    yield from _usage_problems(record.usage, "usage")
    yield from _candidate_problems(record.candidate, "candidate")
    yield from _work_problems(record)
    if record.evaluation is not None:
        yield from _time(record.evaluation.at, "evaluation.at")
    for index, lineage in enumerate(record.lineage):
        yield from _lineage_problems(lineage, f"lineage[{index}]")


def goal_problems(goal: Goal) -> Iterator[str]:
    """A goal's ids and texts, and that its contract's hash is that of what it says."""
    if not goal.objective.strip():
        yield "objective: it is blank: say what must become true"
    parts: tuple[tuple[str, Sequence[Condition]], ...] = (
        ("criteria", goal.criteria),
        ("constraints", goal.constraints),
        ("stops", goal.stops),
    )
    ids: Counter[str] = Counter()
    for name, conditions in parts:
        for index, condition in enumerate(conditions):
            place = f"{name}[{index}]"
            ids[condition.id] += 1
            if not condition.id.strip():
                yield f"{place}.id: it is blank: give it an id"
            elif ids[condition.id] == 2:
                yield f"{place}.id: the id `{condition.id}` is there twice"
            if not condition.text.strip():
                yield f"{place}.text: it is blank: say what it asks for"
    names = Counter(fact.name for fact in goal.facts)
    for name in (name for name, count in names.items() if count > 1):
        yield f"goal.facts: the fact `{name}` is declared twice"
    for index, retired in enumerate(goal.retired):
        if not retired.id.strip():
            yield f"retired[{index}].id: it is blank: a retired criterion keeps its id"
    if contract_hash(plain(goal)) != goal.contract:
        yield (
            "contract: it is not the hash of what the goal says: the goal was changed by "
            "hand; compile its file again and amend"
        )


def size_problems(record: Record, before: Record | None = None) -> Iterator[str]:
    """What of a record is too large. Where it differs from the record *before* in no more than a
    time, its six fields have their size."""
    if before is None or _may_have_grown(record, before):
        size = measure(record)
        if size > MAX_RECORD:
            yield (
                f"the record has {size} bytes, {MAX_RECORD} is the most: shorten texts or metadata"
            )
    beside = measure_beside(record)
    if beside > MAX_BESIDE:
        yield (
            f"what stands beside the record has {beside} bytes, {MAX_BESIDE} is the most: "
            "shorten the goal, the outputs or the facts that the monitor keeps"
        )


def _may_have_grown(record: Record, before: Record) -> bool:
    names = ("goal", "metadata", "generation", "created_at", "turn")
    same_width = bool(before.updated_at)
    return not same_width or any(getattr(record, n) != getattr(before, n) for n in names)


def shown_problems(goal: Goal, objective: str | None, contract: str | None) -> Iterator[str]:
    """Of a goal that comes from elsewhere: what is shown of it must be what is enforced."""
    if contract is not None and not _CONTRACT.fullmatch(contract):
        yield "contract: it is no hash of a contract (`c1:` and 64 hexadecimal digits)"
    if objective is not None and capped_objective(objective)[0] != goal.objective:
        yield "objective: the goal's objective is not what this text is cut to"


def _source_problems(record: Record) -> Iterator[str]:
    goal = record.goal
    criteria: tuple[Criterion | Retired, ...] = (
        () if goal is None else (*goal.criteria, *goal.retired)
    )
    known = {criterion.id for criterion in criteria}
    for id in record.metadata.criterion_sources:
        if id not in known:
            yield (
                f"metadata.criterion_sources.{id}: no criterion of the goal, active or retired, "
                f"has this id; known are {', '.join(sorted(known)) or 'none'}"
            )
    verification = record.metadata.verification
    if verification is not None and not verification.command.strip():
        yield "metadata.verification.command: it is blank: give the exact command, or leave it out"


def _turn_problems(turn: Turn) -> Iterator[str]:
    if turn.state == "open":
        if not (turn.run or "").strip():
            yield "turn.run: an open turn names the run that opened it"
        yield from _time(turn.opened_at or "", "turn.opened_at", may_be_empty=True)
    elif turn.run is not None or turn.opened_at is not None:
        yield "turn: an idle turn has neither run nor time"


def _status_problems(status: Status, goal: Goal | None) -> Iterator[str]:
    if (status.name == "cleared") != (goal is None):
        yield f"status.name: {'there is no goal' if goal is None else 'there is a goal'}, " + (
            f"and `{status.name}` is of one" if goal is None else "and `cleared` is of none"
        )
    if (status.name == "parked") != (status.until is not None):
        yield "status.until: it says when a parked goal goes on, and belongs to no other"
    if (status.name == "ended") != (status.ending is not None):
        yield "status.ending: it says how a goal ended, and belongs to no other status"
    if status.mechanical and status.name != "blocked":
        yield f"status.mechanical: only a block can be, not `{status.name}`"
    yield from _time(status.since, "status.since", may_be_empty=True)
    if status.until is not None:
        yield from _time(status.until, "status.until")


def _usage_problems(usage: Usage, place: str) -> Iterator[str]:
    yield from _negative(usage, place, ("turns", "tokens", "tool_calls", "attempts", "runtime"))
    if usage.cost is not None:
        try:
            amount, _ = read_money(usage.cost)
        except LiteralError as error:
            yield f"{place}.cost: {error.message}{': ' + error.hint if error.hint else ''}"
        else:
            if amount < 0:
                yield f"{place}.cost: {usage.cost} is below 0"


def _candidate_problems(candidate: Candidate | None, place: str) -> Iterator[str]:
    if candidate is None:
        return
    if candidate.outcome == "blocked" and not (candidate.reason or "").strip():
        yield f"{place}.reason: it is blank: say what blocks the goal"
    yield from _time(candidate.at, f"{place}.at")


def _work_problems(record: Record) -> Iterator[str]:
    """Settlements, what awaits an evaluation, and the claim."""
    if len(record.settled) > MAX_SETTLED:
        yield f"settled: it has {len(record.settled)} ids, the last {MAX_SETTLED} are kept"
    if len(set(record.settled)) < len(record.settled):
        yield "settled: an id is there twice"
    if record.status.name != "active" and record.claim is not None:
        yield f"claim: only an active goal has one, and this is `{record.status.name}`"
    awaits = record.candidate is not None or record.pending is not None
    if record.status.name in ("cleared", "complete", "ended") and awaits:
        yield (
            f"status.name: `{record.status.name}` has no candidate and no pending evaluation: "
            "only an unfinished goal has"
        )
    if record.pending is not None:
        yield from _pending_problems(record.pending)
    if record.claim is not None and record.goal is not None:
        yield from _claim_problems(record.claim, claim_key(record, record.claim.ordinal))


def claim_key(record: Record, ordinal: int) -> str:
    """The key of the continuation *ordinal* of the record's goal as it is now."""
    return f"{'' if record.goal is None else record.goal.id}:{record.generation}:{ordinal}"


def _pending_problems(pending: Pending) -> Iterator[str]:
    yield from _negative(pending, "pending", ("attempt",))
    yield from _usage_problems(pending.usage, "pending.usage")
    yield from _candidate_problems(pending.candidate, "pending.candidate")
    if not pending.settlements or not pending.evaluation:
        yield "pending: it has an id and at least one settlement"


def _claim_problems(claim: Claim, key: str) -> Iterator[str]:
    yield from _negative(claim, "claim", ("ordinal", "attempt"))
    if claim.key != key:
        yield f"claim.key: `{claim.key}` is of another goal or generation; this one's is `{key}`"
    if not claim.owner.strip():
        yield "claim.owner: it is blank"
    if claim.state == "deferred":
        if claim.retry_at is not None:
            yield from _time(claim.retry_at, "claim.retry_at")
    else:
        yield from _time(claim.expires_at, "claim.expires_at")
        if claim.retry_at is not None:
            yield "claim.retry_at: only a deferred claim has it"


def _lineage_problems(lineage: Lineage, place: str) -> Iterator[str]:
    if not lineage.session.strip():
        yield f"{place}.session: it is blank"
    yield from _negative(lineage, place, ("generation",))
    yield from _time(lineage.at, f"{place}.at")


def _negative(node: Any, place: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        value = getattr(node, name)
        if value < 0:
            yield f"{place}.{name}: {value} is below 0".lstrip(".")


def _time(text: str, place: str, may_be_empty: bool = False) -> Iterator[str]:
    if text or not may_be_empty:
        try:
            read_stamp(text)
        except BadTime as error:
            yield f"{place}: {error}"
