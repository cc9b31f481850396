"""The goal itself: created, amended, retargeted, described, cleared. Each change of it is another
generation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...compiler.ir.document import Goal, Retired
from ..host.obligations import blocked_for_criteria, retirement
from ..record.checking import shown_problems
from ..record.parts import Record, Status, Turn
from .budget import exhausted
from .commands import Amend, Cancel, Clear, Create, Reset, Retarget, SetMetadata, Show
from .draft import UNDER_WAY, WITHOUT_GOAL, Draft, is_unfinished, need_goal, need_text, said_status
from .events import Refusal
from .settling import evaluation_id
from .standing import NO_CRITERIA, activate
from .weakening import amended_parts


def create(draft: Draft, command: Create) -> None:
    record = draft.record
    if is_unfinished(record) and not command.replace:
        raise Refusal(
            "unfinished_goal",
            f"the session has a goal already: {said_status(record.status)}; complete or clear it "
            "first, or replace it (`--replace`)",
        )
    problems = list(shown_problems(command.goal, command.objective, command.contract))
    if problems:
        raise Refusal("bad_record", "\n".join(problems))
    if record.goal is not None:
        draft.archive()
    draft.happen(
        "created",
        {"replaced": record.goal and record.goal.id},
        status=_begins(command.goal, draft.at),
        generation=record.generation + 1,
        sealed=False,
        hidden=False,
        **UNDER_WAY,
        **{
            **WITHOUT_GOAL,
            "goal": command.goal,
            "contract": command.contract or command.goal.contract,
            "objective": command.objective,
            "set_by": draft.actor,
            "metadata": command.metadata,
            "created_at": draft.at,
        },
    )


def _begins(goal: Goal, at: str) -> Status:
    if blocked_for_criteria(goal):
        return Status(name="blocked", reason=NO_CRITERIA, since=at)
    return Status(name="active", since=at)


def amend(draft: Draft, command: Amend) -> None:
    old = _same_goal(draft.record, command.goal, "amend")
    reason = need_text(command.reason, "reason", "why the goal is amended")
    new = replace(command.goal, retired=_retired_by(old, command.goal))
    changed = amended_parts(old, new) or _files_accepted(draft)
    if not changed:
        raise Refusal("same_goal", "the amended goal says what the goal says: nothing to amend")
    started = draft.record.claim
    if draft.actor == "agent" and started is not None and started.state == "started":
        raise Refusal(
            "continuation_started",
            f"the continuation {started.key} is on its way under the goal as it is: amend it in "
            "the run that begins of it, or after",
        )
    contract = command.goal.contract if command.from_file else draft.record.contract
    draft.happen(
        "amended",
        {"reason": reason, "measurement": command.measurement, "changed": changed},
        goal=new,
        contract=contract,
        objective=draft.record.objective if new.objective == old.objective else None,
        **{**_next_generation(draft.record), **_left_by(draft)},
    )
    _stand_again(draft, old)


def _files_accepted(draft: Draft) -> list[dict[str, Any]]:
    """A person may amend no more than what the pinned files are to be: as they are now."""
    gates = draft.record.gates
    if draft.actor != "person" or not gates:
        return []
    return [{"part": "pinned files", "before": gates, "after": None}]


def _left_by(draft: Draft) -> dict[str, Any]:
    """What an amendment leaves. An agent's only adds, and what its runs claimed is evaluated still,
    against the goal as it is from now on. After a person's the files are pinned anew."""
    record = draft.record
    if draft.actor != "agent":
        return {"gates": None}
    pending = record.pending
    if pending is not None:
        next_one = replace(record, generation=record.generation + 1)
        pending = replace(pending, evaluation=evaluation_id(next_one, pending.settlements[-1]))
    return {"pending": pending, "candidate": record.candidate}


def _retired_by(old: Goal, new: Goal) -> tuple[Retired, ...]:
    """The criteria that an amendment drops keep their identity beside those retired before."""
    left = {criterion.id for criterion in new.criteria}
    dropped = (Retired(id=c.id, text=c.text) for c in old.criteria if c.id not in left)
    return (*old.retired, *dropped)


