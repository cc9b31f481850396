"""A record from elsewhere: a backup, or another tool's goal, becomes the session's."""

from __future__ import annotations

from dataclasses import replace

from ...compiler.ir.document import Goal
from ..record.checking import shown_problems
from ..record.parts import Actor, Record, Status
from ..record.times import SECOND, read_stamp
from .draft import FINAL, UNDER_WAY, Draft, is_unfinished, said_status
from .events import Refusal, Step
from .reducing import checked

MAX_COUNT = 2**40
TOLERANCE = 300 * SECOND  # between the clocks of two hosts

# What comes with the goal; the rest is of the session that it came from.
_CARRIED = (
    "goal", "contract", "objective", "set_by", "metadata", "created_at", "usage", "settled",
    "evaluation", "continuations", "monitor", "lineage",
)  # fmt: skip


def import_record(
    record: Record, imported: Record, actor: Actor, at: str, *, over: bool = False
) -> Step:
    """What comes of a person's importing the goal of *imported*; *over* an unfinished one too. It
    waits for a person to resume it, since nobody knows what became of its old owner. Raises
    Refusal."""
    if actor != "person":
        raise Refusal(
            "not_a_person",
            "only a person imports a goal, since a record says who set it and what it used",
        )
    if imported.goal is None:
        raise Refusal("no_goal", "the record has no goal: there is nothing to import")
    if is_unfinished(record) and not over:
        raise Refusal(
            "unfinished_goal",
            f"the session has a goal already: {said_status(record.status)}; complete or clear it "
            "first, or import over it (`--replace`)",
        )
    draft = Draft(record, actor, read_stamp(at))
    _need_sound(imported, imported.goal, draft.now)
    if record.goal is not None:
        draft.archive()
    status = replace(imported.status, since=draft.at)
    if status.name not in FINAL:
        status = Status(name="paused", reason="it was imported", since=draft.at)
    draft.happen(
        "imported",
        {"session": imported.session, "generation": imported.generation},
        status=status,
        generation=max(record.generation, imported.generation) + 1,
        sealed=False,
        **UNDER_WAY,
        **{name: getattr(imported, name) for name in _CARRIED},
    )
    return checked(draft.step(), record)


def _need_sound(imported: Record, goal: Goal, now: int) -> None:
    """Refuse a goal that is shown otherwise than it is enforced, counts beyond which nothing could
    be counted on, and a goal of the future, for which no work would be charged."""
    problems = list(shown_problems(goal, imported.objective, imported.contract))
    if problems:
        raise Refusal("bad_record", "\n".join(problems))
    usage = imported.usage
    counts = {
        "generation": imported.generation, "continuations": imported.continuations,
        "usage.turns": usage.turns, "usage.tokens": usage.tokens, "usage.attempts": usage.attempts,
        "usage.tool_calls": usage.tool_calls,
    }  # fmt: skip
    for name, count in counts.items():
        if count > MAX_COUNT:
            raise Refusal(
                "bad_record", f"{name}: {count} is more than a run comes to ({MAX_COUNT})"
            )
    if imported.created_at and read_stamp(imported.created_at) > now + TOLERANCE:
        raise Refusal(
            "clock",
            f"created_at: {imported.created_at} is yet to come: set the clock, or the record, "
            "right",
        )
