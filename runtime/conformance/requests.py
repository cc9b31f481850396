"""The requests as they are read: closed and strict, as records are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, TypeAlias

from ...compiler.ir.document import Goal
from ...compiler.ir.node import ByKind, Json, Node, node
from ..convergence.policy import Policy
from ..judge.evidence import Evidence
from ..judge.ports import Reply
from ..judge.record import Failure
from ..judge.request import Mode
from ..record.checking import goal_problems
from ..record.reading import BadRecord, raise_any, read_as


@node
class Seen(Node):
    """An observation, as a facts file has it."""

    facts: dict[str, Json] = field(default_factory=dict)
    at: str | None = None
    id: str | None = None
    rev: str | None = None
    received_at: str | None = None


@node
class Evaluate(Node):
    """What do the observations of each history show of the goal, one after the other? The histories
    know nothing of each other."""

    id: str
    kind: Literal["evaluate"] = "evaluate"
    goal: Goal
    baseline: dict[str, Json] | None = None
    histories: tuple[tuple[Seen, ...], ...]


@node
class Served(Node):
    """The model that a judge is asked through, and by whom it is served."""

    model: str
    provider: str


@node
class Judge(Node):
    """What comes of asking the goal's judge, after the *observations*, where its calls bring the
    *replies* in their order? *invocations* are earlier judgements of the goal; without a *route*
    no model is set up."""

    id: str
    kind: Literal["judge"] = "judge"
    goal: Goal
    observations: tuple[Seen, ...]
    evidence: tuple[Evidence, ...] = ()
    claim: str = ""
    nonce: str
    mode: Mode = "full"
    route: Served | None = None
    invocations: int = 0
    replies: tuple[Reply | Failure, ...] = ()


@node
class Decide(Node):
    """What comes of the *steps* of a session, from an empty record: each is a command or an
    event."""

    id: str
    kind: Literal["decide"] = "decide"
    session: str
    policy: Policy = Policy(owner="host")
    steps: tuple[Json, ...]


Request: TypeAlias = Annotated[Evaluate | Judge | Decide, ByKind()]


def read_request(values: Mapping[str, Json]) -> Request:
    """The request that *values*, a JSON object, are. Raises BadRecord."""
    if "kind" not in values:
        raise BadRecord(["kind: it is missing: a request says what it asks for"])
    request: Request = read_as(Request, values)
    if not isinstance(request, Decide):
        raise_any(f"goal.{problem}" for problem in goal_problems(request.goal))
    return request
