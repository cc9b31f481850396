"""What a person or a program is shown of a session's goal: one line, a dashboard, or one object.

Objectives and reasons are anybody's text. In the line and the dashboard they can neither break out
of their line nor hide in it; the object has them word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..compiler.characters import one_line
from ..compiler.ir.canonical import plain
from ..compiler.ir.document import Budget, Goal
from ..compiler.ir.node import Node
from ..grammar.literals import (
    DURATION_UNITS,
    read_money,
    read_quantity,
    spell_duration,
    write_money,
)
from .lifecycle.claiming import wake_at
from .record.parts import Claim, Record, Status, Usage

if TYPE_CHECKING:
    from .convergence import Policy

LINE = 80  # columns of the status line
WIDTH = 100  # columns of a line of the dashboard

_LABEL = 14  # columns of a label and what stands between it and its text
_LIMITS = ("turns", "tokens", "cost", "runtime", "attempts", "tool_calls")


def status_line(record: Record, width: int = LINE) -> str:
    """How the goal stands, in one line, and why where it is not active. The objective makes room
    for the rest."""
    goal = record.goal
    if goal is None:
        return one_line(f"no goal{_because(record.status)}", width)
    tail = f" [{_used_of('turns', record.usage, goal.budget)} turns]"
    room = width - len(tail)
    why = "" if record.status.name == "active" else _because(record.status)
    head = one_line(f"{_name(record.status)}{why}:", room // 2)
    return one_line(f"{head} {goal.objective}", room) + tail


def dashboard(record: Record, waiting: int = 0, width: int = WIDTH) -> str:
    """A line for each thing that is worth knowing of the goal, and of the commands that are
    *waiting* in its inbox."""
    lines = [*_lines(record)]
    if waiting:
        lines.append(("inbox", f"{_count(waiting, 'command')} waiting for the next writer"))
    return "".join(f"{label:<{_LABEL}}{one_line(text, width - _LABEL)}\n" for label, text in lines)


def summary(record: Record) -> dict[str, Any]:
    """The goal as one object. Every key is always there, null where there is nothing."""
    goal = record.goal
    return {
        "session": record.session,
        "goal": None if goal is None else _goal(goal, record),
        "status": _whole(record.status),
        "generation": record.generation,
        "usage": _whole(record.usage),
        "budget": goal and _whole(goal.budget),
        "advisory_budget": goal and _whole(goal.advisory_budget),
        "metadata": _whole(record.metadata),
        "turn": _whole(record.turn),
        "candidate": _whole(record.candidate),
        "pending": record.pending and record.pending.evaluation,
        "evaluation": _whole(record.evaluation),
        "continuation": _whole(record.claim),
        "wake_at": wake_at(record),
        "drift": drift_of(record),
        "lineage": [_whole(one) for one in record.lineage],
        "hidden": record.hidden,
        "sealed": record.sealed,
        "created_at": record.created_at or None,
        "updated_at": record.updated_at or None,
    }


def _goal(goal: Goal, record: Record) -> dict[str, Any]:
    return {
        "id": goal.id,
        "objective": record.objective or goal.objective,
        "criteria": [part.id for part in goal.criteria],
        "retired": [part.id for part in goal.retired],
        "contract": goal.contract,
        "file_contract": record.contract,
        "set_by": record.set_by,
    }


def _whole(node: Node | None) -> dict[str, Any] | None:
    """All fields of *node*, the absent ones too."""
    if node is None:
        return None
    return {name: plain(getattr(node, name)) for name in node.field_names}


def drift_of(record: Record) -> list[str]:
    """What of the pinned files is not as it was, in words, by the last look at them."""
    return list(record.loop.get("drift", ())) if isinstance(record.loop, dict) else []


# --- the dashboard's lines


def _lines(record: Record) -> Iterator[tuple[str, str]]:
    goal, status = record.goal, record.status
    if goal is None:
        yield "goal", "none"
        if status.reason:
            yield "status", f"{status.name}{_because(status)}"
        if record.sealed:
            yield "sealed", "the run was cancelled: only a person's new goal goes on"
        return
    yield "goal", goal.id
    yield "objective", goal.objective
    yield "status", f"{_name(status)} since {status.since}{_because(status)}"
    yield from (
        (name.replace("_", " "), _used_of(name, record.usage, goal.budget, goal.advisory_budget))
        for name in _LIMITS
        if getattr(record.usage, name) or _limit(name, goal.budget, goal.advisory_budget)
    )
    if drift := drift_of(record):
        yield "drift", ", ".join(drift)
    if record.candidate is not None:
        yield "proposed", _reasoned(record.candidate.outcome, record.candidate.reason)
    if record.evaluation is not None:
        answer = _reasoned(record.evaluation.outcome, record.evaluation.reason)
        yield "evaluation", f"{answer} ({record.evaluation.at})"
    if record.pending is not None:
        yield "pending", f"evaluation of {_count(len(record.pending.settlements), 'settled run')}"
    yield "continuation", _continuation(record)
    wake = wake_at(record)
    if wake is not None:
        yield "next wake", wake


def _name(status: Status) -> str:
    name = status.name.replace("_", " ")
    if status.ending is not None:
        return f"{name} as {status.ending}"
    return name if status.until is None else f"{name} until {status.until}"


def _because(status: Status) -> str:
    return f" ({status.reason})" if status.reason else ""


def _reasoned(outcome: str, reason: str | None) -> str:
    return outcome if reason is None else f"{outcome}: {reason}"


def _continuation(record: Record) -> str:
    claim = record.claim
    if claim is None:
        return "none" if not record.continuations else f"none; the last was {record.continuations}"
    return f"{claim.ordinal} {claim.state} by {claim.owner} {_deadline(claim)}"


def _deadline(claim: Claim) -> str:
    if claim.retry_at is not None:
        return f"until {claim.retry_at}"
    return f"until {claim.expires_at}" if claim.expires_at else ""


def _limit(name: str, *budgets: Budget | None) -> int | str | None:
    limits = (getattr(budget, name) for budget in budgets if budget is not None)
    return next((limit for limit in limits if limit is not None), None)


def _used_of(name: str, usage: Usage, budget: Budget | None, advisory: Budget | None = None) -> str:
    """`3 of 25`; a limit that only advises says so."""
    used = _spelled(name, getattr(usage, name))
    limit, advised = _limit(name, budget), _limit(name, advisory)
    if limit is not None:
        return f"{used} of {_spelled(name, limit)}"
    return used if advised is None else f"{used} of {_spelled(name, advised)} (advisory)"


def limits_used(usage: Usage, budget: Budget) -> Iterator[tuple[str, float, str]]:
    """Each limit of *budget*: its name, the share of it that is used, and both in words."""
    for name in _LIMITS:
        limit, used = getattr(budget, name), getattr(usage, name)
        if limit is not None:
            share = float(_number(name, used) / _number(name, limit))
            words = f"{_spelled(name, used)} of {_spelled(name, limit)}"
            yield name.replace("_", " "), share, words


def limits_left(usage: Usage, budget: Budget) -> Iterator[tuple[str, str]]:
    """Each limit of *budget*: its name, and in words what is used of it, and what is left."""
    for name in _LIMITS:
        limit, used = getattr(budget, name), getattr(usage, name)
        if limit is not None:
            left = _in_unit(
                name, max(_number(name, limit) - _number(name, used), Decimal(0)), limit
            )
            words = f"{_spelled(name, used)} of {_spelled(name, limit)} ({left} left)"
            yield name.replace("_", " "), words


def effective_budget(goal: Goal, policy: Policy) -> str:
    """The limits that a run of *goal* ends at, in one line: what the goal does not limit is said
    too."""
    enforced, own = policy.budget_of(goal), goal.budget or Budget()
    advised = goal.advisory_budget or Budget()
    said, free = [], []
    for name in _LIMITS:
        words, limit = name.replace("_", " "), getattr(enforced, name)
        if limit is None:
            free.append(words)
        else:
            default = " (by default)" if getattr(own, name) is None else ""
            said.append(f"{words} {_spelled(name, limit)}{default}")
    if goal.judge is not None:
        said.append(f"judge calls {goal.judge.max_invocations}")
    for name in _LIMITS:
        limit = getattr(advised, name)
        if limit is not None:
            said.append(f"{name.replace('_', ' ')} {_spelled(name, limit)} (advisory)")
    unlimited = f"; no limit of {', '.join(free)}" if free else ""
    return f"{', '.join(said)}{unlimited}"


def _in_unit(name: str, value: Decimal, limit: int | str) -> str:
    """*value* as *limit* is written."""
    if name == "cost":
        return write_money(value, read_money(str(limit))[1])
    return _spelled(name, int(value))


def _number(name: str, value: int | str | None) -> Decimal:
    if value is None:
        return Decimal(0)
    if isinstance(value, str):
        return read_money(value)[0] if name == "cost" else Decimal(read_quantity(value)[1])
    return Decimal(value)


def _spelled(name: str, value: int | str | None) -> str:
    if value is None:
        return "0"
    if isinstance(value, str):
        return value
    if name == "runtime":
        second = DURATION_UNITS["s"]
        return spell_duration(value // second * second)
    return f"{value:,}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
