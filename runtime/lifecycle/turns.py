"""The turn's marker: a run opens it and closes it, and one that never returned leaves it open."""

from __future__ import annotations

from typing import Any

from ..record.parts import Turn
from .claiming import is_live
from .commands import Begin, Finish, Recover
from .draft import Draft, need_text
from .events import Refusal


def begin(draft: Draft, command: Begin) -> None:
    run = need_text(command.run, "run", "which run begins")
    turn = draft.record.turn
    if turn.state == "open" and turn.run == run:
        return  # told again
    continuation = _claimed(draft, command)
    if turn.state == "open" and draft.record.goal is not None:
        draft.archive()
        draft.clear(f"the run {turn.run} never returned, and {run} began without recovering it")
    opened = Turn(state="open", run=run, opened_at=draft.at)
    draft.happen("begun", {"run": run, "claim": command.claim}, turn=opened, **continuation)


def _claimed(draft: Draft, command: Begin) -> dict[str, Any]:
    """What becomes of the claim that a run begins of: it is done. While one is started and held, no
    run begins without it, and none begins of one that was lost."""
    claim = draft.record.claim
    held = claim if claim and claim.state == "started" and is_live(claim, draft.now) else None
    if command.claim is None:
        if held is not None:
            raise Refusal(
                "continuation_started",
                f"the continuation {held.key} of {held.owner} is on its way: begin the run of it "
                "(`claim`), or end it first",
            )
        return {}
    if held is None or held.key != command.claim:
        raise Refusal(
            "stale_claim",
            f"the run {command.run} cannot begin of the continuation {command.claim}: it is not "
            "started, or not held any more; drop it",
        )
    return {"claim": None, "continuations": held.ordinal}


def recover(draft: Draft, command: Recover) -> None:
    _need_open(draft, command.run, "recover")
    draft.happen("recovered", {"run": command.run, "failed": True}, turn=Turn())


def finish(draft: Draft, command: Finish) -> None:
    _need_open(draft, command.run, "finish")
    details = {"run": command.run, "failed": command.failed, "reason": command.reason}
    draft.happen("finished", details, turn=Turn())


def _need_open(draft: Draft, run: str, asked: str) -> None:
    """Refuse to close a marker that is not this run's."""
    turn = draft.record.turn
    if turn.state == "idle":
        raise Refusal("turn_idle", f"cannot {asked} the run {run}: no turn is open")
    if turn.run != run:
        raise Refusal(
            "another_run",
            f"cannot {asked} the run {run}: the open turn is of the run {turn.run}, "
            f"since {turn.opened_at}",
        )
