"""C006: a check that is a text search of a file which the agent edits satisfies itself. A run pins
every file that a goal's commands name, so such an edit forbids completion and is listed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from goalspec.compiler import load
from goalspec.runtime import Monitor
from goalspec.runtime.convergence.drift import drifted
from goalspec.runtime.pinned import gates_of
from goalspec.runtime.sources import DeclaredFacts

GOAL = """
facts from run "grep -q 'cosine >= 0.999' docs/parity.md" {
  parity.claimed : bool
}
goal parity {
  objective "Bring the port to parity."
  criterion parity "The port is at parity"
    check parity.claimed
}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no grep")
@pytest.mark.row("X11")
def test_a_claim_that_is_written_where_it_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    claim = tmp_path / "docs/parity.md"
    claim.write_text("To be measured.\n")
    (tmp_path / "parity.goal").write_text(GOAL)
    document = load(tmp_path / "parity.goal")
    goal = document.goals[0]
    pins, facts = gates_of(document, goal, tmp_path), DeclaredFacts(goal, tmp_path, allow_run=True)
    before = pins.hashes()
    assert not Monitor(goal).observe(asyncio.run(facts())).done
    claim.write_text("Measured: cosine >= 0.999\n")
    assert Monitor(goal).observe(asyncio.run(facts())).done
    assert drifted(before, pins.hashes(), goal.protect) == ("docs/parity.md was changed",)
