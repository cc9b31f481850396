"""What a predicate's three-valued form calls: folds of unknowns, with the reasons.

Each function takes values, or Unknown, and folds them as Kleene's strong logic does. What decides a
truth is kept as its reasons: the sites of the leaves, with their operands and what variables stood
for, from which an explanation is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from ..grammar.literals import write_string
from .kernel import (
    UNDECIDED,
    Facts,
    Undecided,
    Unknown,
    age,
    divide,
    index,
    move_date,
    ordered,
    same_content,
    same_or_open,
    tainted,
    unscale,
)


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


_TROUBLE: Final[dict[Callable[..., Any], str]] = {
    age: "the time lies in the future",
    move_date: "a date moves by whole days within the calendar",
    unscale: "division by zero",
}


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
    for element in ordered(collection):  # of several unknowns the last is told
        if element is None:
            open_ = Unknown("null", words="an element is null")
        elif element.__class__ is Unknown:
            open_ = element
        else:
            same = same_or_open(element, item)
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


def field_of(record: _Value, place: int) -> _Value:
    if record.__class__ is Unknown:
        return record
    return Unknown("null") if record is None else record[place]


def first_known(of: _Value, fallback: Callable[[], _Value]) -> _Value:
    return fallback() if of is None or of.__class__ is Unknown else of


def first_known_truth(of: Truth, fallback: Callable[[], Truth]) -> Truth:
    return fallback() if of.value.__class__ is Unknown else of


def conjunction(*parts: Truth) -> Truth:
    return _folded(False, parts)


def disjunction(*parts: Truth) -> Truth:
    return _folded(True, parts)


def _folded(deciding: bool, parts: tuple[Truth, ...]) -> Truth:
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
    """Does the straight form show that *element* decides nothing? Then it needs no reasons. Of an
    element that is unknown or null, as one of a list that is written out may be whatever the list's
    type says, it can show nothing."""
    if quick is None or element is None or element.__class__ is Unknown:
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


def _bound(reasons: tuple[Reason, ...], var: str, element: Any) -> Iterator[Reason]:
    for reason in reasons:
        yield Reason(reason.site, reason.value, reason.operands, (*reason.bindings, (var, element)))


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
    for element in ordered(domain):  # of several unknowns the first is told
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
