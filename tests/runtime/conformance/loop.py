"""The loop as conformance cases: the tests' tables of guards and budgets, and the scripts."""

from __future__ import annotations

from collections.abc import Iterator

from goalspec.runtime.record import Usage
from goalspec.tests.runtime.conformance import bounding, deciding
from goalspec.tests.runtime.conformance.cases import Written
from goalspec.tests.runtime.conformance.recorder import Recorder
from goalspec.tests.runtime.conformance.scripts import SCRIPTS
from goalspec.tests.runtime.convergence import test_budgets, test_guards
from goalspec.tests.runtime.convergence.loop import checked

LONG = ("monitor",)  # of the guards that take 60 turns, the one that no other case shows


def written() -> Iterator[Written]:
    yield from _guards()
    yield from _budgets()
    for module in (deciding, bounding):
        for title, play, values in SCRIPTS[module.__name__]:
            loop = Recorder(**values)
            play(loop)
            yield loop.written(_name(title), title)


def _name(title: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())


def _guards() -> Iterator[Written]:
    for row in test_guards.TABLE:
        after = {int(n): reason for n, reason in row["after"].items()}
        if max(after) > 20 and row["turns"] not in LONG:
            continue
        loop = Recorder(checked())
        loop.open()
        for n in range(1, max(after) + 1):
            assert test_guards.turn(loop, row["turns"], n) == after.get(n, "continuing")
        title = f"guard: {row['name']}"
        yield loop.written(_name(title), title)


def _budgets() -> Iterator[Written]:
    for row in test_budgets.TABLE:
        after = {int(n): reason for n, reason in row["after"].items()}
        limits = row["limits"].replace(" tokens", "\ntokens").replace(" cost", "\ncost")
        loop = Recorder(checked(f"budget {{ {limits} }}"))
        loop.open()
        for n in range(1, max(after) + 1):
            reason = loop.turn(usage=Usage(**row.get("usage", {"turns": 1})))
            assert reason == after.get(n, "continuing")
        title = f"budget: {row['limits']}"
        yield loop.written(_name(title), title)
