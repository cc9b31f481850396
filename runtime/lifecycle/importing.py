"""A record from elsewhere: a backup, or another tool's goal, becomes the session's."""

from __future__ import annotations

from dataclasses import replace

from ..record.parts import Actor, Record, Status
from ..record.times import read_stamp
from .draft import FINAL, UNDER_WAY, Draft, is_unfinished, said_status
from .events import Refusal, Step
from .reducing import checked

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
