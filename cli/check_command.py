"""`goalspec check`: a goal against facts, as a table or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .files import read_input
from .spec import choose_goal, load_spec
from .terminal import complain, emit, json_text, wants_color

if TYPE_CHECKING:
    from ..compiler.ir import Document, Goal
    from ..runtime import Note, Verdict


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--facts", "facts_file", required=True, metavar="FACTS", type=click.Path(),
    help="JSON, or `-`.",
)  # fmt: skip
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals.")
@click.option(
    "--baseline", metavar="FACTS", type=click.Path(), help="The facts that `at baseline` reads."
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--each", is_flag=True, help="Print a verdict after each observation.")
@click.option("--strict", is_flag=True, help="Refuse facts of a wrong type instead of noting them.")
def command(
    file: str, facts_file: str, goal_id: str | None, baseline: str | None, as_json: bool,
    each: bool, strict: bool,
) -> None:  # fmt: skip
    """Check a goal against facts.

    FACTS is one JSON object, an array of observations, or JSON Lines of them. An observation is the
    facts alone, with nested or dotted keys, or {"at": TIME, "id": ID, "rev": REV, "facts": {...}}.
    Exits with 0 where the goal is done, 1 where something is unmet or violated, 3 where it cannot
    be told, 4 where a stop is true, 2 for usage, a spec with errors, or I/O.
    """
    if [file, facts_file, baseline].count("-") > 1:
        raise click.UsageError("only one of the spec, the facts and the baseline is standard input")
    document = load_spec(file)
    goal = choose_goal(document, goal_id)
    verdicts = _observe(document, goal, facts_file, baseline, strict)
    if as_json:
        shown = verdicts if each else verdicts[-1:]
        for verdict in shown:
            emit(json_text(verdict.to_json(), indent=None if each else 2))
    else:
        from .verdict_table import table

        for place, verdict in enumerate(verdicts, 1):
            if each or place == len(verdicts):
                title = f"observation {place} of {len(verdicts)}" if len(verdicts) > 1 else ""
                click.echo(table(verdict, title, color=wants_color()), nl=False)
    raise SystemExit(verdicts[-1].exit_code)


def _observe(
    document: Document, goal: Goal, facts_file: str, baseline: str | None, strict: bool
) -> list[Verdict]:
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
