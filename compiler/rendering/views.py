"""What a template sees of a goal and of how its run stands: strings as data, ready to print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..ir import document as ir
from ..ir.expressions import Named
from ..ir.text import write_expression
from ..reads import walk
from .escaping import escaped, escaped_id
from .fence import Data

OPEN = frozenset(("unmet", "unknown", "judged", "violated"))
OUTCOMES = OPEN | {"met", "waived", "held", "stopped"}
STALLED = 3  # turns in a row without a tool, after which the agent is asked what it waits for


@dataclass(frozen=True, slots=True)
class State:
    """How a run stands, as plain data: by the parts' ids what a verdict says of each (met, unmet,
    unknown, waived, judged, held, violated or stopped) and why; how many turns in a row used no
    tool; whether something that the agent waits for is still running; what is used of the budget,
    by its keys; what was said of the last turn, and which parts turned in it. A part without an
    outcome is unknown."""

    outcomes: Mapping[str, str]
    explanations: Mapping[str, str] = field(default_factory=dict)
    turns_without_tool: int = 0
    monitors: bool = False
    used: Mapping[str, str | int] = field(default_factory=dict)
    feedback: str | None = None
    turned: Sequence[str] = ()

    def __post_init__(self) -> None:
        for id, outcome in self.outcomes.items():
            if outcome not in OUTCOMES:
                raise ValueError(f"{id}: `{outcome}` is no outcome")


@dataclass(frozen=True, slots=True)
class Clause:
    """One of the predicates of a part, in the language's own words."""

    label: str
    text: Data


@dataclass(frozen=True, slots=True)
class Part:
    """A criterion, constraint or stop. *remark* is what sets it apart in its list (awaited,
    advisory, judged; constraint or stop in a list of criteria); *outcome* is empty where no state
    is given."""

    id: Data
    text: Data
    remark: str = ""
    clauses: tuple[Clause, ...] = ()
    outcome: str = ""
    explanation: Data | None = None


@dataclass(frozen=True, slots=True)
class Pin:
    kind: Data
    text: Data


@dataclass(frozen=True, slots=True)
class GoalView:
    """A goal's contract: for the worker without predicates and pins, which have ways of their own.
    *owed* are the gating criteria and constraints that the agent must show, *awaited* those that
    others bring about, *advisory* what decides nothing."""

    id: Data
    contract: Data
    objective: Data
    criteria: tuple[Part, ...]
    retired: tuple[Part, ...]
    constraints: tuple[Part, ...]
    stops: tuple[Part, ...]
    owed: tuple[Part, ...]
    awaited: tuple[Part, ...]
    advisory: tuple[Part, ...]
    budget: Data | None
    advisory_budget: Data | None
    protected: tuple[Data, ...]
    pinned: tuple[Pin, ...]
    feedback: Data | None


@dataclass(frozen=True, slots=True)
class StateView:
    """*open* are the parts that keep the goal from being done and that the agent is asked for,
    *awaited* those that it cannot bring about, *met* the ids of those that are shown."""

    known: bool
    open: tuple[Part, ...]
    awaited: tuple[Part, ...]
    turns_without_tool: int
    stalled: bool
    monitors: bool
    used: Data | None
    met: Data | None
    feedback: Data | None
    turned: tuple[Data, ...]


def goal_view(goal: ir.Goal) -> GoalView:
    """What the worker sees."""
    return GoalView(
        id=Data(escaped_id(goal.id)),
        contract=Data(escaped(goal.contract)),
        objective=Data(escaped(goal.objective)),
        criteria=tuple(_part(part, _mode(part)) for part in goal.criteria),
        retired=tuple(Part(Data(escaped_id(r.id)), Data(escaped(r.text))) for r in goal.retired),
        constraints=tuple(_part(part, _mode(part)) for part in goal.constraints),
        stops=tuple(_part(part) for part in goal.stops),
        owed=_owed(goal),
        awaited=_awaited(goal),
        advisory=_advisory(goal),
        budget=_budget(goal.budget),
        advisory_budget=_budget(goal.advisory_budget),
        protected=tuple(Data(escaped(line)) for line in _protected(goal.protect)),
        pinned=(),
        feedback=None if goal.judge is None else _optional(goal.judge.feedback),
    )


def contract_view(goal: ir.Goal) -> GoalView:
    """What a judge sees: everything, and which parts are left to it."""
    return replace(
        goal_view(goal),
        criteria=tuple(_whole(part, _mode(part)) for part in goal.criteria),
        constraints=tuple(_whole(part, _mode(part)) for part in goal.constraints),
        stops=tuple(_whole(part) for part in goal.stops),
        pinned=tuple(Pin(Data(escaped_id(p.pin)), Data(escaped(p.content))) for p in goal.pinned),
    )


