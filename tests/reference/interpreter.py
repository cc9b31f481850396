"""The slow, obvious interpreter of predicates: the oracle that the evaluator must agree with.

It takes IR nodes, entered values (values.py) and the whole history of observations, and computes
every answer from its definition each time: a temporal form looks at the whole history, nothing is
counted along the way, nothing is remembered between two calls. Written from the language page and
the rulings alone; the numbers in comments are rulings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import (
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    InvalidOperation,
    Overflow,
)
from fractions import Fraction
from typing import NamedTuple

from goalspec.compiler.ir.document import Condition, Fact, Goal
from goalspec.compiler.ir.expressions import (
    Aggregate,
    And,
    Arithmetic,
    Between,
    Call,
    Compare,
    Contains,
    Default,
    Expr,
    FactRead,
    FieldRead,
    Held,
    History,
    Index,
    Known,
    Like,
    ListOf,
    Literal,
    Matches,
    Member,
    Named,
    Negate,
    Not,
    Or,
    Quantifier,
    Runs,
    Variable,
    children,
)
from goalspec.compiler.ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from goalspec.grammar import literals
from goalspec.tests.reference.values import MAX_INT, Map, Unknown, Value, literal

DECIMAL128 = Context(
    prec=34, rounding=ROUND_HALF_EVEN, Emin=-6143, Emax=6144,
    traps=[Overflow, DivisionByZero, InvalidOperation],
)  # fmt: skip
DAY = 86_400 * 10**9

BOOL, INT, NUMBER, STRING = (ScalarType(kind=k) for k in ("bool", "int", "number", "string"))
PERCENT, DURATION, TIME = (ScalarType(kind=k) for k in ("percent", "duration", "time"))
NULL = OptionalType(of=STRING)


@dataclass(frozen=True)
class Observation:
    """Entered facts, and the envelope; *at* in nanoseconds since the epoch."""

    facts: Mapping[str, Value]
    at: int | None = None
    id: str | None = None
    rev: str | None = None


class Event(NamedTuple):
    """One observation's word on one fact."""

    place: int
    id: str | None
    value: Value
    at: int | None
    rev: str | None


# --- strong Kleene


def kleene_not(a: Value) -> Value:
    return a if isinstance(a, Unknown) else not a


def kleene_and(items: Iterable[Value]) -> Value:
    items = list(items)
    if any(item is False for item in items):
        return False
    for item in items:
        if isinstance(item, Unknown):
            return item
    return True


def kleene_or(items: Iterable[Value]) -> Value:
    items = list(items)
    if any(item is True for item in items):
        return True
    for item in items:
        if isinstance(item, Unknown):
            return item
    return False


def truth(value: Value) -> Value:
    """A value used as a predicate."""
    return Unknown("null") if value is None else value


def unknown_of(*values: Value) -> Unknown | None:
    """What makes an operation on *values* unknown: an unknown one, or a null."""
    for value in values:
        if isinstance(value, Unknown):
            return value
    for value in values:
        if value is None:
            return Unknown("null")
    return None


