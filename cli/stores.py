"""The store that a command keeps goals in, and the session that it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..runtime.store.port import Store

_Command = TypeVar("_Command", bound=Callable[..., Any])


def store_option(command: _Command) -> _Command:
    """Add `--store`."""
    return click.option(
        "--store", "store_url", metavar="URL", envvar="GOALSPEC_STORE", show_envvar=True,
        help="A file, or the URL of a database, in place of the user's own store.",
    )(command)  # fmt: skip


@contextmanager
def opened(url: str | None) -> Iterator[Store]:
    """The store at *url*, or the user's own. Raises StoreError."""
    from ..runtime.store import open_store

    store = open_store(url or default_store())
    try:
        yield store
    finally:
        store.close()


def default_store() -> str:
    """The file of the user's own store, in a folder that is nobody else's. Raises StoreError."""
    from platformdirs import user_state_path

    from ..runtime.store import StoreError

    folder = user_state_path("goalspec", appauthor=False)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{folder}: {error.strerror or error}: name another store, by --store or GOALSPEC_STORE"
        ) from None
    return str(folder / "goals.sqlite")


def named_session(text: str | None) -> str:
    """The session that the command line or the environment names. Raises click.UsageError."""
    if not text:
        raise click.UsageError(
            "whose goal? Name the session: --session ID, or GOALSPEC_SESSION in the environment, "
            "which the host sets; `goalspec goal show` lists the sessions that there are"
        )
    return text