def state_view(goal: ir.Goal, state: State | None) -> StateView:
    """What *state* says of the goal; without one, every part that the agent could be asked for."""
    if state is None:
        return StateView(False, _owed(goal), (), 0, False, False, None, None, None, ())
    bound = [_standing(part, state) for part in owed(goal)]
    awaited = [_standing(part, state) for part in _others(goal)]
    stops = [_standing(part, state) for part in goal.stops]
    return StateView(
        known=True,
        open=tuple(part for part in bound if part.outcome in OPEN)
        + tuple(part for part in stops if part.outcome == "stopped"),
        awaited=tuple(part for part in awaited if part.outcome in OPEN),
        turns_without_tool=state.turns_without_tool,
        stalled=state.turns_without_tool >= STALLED,
        monitors=state.monitors,
        used=_optional(", ".join(f"{key} {value}" for key, value in state.used.items())),
        met=_met(goal, state),
        feedback=_optional(state.feedback),
        turned=tuple(Data(escaped(change)) for change in state.turned),
    )


def _met(goal: ir.Goal, state: State) -> Data | None:
    parts = (*owed(goal), *_others(goal))
    shown = [part.id for part in parts if state.outcomes.get(part.id, "unknown") not in OPEN]
    return Data(", ".join(map(escaped_id, shown))) if shown else None


def owed(goal: ir.Goal) -> tuple[ir.Condition, ...]:
    """What the agent must show: gating criteria that it can bring about, and gating constraints."""
    parts: tuple[ir.Criterion | ir.Constraint, ...] = (*goal.criteria, *goal.constraints)
    return tuple(part for part in parts if part.mode == "gating")


def _owed(goal: ir.Goal) -> tuple[Part, ...]:
    return tuple(_part(part, _kind(part)) for part in owed(goal))


def _awaited(goal: ir.Goal) -> tuple[Part, ...]:
    return tuple(_part(part) for part in _others(goal))


def _others(goal: ir.Goal) -> tuple[ir.Criterion, ...]:
    """What others bring about."""
    return tuple(part for part in goal.criteria if part.mode == "awaited")


def _advisory(goal: ir.Goal) -> tuple[Part, ...]:
    parts: tuple[ir.Criterion | ir.Constraint, ...] = (*goal.criteria, *goal.constraints)
    return tuple(_part(part, _kind(part)) for part in parts if part.mode == "advisory")


def _kind(part: ir.Condition) -> str:
    """What a part is, said where it stands among criteria."""
    match part:
        case ir.Constraint():
            return "constraint"
        case ir.Stop():
            return "stop"
    return ""


def _standing(part: ir.Condition, state: State) -> Part:
    return replace(
        _part(part, _kind(part)),
        outcome=state.outcomes.get(part.id, "unknown"),
        explanation=_optional(state.explanations.get(part.id)),
    )


def _part(part: ir.Condition, remark: str = "") -> Part:
    return Part(Data(escaped_id(part.id)), Data(escaped(part.text)), remark)


def _whole(part: ir.Condition, remark: str = "") -> Part:
    remarks = (remark, "judged" if part.check is None else "")
    return replace(_part(part, ", ".join(filter(None, remarks))), clauses=tuple(_clauses(part)))


def _mode(part: ir.Criterion | ir.Constraint) -> str:
    return "" if part.mode == "gating" else part.mode


def _clauses(part: ir.Condition) -> Iterator[Clause]:
    """The part's predicates, and after each what its names stand for."""
    for label, expr in (("when", part.when), ("given", part.given), ("check", part.check)):
        if expr is None:
            continue
        yield Clause(label, Data(escaped(write_expression(expr))))
        named = {node.name: node.of for node in walk(expr) if isinstance(node, Named)}
        for name, of in named.items():
            yield Clause("let", Data(escaped(f"{name} = {write_expression(of)}")))


def _budget(budget: ir.Budget | None) -> Data | None:
    if budget is None:
        return None
    limits = ((key, getattr(budget, key)) for key in budget.field_names)
    return _optional(", ".join(f"{key} {limit}" for key, limit in limits if limit is not None))


def _protected(rules: Iterable[ir.Protect]) -> Iterator[str]:
    for rule in rules:
        allowed = f" (new ones may match {', '.join(rule.allow_new)})" if rule.allow_new else ""
        yield ", ".join(rule.globs) + allowed


def _optional(text: str | None) -> Data | None:
    return Data(escaped(text)) if text else None
