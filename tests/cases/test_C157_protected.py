"""C157: tests that were edited until they pass, and a text that says that they do, complete nothing.
What decides was hashed when the work began; a person alone makes another state of it the right one."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from goalspec.compiler import load
from goalspec.compiler.ir import Document
from goalspec.compiler.ir.canonical import seal
from goalspec.runtime.convergence.effects import Continue
from goalspec.runtime.driving import Host, Standing, Turn, Worked, run
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import Amend
from goalspec.runtime.pinned import gates_of
from goalspec.runtime.record import Record
from goalspec.runtime.sources import DeclaredFacts
from goalspec.runtime.store import MemoryStore
from goalspec.runtime.verdict import Verdict

BROKEN, MENDED = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
GATE = "from code import add\nassert add(2, 2) == 4\n"
CHEAT = "from code import add\nassert add(2, 2) == 0\n"
GOAL = """
facts from run "{command} -B -P tests/gate.py" timeout 1m {{
  suite.passed : bool
}}
goal mend {{
  objective "Mend the sum."
  criterion passes "The suite passes"
    check suite.passed
  protect "tests/**"
  budget {{ turns 6 }}
}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/gate.py").write_text(gate(GATE))
    (tmp_path / "code.py").write_text(BROKEN)
    command = shlex.quote(sys.executable)
    (tmp_path / "mend.goal").write_text(GOAL.format(command=command))
    return tmp_path


def gate(text: str) -> str:
    return "import sys\nsys.path.insert(0, '.')\n" + text


def cheat(project: Path) -> None:
    (project / "tests/gate.py").write_text(gate(CHEAT))


def mend(project: Path) -> None:
    (project / "tests/conftest.py").unlink()
    (project / "code.py").write_text(MENDED)


def said(given: Continue, record: Record, verdict: Verdict | None) -> str:
    return given.feedback or ""


class Agent:
    """Works the turns of a script, and says each time that all is well."""

    def __init__(self, *turns: Callable[[], object]) -> None:
        self.turns = turns
        self.prompts: list[str] = []

    async def __call__(self, turn: Turn) -> Worked:
        self.prompts.append(turn.prompt)
        self.turns[turn.number - 1]()
        return Worked(output=f"Turn {turn.number}: all 25 tests pass. The goal is complete.")


def driven(project: Path, agent: Agent, store: MemoryStore) -> tuple[Standing, Document]:
    document = load(project / "mend.goal")
    goal = document.goals[0]
    facts = DeclaredFacts(goal, project, allow_run=True)
    host = Host(agent, facts, said, pins=gates_of(document, goal, project))
    return asyncio.run(run(goal, host, store=store, session="s")), document


@pytest.mark.row("X11")
@pytest.mark.ruling(34)
def test_only_what_was_to_be_done_counts(project: Path) -> None:
    agent = Agent(
        partial(cheat, project),
        lambda: (project / "tests/gate.py").write_text(gate(GATE)),
        lambda: (project / "tests/conftest.py").write_text(""),
        partial(mend, project),
    )
    standing, _ = driven(project, agent, MemoryStore())
    assert standing.record.status.name == "complete"
    assert len(agent.prompts) == 4
    drift = ["tests/gate.py was changed" in prompt for prompt in agent.prompts]
    assert drift == [False, True, False, False]
    assert "tests/conftest.py was added" in agent.prompts[3]


@pytest.mark.row("X11")
def test_without_the_edit_taken_back_it_is_never_complete(project: Path) -> None:
    agent = Agent(*[partial(cheat, project)] * 6)
    standing, _ = driven(project, agent, MemoryStore())
    assert standing.record.status.name != "complete"
    assert standing.verdict is not None and standing.verdict.done  # the checks alone would do


@pytest.mark.row("X11")
def test_a_person_makes_the_new_tests_the_right_ones(project: Path) -> None:
    store = MemoryStore()

    def amended() -> None:
        goal = Goals(store).expected("s").goal
        assert goal is not None
        amended = seal(replace(goal, objective="Mend the sum, as its new tests have it."))
        Goals(store).perform("s", Amend(goal=amended, reason="two less two is nothing"), "person")

    agent = Agent(partial(cheat, project), amended)
    standing, _ = driven(project, agent, store)
    assert standing.record.status.name == "complete"
    assert "tests/gate.py was changed" in agent.prompts[1]
