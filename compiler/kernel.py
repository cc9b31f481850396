"""What the code of a predicate calls: the values, the straight helpers, the three-valued forms.

A predicate is compiled twice from one IR. The *straight* form is an ordinary Python expression that
short-circuits and raises where something is not known; the *three-valued* form calls the functions
of the second half, which fold unknowns as Kleene's strong logic does and keep the reasons. The
straight form never decides what the three-valued one would leave unknown.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, Final

from ..grammar.literals import DECIMAL, MAX_INT, write_string

DAY: Final = 86_400 * 10**9
ASCII_LOWER: Final = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why a value is not known: *reason* is one of missing, stale, null, skipped, error, invalid or
    empty; *subject* names the fact, *words* are the source's own."""

    reason: str
    subject: str = ""
    words: str = ""

    def __bool__(self) -> bool:
        raise TypeError("an unknown is neither true nor false")


class Undecided(Exception):
    """The straight form cannot decide; the three-valued one can say why."""


# What the straight form may raise where the three-valued one is due: a fact that is not there, a
# null in a comparison, a division by zero.
UNDECIDED: Final = (KeyError, Undecided, TypeError, ArithmeticError)


class Map(dict[str, Any]):
    """A map's value: immutable by convention, hashable by content, entries may be Unknown."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class Facts(dict[str, Any]):
    """What one moment knows: reads by their key; *unknown* says why the others are not known."""

    __slots__ = ("indexes", "tainted", "unknown")

    def __init__(self, known: Any = ()) -> None:
        super().__init__(known)
        self.unknown: dict[str, Any] = {}
        self.tainted = False  # is there a collection with an unknown inside?
        self.indexes: dict[str, Index] = {}


@dataclass(frozen=True, slots=True)
class Index:
    """The elements of a collection by a key, and the first element whose key is not known."""

    elements: dict[Any, Any]
    open: tuple[Any, Unknown] | None


# --- straight helpers: values in, a value out, or Undecided


def present(value: Any) -> Any:
    """A value that may be null and is not."""
    if value is None:
        raise Undecided
    return value


def whole(value: int) -> int:
    """An int of the language, within ±(2^53-1)."""
    if -MAX_INT <= value <= MAX_INT:
        return value
    raise Undecided


def scale(quantity: int, factor: int | Decimal) -> int:
    """A duration or size times a number, exact, then half even to a whole unit."""
    numerator, denominator = factor.as_integer_ratio()
    return half_even(quantity * numerator, denominator)


def unscale(quantity: int, divisor: int | Decimal) -> int:
    """A duration or size by a number, exact, then half even to a whole unit."""
    numerator, denominator = divisor.as_integer_ratio()
    return half_even(quantity * denominator, numerator)


def half_even(numerator: int, denominator: int) -> int:
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    quotient, rest = divmod(numerator, denominator)
    twice = 2 * rest
    if twice > denominator or (twice == denominator and quotient % 2):
        return quotient + 1
    return quotient


def move_date(day: int, duration: int) -> int:
    """A date some whole days later."""
    days, rest = divmod(duration, DAY)
    if rest or not 1 <= day + days <= 3_652_059:  # 9999-12-31
        raise Undecided
    return day + days


def age(now: int, time: int) -> int:
    if time > now:
        raise Undecided
    return now - time


# Every arithmetic of the language is in its own context, whatever the host's is.
add: Final = DECIMAL.add
subtract: Final = DECIMAL.subtract
multiply: Final = DECIMAL.multiply
divide: Final = DECIMAL.divide
minus: Final = DECIMAL.minus
absolute: Final = DECIMAL.abs


def each(truths: Iterable[bool]) -> bool:
    """`all`, but of nothing undecided."""
    empty = True
    for truth in truths:
        if not truth:
            return False
        empty = False
    if empty:
        raise Undecided
    return True


def member(item: Any, collection: Iterable[Any]) -> bool:
    """Membership where elements may be null."""
    if any(element is not None and element == item for element in collection):
        return True
    if any(element is None for element in collection):
        raise Undecided
    return False


# Wide enough for every sum of the language's decimals to be exact.
_EXACT: Final = Context(prec=13_000, Emin=-20_000, Emax=20_000)


def total(values: Iterable[Any]) -> Decimal:
    """The sum, exact and then rounded once: a set has no order that could matter."""
    return DECIMAL.plus(_exact_sum(values))


def _exact_sum(values: Iterable[Any]) -> Decimal:
    result = Decimal(0)
    for value in values:
        result = _EXACT.add(result, value)
    return result


def whole_sum(values: list[int]) -> int:
    return whole(sum(values))


def mean(values: list[Any]) -> Decimal:
    return DECIMAL.divide(_exact_sum(values), len(filled(values)))


def whole_mean(values: list[int]) -> int:
    return half_even(sum(filled(values)), len(values))


def filled(values: list[Any]) -> list[Any]:
    if not values:
        raise Undecided
    return values


def least(values: list[Any]) -> Any:
    return min(filled(values))


def greatest(values: list[Any]) -> Any:
    return max(filled(values))


def nearest_rank(values: list[Any], rank: Decimal) -> Any:
    """The percentile by nearest rank; *rank* lies above 0 and up to 1."""
    place = DECIMAL.multiply(rank, len(filled(values))).to_integral_value(ROUND_CEILING)
    return sorted(values)[int(place) - 1]


def streak(truths: list[bool]) -> int:
    count = 0
    for truth in reversed(truths):
        if not truth:
            break
        count += 1
    return count


def longest(truths: list[bool]) -> int:
    best = count = 0
    for truth in truths:
        count = count + 1 if truth else 0
        best = max(best, count)
    return best


def share(truths: list[bool]) -> Decimal:
    return DECIMAL.divide(sum(truths), len(filled(truths)))


def ranked(function: Callable[..., Any], members: tuple[str, ...]) -> Callable[..., Any]:
    """*function* over the members of an ordered enumeration, by their place in it."""

    def by_place(values: list[str], *rest: Any) -> str:
        place: int = function([members.index(value) for value in values], *rest)
        return members[place]

    return by_place


# --- three-valued forms


@dataclass(frozen=True, slots=True)
class Reason:
    """One leaf that decided: its site in the predicate, what came out, the operands' values, and
    what variables stood for."""

    site: int
    value: Any
    operands: tuple[Any, ...] = ()
    bindings: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Truth:
    """True, False or Unknown, and the leaves that decided it."""

    value: Any
    because: tuple[Reason, ...]


MAX_REASONS: Final = 3  # of a quantifier's elements; the rest is a count
_Value = Any


def read(facts: Facts, key: str) -> _Value:
    if key in facts:
        return facts[key]
    unknown = facts.unknown.get(key)
    return Unknown("missing", key) if unknown is None else unknown


def truth(site: int, value: _Value) -> Truth:
    """A value of type bool as a leaf."""
    if value is None:
        value = Unknown("null")
    return Truth(value, (Reason(site, value),))


def plain(result: Truth) -> _Value:
    return result.value


def leaf(site: int, test: Callable[..., Any], *operands: _Value) -> Truth:
    """A comparison or another test of values: unknown where one of them is, or is null."""
    value = apply(test, *operands)
    return Truth(value, (Reason(site, value, operands),))


def apply(function: Callable[..., Any], *operands: _Value) -> _Value:
    """*function* of the operands; unknown where one is, or is null, or there is no result."""
    for operand in operands:
        if operand.__class__ is Unknown:
            return operand
        if operand is None:
            return Unknown("null")
    try:
        return function(*operands)
    except (Undecided, ArithmeticError):
        if function is divide and not operands[-1]:
            return Unknown("invalid", words="division by zero")
        return Unknown(
            "invalid", words=_TROUBLE.get(function, "no result within the type's bounds")
        )


def applied(value: _Value, steps: Iterable[tuple[Callable[..., Any], _Value]]) -> _Value:
    """*value* after each of the steps, a function and its second operand, as `apply` does them."""
    for function, operand in steps:
        value = apply(function, value, operand)
    return value


def stepped(value: Any, steps: Iterable[tuple[Callable[..., Any], Any]]) -> Any:
    """*value* after each of the steps, a function and its second operand."""
    for function, operand in steps:
        value = function(value, operand)
    return value


_TROUBLE: Final[dict[Callable[..., Any], str]] = {
    age: "the time lies in the future",
    move_date: "a date moves by whole days within the calendar",
    unscale: "division by zero",
}


def tainted(value: Any) -> bool:
    """Does a collection hold an unknown (an ill-typed value of a map)?"""
    if isinstance(value, Map):
        return any(item.__class__ is Unknown or tainted(item) for item in value.values())
    return isinstance(value, tuple | frozenset) and any(map(tainted, value))


def same_content(left: Any, right: Any) -> bool:
    """Equality of collections; one unknown inside leaves open what nothing else decides."""
    same = _same(left, right)
    if same is None:
        raise Undecided
    return same


def other_content(left: Any, right: Any) -> bool:
    return not same_content(left, right)


def _same(left: Any, right: Any) -> bool | None:
    if left.__class__ is Unknown or right.__class__ is Unknown:
        return None
    if isinstance(left, Map):
        if left.keys() != right.keys():
            return False
        parts = [_same(value, right[key]) for key, value in left.items()]
    elif isinstance(left, tuple):
        if len(left) != len(right):
            return False
        parts = [_same(a, b) for a, b in zip(left, right, strict=True)]
    else:
        return None if left != right and (tainted(left) or tainted(right)) else bool(left == right)
    return False if False in parts else None if None in parts else True


def gather(*items: Any) -> tuple[Any, ...]:
    return items


def is_null(site: int, value: _Value, negated: bool) -> Truth:
    outcome = value if value.__class__ is Unknown else (value is None) is not negated
    return Truth(outcome, (Reason(site, outcome, (value,)),))


def contains_element(item: _Value, collection: _Value) -> _Value:
    if collection == () or collection == frozenset() or collection == {}:
        return False  # whatever is looked for: the fold of nothing
    for operand in (item, collection):
        if operand.__class__ is Unknown:
            return operand
        if operand is None:
            return Unknown("null")
    open_: Unknown | None = None
    for element in collection:
        if element is None:
            open_ = Unknown("null", words="an element is null")
        elif element.__class__ is Unknown:
            open_ = element
        else:
            same = _same(element, item)
            if same:
                return True
            if same is None:
                open_ = Unknown("invalid", words="an element holds a value of a wrong type")
    return False if open_ is None else open_


def element_leaf(site: int, item: _Value, collection: _Value) -> Truth:
    value = contains_element(item, collection)
    return Truth(value, (Reason(site, value, (item, collection)),))


def value_at(mapping: _Value, key: _Value) -> _Value:
    for operand in (mapping, key):
        if operand.__class__ is Unknown:
            return operand
        if operand is None:
            return Unknown("null")
    if key not in mapping:
        return Unknown("missing", words=f"the map has no key {write_string(key)}")
    return mapping[key]


def field(record: _Value, place: int) -> _Value:
    if record.__class__ is Unknown:
        return record
    return Unknown("null") if record is None else record[place]


def first_known(of: _Value, fallback: Callable[[], _Value]) -> _Value:
    return fallback() if of is None or of.__class__ is Unknown else of


def first_known_truth(of: Truth, fallback: Callable[[], Truth]) -> Truth:
    return fallback() if of.value.__class__ is Unknown else of


def conjunction(*parts: Truth) -> Truth:
    return _fold(False, parts)


def disjunction(*parts: Truth) -> Truth:
    return _fold(True, parts)


def _fold(deciding: bool, parts: tuple[Truth, ...]) -> Truth:
    """`or` where True decides, `and` where False does."""
    decided = [part for part in parts if part.value is deciding]
    if decided:  # one witness is enough for `or`; every failed part of an `and` is worth saying
        return Truth(deciding, _reasons(decided[:1] if deciding else decided))
    open_ = [part for part in parts if part.value.__class__ is Unknown]
    if open_:
        return Truth(open_[0].value, _reasons(open_))
    return Truth(not deciding, _reasons(parts))


def _reasons(parts: Iterable[Truth]) -> tuple[Reason, ...]:
    return tuple(reason for part in parts for reason in part.because)


def negation(of: Truth) -> Truth:
    value = of.value if of.value.__class__ is Unknown else not of.value
    return Truth(value, of.because)


def named(site: int, of: Truth) -> Truth:
    """What a `let` named: the explanation says the name, then what decided."""
    return Truth(of.value, (Reason(site, of.value), *of.because))


_Body = Callable[[Any], Truth]


def quickly(facts: Facts, straight: Callable[[], Any], folded: Callable[[], Any]) -> Any:
    """A value by its straight form; by the three-valued one where that cannot decide."""
    if facts.tainted:
        return folded()
    try:
        return straight()
    except UNDECIDED:
        return folded()


def _passes_by(quick: Callable[[Any], bool] | None, element: Any, deciding: bool) -> bool:
    """Does the straight form show that *element* decides nothing? Then it needs no reasons."""
    if quick is None:
        return False
    try:
        return bool(quick(element)) is not deciding
    except UNDECIDED:
        return False


def quantifier(
    site: int, op: str, var: str, domain: _Value, where: _Body | None, body: _Body,
    quick: Callable[[Any], bool] | None = None,
) -> Truth:  # fmt: skip
    """`any`, `all`, `none` and `each`: the fold of the body over the elements that pass `where`.
    *quick* is the body's straight form, where there is no `where`."""
    if domain is None:
        domain = Unknown("null")
    if domain.__class__ is Unknown:
        return Truth(domain, (Reason(site, domain, (domain,)),))
    deciding = op in ("any", "none")  # the body's value that ends the search
    found: list[Reason] = []
    open_: list[Reason] = []
    unknown: Unknown | None = None
    count = passed = hits = 0
    for element in ordered(domain):
        if _passes_by(quick, element, deciding):
            count += 1
            passed += 1
            continue
        admitted = Truth(True, ()) if where is None else where(element)
        if admitted.value is False:
            continue
        count += 1
        passed += admitted.value is True
        result = body(element)
        if result.value is not deciding and result.value.__class__ is not Unknown:
            continue
        if admitted.value is True and result.value is deciding:
            hits += 1
            if hits <= MAX_REASONS:
                found += _bound(result.because, var, element)
            continue
        pending = result if result.value.__class__ is Unknown else admitted
        if unknown is None:
            unknown = pending.value
        if len(open_) < MAX_REASONS:
            open_ += _bound(pending.because, var, element)
    if hits:
        summary = Reason(site, deciding, (domain, count, hits))
        return Truth((op == "any"), (summary, *found))
    if op == "each" and not passed:
        nothing = unknown if unknown is not None else Unknown("empty", words="there is nothing")
        return Truth(nothing, (Reason(site, nothing, (domain, count, 0)), *open_))
    if unknown is not None:
        return Truth(unknown, (Reason(site, unknown, (domain, count, 0)), *open_))
    value = op != "any"
    return Truth(value, (Reason(site, value, (domain, count, 0)),))


