"""A run from its first turn to its end, watched on a terminal or told line by line."""

from __future__ import annotations

import asyncio
import signal
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ..files import Unreadable
from ..goal.actor import who_asks
from ..goal.asking import Asked
from ..terminal import emit, json_text, visible
from .hosting import FROM_AGENT, Options, host_of, is_watched, stated
from .lines import Lines
from .live import Output, show

if TYPE_CHECKING:
    from ...runtime.convergence import Policy
    from ...runtime.driving import Driver, Standing
    from ...runtime.sinks import EventSink


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was asked for: *contract* is what the goal's file says."""

    options: Options
    contract: str
    asked: Asked
    interval: int
    resume: bool
    events_file: str | None


def driven(run: Run) -> Standing:
    """How the run was left. Raises Refusal, StoreError, click.UsageError, Unreadable."""
    from ...runtime.convergence import Policy
    from ...runtime.driving import Driver, Session
    from ...runtime.driving.running import OWNER, check_host, prepare
    from ...runtime.facts import BadFacts
    from ...runtime.lifecycle.commands import Create
    from ...runtime.record import Metadata

    asked, options = run.asked, run.options
    name = asked.named or f"run-{uuid.uuid4().hex[:12]}"
    policy = Policy(owner=OWNER, interval=run.interval)
    output = Output()
    with _sinks(run) as sink, asked.goals() as goals:
        try:
            host = host_of(options, policy, sink, output)
            check_host(options.goal, host)
        except (BadFacts, ValueError) as error:
            raise click.UsageError(str(error)) from None
        source = {"facts": FROM_AGENT} if options.facts_from_agent else None
        create = Create(goal=options.goal, contract=run.contract, metadata=Metadata(source=source))
        actor = who_asks(goals, name, asked.token)
        prepare(goals, name, create, actor, resume=run.resume)
        _announce(run, policy, name)
        session = Session(goals.store, name, host.clock, _waits)
        driver = Driver(session, host, policy)
        return asyncio.run(_watched(driver, run, policy, output))


async def _watched(driver: Driver, run: Run, policy: Policy, output: Output) -> Standing:
    with _interrupts(driver):
        if run.asked.as_json or not is_watched():
            return await driver.drive()
        from rich.console import Console

        budget = policy.budget_of(run.options.goal)
        drawing = asyncio.ensure_future(show(driver, budget, output, Console(stderr=True)))
        try:
            return await driver.drive()
        finally:
            drawing.cancel()
            with suppress(asyncio.CancelledError):
                await drawing


def _waits(why: str) -> None:
    click.echo(f"goalspec: waiting for the session: {visible(why)}", err=True)


@contextmanager
def _interrupts(driver: Driver) -> Iterator[None]:
    """The first interrupt pauses the goal; the next one is the system's own."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)

    def interrupt() -> None:
        for number in signals:
            loop.remove_signal_handler(number)
        driver.interrupt()

    try:
        for number in signals:
            loop.add_signal_handler(number, interrupt)
    except (NotImplementedError, RuntimeError):
        pass  # where there are none, an interrupt ends the run, and the goal stays as it is
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError):
            for number in signals:
                loop.remove_signal_handler(number)


def _announce(run: Run, policy: Policy, session: str) -> None:
    said = stated(run.options, policy, session)
    if run.asked.as_json:
        emit(json_text({"kind": "run", **said}, indent=None))
        return
    for name, text in said.items():
        click.echo(f"{name:<9} {visible(str(text))}", err=is_watched())


@contextmanager
def _sinks(run: Run) -> Iterator[EventSink]:
    """Whoever is told what happens. Raises Unreadable for a file that cannot be written."""
    from ...runtime.sinks import JsonlSink, Several, SinkFailed

    sinks: list[EventSink] = []
    if run.asked.as_json:
        sinks.append(JsonlSink(sys.stdout.buffer))
    elif not is_watched():
        sinks.append(Lines(click.echo))
    try:
        if run.events_file is not None:
            sinks.append(JsonlSink(run.events_file))
    except SinkFailed as error:
        raise Unreadable(str(error)) from None
    several = Several(sinks, lambda said: click.echo(f"goalspec: {visible(said)}", err=True))
    try:
        yield several
    finally:
        several.close()
