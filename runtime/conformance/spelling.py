"""The loop's events as they are read, and its effects as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, field, fields
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, get_args

from ...compiler.ir.node import Json, Node, node
from ..convergence.effects import LoopEffect
from ..convergence.events import Judged, LoopEvent
from ..judge.answer import Decision, Invalid, NextStep, PartVerdict, Quote
from ..judge.outcome import STATES, Outcome, Unusable
from ..judge.quorum import Decided
from ..record.reading import BadRecord, read_as


def spelled(kind: type) -> str:
    """A class's name in a request or an answer: `ObserveFacts` is `observe_facts`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


EVENTS: Mapping[str, type] = {spelled(kind): kind for kind in get_args(LoopEvent)}
_OUTCOMES: Mapping[str, type] = {state: kind for kind, state in STATES.items()}


@node
class Taken(Node):
    """`observed`: whoever answers observes the *facts*, where a driver gives its Monitor's
    state."""

    at: str
    number: int
    facts: dict[str, Json] = field(default_factory=dict)
    rev: str | None = None
    gates: dict[str, str | None] = field(default_factory=dict)
    files: str | None = None


@node
class Answered(Node):
    """`judged`."""

    at: str
    number: int
    outcome: dict[str, Json]
    gates: dict[str, str | None] = field(default_factory=dict)
    judgements: int = 0
    tokens: int = 0
    cost: str = "0"


@node
class _Part(Node):
    outcome: str
    reason: str = ""
    evidence: tuple[Quote, ...] = ()


@node
class _Decided(Node):
    state: Literal["decided"]
    decision: Decision
    criteria: dict[str, _Part] = field(default_factory=dict)
    constraints: dict[str, _Part] = field(default_factory=dict)
    stops: dict[str, _Part] = field(default_factory=dict)
    next_step: NextStep | None = None


def read_event(step: Mapping[str, Any]) -> LoopEvent | Taken:
    """The event that *step* is. Raises BadRecord."""
    name = step["event"]
    if not isinstance(name, str) or name not in EVENTS:
        raise BadRecord([f"event: it is one of {', '.join(EVENTS)}"])
    values = {key: value for key, value in step.items() if key != "event"}
    if name == "observed":
        taken: Taken = read_as(Taken, values)
        return taken
    if name == "judged":
        return _judged(read_as(Answered, values))
    kind = EVENTS[name]
    known = {one.name for one in fields(kind)}
    strange = [key for key in values if key not in known]
    if strange:
        raise BadRecord(f"{key}: there is no such field" for key in strange)
    event: LoopEvent = read_as(kind, values)
    return event


def _judged(answered: Answered) -> Judged:
    try:
        cost = Decimal(answered.cost)
    except InvalidOperation:
        raise BadRecord([f"cost: `{answered.cost}` is no decimal"]) from None
    return Judged(
        answered.at, answered.number, _outcome(answered.outcome), answered.gates,
        answered.judgements, answered.tokens, cost,
    )  # fmt: skip


def _outcome(value: Mapping[str, Any]) -> Outcome:
    """The outcome of a judgement, as the record of one spells it."""
    state = value.get("state")
    if not isinstance(state, str) or state not in _OUTCOMES:
        raise BadRecord([f"outcome.state: it is one of {', '.join(_OUTCOMES)}"])
    kind = _OUTCOMES[state]
    if kind is Decided:
        said: _Decided = read_as(_Decided, value, "outcome")
        return Decided(said.decision, tuple(_parts(said)), said.next_step, ())
    if kind is Unusable:
        invalid = {"kind": value.get("kind"), "words": value.get("detail")}
        return Unusable(read_as(Invalid, invalid, "outcome"))
    rest = {key: item for key, item in value.items() if key != "state"}
    outcome: Outcome = read_as(kind, rest, "outcome")
    return outcome


def _parts(said: _Decided) -> Iterator[PartVerdict]:
    for id, part in said.criteria.items():
        yield PartVerdict("criteria", id, part.outcome, part.reason, part.evidence)
    for id, part in said.constraints.items():
        yield PartVerdict("constraints", id, part.outcome, part.reason, part.evidence)
    for id, part in said.stops.items():
        yield PartVerdict("stops", id, part.outcome, part.reason, part.evidence)


def effect_json(effect: LoopEffect) -> dict[str, Any]:
    return {"effect": spelled(type(effect)), **asdict(effect)}