def ordered(domain: Iterable[Any]) -> Iterable[Any]:
    """A set's elements in one order, so that an explanation names the same witnesses each time."""
    return sorted(domain, key=_rank) if isinstance(domain, frozenset) else domain


def _rank(value: Any) -> tuple[Any, ...]:
    """A place for each value of one type: null first, then as the values themselves order, texts by
    code points and collections by their elements; what is unknown comes last."""
    if value is None:
        return (0,)
    if value.__class__ is Unknown:
        return (2, value.reason, value.subject, value.words)
    if isinstance(value, Map):
        return (1, tuple((key, _rank(value[key])) for key in sorted(value)))
    if isinstance(value, frozenset):
        return (1, tuple(map(_rank, ordered(value))))
    return (1, tuple(map(_rank, value)) if isinstance(value, tuple) else value)


def _bound(reasons: tuple[Reason, ...], var: str, element: Any) -> Iterator[Reason]:
    for reason in reasons:
        yield Reason(reason.site, reason.value, reason.operands, (*reason.bindings, (var, element)))


def index(facts: Facts, name: str, domain: Iterable[Any], key: Callable[[Any], Any]) -> Index:
    """The index *name* of a moment's facts, built at the first look-up."""
    found = facts.indexes.get(name)
    if found is None:
        elements: dict[Any, Any] = {}
        open_: tuple[Any, Unknown] | None = None
        for element in ordered(domain):
            value = key(element)
            unknown = Unknown("null") if value is None else value
            if unknown.__class__ is Unknown:
                open_ = (element, unknown) if open_ is None else open_
            else:
                elements.setdefault(value, element)
        found = facts.indexes[name] = Index(elements, open_)
    return found


