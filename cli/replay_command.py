"""`goalspec replay`: what judges decided, decided again without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from .render.style import styler
from .render.words import count
from .stores import opened, store_option
from .terminal import complain, emit, json_text, visible, wants_color

if TYPE_CHECKING:
    from ..runtime.rejudging import Rejudged


@click.command()
@click.argument("session", envvar="GOALSPEC_SESSION")
@click.option("--evaluation", metavar="ID", help="The judgements of one evaluation alone.")
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(session: str, evaluation: str | None, store_url: str | None, as_json: bool) -> None:
    """Decide again what judges decided.

    Nobody is asked: each judgement on SESSION's goal is made again from what the judge was shown
    and said, and must be the one that the journal took up. Exits with 0 where all are the same,
    with 1 where one is refused, since something of it or of the journal was changed, and with 3
    where no judgement was recorded.
    """
    from ..runtime.goals import journal_problems
    from ..runtime.rejudging import rejudged
    from ..runtime.store.port import StoreError
    from ..runtime.store.rows import MAX_EVALUATIONS

    try:
        with opened(store_url) as store:
            exhibits = store.exhibits(session)
            found = store.snapshot(session)
    except StoreError as error:
        _fail("GS505", str(error))
    if found is None:
        _fail(
            "unknown_session",
            f"the store has no session `{session}`: look at those that it has (`goalspec goal "
            "show`), or at the store's URL",
        )
    stored, entries = found
    problems = journal_problems(stored.record, entries)
    judgements = [
        one for one in rejudged(exhibits, entries, MAX_EVALUATIONS)
        if evaluation in (None, one.evaluation)
    ]  # fmt: skip
    if as_json:
        listed = [one.to_json() for one in judgements]
        emit(json_text({"session": session, "judgements": listed, "problems": problems}))
    else:
        _show(judgements)
    for problem in problems:
        complain(f"session {session}", "error", "journal", problem)
    raise SystemExit(_status(judgements, problems))


def _status(judgements: list[Rejudged], problems: list[str]) -> int:
    if problems or not all(one.same for one in judgements):
        return 1
    return 0 if judgements else 3


def _show(judgements: list[Rejudged]) -> None:
    """A line for each, and how many there are."""
    style = styler(color=wants_color())
    for one in judgements:
        if one.refused is None:
            left = "" if one.taken else " (the run never took it up)"
            said = style("success", "same") + left
        else:
            said = f"{style('error', 'refused')}: {visible(one.refused)}"
        words = (one.evaluation, one.mode or "-", one.recorded or "-", one.again or "-")
        click.echo(f"{'  '.join(map(visible, words))}  {said}")
    refused = sum(not one.same for one in judgements)
    counted = f"{count(len(judgements), 'judgement')}, {refused} refused"
    click.echo(counted if judgements else "no judgement was recorded", err=True)


def _fail(code: str, message: str) -> NoReturn:
    complain("goalspec", "error", code, message)
    raise SystemExit(2)
