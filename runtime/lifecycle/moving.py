"""A goal that goes to another session: copied where a session is forked, carried over where one
succeeds another. Never has it two owners."""

from __future__ import annotations

from typing import Any

from ..record.parts import MAX_SETTLED, Lineage, Record, Status, Turn
from ..record.times import DAY, SECOND, BadTime, read_stamp
from .draft import FINAL, UNDER_WAY, Draft, is_unfinished, said_status
from .events import Refusal, Step
from .reducing import checked

MAX_AGE = DAY  # of the last change of a goal that is carried over
CLOCK_TOLERANCE = 300 * SECOND

# What goes with the goal; the rest is of the session.
_CARRIED = (
    "goal", "contract", "objective", "set_by", "metadata", "created_at", "usage", "evaluation",
    "monitor", "loop", "effects", "gates",
)  # fmt: skip


def fork(parent: Record, into: Record, session: str, carry: bool, at: str) -> Step:
    """What the session *session*, forked off *parent*, begins with: nothing, or with *carry* an
    isolated copy of the goal, which is paused until a person resumes it. *into* is the session's
    record, which has seen nothing yet. Raises Refusal."""
    if into.updated_at or into.generation or into.lineage or into.goal is not None:
        raise Refusal(
            "destination_has_history",
            f"the session {session} has a history of its own, since {into.updated_at}: fork into "
            "a new session",
        )
    draft = Draft(into, "person", _now(at))
    lineage = Lineage(
        session=parent.session, how="forked", at=draft.at, generation=parent.generation
    )
    fields: dict[str, Any] = {"lineage": (*parent.lineage, lineage)}
    if carry and parent.goal is not None:
        reason = f"it was forked from {parent.session}: resume it to go on here"
        fields |= {
            **{name: getattr(parent, name) for name in (*_CARRIED, "continuations", "settled")},
            "generation": parent.generation,
            "status": parent.status
            if parent.status.name in FINAL
            else Status(name="paused", reason=reason, since=draft.at),
        }
    draft.happen("forked", {"from": parent.session, "carry": carry}, **fields)
    return checked(draft.step(), into)


def adopt(source: Record, into: Record, session: str, at: str) -> tuple[Step, Step]:
    """The goal of *source* goes over to *into*, the record of *session*: what becomes of the one
    and of the other. It goes on there as it stood; *source* is cleared and says where it went.
    Raises Refusal."""
    now = _now(at)
    _need_adoptable(source, into, now)
    draft = Draft(into, "person", now)
    if into.goal is not None:
        draft.archive()
    generation = max(source.generation, into.generation) + 1
    lineage = Lineage(
        session=source.session, how="adopted", at=draft.at, generation=source.generation
    )
    settled = dict.fromkeys((*into.settled, *source.settled))
    draft.happen(
        "adopted",
        {"from": source.session},
        **{name: getattr(source, name) for name in _CARRIED},
        status=source.status,
        generation=generation,
        continuations=0,
        settled=tuple(settled)[-MAX_SETTLED:],
        lineage=(*into.lineage, *source.lineage, lineage),
        sealed=False,
        **UNDER_WAY,
    )
    left = Draft(source, "person", now)
    left.clear(f"the session {session} adopted the goal", Turn())
    return checked(draft.step(), source), checked(left.step(), source)


def _need_adoptable(source: Record, into: Record, now: int) -> None:
    """Refuse a goal that cannot be carried over, or not to there."""
    asked = f"cannot adopt the goal of the session {source.session}"
    if source.session == into.session:
        raise Refusal("same_session", f"{asked}: it is this one")
    if source.goal is None or not is_unfinished(source):
        raise Refusal(
            "no_goal" if source.goal is None else "finished_goal",
            f"{asked}: it has no unfinished one; create a goal instead",
        )
    if is_unfinished(into):
        raise Refusal(
            "unfinished_goal",
            f"{asked}: the session {into.session} has one already, {said_status(into.status)}; "
            "complete or clear it first",
        )
    age = now - read_stamp(source.updated_at)
    if age < -CLOCK_TOLERANCE:
        raise Refusal(
            "clock",
            f"{asked}: by the clock it changes only at {source.updated_at}, and its age is not "
            "known: set the clock right",
        )
    if age > MAX_AGE:
        raise Refusal(
            "too_old",
            f"{asked}: it last changed at {source.updated_at}, more than 24 hours ago; look "
            "whether it still holds, and create it anew",
        )


def _now(at: str) -> int:
    try:
        return read_stamp(at)
    except BadTime as error:
        raise Refusal("bad_time", f"at: {error}") from None
