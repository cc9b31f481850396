"""What a predicate's straight form calls: the values, and functions of them.

A predicate is compiled twice from one IR. The *straight* form is an ordinary Python expression that
short-circuits and raises where something is not known; the *three-valued* form (`folding`) folds
unknowns and keeps the reasons. The straight form never decides what the three-valued one would
leave unknown.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, Final

from ..grammar.literals import DECIMAL, MAX_INT

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


# --- collections


def tainted(value: Any) -> bool:
    """Does a collection hold an unknown (an ill-typed value of a map)?"""
    if isinstance(value, Map):
        return any(item.__class__ is Unknown or tainted(item) for item in value.values())
    return isinstance(value, tuple | frozenset) and any(map(tainted, value))


def same_content(left: Any, right: Any) -> bool:
    """Equality of collections; one unknown inside leaves open what nothing else decides."""
    same = same_or_open(left, right)
    if same is None:
        raise Undecided
    return same


def other_content(left: Any, right: Any) -> bool:
    return not same_content(left, right)


def same_or_open(left: Any, right: Any) -> bool | None:
    if left.__class__ is Unknown or right.__class__ is Unknown:
        return None
    if isinstance(left, Map):
        if left.keys() != right.keys():
            return False
        parts = [same_or_open(value, right[key]) for key, value in left.items()]
    elif isinstance(left, tuple):
        if len(left) != len(right):
            return False
        parts = [same_or_open(a, b) for a, b in zip(left, right, strict=True)]
    else:
        return None if left != right and (tainted(left) or tainted(right)) else bool(left == right)
    return False if False in parts else None if None in parts else True


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


def stepped(value: Any, steps: Iterable[tuple[Callable[..., Any], Any]]) -> Any:
    """*value* after each of the steps, a function and its second operand."""
    for function, operand in steps:
        value = function(value, operand)
    return value


COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
