"""What was: the goals that ended or made way, and the journal of what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..terminal import complain, emit, json_text
from .asking import Asked, verb

if TYPE_CHECKING:
    from ...runtime.store.port import Entry


@click.command()
@verb
def history(asked: Asked) -> None:
    """List the goals that ended or made way.

    Oldest first, each as it stood at its end.
    """
    from ...runtime.dashboard import status_line, summary

    with asked.goals() as goals:
        goals.record(asked.session)
        records = goals.store.history(asked.session)
    if asked.as_json:
        emit(json_text({"session": asked.session, "goals": [summary(one) for one in records]}))
        return
    for record in records:
        click.echo(f"{record.generation}  {record.updated_at}  {status_line(record)}")


@click.command()
@click.option("--verify", is_flag=True, help="Check the journal in place of listing it.")
@verb
def journal(asked: Asked, verify: bool) -> None:
    """List what happened to the session's goal.

    With --verify it is checked that no entry was changed, dropped or moved, and that the record is
    what the entries make of it; exits with 1 where not.
    """
    from ...runtime.goals import journal_problems

    with asked.goals() as goals:
        record, entries = goals.recorded(asked.session)
    problems = journal_problems(record, entries) if verify else []
    if asked.as_json:
        listed = {"problems": problems} if verify else {"entries": [_json(one) for one in entries]}
        emit(json_text({"session": asked.session, "events": len(entries), **listed}))
    elif not verify:
        for entry in entries:
            click.echo(_line(entry))
    for problem in problems:
        complain(f"session {asked.session}", "error", "journal", problem)
    if verify and not problems and not asked.as_json:
        click.echo(f"whole: {len(entries)} events, up to {entries[-1].digest if entries else '-'}")
    raise SystemExit(1 if problems else 0)


def _json(entry: Entry) -> dict[str, Any]:
    from ...runtime.lifecycle import write_event

    return {"number": entry.number, "digest": entry.digest, "event": write_event(entry.event)}


def _line(entry: Entry) -> str:
    """`3  2026-03-01T12:00:00.000000Z  person   status_changed  paused (lunch)`."""
    event = entry.event
    status = event.changes.get("status")
    said = [] if status is None else [_standing(status)]
    said += [f"{key}: {_brief(value)}" for key, value in event.details.items() if key != "from"]
    line = f"{entry.number}  {event.at}  {event.actor:<7}  {event.kind}  {', '.join(said)}"
    return line.rstrip()


def _standing(status: Any) -> str:
    reason = status.get("reason")
    return _brief(status["name"] if reason is None else f"{status['name']} ({reason})")


def _brief(value: Any) -> str:
    """*value* in a line; a list of parts by their names."""
    from ...compiler.characters import one_line

    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        value = ", ".join(str(part.get("id", part.get("part", "…"))) for part in value)
    return one_line(value if isinstance(value, str) else json_text(value, None), 60)
