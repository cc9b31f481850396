"""`goalspec check`: a goal against facts, as a table or as JSON."""

from __future__ import annotations

import click

from .spec import choose_goal, load_spec
from .terminal import emit, json_text, wants_color
from .verdicts import observed, ran_facts


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--facts", "facts_file", metavar="FACTS", type=click.Path(), help="JSON, or `-`.",
)  # fmt: skip
@click.option("--allow-run", is_flag=True, help="Run the commands that the goal takes facts from.")
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals.")
@click.option(
    "--baseline", metavar="FACTS", type=click.Path(), help="The facts that `at baseline` reads."
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--each", is_flag=True, help="Print a verdict after each observation.")
@click.option("--strict", is_flag=True, help="Refuse facts of a wrong type instead of noting them.")
def command(
    file: str, facts_file: str | None, allow_run: bool, goal_id: str | None,
    baseline: str | None, as_json: bool, each: bool, strict: bool,
) -> None:  # fmt: skip
    """Check a goal against facts.

    FACTS is one JSON object, an array of observations, or JSON Lines of them. An observation is the
    facts alone, with nested or dotted keys, or {"at": TIME, "id": ID, "rev": REV, "facts": {...}}.
    With --allow-run the goal's own commands (`from run`) give theirs too, to the last observation.
    Exits with 0 where the goal is done, 1 where something is unmet or violated, 3 where it cannot
    be told, 4 where a stop is true, 2 for usage, a spec with errors, or I/O.
    """
    if facts_file is None and not allow_run:
        raise click.UsageError("give facts (--facts), or let the goal's commands run (--allow-run)")
    if [file, facts_file, baseline].count("-") > 1:
        raise click.UsageError("only one of the spec, the facts and the baseline is standard input")
    document = load_spec(file)
    goal = choose_goal(document, goal_id)
    ran = ran_facts(goal, file) if allow_run else None
    verdicts = observed(document, goal, facts_file, baseline, strict, ran)
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
