"""The border where facts enter: JSON becomes the values of the declared types, once, or is refused.

Nothing is guessed: a percent, a duration, a size or money needs its unit, true is no integer, and
what is outside its type or range is invalid, with the value named (rulings 17, 18, 25, 66, 68).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from ..compiler.codegen import literal_value
from ..compiler.ir.document import Fact, Range
from ..compiler.ir.types import (
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
from ..compiler.kernel import Map, Unknown, half_even
from ..compiler.paths import PathError, normal_path
from ..compiler.typing import MAX_ELEMENTS, MAX_STRING, describe
from ..grammar.literals import (
    DECIMAL,
    DURATION_UNITS,
    MAX_DIGITS,
    MAX_EXPONENT,
    MAX_INT,
    SIZE_UNITS,
    LiteralError,
    checked_decimal,
    read_date,
    read_money,
    read_signed,
    read_time,
    read_version,
)
from .weight import MAX_FACT, surely_fit, weight

UNKNOWN_KEY = "$unknown"
REASONS = ("missing", "stale", "null", "skipped", "error", "invalid")


class Invalid(ValueError):
    """A value that a type does not have; the message names both."""


class BadFacts(ValueError):
    """Facts that are not JSON, or say one fact twice."""


@dataclass(frozen=True, slots=True)
class BadNumber:
    """A JSON number beyond the language's bounds, or NaN; invalid wherever it enters."""

    text: str


Converter = Callable[[Any], Any]


# --- JSON