def looked_up(
    facts: Facts, name: str, domain: Iterable[Any], key: Callable[[Any], Any], value: Any
) -> bool:
    """The straight form of a join: is there an element with this key?"""
    found = index(facts, name, domain, key)
    if value in found.elements:
        return True
    if found.open is not None:
        raise Undecided
    return False


def join(
    facts: Facts, name: str, site: int, op: str, var: str, domain: _Value,
    key: Callable[[Any], Any], value: _Value,
) -> Truth:  # fmt: skip
    """`any b in ys: b.k == v` and its `none`, over an index."""
    domain = Unknown("null") if domain is None else domain
    if domain.__class__ is Unknown:
        return Truth(domain, (Reason(site, domain, (domain,)),))
    count = len(domain)
    value = Unknown("null") if value is None else value
    if count and value.__class__ is Unknown:
        return Truth(value, (Reason(site, value, (domain, count, 0)),))
    if tainted(domain) or tainted(value):  # ill-typed values inside are not looked up

        def body(element: Any) -> Truth:
            return Truth(apply(same_content, key(element), value), ())

        return quantifier(site, op, var, domain, None, body)
    found = index(facts, name, domain, key)
    if value in found.elements:
        reason = Reason(site, True, (domain, count, 1), ((var, found.elements[value]),))
        return Truth(op == "any", (reason,))
    if found.open is not None:
        element, unknown = found.open
        return Truth(unknown, (Reason(site, unknown, (domain, count, 0), ((var, element),)),))
    outcome = op != "any"
    return Truth(outcome, (Reason(site, outcome, (domain, count, 0)),))


