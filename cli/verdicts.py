"""What a facts file shows of a goal, its troubles said as a command says them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from .files import read_input
from .terminal import complain

if TYPE_CHECKING:
    from ..compiler.ir import Document, Goal
    from ..runtime import Note, Verdict
    from ..runtime.observations import Observation


def observed(
    document: Document, goal: Goal, facts_file: str | None, baseline: str | None, strict: bool,
    ran: Mapping[str, Any] | None = None,
) -> list[Verdict]:  # fmt: skip
    """The verdict after each observation of a facts file; what was *ran* for its facts joins the
    last one, or is the only one. Bad values are said on standard error; facts that cannot be read,
    or with *strict* a bad value, end the command."""
    from pathlib import Path

    from ..compiler.project import find_root
    from ..runtime import BadFacts, Monitor, RefusedObservation
    from ..runtime.observations import (
        Observation,
        now_text,
        read_baseline,
        read_observations,
        stamped,
    )

    verdicts: list[Verdict] = []
    declared = [fact.name for fact in document.facts]
    place = facts_place = facts_file or "the goal's commands"
    try:
        root = str(find_root(Path.cwd()))
        base = None
        if baseline is not None:
            place = baseline
            base = read_baseline(read_input(baseline))
        monitor = Monitor(goal, base, document.facts, root)
        _show_notes(place, monitor.baseline_notes, strict)
        place = facts_place
        observations = [Observation({}, None, None, None, "")]
        if facts_file is not None:
            observations = read_observations(read_input(facts_file), declared)
        if ran is not None:
            observations[-1] = _joined(observations[-1], ran, document)
        now = now_text()
        for o in stamped(observations, now):
            place = facts_place + o.place
            verdicts.append(monitor.observe(o.facts, o.at, o.id, o.rev, received_at=now))
            _show_notes(place, verdicts[-1].notes, strict)
    except (BadFacts, RefusedObservation) as error:
        code = "GS504" if isinstance(error, RefusedObservation) else "GS503"
        complain(place, "error", code, str(error))
        raise SystemExit(2) from None
    return verdicts


def ran_facts(goal: Goal, file: str) -> Mapping[str, Any]:
    """What the goal's own commands give, run in the project of its *file* (`-`: where we are).
    Raises click.UsageError where it has none."""
    import asyncio
    from pathlib import Path

    from ..compiler.project import find_root
    from ..runtime.sources import DeclaredFacts

    folder = Path.cwd() if file == "-" else Path(file).resolve().parent
    source = DeclaredFacts(goal, find_root(folder), allow_run=True)
    if not source.facts:
        raise click.UsageError(f"the goal {goal.id} takes no fact `from run`: nothing can be run")
    return asyncio.run(source())


def _joined(last: Observation, ran: Mapping[str, Any], document: Document) -> Observation:
    """The observation with what was run for it. Raises BadFacts where it is of another time."""
    from dataclasses import replace

    from ..runtime import BadFacts
    from ..runtime.sources import flat, joined

    if last.at is not None:
        raise BadFacts("commands run now, and their facts join no observation with a time (`at`)")
    return replace(last, facts=joined([flat(last.facts, document.facts), ran]))


def _show_notes(place: str, notes: tuple[Note, ...], strict: bool) -> None:
    codes = {"invalid": "GS501", "undeclared": "GS502", "clamped": "GS504"}
    for note in notes:
        severity = "error" if strict and note.kind == "invalid" else "warning"
        complain(place, severity, codes[note.kind], note.message)
    if strict and any(note.kind == "invalid" for note in notes):
        raise SystemExit(2)
