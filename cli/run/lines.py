"""A run in a pipe: a line for each thing that happened to the goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...compiler.characters import one_line

if TYPE_CHECKING:
    from ...runtime.sinks import Notice

WIDTH = 200  # columns
SILENT = frozenset(
    ("kept", "observed", "begun", "finished", "continuation_claimed", "continuation_started",
     "continuation_ended", "shown", "metadata_set")
)  # fmt: skip
"""What is told to machines alone."""


_SAID = ("outcome", "to", "reason", "detail", "message")


class Lines:
    """Tells *echo* a line for each notice that a person would want to read, and what drifted of the
    pinned files when that is something else."""

    def __init__(self, echo: Callable[[str], None]) -> None:
        self._echo = echo
        self._drift: object = None

    def tell(self, notice: Notice) -> None:
        drift = notice.details.get("drift")
        if notice.kind == "kept" and drift and drift != self._drift:
            self._echo(one_line(f"{notice.at[11:19]} drift: {', '.join(map(str, drift))}", WIDTH))
        if notice.kind == "kept":
            self._drift = drift
        if notice.kind not in SILENT:
            self._echo(line_of(notice))

    def close(self) -> None:
        return


def line_of(notice: Notice) -> str:
    details = notice.details
    said = [str(details[name]) for name in _SAID if details.get(name)]
    words = notice.kind.replace("_", " ")
    text = f"{notice.at[11:19]} {words}{': ' if said else ''}{', '.join(said)}"
    return one_line(text, WIDTH)
