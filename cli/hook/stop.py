"""`goalspec hook stop`: one JSON document on standard output, whatever happens, and exit code 0. A
host takes any other code, or other words, for a decision."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..stores import default_store, opened, store_option
from ..terminal import visible

if TYPE_CHECKING:
    from ...compiler.ir import Goal
    from ...runtime.driving.firing import Firing
    from ...runtime.driving.hooking import Gate


class StopCommand(click.Command):
    """A command that decides nothing where its options are wrong, or where it fails: to a host, the
    exit code of a wrong option would refuse the agent's stop for ever."""

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **settings)
        except click.UsageError as error:
            Answer().close(error.format_message())
            raise SystemExit(0) from None

    def invoke(self, ctx: click.Context) -> None:
        answer = ctx.obj = Answer()
        try:
            super().invoke(ctx)
        except click.ClickException as error:
            answer.close(error.format_message())
        except Exception as error:  # whatever it is: a hook that cannot tell decides nothing
            answer.close(str(error) or type(error).__name__)
        else:
            answer.close()


class Answer:
    """The one document that a host is answered with."""

    def __init__(self) -> None:
        self._is_given = self._is_lost = False

    def give(self, document: str) -> None:
        """The host has it when this returns. Raises OSError."""
        self._is_given = True
        try:
            click.echo(document, nl=False)
        except OSError:
            self._is_lost = True
            raise

    def close(self, trouble: str | None = None) -> None:
        """Let the agent stop, unless the host was answered; say what the *trouble* is."""
        from ...runtime.driving.firing import NOTHING

        with suppress(OSError):
            if trouble is not None:
                click.echo(f"goalspec hook stop: {visible(trouble)}", err=True)
            if not self._is_given:
                self.give(NOTHING)
        if self._is_lost:  # nobody reads, so nothing is left to flush, which would change the code
            os._exit(0)


@click.command(cls=StopCommand)
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
    "--in", "folder", metavar="DIR", type=click.Path(),
    help="The project; the folder that the host names by default.",
)  # fmt: skip
@store_option
@click.option(
    "--host", type=click.Choice(["claude", "codex", "gemini"]), default="claude",
    show_default=True, help="Whose hook it is.",
)  # fmt: skip
@click.pass_obj
def command(
    answer: Answer, /, store_url: str | None, folder: str | None, host: str, **options: Any
) -> None:
    """Say whether the agent may stop.

    It reads what the host tells of the turn on standard input, as one JSON object, and prints one:
    `{}` where the agent may stop, or the refusal with the prompt of the next turn. The goal is that
    of the host's session in the store. Whatever is wrong is one line on standard error, and the
    agent may stop. Exits with 0.
    """
    import asyncio

    from ...runtime.driving.firing import read_firing, refusal
    from ...runtime.driving.hooking import DEADLINE, decide
    from ...runtime.driving.session import Session
    from ...runtime.judge import SystemClock
    from .incoming import read_input

    firing = read_firing(read_input())
    url = store_url or default_store()
    if "://" not in url and not Path(url).exists():
        raise click.ClickException(f"{url}: there is no such store, so no goal is known")

    def gate_of(goal: Goal) -> Gate:
        return _gate(goal, firing, folder, options)

    def tell(reason: str) -> None:
        answer.give(refusal(host, reason))

    with opened(url) as store:
        clock = SystemClock()
        session = Session(store, firing.session, clock)
        try:
            asyncio.run(decide(session, firing, gate_of, clock, tell))
        except TimeoutError:
            raise click.ClickException(f"it took longer than {DEADLINE:g} seconds") from None


def _gate(goal: Goal, firing: Firing, folder: str | None, options: dict[str, Any]) -> Gate:
    """What *goal* is decided with. Raises click.ClickException, Unreadable, BadFiring."""
    from ...compiler.project import find_root
    from ...runtime.convergence import Policy
    from ...runtime.driving import Given
    from ...runtime.driving.hooking import Gate
    from ...runtime.driving.running import OWNER
    from ...runtime.pinned import WorkTree, gates_of
    from ...runtime.prompting import Prompts
    from ..run.hosting import Sources, commands_of, facts_of, judging_of

    sources = Sources(goal=goal, **options)
    root = find_root(firing.working_folder() if folder is None else Path(folder))
    return Gate(
        facts=facts_of(sources, root, root),
        prompting=Prompts(Policy(owner=OWNER)),
        judging=judging_of(sources, root),
        pins=gates_of(None, goal, root, commands=commands_of(sources), folder=root),
        tree=WorkTree(root),
        given=Given(root=str(root)),
    )
