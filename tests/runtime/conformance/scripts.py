"""The scripts of the loop's cases: what happens in each, beside the reasons that are due by
docs/convergence.md. The steps between them are those of the tests' host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from goalspec.tests.runtime.conformance.recorder import Recorder
from goalspec.tests.runtime.convergence.loop import checked

MET = {"suite.passed": True}
UNMET = {"suite.passed": False}

# By the module that has them.
SCRIPTS: dict[str, list[tuple[str, Callable[[Recorder], None], dict[str, Any]]]] = {}


def script(title: str, **values: Any) -> Callable[[Callable[[Recorder], None]], None]:
    """A case: what it is about, by its *title*; its loop begins with *values*."""

    def add(play: Callable[[Recorder], None]) -> None:
        found = SCRIPTS.setdefault(play.__module__, [])
        found.append((title, play, {"goal": checked(), **values}))

    return add


def proposed(loop: Recorder, outcome: str = "complete") -> str:
    """The reason after a first run that proposed an end."""
    loop.open()
    loop.start()
    loop.propose(outcome, "no access")
    return loop.settle()