def aggregate(
    finish: Callable[..., Any],
    domain: _Value,
    where: Callable[[Any], Any] | None,
    value: Callable[[Any], Any] | None,
    *rest: Any,
) -> _Value:
    """*finish* of the values; one unknown or null value or condition makes it unknown."""
    if domain.__class__ is Unknown:
        return domain
    if domain is None:
        return Unknown("null")
    unknown: Unknown | None = None
    values: list[Any] = []
    counts = finish is len or finish is frozenset  # these two ask of values only what they are
    for element in domain:
        admitted = True if where is None else where(element)
        if admitted is None:
            admitted = Unknown("null")
        if admitted.__class__ is Unknown:
            unknown = admitted if unknown is None else unknown
            continue
        if not admitted:
            continue
        result = element if value is None else value(element)
        if result is None and not counts:
            result = Unknown("null")
        if finish is frozenset and tainted(result):
            result = Unknown("invalid", words="an element holds a value of a wrong type")
        if result.__class__ is Unknown:
            unknown = result if unknown is None else unknown
        values.append(result)
    if unknown is not None:
        return unknown
    try:
        return finish(values, *rest)
    except Undecided:
        if not values:
            return Unknown("empty", words="there is nothing")
        return Unknown("invalid", words="no result within the type's bounds")
    except ArithmeticError:
        return Unknown("invalid", words="no result within the type's bounds")


COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
