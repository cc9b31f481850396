"""A compiled file: its facts, goals and tests, and where they stand in the source."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, TypeAlias
from typing import Literal as Choice

from .expressions import Expr, Literal
from .node import ByKind, Json, Node, node
from .types import Type

IR_VERSION = 1
MAX_OBJECTIVE = 4_000  # code points

Mode: TypeAlias = Choice["gating", "awaited", "advisory"]


@node
class Range(Node):
    """A closed range, either end open."""

    low: Literal | None = None
    high: Literal | None = None


@node
class FactSource(Node):
    """Where a fact comes from; facts of one name, argument, directory and timeout share one run."""

    name: str
    argument: str | None = None
    directory: str | None = None
    timeout: str | None = None
    selector: str | None = None


@node
class Fact(Node):
    name: str
    type: Type
    range: Range | None = None
    lasting: bool = False
    description: str | None = None
    source: FactSource | None = None


@node
class Condition(Node):
    """What criteria, constraints and stops share. Without *check* a judge decides."""

    id: str
    text: str
    when: Expr | None = None
    given: Expr | None = None
    check: Expr | None = None


@node
class Criterion(Condition):
    mode: Mode = "gating"


@node
class Constraint(Condition):
    mode: Choice["gating", "advisory"] = "gating"


@node
class Stop(Condition):
    pass


@node
class Retired(Node):
    """A criterion that a retarget retired: no longer owed, never met, and no part of the
    contract."""

    id: str
    text: str


@node
class Budget(Node):
    """Limits; what is not limited is left out. *cost* is money, *runtime* a duration."""

    cost: str | None = None
    tokens: int | None = None
    turns: int | None = None
    attempts: int | None = None
    tool_calls: int | None = None
    runtime: str | None = None


@node
class Pins(Node):
    """Which kinds are pinned by default, each kind's lane, and the longest body in characters."""

    keep: tuple[str, ...] = ()
    lanes: dict[str, str] = field(default_factory=dict)
    max_body: int | None = None


@node
class Pin(Node):
    pin: str
    content: str


@node
class Quorum(Node):
    needed: int
    of: int


@node
class Judge(Node):
    model: str | None = None
    provider: str | None = None
    max_invocations: int = 3
    on_error: Choice["fail", "pause"] = "fail"
    quorum: Quorum | None = None
    feedback: str | None = None


@node
class Protect(Node):
    globs: tuple[str, ...]
    allow_new: tuple[str, ...] = ()


@node
class Goal(Node):
    """One goal with its presets merged. *facts* are those it reads; *contract* is the hash of
    `contract_of` and is checked when a document is read."""

    id: str
    edition: int = 1
    objective: str
    criteria: tuple[Criterion, ...]
    retired: tuple[Retired, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    stops: tuple[Stop, ...] = ()
    facts: tuple[Fact, ...] = ()
    budget: Budget | None = None
    advisory_budget: Budget | None = None
    pins: Pins | None = None
    pinned: tuple[Pin, ...] = ()
    judge: Judge | None = None
    protect: tuple[Protect, ...] = ()
    contract: str


# --- tests


@node
class Known(Node):
    """A fact's value as JSON that enters at the border like a host's."""

    kind: Choice["known"] = "known"
    fact: str
    value: Json = None


UNKNOWN_REASONS = ("missing", "stale", "null", "skipped", "error", "invalid")


@node
class Unknown(Node):
    kind: Choice["unknown"] = "unknown"
    fact: str
    reason: Choice["missing", "stale", "null", "skipped", "error", "invalid"]


Assignment: TypeAlias = Annotated[Known | Unknown, ByKind()]


@node
class Observe(Node):
    kind: Choice["observe"] = "observe"
    at: str | None = None
    rev: str | None = None
    facts: tuple[Assignment, ...]


@node
class Baseline(Node):
    kind: Choice["baseline"] = "baseline"
    facts: tuple[Assignment, ...]


@node
class Expect(Node):
    kind: Choice["expect"] = "expect"
    id: str
    outcome: Choice["met", "unmet", "unknown", "waived", "judged", "violated", "held", "stopped"]


@node
class ExpectDone(Node):
    kind: Choice["expect_done"] = "expect_done"
    done: bool


Step: TypeAlias = Annotated[Observe | Baseline | Expect | ExpectDone, ByKind()]


@node
class Test(Node):
    name: str
    goal: str
    steps: tuple[Step, ...]


# --- where things stand


@node
class SourceFile(Node):
    """A file that took part, its path relative to the project's root, and its bytes' digest."""

    path: str
    sha256: str


@node
class Place(Node):
    """A 1-based line and column in one of the files, in the preset that a goal took the value
    from."""

    file: str
    line: int
    column: int
    preset: str | None = None


@node
class Origin(Node):
    """Outside the contract: the files, and where everything stands that they say.

    *places* has goals (`GOAL`), their criteria, constraints and stops (`GOAL/ID`) with their
    clauses (`GOAL/ID.check`), and what else they say by its path in the goal's JSON
    (`GOAL.budget.cost`, `GOAL.pinned.0`); what has no place is a default. *facts* has the
    declarations, *tests* the tests and their steps by their numbers (`0`, `0.2`).
    """

    files: tuple[SourceFile, ...] = ()
    places: dict[str, Place] = field(default_factory=dict)
    facts: dict[str, Place] = field(default_factory=dict)
    tests: dict[str, Place] = field(default_factory=dict)


@node
class Document(Node):
    """A compiled file: every fact that it declares or uses, its goals, its tests, and where they
    stand. Only what is in a goal's contract is hashed."""

    ir_version: Choice[1] = 1
    facts: tuple[Fact, ...] = ()
    goals: tuple[Goal, ...] = ()
    tests: tuple[Test, ...] = ()
    source: Origin = Origin()

    def goal(self, id: str) -> Goal:
        """The goal named *id*. Raises KeyError."""
        for goal in self.goals:
            if goal.id == id:
                return goal
        raise KeyError(id)
