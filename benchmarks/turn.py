"""What one settled turn of a driven goal costs beside the agent's own work: the reducer, the store,
the checks and the prompt, at the first turns and at the thousandth, beside one commit of SQLite."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from goalspec.compiler import compile_text
from goalspec.compiler.ir import Goal
from goalspec.runtime.convergence import Policy
from goalspec.runtime.convergence.events import Effect
from goalspec.runtime.driving import Host, Turn, Worked
from goalspec.runtime.driving import run as driven
from goalspec.runtime.prompting import Prompts
from goalspec.runtime.record import Usage
from goalspec.runtime.store import open_store
from timing import Aim, row

_SPEC = """
facts { tests.failed : int in 0..  diff.files : set of path }

goal ship {
  objective "Ship it."
  criterion tests "The tests pass twice in a row" check tests.failed == 0 for 2 runs
  constraint scope "Nothing outside src/ changes"
    check all f in diff.files: f like "src/**"
  budget { turns 100000 }
}
"""
_POLICY = Policy(owner="bench")
_AIM = Aim(5)


class _Agent:
    """Does nothing, but something new in each turn, and notes when each began."""

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.began: list[float] = []

    async def __call__(self, turn: Turn) -> Worked:
        self.began.append(time.perf_counter())
        effect = Effect("edit", f"src/{_word(turn.number)}.py", _word(turn.number))
        return Worked(f"Turn {turn.number}.", Usage(tokens=10, tool_calls=1), (effect,))


def _word(number: int) -> str:
    """A number as letters: digits alone are no difference between two effects."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def run(quick: bool) -> None:
    turns = 30 if quick else 1_030
    block = 10 if quick else 30
    with tempfile.TemporaryDirectory() as folder:
        agent = _Agent(turns)
        _drive(agent, Path(folder) / "goals.sqlite")
        commit = _commit(Path(folder) / "bare.sqlite", 100 if quick else 1_000)
    spans = [1e3 * (after - before) for before, after in pairwise(agent.began)]
    first, last = spans[1 : 1 + block], spans[-block:]
    print(f"\nturn: {turns:,} turns of one goal on SQLite")
    row("one commit of SQLite", f"{commit:.2f} ms")
    row("a turn, the first ones", f"{statistics.median(first):.2f} ms", _over(first, commit), _AIM)
    row(
        f"a turn, after {len(spans) - block:,}", f"{statistics.median(last):.2f} ms",
        _over(last, commit), _AIM,
    )  # fmt: skip
    row("the last beside the first", "", [statistics.median(last) / statistics.median(first)])


def _over(spans: list[float], commit: float) -> list[float]:
    return [span / commit for span in spans]


def _drive(agent: _Agent, file: Path) -> None:
    goal = _goal()

    async def facts() -> Mapping[str, Any]:
        failed = 0 if len(agent.began) >= agent.turns else 1 + len(agent.began) % 7
        return {"tests.failed": failed, "diff.files": ["src/app.py"]}

    host = Host(agent=agent, facts=facts, prompting=Prompts(_POLICY))
    store = open_store(str(file))
    with closing(store):
        asyncio.run(driven(goal, host, store=store, session="bench", policy=_POLICY))


def _goal() -> Goal:
    document = compile_text(_SPEC).document
    assert document is not None
    return document.goals[0]


def _commit(file: Path, rounds: int) -> float:
    """The milliseconds of one transaction that writes a row, as durable as the store's."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)")
        text, spans = "x" * 2_000, []
        for _ in range(rounds):
            start = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO t (text) VALUES (?)", (text,))
            connection.execute("COMMIT")
            spans.append(1e3 * (time.perf_counter() - start))
    return statistics.median(spans)
