"""The turn's marker: a run opens it and closes it, and one that never returned leaves it open."""

from __future__ import annotations

from ..record.parts import Turn
from .commands import Begin, Finish, Recover
from .draft import Draft, need_text
from .events import Refusal


def begin(draft: Draft, command: Begin) -> None:
    run = need_text(command.run, "run", "which run begins")
    turn = draft.record.turn
    if turn.state == "open" and turn.run == run:
        return  # told again
    if turn.state == "open" and draft.record.goal is not None:
        draft.archive()
        draft.clear(f"the run {turn.run} never returned, and {run} began without recovering it")
    opened = Turn(state="open", run=run, opened_at=draft.at)
    draft.happen("begun", {"run": run}, turn=opened)


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