class Interpreter:
    """Evaluates predicates at the end of a history."""

    def __init__(
        self,
        facts: Iterable[Fact],
        observations: Sequence[Observation],
        baseline: Mapping[str, Value] | None = None,
    ) -> None:
        self.facts = {fact.name: fact for fact in facts}
        self.observations = observations
        self.baseline = baseline or {}
        self.times: list[int | None] = []
        self.revisions: list[str | None] = []
        for observation in observations:
            self.times.append(self._time(observation))
            previous = self.revisions[-1] if self.revisions else None
            self.revisions.append(previous if observation.rev is None else observation.rev)
        self.remembered: dict[tuple[str, int], list[Event]] = {}
        self.own: dict[str, Value] = {}  # the values of a counted observation that came in parts

    # --- the history

    def _time(self, observation: Observation) -> int | None:
        """10: the clock never goes back."""
        if observation.at is None:
            return self.times[-1] if self.times else None
        return max([observation.at, *(time for time in self.times if time is not None)])

    def events(self, name: str, index: int) -> list[Event]:
        """Every observation up to *index* that supplies a fact, those of one id as one (1)."""
        if (name, index) not in self.remembered:
            self.remembered[name, index] = self._events(name, index)
        return self.remembered[name, index]

    def _events(self, name: str, index: int) -> list[Event]:
        found = []
        seen = set()
        for place, observation in enumerate(self.observations[: index + 1]):
            if name not in observation.facts or observation.id in seen:
                continue
            value = observation.facts[name]
            if observation.id is not None:
                seen.add(observation.id)
                for other in self.observations[: index + 1]:
                    if other.id == observation.id and other.facts.get(name, value) != value:
                        value = Unknown("invalid")
            found.append(
                Event(place, observation.id, value, self.times[place], self.revisions[place])
            )
        return sorted(found, key=lambda event: self.began(event.place))

    def began(self, place: int) -> int:
        """Where the observation at *place* began: a late part of it makes it no newer."""
        id = self.observations[place].id
        if id is None:
            return place
        return next(i for i, o in enumerate(self.observations) if o.id == id)

    def as_counted(self, expr: Expr, place: int) -> Value:
        """A predicate at a counted observation: one that came in parts, others between them, has
        its own values."""
        began = self.began(place)
        id = self.observations[place].id
        if any(self.began(other) > began for other in range(place)):
            parts = [o for o in self.observations[: place + 1] if o.id == id]
            for name in {name for part in parts for name in part.facts}:
                events = self.events(name, place)
                self.own[name] = next(e.value for e in events if e.id == id)
        try:
            return truth(self.value(expr, place, {}))
        finally:
            self.own = {}

    def read(self, fact: FactRead, index: int) -> Value:
        """A fact's value as it was seen at observation *index*."""
        if fact.view == "baseline":
            return self.baseline.get(fact.name, Unknown("missing"))
        events = self.events(fact.name, index)
        if fact.view == "start":  # 3
            return self._at_start(events, index)
        if fact.view == "previous":  # 7
            return events[-2].value if len(events) > 1 else Unknown("missing")
        if fact.view == "now" and fact.name in self.own:
            return self.own[fact.name]
        if not events:
            return Unknown("missing")
        last = events[-1]
        if isinstance(last.value, Unknown):
            return last.value
        if not self.facts[fact.name].lasting and last.rev != self.revisions[index]:  # 2
            return Unknown("stale")
        if fact.view == "fresh":
            assert fact.within is not None
            now = self.times[index]
            if now is None or last.at is None:
                return Unknown("missing")
            if now - last.at > literal("duration", fact.within):
                return Unknown("stale")
        return last.value

    def _at_start(self, events: list[Event], index: int) -> Value:
        """3: the start observation is the first, with every part of it that its id names; its
        values are unknown as long as it is the only one."""
        first = self.observations[0].id
        of_start = [e.place == 0 or (first is not None and e.id == first) for e in events]
        within = all(
            place == 0 or (first is not None and self.observations[place].id == first)
            for place in range(index + 1)
        )
        if within or True not in of_start:
            return Unknown("missing")
        return events[of_start.index(True)].value

    def counted(self, expr: Expr, index: int, clock: str | None = None) -> list[int]:
        """The observations up to *index* that count for a predicate (1), each by its place: those
        of one id count once, as soon as together they supply what is needed. A conflict under the
        id that counted last is counted in its stead; under an earlier one it changes nothing."""
        needed = reads(expr) if clock is None else {clock}
        found: list[int] = []
        done: set[str] = set()
        for place in range(index + 1):
            observation = self.observations[place]
            if not observation.facts:
                continue
            parts = [observation]
            if observation.id is not None:
                parts = [o for o in self.observations[: place + 1] if o.id == observation.id]
            if observation.id in done:
                last = self.observations[found[-1]].id == observation.id
                if last and needed & self._conflicts(parts):
                    found[-1] = place
            elif needed <= {name for part in parts for name in part.facts}:
                found.append(place)
                if observation.id is not None:
                    done.add(observation.id)
        return found

    def _conflicts(self, parts: Sequence[Observation]) -> set[str]:
        """The facts that had one value until the last of an observation's parts gave another."""
        found = set()
        for name, value in parts[-1].facts.items():
            earlier = [part.facts[name] for part in parts[:-1] if name in part.facts]
            if earlier and all(one == earlier[0] for one in earlier) and value != earlier[0]:
                found.add(name)
        return found

    # --- predicates and values

    def evaluate(self, expr: Expr, index: int | None = None) -> Value:
        """The value of a predicate or an expression at the last observation, or at *index*."""
        return self.value(expr, len(self.observations) - 1 if index is None else index, {})

    def value(self, expr: Expr, index: int, scope: Scope) -> Value:
        match expr:
            case Literal(type=type, value=text):
                return literal(type, text)
            case ListOf(items=items):  # as a value whole or unknown, as a fact's list is
                values = [self.value(item, index, scope) for item in items]
                return unknown_of(*values) or tuple(values)
            case FactRead():
                return self.read(expr, index)
            case Variable(name=name):
                return scope[name].value
            case Named(of=of):
                return self.value(of, index, scope)
            case FieldRead(of=of, name=name):
                record = self.value(of, index, scope)
                kind = self.type_of(of, scope)
                assert isinstance(kind, RecordType)
                names = [field.name for field in kind.fields]
                return unknown_of(record) or record[names.index(name)]
            case Index(of=of, key=key):
                where, what = self.value(of, index, scope), self.value(key, index, scope)
                return unknown_of(where, what) or where.get(what, Unknown("missing"))
            case And(items=items):
                return kleene_and([truth(self.value(item, index, scope)) for item in items])
            case Or(items=items):
                return kleene_or([truth(self.value(item, index, scope)) for item in items])
            case Not(of=of):
                return kleene_not(truth(self.value(of, index, scope)))
            case Compare():
                return self.compare(expr, index, scope)
            case Between(of=of, low=low, high=high):
                value = self.value(of, index, scope)
                return unknown_of(value) or (
                    (low is None or value >= literal(low.type, low.value))
                    and (high is None or value <= literal(high.type, high.value))
                )
            case Member(item=item, of=of):
                value, (where, _) = self.value(item, index, scope), self.elements(of, index, scope)
                return unknown_of(where) or kleene_or([equal(value, item) for item in where])
            case Like(of=of, patterns=patterns):
                value = self.value(of, index, scope)
                return unknown_of(value) or any(glob(pattern, value) for pattern in patterns)
            case Matches(of=of, patterns=patterns):
                value = self.value(of, index, scope)
                return unknown_of(value) or any(search(pattern, value) for pattern in patterns)
            case Contains(of=of, text=text):
                value, part = self.value(of, index, scope), self.value(text, index, scope)
                return unknown_of(value, part) or part in value
            case Arithmetic(first=first, rest=rest):
                total, kind = self.value(first, index, scope), self.type_of(first, scope)
                for step in rest:
                    right, right_kind = (
                        self.value(step.value, index, scope),
                        self.type_of(step.value, scope),
                    )
                    total = unknown_of(total, right) or compute(
                        step.op, kind, total, right_kind, right
                    )
                    kind = result_type(step.op, kind, right_kind)
                return total
            case Negate(of=of):
                value = self.value(of, index, scope)
                return unknown_of(value) or negative(value)
            case Default(of=of, fallback=fallback):
                value = self.value(of, index, scope)
                if unknown_of(value):
                    return self.value(fallback, index, scope)
                return value
            case Known(name=name):
                return not isinstance(self.read(FactRead(name=name), index), Unknown)
            case Quantifier():
                return self.quantifier(expr, index, scope)
            case Aggregate():
                return self.aggregate(expr, index, scope)
            case Call():
                return self.call(expr, index, scope)
            case Runs():
                return self.runs(expr, index)
            case Held():
                return self.held(expr, index)
            case History(op=op, of=of):
                return self.ever_or_always(op, of, index)
        raise AssertionError(expr)

    def compare(self, expr: Compare, index: int, scope: Scope) -> Value:
        left, right = self.value(expr.left, index, scope), self.value(expr.right, index, scope)
        if expr.op in ("==", "!="):
            if is_null(expr.left) or is_null(expr.right):  # the test for null
                value = left if is_null(expr.right) else right
                if isinstance(value, Unknown):
                    return value
                return (value is None) == (expr.op == "==")
            same = equal(left, right)
            return same if expr.op == "==" else kleene_not(same)
        unknown = unknown_of(left, right)
        if unknown:
            return unknown
        for side in (self.type_of(expr.left, scope), self.type_of(expr.right, scope)):
            if isinstance(side, EnumType) and side.ordered:
                left, right = side.members.index(left), side.members.index(right)
                break
        match expr.op:
            case "<":
                return left < right
            case "<=":
                return left <= right
            case ">":
                return left > right
            case _:
                return left >= right

    def elements(self, over: Expr, index: int, scope: Scope) -> tuple[Value, Type]:
        """What a quantifier or an aggregate goes over (66: a map's keys), and of what type."""
        kind = self.type_of(over, scope)
        while isinstance(over, Named):
            over = over.of
        if isinstance(over, ListOf):  # written out: one unknown element does not hide the others
            assert isinstance(kind, ListType)
            return [self.value(item, index, scope) for item in over.items], kind.of
        where = self.value(over, index, scope)
        of = kind.of if isinstance(kind, ListType | SetType) else STRING
        return unknown_of(where) or list(where), of

    def quantifier(self, expr: Quantifier, index: int, scope: Scope) -> Value:
        elements, kind = self.elements(expr.over, index, scope)
        if isinstance(elements, Unknown):
            return elements
        filters, bodies = [], []
        for element in elements:
            inner = {**scope, expr.var: Bound(element, kind)}
            filters.append(
                True if expr.where is None else truth(self.value(expr.where, index, inner))
            )
            bodies.append(truth(self.value(expr.body, index, inner)))
        pairs = list(zip(filters, bodies, strict=True))
        if expr.op == "any":
            return kleene_or([kleene_and([q, p]) for q, p in pairs])
        if expr.op == "none":
            return kleene_not(kleene_or([kleene_and([q, p]) for q, p in pairs]))
        fold = kleene_and([kleene_or([kleene_not(q), p]) for q, p in pairs])
        if expr.op == "each" and fold is not False and True not in filters:  # 60
            return Unknown("empty")
        return fold

    def aggregate(self, expr: Aggregate, index: int, scope: Scope) -> Value:
        elements, kind = self.elements(expr.over, index, scope)
        if isinstance(elements, Unknown):
            return elements
        values = []
        for element in elements:
            inner = scope if expr.var is None else {**scope, expr.var: Bound(element, kind)}
            wanted = True if expr.where is None else truth(self.value(expr.where, index, inner))
            if isinstance(wanted, Unknown):
                return wanted
            if wanted:
                value = element if expr.value is None else self.value(expr.value, index, inner)
                if expr.op in ("streak", "longest", "share"):
                    value = truth(value)
                if isinstance(value, Unknown):
                    return value
                values.append(value)
        match expr.op:
            case "count":
                return len(values)
            case "distinct":
                if any(holds_unknown(value) for value in values):  # equal to which others?
                    return Unknown("invalid")
                return frozenset(values)
            case "streak":
                count = 0
                for value in reversed(values):
                    if not value:
                        break
                    count += 1
                return count
            case "longest":
                runs = [
                    end - start
                    for start in range(len(values))
                    for end in range(start, len(values) + 1)
                    if all(values[start:end])
                ]
                return max(runs, default=0)
            case "share":
                if not values:
                    return Unknown("empty")
                return decimal_divide(values.count(True), len(values))
        if None in values:
            return Unknown("null")
        result = self.type_of(expr, scope)
        if expr.op == "sum":
            return total_of(values, result)
        if not values:
            return Unknown("empty")
        if expr.op == "mean":
            if result.kind in ("duration", "size"):
                return round(Fraction(sum(values), len(values)))
            total = total_of([Decimal(value) for value in values], NUMBER)
            return unknown_of(total) or decimal_divide(total, len(values))
        ranked = sorted(values)
        if isinstance(result, EnumType):
            ranked = sorted(values, key=result.members.index)
        match expr.op:
            case "min":
                return ranked[0]
            case "max":
                return ranked[-1]
            case _:  # the nearest rank: the smallest that at least this share does not exceed
                assert expr.rank is not None
                return ranked[math.ceil(Fraction(literal("percent", expr.rank)) * len(ranked)) - 1]

    def call(self, expr: Call, index: int, scope: Scope) -> Value:
        value = self.value(expr.argument, index, scope)
        unknown = unknown_of(value)
        if unknown:
            return unknown
        match expr.function:
            case "abs":
                return negative(value) if value < 0 else value
            case "len":
                return len(value)
            case "lower":  # 23: ASCII alone
                return "".join(c.lower() if "A" <= c <= "Z" else c for c in value)
            case "percent" | "number":
                return Decimal(value)
        now = self.times[index]
        if now is None:
            return Unknown("missing")
        if expr.function == "past":
            return value <= now
        return now - value if now >= value else Unknown("invalid")

    # --- temporal forms

    def runs(self, expr: Runs, index: int) -> Value:
        """5: the Kleene `and` of the last N counted observations, missing ones unknown."""
        places = self.counted(expr.of, index, expr.clock)
        if expr.one_revision:
            newest = self.revisions[index]
            if newest is None:
                return Unknown("missing")
            since = index
            while since > 0 and self.revisions[since - 1] == newest:
                since -= 1
            places = [place for place in places if place >= since]
        last = [self.as_counted(expr.of, place) for place in places[-expr.count :]]
        return kleene_and(last + [Unknown("missing")] * (expr.count - len(last)))

    def held(self, expr: Held, index: int) -> Value:
        """4: the last counted time less the first of the unbroken true suffix; `every` bounds the
        gaps between counted observations, and the one since the last of them."""
        places = self.counted(expr.of, index)
        times = [self.times[place] for place in places]
        if not places or None in times:
            return Unknown("missing")
        values = [self.as_counted(expr.of, place) for place in places]
        duration = literal("duration", expr.duration)
        every = None if expr.every is None else literal("duration", expr.every)
        last, now = times[-1], self.times[index]
        assert last is not None
        if any(
            value is False and last - time <= duration  # type: ignore[operator]
            for value, time in zip(values, times, strict=True)
        ):
            return False
        start = None
        for place in reversed(range(len(places))):
            if values[place] is not True:
                break
            after = times[place + 1] if place + 1 < len(places) else now
            if every is not None and after - times[place] > every:  # type: ignore[operator]
                break
            start = times[place]
        if start is not None and last - start >= duration:
            return True
        return next((value for value in values if isinstance(value, Unknown)), Unknown("missing"))

    def ever_or_always(self, op: str, of: Expr, index: int) -> Value:
        """6: at every counted observation, or at one at least."""
        values = [self.as_counted(of, place) for place in self.counted(of, index)]
        if not values:
            return Unknown("missing")
        return kleene_and(values) if op == "always" else kleene_or(values)

    # --- types, where a rule hangs on them

    def type_of(self, expr: Expr, scope: Scope) -> Type:
        """The type of an expression, without its `?`."""
        kind = self._type_of(expr, scope)
        while isinstance(kind, OptionalType):
            kind = kind.of
        return kind

    def _type_of(self, expr: Expr, scope: Scope) -> Type:
        match expr:
            case Literal(type="money", value=text):
                return MoneyType(currency=literals.read_money(str(text))[1])
            case Literal(type="enum", value=text):
                return EnumType(members=(str(text),))
            case Literal(type="null"):
                return NULL
            case Literal(type=scalar):
                return ScalarType(kind=scalar)
            case ListOf(items=items):
                return ListType(of=widest([self.type_of(item, scope) for item in items]))
            case FactRead(name=name):
                return self.facts[name].type
            case Variable(name=name):
                return scope[name].type
            case Named(of=of):
                return self.type_of(of, scope)
            case FieldRead(of=of, name=name):
                record = self.type_of(of, scope)
                assert isinstance(record, RecordType)
                return next(field.type for field in record.fields if field.name == name)
            case Index(of=of):
                where = self.type_of(of, scope)
                assert isinstance(where, MapType)
                return where.of
            case Arithmetic(first=first, rest=rest):
                kind = self.type_of(first, scope)
                for step in rest:
                    kind = result_type(step.op, kind, self.type_of(step.value, scope))
                return kind
            case Negate(of=of) | Call(function="abs", argument=of):
                return self.type_of(of, scope)
            case Default(of=of, fallback=fallback):
                return widest([self.type_of(of, scope), self.type_of(fallback, scope)])
            case Call(function="len"):
                return INT
            case Call(function="lower"):
                return STRING
            case Call(function="age"):
                return DURATION
            case Call(function="percent"):
                return PERCENT
            case Call(function="number"):
                return NUMBER
            case Aggregate(op="count" | "streak" | "longest"):
                return INT
            case Aggregate(op="share"):
                return PERCENT
            case Aggregate(op=op, var=var, over=over, value=value):
                where = self.type_of(over, scope)
                kind = where.of if isinstance(where, ListType | SetType) else STRING
                if value is not None:
                    assert var is not None
                    kind = self.type_of(value, {**scope, var: Bound(None, kind)})
                elif op != "distinct" and isinstance(kind, OptionalType):
                    kind = kind.of
                if op == "distinct":
                    return SetType(of=kind)
                return NUMBER if op == "mean" and kind == INT else kind
        return BOOL


