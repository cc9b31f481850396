"""`goalspec report`: a session's goal, from its contract to its journal, as one page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .files import Unreadable, write_output
from .stores import opened, store_option
from .terminal import complain, emit, json_text, visible

if TYPE_CHECKING:
    from ..runtime.report import Page

_ODD = re.compile(r"[^\w.-]+", re.ASCII)


@click.command()
@click.argument("session", envvar="GOALSPEC_SESSION")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False),
    help="Where to write it; `-` is standard output. By default goalspec-SESSION.html.",
)  # fmt: skip
@store_option
@click.option("--json", "as_json", is_flag=True, help="Print what the page has as one JSON object.")
def command(session: str, output: str | None, store_url: str | None, as_json: bool) -> None:
    """Write a report of a session's goal.

    It is one HTML page that loads nothing and needs no script: the contract, how it stands and why,
    its criteria over the observations, what was used of the budget, what judges were shown and
    said, and the journal. The same session gives the same bytes. Exits with 2 where there is no
    such session, or something cannot be read or written.
    """
    from ..runtime.report import render

    if as_json and output is not None:
        raise click.UsageError("--json prints to standard output: it goes without -o")
    page = _page(session, store_url)
    if as_json:
        emit(json_text(page.to_json()))
        return
    text = render(page)
    if output == "-":
        emit(text)
        return
    path = Path(output or f"goalspec-{_file_name(session)}.html")
    _write(path, text)
    click.echo(f"wrote {visible(str(path))}", err=True)


def _page(session: str, store_url: str | None) -> Page:
    """The page of what the store has; ends the command where it has nothing, or not that."""
    from ..runtime.record import BadRecord
    from ..runtime.report import Stock, page_of
    from ..runtime.store import StoreError

    try:
        with opened(store_url) as store:
            found = store.snapshot(session)
            if found is None:
                raise _refused(
                    "unknown_session",
                    f"the store has no session `{session}`: look at those that it has (`goalspec "
                    "goal show`), or at the store's URL",
                )
            stored, entries = found
            # What judges said is filed before the journal has it, so it is read after it.
            stock = Stock(
                stored.record, entries, store.history(session), store.audit(session),
                store.exhibits(session),
            )  # fmt: skip
        return page_of(stock)
    except StoreError as error:
        raise _refused("GS505", str(error)) from None
    except BadRecord as error:
        raise _refused(
            "GS505",
            f"the journal of session {session} has what is no record's: {error.problems[0]}; "
            "`goalspec goal journal --verify` says more",
        ) from None


def _refused(code: str, message: str) -> SystemExit:
    complain("goalspec", "error", code, message)
    return SystemExit(2)


def _file_name(session: str) -> str:
    """*session* as part of a file's name on any system."""
    return _ODD.sub("_", session)[:100]


def _write(path: Path, text: str) -> None:
    """Only for whoever asked, as the store is: a report has what tools printed. A pipe or a device
    is written to, and never replaced. Raises Unreadable."""
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
            return
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    write_output(path, text, 0o600)