def retarget(draft: Draft, command: Retarget) -> None:
    new = command.goal
    old = _same_goal(draft.record, new, "retarget")
    if new == old:
        return  # told again
    links: dict[str, Any] = {"control_id": need_text(command.control_id, "control_id", "which")}
    if command.message_id is not None:
        links["message_id"] = command.message_id
    retired = (*old.retired, *(Retired(id=c.id, text=c.text) for c in old.criteria))
    allowed = replace(
        old, objective=new.objective, criteria=new.criteria, retired=retired, contract=new.contract
    )
    if new != allowed:
        changed = [name for name in old.field_names if getattr(new, name) != getattr(allowed, name)]
        raise Refusal(
            "not_a_retarget",
            "a retarget changes the objective, retires every criterion and lets the rest stand; "
            f"this one changes {', '.join(changed)} too: amend the goal for that",
        )
    draft.happen(
        "retargeted",
        retirement(old, new, links),
        goal=new,
        objective=None,
        evaluation=None,
        **_next_generation(draft.record),
    )
    _stand_again(draft, old)


def _same_goal(record: Record, goal: Goal, asked: str) -> Goal:
    """The record's goal, which *goal* is to be another form of."""
    need_goal(record, asked)
    assert record.goal is not None
    if not is_unfinished(record):
        raise Refusal(
            "finished_goal", f"cannot {asked}: {said_status(record.status)}; create a new goal"
        )
    if goal.id != record.goal.id:
        raise Refusal(
            "another_goal",
            f"the goal is `{record.goal.id}`, and this is `{goal.id}`: {asked} it under its id, "
            "or replace it (`goal create --replace`)",
        )
    return record.goal


def _next_generation(record: Record) -> dict[str, Any]:
    """What a changed goal starts again with."""
    return {"generation": record.generation + 1, "continuations": 0, **UNDER_WAY}


def _stand_again(draft: Draft, old: Goal) -> None:
    """What the changed goal makes of how it stood: without criteria it blocks for want of them. A
    person's criteria lift that block, and a person's budget that is not exhausted the limit."""
    goal, status = draft.record.goal, draft.record.status
    assert goal is not None
    wants = blocked_for_criteria(goal)
    if status.name == "active" and wants:
        draft.stand("blocked", NO_CRITERIA)
    elif draft.actor != "person" or wants:
        return
    elif status.name == "blocked" and status.reason == NO_CRITERIA:
        activate(draft, "a person gave it criteria")
    elif (
        status.name == "budget_limited"
        and goal.budget != old.budget
        and exhausted(goal.budget, draft.record.usage) is None
    ):
        draft.stand("active", "a person raised the budget")


def _need_session(record: Record, asked: str) -> None:
    """Refuse *asked* of a session that nothing ever happened in."""
    if not record.updated_at:
        raise Refusal(
            "unknown_session",
            f"there is nothing to {asked}: nothing ever happened in the session "
            f"{record.session}; look at the sessions that there are (`goal show`)",
        )


def set_metadata(draft: Draft, command: SetMetadata) -> None:
    need_goal(draft.record, "describe")
    if command.metadata != draft.record.metadata:
        draft.happen("metadata_set", metadata=command.metadata)


def clear(draft: Draft, command: Clear) -> None:
    need_goal(draft.record, "clear")
    draft.archive()
    draft.clear("a person cleared it")


def reset(draft: Draft, command: Reset) -> None:
    record = draft.record
    if record.goal is None and record.turn.state == "idle":
        raise Refusal("nothing_to_reset", "the session has neither a goal nor an open turn")
    if record.goal is not None:
        draft.archive()
        draft.clear("a person reset the session", Turn())
    else:
        draft.happen("finished", {"reason": "a person reset the session"}, turn=Turn())


def cancel(draft: Draft, command: Cancel) -> None:
    _need_session(draft.record, "cancel")
    reason = (command.reason or "").strip() or "a person cancelled the run"
    if draft.record.goal is not None:
        ended = Status(name="ended", reason=reason, since=draft.at, ending="cancelled")
        draft.archive(**({} if not is_unfinished(draft.record) else {"status": ended}))
        draft.clear(reason, Turn())
    draft.happen("sealed", {"reason": reason}, sealed=True, turn=Turn())


def show(draft: Draft, command: Show) -> None:
    _need_session(draft.record, "show or hide")
    if command.hidden != draft.record.hidden:
        draft.happen("shown", {"hidden": command.hidden}, hidden=command.hidden)
