"""What all verbs have in common: their options, the store, and how they say what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from ..files import Unreadable
from ..stores import named_session, opened, store_option
from ..terminal import complain, emit, json_text
from .actor import confirm, how_a_person_does_it, who_asks, why_agent

if TYPE_CHECKING:
    from ...runtime.goals import Goals
    from ...runtime.lifecycle import Command
    from ...runtime.record import Actor, Record
    from ...runtime.store.port import Posted, Stored


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of all verbs, as they were given."""

    named: str | None
    store_url: str | None
    token: str | None
    as_json: bool

    @property
    def session(self) -> str:
        """Raises click.UsageError."""
        return named_session(self.named)

    @contextmanager
    def goals(self) -> Iterator[Goals]:
        """Raises StoreError."""
        from ...runtime.goals import Goals

        with opened(self.store_url) as store:
            yield Goals(store)

    def actor(self, goals: Goals, *, losing: tuple[str, Record] | None = None) -> Actor:
        """Who asks. A person at a terminal confirms a verb by which the goal of a record is lost or
        changed, *losing*. Raises Refusal."""
        actor = who_asks(goals, self.session, self.token)
        if losing is not None and actor == "person" and not self.token:
            confirm(*losing)
        return actor


def verb(function: Callable[..., None]) -> Callable[..., None]:
    """A verb's callback, which is given an Asked first: with the options of all, and with what goes
    wrong said as a command says it."""

    @wraps(function)
    def callback(
        session: str | None, store_url: str | None, token: str | None, as_json: bool, **rest: Any
    ) -> None:
        asked = Asked(session, store_url, token, as_json)
        with said(asked):
            function(asked, **rest)

    options = (
        click.option(
            "--session", metavar="ID", envvar="GOALSPEC_SESSION", show_envvar=True,
            help="The session whose goal it is.",
        ),
        store_option,
        click.option(
            "--token", metavar="TOKEN", envvar="GOALSPEC_TOKEN", show_envvar=True,
            help="A token that shows that a person asks.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    )  # fmt: skip
    for option in reversed(options):
        callback = option(callback)
    return callback


@contextmanager
def said(asked: Asked) -> Iterator[None]:
    """What goes wrong is said as a command says it, and ends it."""
    from ...runtime.lifecycle import Refusal
    from ...runtime.store.port import LeaseHeld, StoreError

    try:
        yield
    except Refusal as refusal:
        why = why_agent() if refusal.code == "not_a_person" and not asked.token else None
        hint = None if why is None else how_a_person_does_it(why)
        _fail(asked, "refused", refusal.code, str(refusal), 1, hint)
    except LeaseHeld as error:
        _fail(asked, "refused", "lease_held", str(error), 1)
    except StoreError as error:
        _fail(asked, "error", "GS505", str(error), 2)
    except Unreadable as error:
        _fail(asked, "error", "GS505", error.message, 2)


def _fail(
    asked: Asked, severity: str, code: str, message: str, status: int, hint: str | None = None
) -> None:
    if asked.as_json:
        emit(json_text({"error": {"code": code, "message": message, "hint": hint}}))
    complain("goalspec", severity, code, message)
    if hint is not None:
        click.echo(f"goalspec: {hint}", err=True)
    raise SystemExit(status)


def perform(asked: Asked, command: Command, *, losing: str | None = None) -> None:
    """Have *command* performed, and say how the goal stands then. By the verb *losing* the goal is
    lost or changed that is there when it is asked, and no later one."""
    from ...runtime.lifecycle.commands import OfGoal

    with asked.goals() as goals:
        seen = goals.expected(asked.session)
        actor = asked.actor(goals, losing=None if losing is None else (losing, seen))
        if losing is not None and isinstance(command, OfGoal):
            command = replace(command, generation=seen.generation)
        tell(asked, goals, goals.perform(asked.session, command, actor))


def tell(asked: Asked, goals: Goals, outcome: Stored | Posted) -> None:
    """Say what came of a command: how the goal stands, or that the command waits."""
    from ...runtime.record import Record
    from ...runtime.store.port import Posted, Stored

    if isinstance(outcome, Posted):
        click.echo(
            "goalspec: another writer has the session: it applies the command before anything "
            f"else (number {outcome.number} of the inbox)",
            err=True,
        )
        empty = Stored(Record(session=asked.session), 0)
        tell_record(asked, goals.store.get(asked.session) or empty, posted=outcome.number)
    else:
        tell_record(asked, outcome, posted=None)


def tell_record(asked: Asked, stored: Stored, **more: Any) -> None:
    """The line of a record, or its object with *more*."""
    from ...runtime.dashboard import status_line

    if asked.as_json:
        emit(json_text({**shown(stored), **more}))
    else:
        click.echo(status_line(stored.record))


def shown(stored: Stored) -> dict[str, Any]:
    """A record's object."""
    from ...runtime.dashboard import summary

    return {**summary(stored.record), "version": stored.version}
