"""`goalspec run`: an agent is driven until its goal is met, or a person is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .spec import choose_goal, load_spec
from .stores import store_option
from .terminal import emit, json_text, visible, wants_color

if TYPE_CHECKING:
    from ..runtime.driving import Standing


@click.command()
@click.argument("file", type=click.Path())
@click.option(
    "--agent", required=True, metavar="COMMAND",
    help="The agent: it gets each turn's prompt on standard input.",
)  # fmt: skip
@click.option("--facts", "facts_file", metavar="FACTS", type=click.Path(), help="Facts in a file.")
@click.option("--facts-command", metavar="COMMAND", help="A command that prints the facts as JSON.")
@click.option(
    "--facts-from-agent", is_flag=True, help="Accept facts from a file that the agent can write."
)
@click.option(
    "--allow-run", is_flag=True,
    help="Let the goal's own commands be run, and those of facts, evidence and the judge.",
)  # fmt: skip
@click.option("--judge", metavar="COMMAND", help="The judge: JSON in, JSON out.")
@click.option(
    "--evidence", metavar="COMMAND", multiple=True,
    help="A command whose output the judge is shown. Can be given again.",
)  # fmt: skip
@click.option(
    "--interval", metavar="TURNS", type=click.IntRange(0), default=0, show_default=True,
    help="Ask the judge unbidden after so many turns; 0 for never.",
)  # fmt: skip
@click.option(
    "--in", "folder", metavar="DIR", type=click.Path(),
    help="Where the agent works; the project's root by default.",
)  # fmt: skip
@click.option("--turn-timeout", metavar="DURATION", help="The longest turn, such as 90m.")
@click.option("--baseline", metavar="FACTS", type=click.Path(), help="What `at baseline` reads.")
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals.")
@click.option(
    "--session", metavar="ID", envvar="GOALSPEC_SESSION", show_envvar=True,
    help="The session; a new one by default. A run that was cut off goes on.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Resume the goal if it is paused or blocked.")
@store_option
@click.option(
    "--token", metavar="TOKEN", envvar="GOALSPEC_TOKEN", show_envvar=True,
    help="A token that shows that a person asks.",
)  # fmt: skip
@click.option(
    "--events", "events_file", metavar="FILE", type=click.Path(dir_okay=False),
    help="Add what happens to a file, as JSON Lines.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print what happens as JSON Lines.")
def command(
    file: str, goal_id: str | None, interval: int, session: str | None, resume: bool,
    store_url: str | None, token: str | None, events_file: str | None, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Drive an agent until a goal is met.

    The agent's COMMAND is run once a turn, without a shell. What it prints is its reply; a last
    line `goalspec: complete` or `goalspec: blocked REASON` proposes an end, and decides nothing.
    Its exit code 75 says that the trouble may pass, 77 that nobody is logged in, any other but 0
    that the turn failed. After each turn the facts are taken, and the goal's checks, judge, budget
    and guards say what follows. One interrupt pauses the goal, a second one leaves at once.

    Exits with 0 where the goal is complete, 4 where a stop is true, 3 where it cannot be told, 1
    where it is not complete, 2 for usage, a spec with errors, or I/O.
    """
    from .goal.asking import Asked, said
    from .goal.creating import lower_budget
    from .run.driven import Run, driven
    from .run.hosting import Options

    document = load_spec(file)
    goal = choose_goal(document, goal_id)
    hosted = Options(file=file, document=document, goal=lower_budget(goal), **options)
    asked = Asked(session, store_url, token, as_json)
    with said(asked):
        run = Run(hosted, goal.contract, asked, interval, resume, events_file)
        standing = driven(run)
    _tell(standing, as_json)
    raise SystemExit(exit_code(standing))


def _tell(standing: Standing, as_json: bool) -> None:
    from ..runtime.dashboard import drift_of, status_line, summary

    if standing.unheard is not None:
        click.echo(f"goalspec: not all events were told: {visible(standing.unheard)}", err=True)
    if as_json:
        emit(json_text({"reason": standing.reason, **summary(standing.record)}, indent=None))
        return
    if standing.verdict is not None:
        from .verdict_table import table

        done = standing.record.status.name == "complete"
        click.echo(table(standing.verdict, "", color=wants_color(), done=done), nl=False)
    if drift := drift_of(standing.record):
        said = ", ".join(map(visible, drift))
        click.echo(f"not done, whatever the checks say: {said} since the work began")
    click.echo(status_line(standing.record))


def exit_code(standing: Standing) -> int:
    """What a goal's standing says to a program: nothing but a complete one is success."""
    from ..runtime.convergence import state_of

    if standing.record.status.name == "complete":
        return 0
    if standing.reason in ("stopped", "judge_stopped"):
        return 4
    if standing.verdict is not None:
        return standing.verdict.exit_code or 1
    # Nobody looked in this run: what was seen last, if anything ever was.
    seen = set(state_of(standing.record).outcomes.values())
    return 1 if seen & {"unmet", "violated"} else 3
