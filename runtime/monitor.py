"""The Monitor: observations in, a verdict out, and the little state that temporal forms need.

It keeps each fact's value until it is observed again, withdrawn, or its revision changes; the start
observation; and two counters for each streak. What a predicate reads is prepared as one Facts
dictionary, in which a view (`at start`, `previous`, `fresh`) or a streak is a key like any other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..compiler import kernel as k
from ..compiler.codegen import (
    NOW,
    Predicate,
    compile_predicate,
    fact_key,
    host_key,
    known_key,
    literal_value,
    temporal_key,
)
from ..compiler.ir import expressions as ir
from ..compiler.ir.document import Condition, Fact, Goal
from ..compiler.kernel import Facts, Unknown
from ..compiler.reads import clock_facts, walk
from ..grammar.diagnostics import nearest
from ..grammar.literals import LiteralError, read_time, write_string, write_time
from . import temporal
from .conversion import Converter, Invalid, fact_converter
from .explain import explain
from .facts import (
    BadFacts,
    Surplus,
    explicit_unknown,
    flattener,
    holds_map,
    undeclared_fields,
)
from .hosting import HostCheck, host_checked
from .verdict import Note, Result, Verdict

MAX_IDS = 256
CLOCK_TOLERANCE = 5 * 60 * 10**9


class RefusedObservation(ValueError):
    """An observation whose time cannot be right; nothing of it was taken."""


@dataclass(slots=True)
class _Known:
    """A fact's current value, when, on which revision and in which observation it was seen, and
    the value before."""

    value: Any
    at: int | None
    rev: str | None
    order: int
    previous: Any
    previous_order: int


@dataclass(frozen=True, slots=True)
class _Entrance:
    """How a fact enters. Inside a good value maps may hold ill-typed entries, and records more
    fields than are declared."""

    convert: Converter
    has_maps: bool
    surplus: Surplus | None


@dataclass(slots=True)
class _Part:
    """A criterion, constraint or stop with its compiled predicates."""

    condition: Condition
    when: Predicate | None
    given: Predicate | None
    check: Predicate | None


@dataclass(slots=True)
class _Clocked:
    """A temporal form: what it counts, its state, and the state before the last counted id."""

    node: temporal.Temporal
    inner: Predicate
    needs: frozenset[str]
    state: temporal.State
    before: temporal.State
    last_id: str | None = None


@dataclass
class _Reads:
    """The reads of a goal's predicates, by form."""

    facts: dict[str, ir.FactRead] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    host_checks: set[str] = field(default_factory=set)
    temporal: dict[str, temporal.Temporal] = field(default_factory=dict)

    def add(self, expr: ir.Expr) -> None:
        for node in walk(expr):
            match node:
                case ir.FactRead():
                    self.facts[fact_key(node)] = node
                case ir.Known(name=name):
                    self.known.add(name)
                case ir.HostCheck(name=name):
                    self.host_checks.add(name)
                case ir.Runs() | ir.Held() | ir.History():
                    self.temporal[temporal_key(node)] = node