def parse_json(text: str) -> Any:
    """JSON with exact numbers. Raises BadFacts with the place, also for a doubled key."""
    try:
        return json.loads(
            text,
            parse_float=_decimal,
            parse_int=_integer,
            parse_constant=BadNumber,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise BadFacts(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None
    except RecursionError:
        raise BadFacts("not JSON that facts can be: it nests too deep") from None


def _decimal(text: str) -> Decimal | BadNumber:
    try:
        return Decimal(text)
    except InvalidOperation:
        return BadNumber(text[:40])


def _integer(text: str) -> int | BadNumber:
    return int(text) if len(text) <= MAX_EXPONENT else BadNumber(text[:40] + "…")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise BadFacts(f"the key {json.dumps(twice)} is there twice")
    return result


def flatten(
    facts: Mapping[str, Any], declared: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The raw value of each declared fact, from nested or dotted keys, and the undeclared keys.

    Raises BadFacts where a fact is there twice, dotted and nested.
    """
    if not isinstance(facts, Mapping):
        raise BadFacts("the facts are a mapping of names to values")
    found: dict[str, Any] = {}
    undeclared: list[str] = []
    prefixes = _prefixes(frozenset(declared))
    stack: list[tuple[str, Mapping[str, Any]]] = [("", facts)]
    while stack:
        prefix, values = stack.pop()
        for key, value in values.items():
            if not isinstance(key, str):
                raise BadFacts(f"the key {key!r} is no string")
            name = prefix + key
            if name in declared:
                if name in found:
                    raise BadFacts(f"the fact {name} is there twice, dotted and nested")
                found[name] = value
            elif name in prefixes and isinstance(value, Mapping) and UNKNOWN_KEY not in value:
                stack.append((name + ".", value))
            else:
                undeclared.append(name)
    return found, undeclared


@lru_cache(maxsize=256)
def _prefixes(names: frozenset[str]) -> frozenset[str]:
    return frozenset(
        name[:place] for name in names for place in range(len(name)) if name[place] == "."
    )


def explicit_unknown(value: Any) -> Unknown | None:
    """The unknown that `{"$unknown": "error", "because": "…"}` says."""
    if not isinstance(value, Mapping) or UNKNOWN_KEY not in value:
        return None
    reason, words = value[UNKNOWN_KEY], value.get("because", "")
    if reason not in REASONS or not isinstance(words, str) or set(value) - {UNKNOWN_KEY, "because"}:
        return Unknown("invalid", words=f"{UNKNOWN_KEY} takes one of {', '.join(REASONS)}")
    return Unknown(reason, words=words)


def undeclared_fields(type: Type, value: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The keys inside *value* that its records do not have, each with the fields there are."""
    match type:
        case OptionalType(of=of):
            yield from undeclared_fields(of, value)
        case ListType(of=of) | SetType(of=of) if isinstance(value, list | tuple):
            flat = _flat_record(of)
            for item in value:
                if flat is None or item.__class__ is not dict or not flat.issuperset(item):
                    yield from undeclared_fields(of, item)
        case MapType(of=of) if isinstance(value, Mapping):
            for item in value.values():
                yield from undeclared_fields(of, item)
        case RecordType(fields=fields) if isinstance(value, Mapping):
            known = {field.name: field.type for field in fields}
            yield from ((str(key), tuple(known)) for key in value if key not in known)
            for name, kind in known.items():
                if name in value:
                    yield from undeclared_fields(kind, value[name])


def _flat_record(type: Type) -> frozenset[str] | None:
    """The fields of a record that has no other record inside."""
    if not isinstance(type, RecordType) or any(holds(f.type, RecordType) for f in type.fields):
        return None
    return frozenset(field.name for field in type.fields)


def holds(whole: Type, part: type[Any]) -> bool:
    """Is *whole* a type of the form *part*, or has it one inside?"""
    if isinstance(whole, part):
        return True
    match whole:
        case OptionalType(of=of) | ListType(of=of) | SetType(of=of) | MapType(of=of):
            return holds(of, part)
        case RecordType(fields=fields):
            return any(holds(field.type, part) for field in fields)
    return False


# --- converters


def fact_converter(fact: Fact, root: str | None = None) -> Converter:
    """The converter of a fact: its type, then its range and the cap of 1 MiB."""
    convert_type = converter(fact.type, root)
    whole = fact.type.of if isinstance(fact.type, OptionalType) else fact.type
    heavy = isinstance(whole, ListType | SetType | MapType | RecordType)
    if fact.range is None and not heavy:
        return convert_type
    low, high = _bounds(fact.range)
    text = _range_text(fact.range)
    fitting = surely_fit(whole)

    def convert(value: Any) -> Any:
        result = convert_type(value)
        if result is None:
            return None
        if (low is not None and result < low) or (high is not None and result > high):
            raise Invalid(f"{shown(value)} is outside the declared range {text}")
        if heavy and len(result) > fitting and weight(result) > MAX_FACT:
            raise Invalid("the fact is larger than 1 MiB")
        return result

    return convert


def _bounds(range_: Range | None) -> tuple[Any, Any]:
    if range_ is None:
        return None, None
    ends = (range_.low, range_.high)
    low, high = (literal_value(end) if end is not None else None for end in ends)
    return low, high


def _range_text(range_: Range | None) -> str:
    if range_ is None:
        return ""
    return f"{range_.low.value if range_.low else ''}..{range_.high.value if range_.high else ''}"


def convert(type: Type, value: Any) -> Any:
    """The value of *type* that the JSON *value* is. Raises Invalid."""
    return converter(type)(value)


def converter(type: Type, root: str | None = None) -> Converter:
    """The function that converts JSON to *type*; it raises Invalid."""
    match type:
        case ScalarType():
            return _scalar(type, root)
        case MoneyType(currency=currency):
            return _money(currency)
        case EnumType(members=members):
            return _enum(type, frozenset(members))
        case ListType() | SetType():
            return _sequence(type, root)
        case MapType():
            return _map(type, root)
        case RecordType():
            return _record(type, root)
        case OptionalType(of=of):
            inner = converter(of, root)
            return lambda value: None if value is None else inner(value)


def _wrong(value: Any, type: Type, hint: str = "") -> Invalid:
    return Invalid(f"{shown(value)} is no {describe(type)}{hint}")


def shown(value: Any) -> str:
    """A JSON value in a message, cut to one short line."""
    if isinstance(value, BadNumber):
        return value.text
    try:
        text = json.dumps(value, ensure_ascii=True, default=_number_text)
    except (ValueError, RecursionError):
        text = "the value"
    if isinstance(value, Decimal):
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _number_text(value: Any) -> str:
    return value.text if isinstance(value, BadNumber) else str(value)


def _scalar(type: ScalarType, root: str | None) -> Converter:
    match type.kind:
        case "bool":
            return lambda value: value if value.__class__ is bool else _raise(_wrong(value, type))
        case "int":
            return lambda value: (
                value
                if value.__class__ is int and -MAX_INT <= value <= MAX_INT
                else _int(value, type)
            )
        case "number":
            return lambda value: _number(value, type)
        case "string":
            cap = type.max or MAX_STRING
            return lambda value: _string(value, type, cap)
        case "path":
            return lambda value: _path(value, type, root)
        case "percent":
            factor = {"ratio": 0, "points": -2}.get(type.unit or "")
            return lambda value: _percent(value, type, factor)
        case "duration" | "size":
            units = DURATION_UNITS if type.kind == "duration" else SIZE_UNITS
            unit = units[type.unit] if type.unit else None
            return lambda value: _quantity(value, type, unit)
        case kind:
            reader: Converter = {"time": read_time, "date": read_date, "version": read_version}[
                kind
            ]
            return lambda value: _literal(value, type, reader)


def _raise(error: Invalid) -> Any:
    raise error


def _int(value: Any, type: Type) -> Any:
    if value.__class__ is not int:
        number = _exact(value)
        if number is None or number != number.to_integral_value():
            raise _wrong(value, type)
        value = int(number)
    if not -MAX_INT <= value <= MAX_INT:
        raise _wrong(value, type, f": whole numbers lie within ±{MAX_INT}")
    return value


def _number(value: Any, type: Type) -> Any:
    number = _exact(value)
    if number is None:
        raise _wrong(value, type)
    return number


def _exact(value: Any) -> Any:
    """A JSON number as the language's decimal; None where it is none or out of bounds."""
    if value.__class__ is int:
        value = Decimal(value)
    elif value.__class__ is float:  # from a Python caller: the shortest text that means it
        value = Decimal(repr(value))
    elif value.__class__ is not Decimal:
        return None
    if not value.is_finite():
        return None
    if not value:
        return Decimal(0)
    if (
        len(value.as_tuple().digits) <= MAX_DIGITS
        and -MAX_EXPONENT <= value.adjusted() <= MAX_EXPONENT
    ):
        return value
    try:
        return checked_decimal(str(value))
    except LiteralError:
        return None


def _string(value: Any, type: Type, cap: int) -> str:
    if value.__class__ is not str:
        raise _wrong(value, type)
    if len(value) > cap:
        raise Invalid(f"the string has {len(value)} characters, {cap} is the most")
    if _bytes(value) > MAX_STRING:
        raise Invalid("the string is larger than 64 KiB")
    return str(value)


def _bytes(value: str) -> int:
    """The string's size in UTF-8."""
    if value.isascii():
        return len(value)
    try:
        return len(value.encode())
    except UnicodeEncodeError:
        raise Invalid("the string holds a lone surrogate") from None


def _path(value: Any, type: Type, root: str | None) -> str:
    text = _string(value, type, MAX_STRING)
    try:
        return normal_path(text, root)
    except PathError as error:
        raise Invalid(error.message) from None


def _percent(value: Any, type: ScalarType, shift: int | None) -> Any:
    if value.__class__ is str:
        return _literal(value, type, lambda text: _unit(text, "percent"))
    number = _exact(value) if shift is not None else None
    if number is None:
        hint = f': write "{value}%"' if _exact(value) is not None else ""
        raise _wrong(value, type, hint)
    return number.scaleb(shift or 0, DECIMAL)


def _quantity(value: Any, type: ScalarType, unit: int | None) -> Any:
    if value.__class__ is str:
        return _literal(value, type, lambda text: _unit(text, type.kind))
    number = _exact(value) if unit is not None else None
    if number is None or unit is None:
        example = "s" if type.kind == "duration" else "KB"
        hint = f': write its unit, "{value}{example}"' if _exact(value) is not None else ""
        raise _wrong(value, type, hint)
    numerator, denominator = number.as_integer_ratio()
    return half_even(numerator * unit, denominator)


def _unit(text: str, kind: str) -> Any:
    found, value = read_signed(text)
    if found != kind:
        raise LiteralError(f"`{text}` is no {kind}")
    return value


def _literal(value: Any, type: Type, reader: Callable[[str], Any]) -> Any:
    if value.__class__ is not str:
        raise _wrong(value, type)
    try:
        return reader(value)
    except LiteralError as error:
        hint = f", {error.hint}" if error.hint else ""
        raise _wrong(value, type, f": {error.message}{hint}") from None


def _money(currency: str) -> Converter:
    type = MoneyType(currency=currency)

    def convert_money(value: Any) -> Any:
        amount, found = _literal(value, type, read_money)
        if found != currency:
            raise _wrong(value, type)
        return amount

    return convert_money


def _enum(type: EnumType, members: frozenset[str]) -> Converter:
    def convert_enum(value: Any) -> str:
        if value.__class__ is not str or value not in members:
            raise Invalid(f"{shown(value)} is none of {describe(type)}")
        return str(value)

    return convert_enum


def _sequence(type: ListType | SetType, root: str | None) -> Converter:
    element = converter(type.of, root)
    cap = type.max or MAX_ELEMENTS
    key = _sort_key(type) if isinstance(type, ListType) and type.by is not None else None
    gather: Callable[[Iterable[Any]], Any] = tuple if isinstance(type, ListType) else frozenset
    as_they_are = _as_they_are(type.of)

    def convert_sequence(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise _wrong(value, type)
        if len(value) > cap:
            raise Invalid(f"{len(value)} elements, {cap} is the most")
        if as_they_are(value):
            return gather(value)
        elements = [element(item) for item in value]
        if key is not None:
            elements.sort(key=key)
        return gather(elements)

    return convert_sequence


def _as_they_are(type: Type) -> Callable[[Sequence[Any]], bool]:
    """Says of many elements at once that each is its own value; where it does not, each has to be
    converted. It is there for speed, with the texts of which facts have hundreds."""
    match type:
        case ScalarType(kind="string", max=cap):
            return lambda values: _are_short_texts(values, cap or MAX_STRING)
        case ScalarType(kind="path"):
            return lambda values: _are_short_texts(values, MAX_STRING) and _are_normal(values)
    return lambda values: False


def _are_short_texts(values: Sequence[Any], cap: int) -> bool:
    """Is each a string below *cap*, and surely below 64 KiB in UTF-8?"""
    return (
        set(map(type, values)) == {str}
        and max(map(len, values)) <= min(cap, MAX_STRING // 4)
        and _is_unicode("".join(values))
    )


def _is_unicode(text: str) -> bool:
    """Has *text* no lone surrogate?"""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _are_normal(paths: Sequence[str]) -> bool:
    """Is each path in the form that `normal_path` gives it?"""
    text = "/" + "/\0/".join(paths) + "/"
    return (
        text.count("\0") == len(paths) - 1
        and "//" not in text  # nor absolute, nor empty
        and "/./" not in text
        and "/../" not in text
    )


def _sort_key(type: ListType) -> Callable[[Any], Any]:
    record = type.of
    assert isinstance(record, RecordType)
    place = [field.name for field in record.fields].index(type.by or "")
    kind = record.fields[place].type
    if isinstance(kind, EnumType):
        return lambda element: kind.members.index(element[place])
    return lambda element: element[place]


def _map(type: MapType, root: str | None) -> Converter:
    element = converter(type.of, root)
    cap = type.max or MAX_ELEMENTS

    def convert_map(value: Any) -> Map:
        if not isinstance(value, Mapping):
            raise _wrong(value, type)
        if len(value) > cap:
            raise Invalid(f"{len(value)} entries, {cap} is the most")
        result = Map()
        for key, item in value.items():
            _string(key, ScalarType(kind="string"), MAX_STRING)
            try:
                result[key] = element(item)
            except Invalid as invalid:
                result[key] = Unknown("invalid", words=str(invalid))
        return result

    return convert_map


def _record(type: RecordType, root: str | None) -> Converter:
    fields = [
        (field.name, converter(field.type, root), isinstance(field.type, OptionalType))
        for field in type.fields
    ]

    def convert_record(value: Any) -> tuple[Any, ...]:
        if value.__class__ is not dict and not isinstance(value, Mapping):
            raise _wrong(value, type)
        result: list[Any] = []
        for name, convert_field, optional in fields:
            if name in value:
                result.append(convert_field(value[name]))
            elif optional:
                result.append(None)
            else:
                raise Invalid(f"the record lacks the field `{name}`")
        return tuple(result)

    return convert_record
