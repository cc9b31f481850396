"""`goalspec run`: an agent is driven until its goal is met, or a person is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .spec import choose_goal, load_spec
from .stores import store_option
from .terminal import emit, json_text, visible, wants_color

if TYPE_CHECKING:
    from ..compiler.ir import Goal
    from ..runtime.driving import Standing
    from .run.hosting import Options


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
    help="Let the goal's own commands, and those of facts, evidence and the judge, be run.",
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
@click.option("--in", "folder", metavar="DIR", type=click.Path(), help="Where the agent works.")
@click.option("--turn-timeout", metavar="DURATION", help="The longest turn, such as 90m.")
@click.option("--baseline", metavar="FACTS", type=click.Path(), help="What `at baseline` reads.")
@click.option("--goal", "goal_id", metavar="ID", help="One of several goals.")
@click.option(
    "--session", metavar="ID", envvar="GOALSPEC_SESSION", show_envvar=True,
    help="The session: a run of it that was cut off goes on. A new one by default.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Resume the goal if it was paused or blocked.")
@store_option
@click.option(
    "--token", metavar="TOKEN", envvar="GOALSPEC_TOKEN", show_envvar=True,
    help="A token that shows that a person asks.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print what happens as JSON Lines.")
def command(file: str, goal_id: str | None, as_json: bool, **options: Any) -> None:
    """Drive an agent until a goal is met.

    COMMAND is run once a turn, without a shell. What it prints is its reply; its last line may be
    `goalspec: complete` or `goalspec: blocked REASON`, which proposes an end and decides nothing.
    Exit code 75 says that its trouble may pass, 77 that nobody is logged in, any other but 0 is an
    error. After each turn the facts are taken, and the goal's checks, judge, budget and guards say
    what follows. Interrupt it once to pause the goal, twice to leave at once.

    Exits with 0 where the goal is complete, 4 where a stop is true, 3 where it cannot be told, 1
    where it is not complete, 2 for usage, a spec with errors, or I/O.
    """
    from .run.hosting import Options, driven

    document = load_spec(file)
    goal = choose_goal(document, goal_id)
    asked = Options(file=file, document=document, goal=goal, as_json=as_json, **options)
    standing = driven(asked)
    _tell(standing, as_json)
    raise SystemExit(exit_code(standing))


def _tell(standing: Standing, as_json: bool) -> None:
    from ..runtime.dashboard import status_line, summary

    if standing.unheard is not None:
        click.echo(
            f"goalspec: the events were not all written: {visible(standing.unheard)}", err=True
        )
    if as_json:
        emit(json_text({"reason": standing.reason, **summary(standing.record)}, indent=None))
        return
    if standing.verdict is not None:
        from .verdict_table import table

        click.echo(table(standing.verdict, "", color=wants_color()), nl=False)
    click.echo(status_line(standing.record))


def exit_code(standing: Standing) -> int:
    """What the goal's standing says to a program: only a complete one is success."""
    if standing.record.status.name == "complete":
        return 0
    if standing.reason in ("stopped", "judge_stopped"):
        return 4
    if standing.verdict is None:
        return 3
    return standing.verdict.exit_code or 1
