"""A goal, and a record with a bit of everything in it."""

from __future__ import annotations

import json
from typing import Any

from goalspec.compiler import compile_text
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.record import (
    Candidate,
    Claim,
    Evaluation,
    Lineage,
    Metadata,
    Pending,
    Record,
    Status,
    Turn,
    Usage,
    Verification,
)

TEXT = """
facts { suite.passed : bool  lint.count : int }
goal ship {
  objective "Ship it."
  criterion passes "The suite passes"
    check suite.passed
  criterion clean "The linter is silent"
    check lint.count == 0
  constraint quiet "Nobody is woken up"
  stop broken "The build is broken"
    check lint.count > 99
  budget { turns 25  cost 5.00 USD  runtime 4h }
}
"""


def goal(text: str = TEXT) -> Goal:
    compilation = compile_text(text)
    assert compilation.document is not None, [d.message for d in compilation.diagnostics]
    return compilation.document.goals[0]


GOAL = goal()


def at(second: int) -> str:
    return f"2026-03-01T12:{second // 60:02d}:{second % 60:02d}.000000Z"


FULL = Record(
    session="s-1",
    goal=GOAL,
    contract=GOAL.contract,
    objective="Ship it, all of it.",
    set_by="person",
    metadata=Metadata(
        acceptance_note="Two people look at it.",
        criterion_sources={"passes": {"issue": 12}},
        verification=Verification(command="make check", source={"file": "CONTRIBUTING.md"}),
        source=["a", 1, None],
    ),
    generation=3,
    created_at=at(0),
    updated_at=at(9),
    turn=Turn(state="open", run="run-7", opened_at=at(5)),
    status=Status(name="active", reason="a person resumed it", since=at(4)),
    usage=Usage(turns=2, tokens=300, tool_calls=4, attempts=1, cost="0.25 USD", runtime=10**9),
    settled=("a", "b"),
    candidate=Candidate(outcome="blocked", reason="no access", at=at(6)),
    pending=Pending(evaluation="e-1", settlements=("b",), usage=Usage(turns=1), output="done"),
    claim=Claim(key="ship:3:1", state="claimed", owner="host", ordinal=1, expires_at=at(300)),
    evaluation=Evaluation(id="e-0", outcome="continue", reason="a test fails", at=at(3)),
    monitor={"count": 1},
    lineage=(Lineage(session="s-0", how="adopted", at=at(1), generation=2),),
)


def changed(values: Any, path: str, value: Any) -> Any:
    """A copy of *values* with another one at *path* (`goal.criteria[0].id`); `DROP` takes it
    away."""
    values = json.loads(json.dumps(values))
    *steps, last = path.replace("[", ".").replace("]", "").split(".")
    place = values
    for step in steps:
        place = place[int(step) if isinstance(place, list) else step]
    key: Any = int(last) if isinstance(place, list) else last
    if value == "DROP":
        del place[key]
    else:
        place[key] = value
    return values
