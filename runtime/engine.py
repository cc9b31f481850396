"""The engine: observations in, a verdict out, and the little state that temporal forms need.

It keeps each fact's value until it is observed again, withdrawn, or its revision changes; the start
observation; and two counters for each streak. What a predicate reads is prepared as one Facts
dictionary, in which a view (`at start`, `previous`, `fresh`) or a streak is a key like any other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ..compiler.kernel import Facts, Map, Unknown, tainted
from ..compiler.program import NOW, FactSpec, Form, Part, Predicate, Program, View
from ..grammar.diagnostics import nearest
from ..grammar.literals import LiteralError, read_time, write_duration, write_string, write_time
from .conversion import Converter, Invalid, fact_converter
from .explanation import explain
from .facts import (
    BadFacts,
    Surplus,
    explicit_unknown,
    flattener,
    holds_map,
    undeclared_fields,
)
from .temporal import State, initial
from .verdict import Note, Result, Verdict

MAX_IDS: Final = 256
CLOCK_TOLERANCE: Final = 5 * 60 * 10**9
MAX_WORDS: Final = 200  # of the error of a host's own check

# A check of the host's own: the facts of an observation in, an answer out.
HostCheck: TypeAlias = Callable[[Mapping[str, Any]], Any]


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
class _Clocked:
    """A temporal form: its state, and the state before the last counted id."""

    form: Form
    state: State
    before: State
    last_id: str | None = None


class Engine:
    """Checks one program over a series of observations.

    *baseline* holds the values of `at baseline`, as JSON; *root* is the project's absolute root,
    below which absolute paths are accepted; *host_checks* are the host's own checks by name, each
    called with the facts of an observation as the host gave them.
    """

    def __init__(
        self,
        program: Program,
        baseline: Mapping[str, Any] | None = None,
        root: str | None = None,
        host_checks: Mapping[str, HostCheck] | None = None,
    ) -> None:
        self.program = program
        self._declared = {fact.name: fact for fact in program.facts}
        self._entrances: dict[str, _Entrance] = {}
        self._flatten = flattener(self._declared)
        self._root = root
        bound = host_checks or {}
        self._host_checks = {
            key: (name, bound.get(name)) for key, name in program.host_checks.items()
        }
        self._clocked = {key: _clocked(form) for key, form in program.forms.items()}
        self._inner = {key: form.inner for key, form in program.forms.items()}
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
        for key, (name, check) in self._host_checks.items():
            self._put(current, key, host_checked(name, check, facts))
        self._count_forms(current, id, supplied)
        self._add_forms(current)
        return self._verdict(current, tuple(notes))

    def _turn_to(self, rev: str) -> None:
        """A new revision: what counts on one revision starts again (ruling 2)."""
        self._rev = rev
        for clocked in self._clocked.values():
            if clocked.form.one_revision:
                clocked.state = clocked.before = initial(clocked.form)

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
            if entrance.has_maps and tainted(result):
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
        for view in self.program.views:
            self._put(current, view.key, self._read(view))
        for key, name in self.program.known.items():
            current[key] = self._current(name).__class__ is not Unknown
        now = self._now
        missing = Unknown("missing", NOW, "the observations carry no time")
        self._put(current, NOW, missing if now is None else now)
        return current

    def _put(self, current: Facts, key: str, value: Any) -> None:
        if value.__class__ is Unknown:
            current.unknown[key] = value
        elif tainted(value):
            # An ill-typed value of a map: the straight form stays away from all of it.
            current.tainted = True
            current.unknown[key] = value
        else:
            current[key] = value

    def _read(self, view: View) -> Any:
        name = view.fact
        match view.view:
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
                return self._fresh(name, view.within)

    def _current(self, name: str) -> Any:
        known = self._facts.get(name)
        if known is None:
            return Unknown("missing", name)
        if known.rev != self._rev and not self._declared[name].lasting:
            seen = known.rev if known.rev is not None else "no revision"
            return Unknown("stale", name, f"it was observed on {seen}, now at {self._rev}")
        return known.value

    def _fresh(self, name: str, within: int) -> Any:
        value = self._current(name)
        known = self._facts.get(name)
        if value.__class__ is Unknown or known is None:
            return value
        if self._now is None or known.at is None:
            return Unknown("missing", name, "the observations carry no time")
        if self._now - known.at > within:
            return Unknown("stale", name, f"it was observed more than {write_duration(within)} ago")
        return value

    # --- temporal forms

    def _count_forms(self, current: Facts, id: str | None, supplied: dict[str, Any]) -> None:
        seen = supplied if id is None else self._ids[id]
        for key, clocked in self._clocked.items():
            needs = clocked.form.needs
            if not needs or not needs <= seen.keys():
                continue
            if not needs & supplied.keys():
                continue  # an observation that brings nothing new of it
            if id is not None and id in self._counted_ids and key in self._counted_ids[id]:
                if clocked.last_id != id:
                    continue
                state = clocked.before
            else:
                state = clocked.state
            value = clocked.form.inner.decide(self._as_observed(current, id))
            clocked.before = state
            clocked.state = state.counted(clocked.form, value, self._now)
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
        given = self._ids[id]
        for name, value in given.items():
            own.pop(name, None)
            own.unknown.pop(name, None)
            self._put(own, name, value)
        for key, name in self.program.known.items():
            if name in given:
                own[key] = given[name].__class__ is not Unknown
        return own

    def _add_forms(self, current: Facts) -> None:
        for key, clocked in self._clocked.items():
            self._put(current, key, clocked.state.outcome(clocked.form, self._now, self._rev))

    # --- the verdict

    def _verdict(self, current: Facts, notes: tuple[Note, ...]) -> Verdict:
        program = self.program
        words = {key: clocked.state.words(clocked.form) for key, clocked in self._clocked.items()}
        return Verdict(
            program.goal,
            program.contract,
            tuple(self._result(p, current, words, "met", "unmet") for p in program.criteria),
            tuple(self._result(p, current, words, "held", "violated") for p in program.constraints),
            tuple(self._result(p, current, words, "stopped", "held") for p in program.stops),
            notes,
        )

    def _result(
        self, part: Part, current: Facts, words: Mapping[str, str], yes: Any, no: Any
    ) -> Result:
        outcome: Any
        unknown: Unknown | None = None
        decided, prefix = part.check, ""
        applies = True if part.when is None else part.when.decide(current)
        if applies is False:
            outcome, decided, prefix = "waived", part.when, "when: "
        elif applies is not True:
            outcome, decided, prefix, unknown = "unknown", part.when, "when: ", applies
        elif part.given is not None and (counts := part.given.decide(current)) is not True:
            outcome, decided, prefix = "unknown", part.given, "given: "
            unknown = counts if counts is not False else Unknown(
                "skipped", words="what is given for the measurement does not hold"
            )  # fmt: skip
        elif part.check is None:
            outcome = "judged"
        else:
            value = part.check.decide(current)
            outcome = "unknown" if value.__class__ is Unknown else yes if value else no
            unknown = value if value.__class__ is Unknown else None
        explanation = _explanation(decided, prefix, current, self._inner, words)
        return Result(part.id, part.text, outcome, part.mode, unknown, explanation)


def _explanation(
    decided: Predicate | None, prefix: str, current: Facts, inner: Mapping[str, Predicate],
    words: Mapping[str, str],
) -> Callable[[], str]:  # fmt: skip
    if decided is None:
        return lambda: "a judge decides"
    return lambda: prefix + explain(decided, current, inner, words)


def _clocked(form: Form) -> _Clocked:
    state = initial(form)
    return _Clocked(form, state, state)


def _entrance(fact: FactSpec, root: str | None) -> _Entrance:
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
    if isinstance(value, Map):
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


def host_checked(name: str, check: HostCheck | None, facts: Mapping[str, Any]) -> Any:
    """What *check* says of *facts*: True, False or Unknown."""
    if check is None:
        return Unknown("missing", words=f"the host bound no check to {name}")
    try:
        answer = check(facts)
    except Exception as error:  # whatever it is: an error of a check is no success and no end
        return Unknown("error", words=f"{type(error).__name__}: {error}".rstrip(": ")[:MAX_WORDS])
    if answer is True or answer is False:
        return answer
    if answer is None:
        return Unknown("missing", words="the check returned None")
    if hasattr(answer, "close") and hasattr(answer, "__await__"):
        answer.close()  # a coroutine that nobody will await
        return Unknown("invalid", words="the check is async, and a check answers at once")
    return Unknown("invalid", words=f"the check returned {type(answer).__name__}, no bool")