class Monitor:
    """Checks one goal over a series of observations.

    *baseline* holds the values of `at baseline`, as JSON; *declared* are facts that a host may give
    though the goal reads none of them; *root* is the project's absolute root, below which absolute
    paths are accepted; *host_checks* are the host's own checks by name, each called with the facts
    of an observation as the host gave them.
    """

    def __init__(
        self,
        goal: Goal,
        baseline: Mapping[str, Any] | None = None,
        declared: Iterable[Fact] = (),
        root: str | None = None,
        host_checks: Mapping[str, HostCheck] | None = None,
    ) -> None:
        self.goal = goal
        self._declared = {fact.name: fact for fact in (*declared, *goal.facts)}
        self._entrances: dict[str, _Entrance] = {}
        self._flatten = flattener(self._declared)
        self._root = root
        types = {fact.name: fact.type for fact in goal.facts}
        compiled = lambda expr: None if expr is None else compile_predicate(expr, types)  # noqa: E731
        self._criteria = [_part(condition, compiled) for condition in goal.criteria]
        self._constraints = [_part(condition, compiled) for condition in goal.constraints]
        self._stops = [_part(condition, compiled) for condition in goal.stops]
        reads = _Reads()
        for condition in (*goal.criteria, *goal.constraints, *goal.stops):
            for expr in (condition.when, condition.given, condition.check):
                if expr is not None:
                    reads.add(expr)
        self._fact_reads = list(reads.facts.items())
        self._known_reads = sorted(reads.known)
        self._host_checks = {
            name: (host_checks or {}).get(name) for name in sorted(reads.host_checks)
        }
        self._clocked = {
            key: _clocked(node, compile_predicate(node.of, types))
            for key, node in reads.temporal.items()
        }
        self._facts: dict[str, _Known] = {}
        self._start: dict[str, Any] = {}
        self._start_id: str | None = None
        notes: list[Note] = []
        raw, _ = self._flatten(baseline or {})
        self._baseline = {name: self._convert(name, value, notes) for name, value in raw.items()}
        self.baseline_notes = tuple(notes)
        self._ids: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._counted_ids: dict[str, set[str]] = {}
        self._orders: dict[str, int] = {}
        self._count = 0
        self._started = False
        self._at_start = False  # is the current observation still the start observation?
        self._now: int | None = None
        self._timed: bool | None = None
        self._rev: str | None = None

    # --- observing

    def observe(
        self,
        facts: Mapping[str, Any],
        at: str | None = None,
        id: str | None = None,
        rev: str | None = None,
        received_at: str | None = None,
    ) -> Verdict:
        """Take one observation and say what it shows.

        *facts* is JSON with nested or dotted keys; `{"$unknown": "error", "because": "…"}`
        withdraws a fact. *at* and *received_at* are RFC 3339. An ill-typed value makes its fact
        unknown and is named in the verdict's notes. Raises BadFacts where a fact is there twice,
        and RefusedObservation where the time cannot be right; then nothing changes.
        """
        notes: list[Note] = []
        raw, undeclared = self._flatten(facts)
        now = self._time(at, received_at, notes)
        notes += (self._undeclared(name) for name in undeclared)
        supplied = {name: self._convert(name, value, notes) for name, value in raw.items()}
        self._now, self._timed = now, now is not None
        if rev is not None and rev != self._rev:
            self._turn_to(rev)
        supplied = self._merged(id, supplied)
        if not self._started:
            self._started, self._start_id, self._at_start = True, id, True
        elif id is None or id != self._start_id:
            self._at_start = False
        if self._at_start or (id is not None and id == self._start_id):
            self._start.update(supplied)
        self._take(supplied, id)
        current = self._snapshot()
        for name, check in self._host_checks.items():
            self._put(current, host_key(name), host_checked(name, check, facts))
        self._count_forms(current, id, supplied)
        self._add_forms(current)
        return self._verdict(current, tuple(notes))

    def _turn_to(self, rev: str) -> None:
        """A new revision: what counts on one revision starts again (ruling 2)."""
        self._rev = rev
        for clocked in self._clocked.values():
            if isinstance(clocked.node, ir.Runs) and clocked.node.one_revision:
                clocked.state = clocked.before = temporal.initial(clocked.node)

    def _time(self, at: str | None, received_at: str | None, notes: list[Note]) -> int | None:
        if at is None:
            if self._timed:
                raise RefusedObservation(
                    "the observation has no time, and those before it have: give each its `at`"
                )
            return None
        if self._timed is False:
            raise RefusedObservation(
                "the observation has a time, and those before it have none: give each its `at`"
            )
        now = _read_time(at)
        if received_at is not None and now - _read_time(received_at) > CLOCK_TOLERANCE:
            raise RefusedObservation(f"the time {at} is more than 5 minutes ahead of the clock")
        if self._now is None or now >= self._now:
            return now
        if self._now - now > CLOCK_TOLERANCE:
            raise RefusedObservation(
                f"the time {at} is more than 5 minutes before the last observation's, "
                f"{write_time(self._now)}"
            )
        notes.append(
            Note("clamped", "", f"the time {at} was taken as {write_time(self._now)}, the last one")
        )
        return self._now

    def _undeclared(self, name: str) -> Note:
        near = nearest(name, list(self._declared))
        hint = f"; did you mean {near}?" if near else ""
        return Note("undeclared", name, f"the goal file declares no fact {name}{hint}")

    def _convert(self, name: str, value: Any, notes: list[Note]) -> Any:
        unknown = explicit_unknown(value)
        if unknown is not None:
            return Unknown(unknown.reason, name, unknown.words)
        entrance = self._entrances.get(name)
        if entrance is None:
            entrance = self._entrances[name] = _entrance(self._declared[name], self._root)
        try:
            result = entrance.convert(value)
            if entrance.has_maps and k.tainted(result):
                notes += (Note("invalid", name, f"{name}{at}") for at in _ill_typed(result))
            if entrance.surplus is not None:
                notes += _undeclared_fields(name, entrance.surplus(value))
            return result
        except Invalid as invalid:
            notes.append(Note("invalid", name, f"{name}: {invalid}"))
            return Unknown("invalid", name, str(invalid))

    def _merged(self, id: str | None, supplied: dict[str, Any]) -> dict[str, Any]:
        """What is new in *supplied* under its id: parts of one observation merge, and a fact that
        is given two values under one id is unknown (ruling 1)."""
        if id is None:
            return supplied
        earlier = self._ids.setdefault(id, {})
        self._ids.move_to_end(id)
        while len(self._ids) > MAX_IDS:
            forgotten, _ = self._ids.popitem(last=False)
            self._counted_ids.pop(forgotten, None)
            self._orders.pop(forgotten, None)
        new: dict[str, Any] = {}
        words = f"two values under the id {id}"
        for name, value in supplied.items():
            if name not in earlier:
                new[name] = earlier[name] = value
            elif earlier[name].__class__ is Unknown and earlier[name].words == words:
                continue  # a conflict already: told again, it is nothing new
            elif earlier[name] != value:
                new[name] = earlier[name] = Unknown("invalid", name, words)
        return new

    def _take(self, supplied: dict[str, Any], id: str | None) -> None:
        order = self._order_of(id)
        for name, value in supplied.items():
            known = self._facts.get(name)
            if known is not None and known.order > order:
                # A late part of an older observation: not the newest value, perhaps the one before.
                if order >= known.previous_order:
                    known.previous, known.previous_order = value, order
                continue
            if known is None:
                before: tuple[Any, int] = (Unknown("missing", name, "it has no earlier value"), 0)
            else:
                same = known.order == order
                before = (
                    (known.previous, known.previous_order) if same else (known.value, known.order)
                )
            self._facts[name] = _Known(value, self._now, self._rev, order, *before)

    def _order_of(self, id: str | None) -> int:
        """The place of an observation among all; parts of one id share theirs."""
        if id is not None and id in self._orders:
            return self._orders[id]
        self._count += 1
        if id is not None:
            self._orders[id] = self._count
        return self._count

    # --- what predicates read

    def _snapshot(self) -> Facts:
        """The reads of every predicate as of now, temporal forms still left out."""
        current = Facts()
        for key, read in self._fact_reads:
            self._put(current, key, self._read(read))
        for name in self._known_reads:
            value = self._current(name)
            current[known_key(name)] = value.__class__ is not Unknown
        now = self._now
        missing = Unknown("missing", NOW, "the observations carry no time")
        self._put(current, NOW, missing if now is None else now)
        return current

    def _put(self, current: Facts, key: str, value: Any) -> None:
        if value.__class__ is Unknown:
            current.unknown[key] = value
        elif k.tainted(value):
            # An ill-typed value of a map: the straight form stays away from all of it.
            current.tainted = True
            current.unknown[key] = value
        else:
            current[key] = value

    def _read(self, read: ir.FactRead) -> Any:
        name = read.name
        match read.view:
            case "now":
                return self._current(name)
            case "start":
                if self._at_start:
                    return Unknown("missing", name, "this is the start observation itself")
                absent = Unknown("missing", name, "it was not in the start observation")
                return self._start.get(name, absent)
            case "baseline":
                absent = Unknown("missing", name, "it is not in the baseline")
                return self._baseline.get(name, absent)
            case "previous":
                known = self._facts.get(name)
                return Unknown("missing", name) if known is None else known.previous
            case "fresh":
                return self._fresh(name, read.within or "")

    def _current(self, name: str) -> Any:
        known = self._facts.get(name)
        if known is None:
            return Unknown("missing", name)
        if known.rev != self._rev and not self._declared[name].lasting:
            seen = known.rev if known.rev is not None else "no revision"
            return Unknown("stale", name, f"it was observed on {seen}, now at {self._rev}")
        return known.value

    def _fresh(self, name: str, within: str) -> Any:
        value = self._current(name)
        known = self._facts.get(name)
        if value.__class__ is Unknown or known is None:
            return value
        if self._now is None or known.at is None:
            return Unknown("missing", name, "the observations carry no time")
        limit = literal_value(ir.Literal(type="duration", value=within))
        if self._now - known.at > limit:
            return Unknown("stale", name, f"it was observed more than {within} ago")
        return value

    # --- temporal forms

    def _count_forms(self, current: Facts, id: str | None, supplied: dict[str, Any]) -> None:
        seen = supplied if id is None else self._ids[id]
        for key, clocked in self._clocked.items():
            if not clocked.needs or not clocked.needs <= seen.keys():
                continue
            if not clocked.needs & supplied.keys():
                continue  # an observation that brings nothing new of it
            if id is not None and id in self._counted_ids and key in self._counted_ids[id]:
                if clocked.last_id != id:
                    continue
                state = clocked.before
            else:
                state = clocked.state
            value = clocked.inner.decide(self._as_observed(current, id))
            clocked.before = state
            clocked.state = temporal.counted(state, clocked.node, value, self._now)
            clocked.last_id = id
            if id is not None:
                self._counted_ids.setdefault(id, set()).add(key)

    def _as_observed(self, current: Facts, id: str | None) -> Facts:
        """What a counted predicate reads: of an observation that comes in parts, its own values,
        though a later one has brought others."""
        if id is None or self._orders.get(id) == self._count:
            return current
        own = Facts(current)
        own.unknown.update(current.unknown)
        own.tainted = current.tainted
        for name, value in self._ids[id].items():
            own.pop(name, None)
            own.unknown.pop(name, None)
            self._put(own, name, value)
        return own

    def _add_forms(self, current: Facts) -> None:
        for key, clocked in self._clocked.items():
            value = temporal.outcome(clocked.state, clocked.node, self._now, self._rev)
            self._put(current, key, value)

    # --- the verdict

    def _verdict(self, current: Facts, notes: tuple[Note, ...]) -> Verdict:
        return Verdict(
            self.goal.id,
            self.goal.contract,
            tuple(self._result(part, current, "met", "unmet") for part in self._criteria),
            tuple(self._result(part, current, "held", "violated") for part in self._constraints),
            tuple(self._result(part, current, "stopped", "held") for part in self._stops),
            notes,
        )

    def _result(self, part: _Part, current: Facts, yes: Any, no: Any) -> Result:
        condition = part.condition
        outcome: Any
        unknown: Unknown | None = None
        decided: Predicate | None = part.check
        applies = True if part.when is None else part.when.decide(current)
        if applies is False:
            outcome, decided = "waived", part.when
        elif applies is not True:
            outcome, decided, unknown = "unknown", part.when, applies
        elif part.given is not None and (counts := part.given.decide(current)) is not True:
            outcome, decided = "unknown", part.given
            unknown = counts if counts is not False else Unknown(
                "skipped", words="what is given for the measurement does not hold"
            )  # fmt: skip
        elif part.check is None:
            outcome = "judged"
        else:
            value = part.check.decide(current)
            outcome = "unknown" if value.__class__ is Unknown else yes if value else no
            unknown = value if value.__class__ is Unknown else None
        mode = getattr(condition, "mode", "gating")
        words = {
            key: temporal.progress(clocked.state, clocked.node)
            for key, clocked in self._clocked.items()
        }
        return Result(
            condition.id, condition.text, outcome, mode, unknown,
            _explanation(decided, current, part, self._clocked, words),
        )  # fmt: skip


