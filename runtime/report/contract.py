"""The contract as the page has it: the parts in the language's own words, the limits and settings,
and by which hash all of it is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ...compiler.codegen.assemble import fact_spec
from ...compiler.ir.document import Budget, Condition, Fact, Goal, Judge, Pins
from ...compiler.ir.text import lets_of, write_expression, write_range, write_source, write_type
from ..convergence.policy import Policy
from ..explanation import show
from ..monitor_state import BadState, KnownFact, MonitorState, read_state, read_value, type_hash
from ..record.parts import Metadata, Record
from ..record.times import write_stamp
from .texts import Text, one_line_json, shortened

PartKind: TypeAlias = Literal["criterion", "constraint", "stop"]
DEFAULT_TURNS = Policy(owner="report").turns
MAX_VALUE = 400  # characters of a fact's value


@dataclass(frozen=True, slots=True)
class Part:
    """A criterion, a constraint or a stop; *clauses* as a goal file has them, *outcome* as it was
    last observed, *judged* as a judge last found it."""

    kind: PartKind
    id: str
    text: str
    mode: str
    clauses: tuple[str, ...]
    decided_by: Literal["check", "judge", "nobody"]
    outcome: str | None
    judged: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class Limit:
    """One quantity of the budget. *advised* is a limit that stops nothing."""

    name: str
    limit: str | None
    advised: str | None


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact that the goal reads, with its value as it was last taken."""

    name: str
    type: str
    description: str | None
    source: str | None
    value: Text | None
    at: str | None


@dataclass(frozen=True, slots=True)
class Contract:
    """*hash* is of what is enforced, *file_hash* of what the goal's file says; *default_turns* is
    what a run has, unless its host says otherwise, where the goal does not limit them. *judge*,
    *pins* and *metadata* are named texts, *protected* globs, each with what may be added."""

    goal: str
    objective: str
    hash: str
    file_hash: str | None
    edition: int
    set_by: str | None
    created_at: str
    parts: tuple[Part, ...]
    retired: tuple[tuple[str, str], ...]
    limits: tuple[Limit, ...]
    default_turns: int | None
    judge: tuple[tuple[str, str], ...] | None
    pins: tuple[tuple[str, str], ...]
    protected: tuple[tuple[str, str], ...]
    facts: tuple[FactRow, ...]
    metadata: tuple[tuple[str, str], ...]


def contract_of(record: Record, outcomes: Mapping[str, str], judged: Mapping[str, str]) -> Contract:
    """The contract of the *record*, which has a goal: with the parts' outcomes, by their ids, as
    they were last observed and last judged."""
    goal = record.goal
    assert goal is not None
    return Contract(
        goal=goal.id,
        objective=record.objective or goal.objective,
        hash=goal.contract,
        file_hash=record.contract,
        edition=goal.edition,
        set_by=record.set_by,
        created_at=record.created_at,
        parts=tuple(_parts(goal, record.metadata, outcomes, judged)),
        retired=tuple((one.id, one.text) for one in goal.retired),
        limits=tuple(_limits(goal)),
        default_turns=None if goal.budget and goal.budget.turns else DEFAULT_TURNS,
        judge=None if goal.judge is None else tuple(_judge(goal.judge)),
        pins=tuple(_pins(goal)),
        protected=tuple((", ".join(p.globs), ", ".join(p.allow_new)) for p in goal.protect),
        facts=tuple(_facts(goal, record.monitor)),
        metadata=tuple(_metadata(record.metadata)),
    )


def parts_of(goal: Goal) -> Iterator[tuple[PartKind, Condition]]:
    """The criteria, the constraints and the stops, in their order."""
    yield from (("criterion", part) for part in goal.criteria)
    yield from (("constraint", part) for part in goal.constraints)
    yield from (("stop", part) for part in goal.stops)


def _parts(
    goal: Goal, metadata: Metadata, outcomes: Mapping[str, str], judged: Mapping[str, str]
) -> Iterator[Part]:
    for kind, part in parts_of(goal):
        source = metadata.criterion_sources.get(part.id) if kind == "criterion" else None
        yield Part(
            kind=kind,
            id=part.id,
            text=part.text,
            mode=getattr(part, "mode", "gating"),
            clauses=tuple(clauses_of(part)),
            decided_by=_decided_by(part, goal),
            outcome=outcomes.get(part.id),
            judged=judged.get(part.id),
            source=None if source is None else one_line_json(source),
        )


