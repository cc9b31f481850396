"""What a facts file shows of a goal, its troubles said as a command says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .files import read_input
from .terminal import complain

if TYPE_CHECKING:
    from ..compiler.ir import Document, Goal
    from ..runtime import Note, Verdict


def observed(
    document: Document, goal: Goal, facts_file: str, baseline: str | None, strict: bool
) -> list[Verdict]:
    """The verdict after each observation of a facts file. Bad values are said on standard error;
    facts that cannot be read, or with *strict* a bad value, end the command."""
    from pathlib import Path

    from ..compiler.project import find_root
    from ..runtime import BadFacts, Monitor, RefusedObservation
    from ..runtime.observations import now_text, read_baseline, read_observations, stamped

    verdicts: list[Verdict] = []
    declared = [fact.name for fact in document.facts]
    place = facts_file
    try:
        root = str(find_root(Path.cwd()))
        base = None
        if baseline is not None:
            place = baseline
            base = read_baseline(read_input(baseline))
        monitor = Monitor(goal, base, document.facts, root)
        _show_notes(place, monitor.baseline_notes, strict)
        place = facts_file
        observations = read_observations(read_input(facts_file), declared)
        now = now_text()
        for o in stamped(observations, now):
            place = facts_file + o.place
            verdicts.append(monitor.observe(o.facts, o.at, o.id, o.rev, received_at=now))
            _show_notes(place, verdicts[-1].notes, strict)
    except (BadFacts, RefusedObservation) as error:
        code = "GS504" if isinstance(error, RefusedObservation) else "GS503"
        complain(place, "error", code, str(error))
        raise SystemExit(2) from None
    return verdicts


def _show_notes(place: str, notes: tuple[Note, ...], strict: bool) -> None:
    codes = {"invalid": "GS501", "undeclared": "GS502", "clamped": "GS504"}
    for note in notes:
        severity = "error" if strict and note.kind == "invalid" else "warning"
        complain(place, severity, codes[note.kind], note.message)
    if strict and any(note.kind == "invalid" for note in notes):
        raise SystemExit(2)