def _explanation(
    decided: Predicate | None, current: Facts, part: _Part, clocked: dict[str, _Clocked],
    words: dict[str, str],
) -> Callable[[], str]:  # fmt: skip
    if decided is None:
        return lambda: "a judge decides"
    inner = {key: form.inner for key, form in clocked.items()}
    prefix = ""
    if decided is part.when:
        prefix = "when: "
    elif decided is part.given:
        prefix = "given: "
    return lambda: prefix + explain(decided, current, inner, words)


def _part(condition: Condition, compiled: Callable[[ir.Expr | None], Any]) -> _Part:
    return _Part(
        condition, compiled(condition.when), compiled(condition.given), compiled(condition.check)
    )


def _clocked(node: temporal.Temporal, inner: Predicate) -> _Clocked:
    state = temporal.initial(node)
    return _Clocked(node, inner, clock_facts(node), state, state)


def _entrance(fact: Fact, root: str | None) -> _Entrance:
    return _Entrance(fact_converter(fact, root), holds_map(fact.type), undeclared_fields(fact.type))


def _undeclared_fields(name: str, found: Iterable[tuple[str, tuple[str, ...]]]) -> Iterable[Note]:
    """A note for each key that the records of a fact do not have, once."""
    notes: dict[str, Note] = {}
    for key, known in found:
        near = nearest(key, known)
        hint = f"; did you mean {near}?" if near else ""
        message = f"{name}: its records have no field {key}{hint}"
        notes.setdefault(key, Note("undeclared", name, message))
    return notes.values()


def _ill_typed(value: Any) -> Iterator[str]:
    """The places of a map's ill-typed values, each with what is wrong."""
    if isinstance(value, k.Map):
        for key, item in value.items():
            if isinstance(item, Unknown):
                yield f"[{write_string(key)}]: {item.words}"
            else:
                yield from (f"[{write_string(key)}]{inner}" for inner in _ill_typed(item))
    elif isinstance(value, tuple | frozenset):
        for item in value:
            yield from _ill_typed(item)


def _read_time(text: str) -> int:
    try:
        return read_time(text)
    except LiteralError as error:
        raise BadFacts(f"{error.message}{': ' + error.hint if error.hint else ''}") from None