def clauses_of(part: Condition) -> Iterator[str]:
    """What decides the part, as a goal file has it."""
    clauses = {name: getattr(part, name) for name in ("when", "given", "check")}
    there = {name: expr for name, expr in clauses.items() if expr is not None}
    lets = {name: of for expr in there.values() for name, of in lets_of(expr).items()}
    yield from (f"let {name} = {write_expression(of)}" for name, of in lets.items())
    yield from (f"{name} {write_expression(expr)}" for name, expr in there.items())


def _decided_by(part: Condition, goal: Goal) -> Literal["check", "judge", "nobody"]:
    if part.check is not None:
        return "check"
    return "nobody" if goal.judge is None else "judge"


def _limits(goal: Goal) -> Iterator[Limit]:
    for name in Budget.field_names:
        limit, advised = (
            None if budget is None else getattr(budget, name)
            for budget in (goal.budget, goal.advisory_budget)
        )
        if limit is not None or advised is not None:
            yield Limit(name.replace("_", " "), _number(limit), _number(advised))


def _number(limit: int | str | None) -> str | None:
    return f"{limit:,}" if isinstance(limit, int) else limit


def _judge(judge: Judge) -> Iterator[tuple[str, str]]:
    if judge.model is not None:
        yield "model", judge.model
    if judge.provider is not None:
        yield "provider", judge.provider
    yield "asked at most", f"{judge.max_invocations} times"
    yield (
        "on an error",
        {"fail": "the run ends unverified", "pause": "the goal pauses"}[judge.on_error],
    )
    if judge.quorum is not None:
        yield "quorum", f"{judge.quorum.needed} of {judge.quorum.of}"
    if judge.feedback is not None:
        yield "feedback", judge.feedback


def _pins(goal: Goal) -> Iterator[tuple[str, str]]:
    pins = goal.pins or Pins()
    if pins.keep:
        yield "kept through each compaction", ", ".join(pins.keep)
    for kind, lane in pins.lanes.items():
        yield f"kind {kind}", lane
    if pins.max_body is not None:
        yield "longest body", f"{pins.max_body:,} characters"
    for pin in goal.pinned:
        yield pin.pin, pin.content


def _metadata(metadata: Metadata) -> Iterator[tuple[str, str]]:
    if metadata.acceptance_note is not None:
        yield "acceptance note", metadata.acceptance_note
    if metadata.verification is not None:
        yield "verified by", metadata.verification.command
        if metadata.verification.source is not None:
            yield "which comes from", _whole(metadata.verification.source)
    if metadata.source is not None:
        yield "source", _whole(metadata.source)


def _whole(value: Any) -> str:
    return value if isinstance(value, str) else one_line_json(value)


def _facts(goal: Goal, monitor: Any) -> Iterator[FactRow]:
    state = _state(monitor)
    for fact in goal.facts:
        found = state.facts.get(fact.name)
        yield FactRow(
            name=fact.name,
            type=_type(fact),
            description=fact.description,
            source=None if fact.source is None else write_source(fact.source),
            value=None if found is None else shortened(_value(found, fact, state), MAX_VALUE),
            at=None if found is None else _time(found.at),
        )


def _state(monitor: Any) -> MonitorState:
    """What the Monitor knows; of a state that cannot be read, nothing."""
    try:
        return MonitorState() if monitor is None else read_state(monitor)
    except BadState:
        return MonitorState()


def _value(known: KnownFact, fact: Fact, state: MonitorState) -> str:
    """A fact's value as explanations write it. One that was taken under another type, before an
    amendment, is as the state has it."""
    if state.types.get(fact.name) != type_hash(fact_spec(fact)):
        return one_line_json(known.value)
    try:
        value = read_value(known.value)
    except BadState:
        return one_line_json(known.value)
    return show(value, fact.type)


def _time(nanoseconds: str | None) -> str | None:
    return None if nanoseconds is None else write_stamp(int(nanoseconds) // 1000)


def _type(fact: Fact) -> str:
    range_ = "" if fact.range is None else f" in {write_range(fact.range)}"
    return write_type(fact.type) + range_ + (" lasting" if fact.lasting else "")