class Bound(NamedTuple):
    """A variable's value and type."""

    value: Value
    type: Type


Scope = Mapping[str, Bound]


def widest(types: Sequence[Type]) -> Type:
    """The type of values of several types that one list or `??` holds: an int beside a number is a
    number, a literal of an enumeration is of the enumeration beside it."""
    known = [kind for kind in types if kind != NULL.of or len(types) == 1] or list(types)
    if NUMBER in known:
        return NUMBER
    enums = [kind for kind in known if isinstance(kind, EnumType)]
    return max(enums, key=lambda kind: len(kind.members)) if enums else known[0]


def reads(expr: Expr) -> set[str]:
    """The facts that an observation must supply to count for a predicate (1): what the predicate
    reads of the current observations; `at start` and `at baseline` are given once."""
    match expr:
        case FactRead(name=name, view=view):
            return set() if view in ("start", "baseline") else {name}
        case Known(name=name):
            return {name}
    return {name for child in children(expr) for name in reads(child)}


def is_null(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.type == "null"


# --- equality


def equal(left: Value, right: Value) -> Value:
    """Structural, and three-valued where something inside is unknown or null."""
    unknown = unknown_of(left, right)
    if unknown:
        return unknown
    if isinstance(left, Map):
        if set(left) != set(right):
            return False
        return kleene_and([equal(value, right[key]) for key, value in left.items()])
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != len(right):
            return False
        return kleene_and([equal(a, b) for a, b in zip(left, right, strict=True)])
    return bool(left == right)


def holds_unknown(value: Value) -> bool:
    """Is there an ill-typed value of a map somewhere inside?"""
    if isinstance(value, Map):
        return any(holds_unknown(inner) for inner in value.values())
    if isinstance(value, tuple | frozenset):
        return any(holds_unknown(inner) for inner in value)
    return isinstance(value, Unknown)


# --- arithmetic (19)

QUANTITIES = ("duration", "size", "money")
COUNTS = ("int", "number")


def result_type(op: str, left: Type, right: Type) -> Type:
    """The type of `left op right`, each row of ruling 19's table."""
    a, b = left.kind, right.kind
    if op in "+-":
        if a in COUNTS and b in COUNTS:
            return INT if a == b == "int" else NUMBER
        if a == b and (a == "percent" or a in QUANTITIES):
            return left
        if a in ("time", "date") and b == "duration":
            return left
        if a == b and a in ("time", "date") and op == "-":
            return DURATION
    elif op == "*":
        if a in COUNTS and b in COUNTS:
            return INT if a == b == "int" else NUMBER
        if a == b == "percent":
            return left
        for one, other in ((left, right), (right, left)):
            if one.kind in QUANTITIES and (other.kind == "percent" or other.kind in COUNTS):
                return one
            if one.kind == "percent" and other.kind in COUNTS:
                return NUMBER
    elif a == b or (a in COUNTS and b in COUNTS):
        return NUMBER
    elif a in QUANTITIES or a == "percent":
        return left
    elif b == "percent":
        return NUMBER
    raise AssertionError(f"{a} {op} {b}")


def compute(op: str, left_type: Type, left: Value, right_type: Type, right: Value) -> Value:
    """`left op right`, exact and then rounded once (17)."""
    result = result_type(op, left_type, right_type).kind
    if op == "/" and right == 0:
        return Unknown("invalid")
    if left_type.kind == "date":
        if right_type.kind == "date":
            return (left - right) * DAY
        if right % DAY:
            return Unknown("invalid")  # not whole days
        days = right // DAY
        return left + days if op == "+" else left - days
    if result in ("duration", "size", "time"):
        return round(exactly(op, Fraction(left), Fraction(right)))
    if result == "int":
        return bounded(int(exactly(op, Fraction(left), Fraction(right))))
    a, b = Decimal(left), Decimal(right)
    try:
        match op:
            case "+":
                return DECIMAL128.add(a, b)
            case "-":
                return DECIMAL128.subtract(a, b)
            case "*":
                return DECIMAL128.multiply(a, b)
            case _:
                return DECIMAL128.divide(a, b)
    except DecimalException:
        return Unknown("invalid")


def exactly(op: str, left: Fraction, right: Fraction) -> Fraction:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right


def bounded(value: int) -> Value:
    return value if abs(value) <= MAX_INT else Unknown("invalid")


def negative(value: Value) -> Value:
    if isinstance(value, Decimal):
        return value.copy_negate() if value else value
    return -value


def decimal_divide(left: Value, right: Value) -> Value:
    try:
        return DECIMAL128.divide(Decimal(left), Decimal(right))
    except DecimalException:
        return Unknown("invalid")


def total_of(values: list[Value], type: Type) -> Value:
    """The sum of values of one type, of nothing 0."""
    if type.kind == "int":
        return bounded(sum(values))
    if type.kind in ("duration", "size"):
        return sum(values)
    total = Decimal(0)
    try:
        for value in values:
            total = DECIMAL128.add(total, Decimal(value))
    except DecimalException:
        return Unknown("invalid")
    return total


# --- text


def search(pattern: str, text: str) -> bool:
    """A regular expression of ruling 24's subset anywhere in a text, by Python's own engine."""
    return re.search(pattern.replace(r"\z", r"\Z"), text, re.ASCII) is not None


def glob(pattern: str, text: str) -> bool:
    """25, 70: a whole path, or at any depth where the glob begins with `**/`."""
    return _segments(pattern.split("/"), text.split("/"))


def _segments(pattern: list[str], text: list[str]) -> bool:
    if not pattern:
        return not text
    if pattern == ["**"]:
        return bool(text) and text != [""]
    if pattern[0] == "**":
        return any(_segments(pattern[1:], text[skip:]) for skip in range(len(text)))
    return bool(text) and _segment(pattern[0], text[0]) and _segments(pattern[1:], text[1:])


def _segment(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(_segment(pattern[1:], text[skip:]) for skip in range(len(text) + 1))
    if not text:
        return False
    if pattern[0] == "[":
        end = pattern.index("]", 2)
        return _in_class(pattern[1:end], text[0]) and _segment(pattern[end + 1 :], text[1:])
    return pattern[0] in ("?", text[0]) and _segment(pattern[1:], text[1:])


def _in_class(members: str, char: str) -> bool:
    if members[0] in "!^":
        return not _in_class(members[1:], char)
    at = 0
    while at < len(members):
        if members[at + 1 : at + 2] == "-" and at + 2 < len(members):
            if members[at] <= char <= members[at + 2]:
                return True
            at += 3
        elif members[at] == char:
            return True
        else:
            at += 1
    return False


# --- goals


@dataclass(frozen=True)
class Outcome:
    """What a part of a goal came to: its word, and the reason where that is unknown."""

    word: str
    reason: str | None = None


TRUE_FALSE = {
    "criteria": ("met", "unmet"),
    "constraints": ("held", "violated"),
    "stops": ("stopped", "held"),
}


def part(reading: Interpreter, condition: Condition, place: str) -> Outcome:
    """One criterion, constraint or stop (13, 58)."""
    if condition.when is not None:
        when = truth(reading.evaluate(condition.when))
        if isinstance(when, Unknown):
            return Outcome("unknown", when.reason)
        if not when:
            return Outcome("waived")
    if condition.given is not None:
        given = truth(reading.evaluate(condition.given))
        if given is not True:
            return Outcome("unknown", given.reason if isinstance(given, Unknown) else "skipped")
    if condition.check is None:
        return Outcome("judged")
    value = truth(reading.evaluate(condition.check))
    if isinstance(value, Unknown):
        return Outcome("unknown", value.reason)
    return Outcome(TRUE_FALSE[place][0 if value else 1])


def done(goal: Goal, reading: Interpreter) -> bool:
    """12: something is met, and nothing vetoes."""
    criteria = [part(reading, c, "criteria").word for c in goal.criteria if c.mode != "advisory"]
    constraints = [
        part(reading, c, "constraints").word for c in goal.constraints if c.mode != "advisory"
    ]
    stops = [part(reading, stop, "stops").word for stop in goal.stops]
    return (
        "met" in criteria
        and not {"unmet", "unknown", "judged"} & set(criteria)
        and not {"violated", "unknown", "judged"} & set(constraints)
        and "stopped" not in stops
    )
