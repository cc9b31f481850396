"""Converters: JSON becomes a value of its declared type, or is refused with the value named.

Nothing is guessed: a percent, a duration, a size or money needs its unit, true is no integer, and
what is outside its type or range is invalid (rulings 17, 18, 25, 66, 68). A type is compiled once:
into a converter of one value, which can say what is wrong, and into a column, which takes many
values in a few passes and knows only whether they are all plainly good.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from functools import partial
from operator import itemgetter, methodcaller
from typing import Any, TypeAlias

from ..compiler.ir.types import (
    MAX_ELEMENTS,
    MAX_STRING,
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
    describe,
)
from ..compiler.kernel import Map, Unknown, half_even
from ..compiler.paths import PathError, all_normal, normal_path
from ..compiler.program import Bounds, FactSpec
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
from .facts import BadNumber, all_of, is_mapping
from .weight import MAX_FACT, weigher


class Invalid(ValueError):
    """A value that a type does not have; the message names both."""


Converter: TypeAlias = Callable[[Any], Any]
# Many values of one type at once; None where a converter has to look at each of them.
Column: TypeAlias = Callable[[Sequence[Any]], Sequence[Any] | None]

_READERS: dict[str, Callable[[str], Any]] = {
    "time": read_time,
    "date": read_date,
    "version": read_version,
}
_TEXT = ScalarType(kind="string")


# --- facts


def fact_converter(fact: FactSpec, root: str | None = None) -> Converter:
    """The converter of a fact: its type, then its range and the cap of 1 MiB."""
    convert = converter(fact.type, root)
    if fact.bounds is not None:
        convert = _in_range(convert, fact.bounds)
    whole = fact.type.of if isinstance(fact.type, OptionalType) else fact.type
    if isinstance(whole, ListType | SetType | MapType | RecordType):
        convert = _under_cap(convert, whole)
    return convert


def _in_range(convert: Converter, bounds: Bounds) -> Converter:
    low, high = bounds.low, bounds.high

    def convert_in_range(value: Any) -> Any:
        result = convert(value)
        if result is None:
            return None
        if (low is not None and result < low) or (high is not None and result > high):
            raise Invalid(f"{shown(value)} is outside the declared range {bounds.text}")
        return result

    return convert_in_range


def _under_cap(convert: Converter, type: Type) -> Converter:
    weigh = weigher(type)

    def convert_under_cap(value: Any) -> Any:
        result = convert(value)
        if result is not None and weigh((result,)) > MAX_FACT:
            raise Invalid("the fact is larger than 1 MiB")
        return result

    return convert_under_cap


# --- one value


def converter(type: Type, root: str | None = None) -> Converter:
    """The function that converts JSON to *type*; it raises Invalid."""
    match type:
        case ScalarType():
            return _scalar(type, root)
        case MoneyType():
            return _money(type)
        case EnumType():
            return _enum(type)
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
            return partial(_bool, type)
        case "int":
            return partial(_whole_number, type)
        case "number":
            return partial(_any_number, type)
        case "string":
            return partial(_string, type, type.max or MAX_STRING)
        case "path":
            return partial(_path, type, root)
        case "percent":
            return _percent(type)
        case "duration" | "size":
            return _quantity(type)
        case kind:
            return _literal(type, _READERS[kind])


def _bool(type: ScalarType, value: Any) -> Any:
    if value.__class__ is not bool:
        raise _wrong(value, type)
    return value


def _whole_number(type: ScalarType, value: Any) -> Any:
    if value.__class__ is not int:
        number = _exact(value)
        if number is None or number != number.to_integral_value():
            raise _wrong(value, type)
        value = int(number)
    if not -MAX_INT <= value <= MAX_INT:
        raise _wrong(value, type, f": whole numbers lie within ±{MAX_INT}")
    return value


def _any_number(type: ScalarType, value: Any) -> Any:
    number = _exact(value)
    if number is None:
        raise _wrong(value, type)
    return number


def _exact(value: Any) -> Any:
    """A JSON number as the language's decimal; None where it is none or out of bounds."""
    kind = value.__class__
    if kind is int:
        number, short = Decimal(value), -MAX_INT <= value <= MAX_INT
    elif kind is float:  # from a Python caller: the shortest text that means it, 17 digits at most
        number, short = Decimal(repr(value)), True
    elif kind is Decimal:
        number, short = value, False
    else:
        return None
    if not number.is_finite():
        return None
    if not number:
        return Decimal(0)
    if (
        short or len(number.as_tuple().digits) <= MAX_DIGITS
    ) and -MAX_EXPONENT <= number.adjusted() <= MAX_EXPONENT:
        return number
    try:
        return checked_decimal(str(number))
    except LiteralError:
        return None


def _string(type: ScalarType, cap: int, value: Any) -> Any:
    if value.__class__ is not str:
        raise _wrong(value, type)
    if len(value) > cap:
        raise Invalid(f"the string has {len(value)} characters, {cap} is the most")
    if not _encodes(value):
        raise Invalid("the string holds a lone surrogate")
    if len(value) > _SHORT and len(value.encode()) > MAX_STRING:
        raise Invalid("the string is larger than 64 KiB")
    return value


# So many characters are never more bytes in UTF-8 than a string may have.
_SHORT = MAX_STRING // 4


def _encodes(text: str) -> bool:
    """Has *text* a form in UTF-8, is no surrogate in it?"""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _path(type: ScalarType, root: str | None, value: Any) -> str:
    text = _string(type, MAX_STRING, value)
    try:
        return normal_path(text, root)
    except PathError as error:
        raise Invalid(error.message) from None


def _percent(type: ScalarType) -> Converter:
    shift = {"ratio": 0, "points": -2}.get(type.unit or "")
    convert_text = _literal(type, partial(_with_unit, "percent"))

    def convert_percent(value: Any) -> Any:
        if value.__class__ is str:
            return convert_text(value)
        number = _exact(value)
        if number is None or shift is None:
            raise _wrong(value, type, "" if number is None else f': write "{value}%"')
        return number.scaleb(shift, DECIMAL) if shift else number

    return convert_percent


def _quantity(type: ScalarType) -> Converter:
    units = DURATION_UNITS if type.kind == "duration" else SIZE_UNITS
    unit = units[type.unit] if type.unit else None
    example = "s" if type.kind == "duration" else "KB"
    convert_text = _literal(type, partial(_with_unit, type.kind))

    def convert_quantity(value: Any) -> Any:
        if value.__class__ is str:
            return convert_text(value)
        if value.__class__ is int and unit is not None and -MAX_INT <= value <= MAX_INT:
            return value * unit  # what comes most, and needs no decimal on its way
        number = _exact(value)
        if number is None or unit is None:
            hint = "" if number is None else f': write its unit, "{value}{example}"'
            raise _wrong(value, type, hint)
        numerator, denominator = number.as_integer_ratio()
        return half_even(numerator * unit, denominator)

    return convert_quantity


def _with_unit(kind: str, text: str) -> Any:
    found, value = read_signed(text)
    if found != kind:
        raise LiteralError(f"`{text}` is no {kind}")
    return value


def _literal(type: Type, read: Callable[[str], Any]) -> Converter:
    def convert_literal(value: Any) -> Any:
        if value.__class__ is not str:
            raise _wrong(value, type)
        try:
            return read(value)
        except LiteralError as error:
            hint = f", {error.hint}" if error.hint else ""
            raise _wrong(value, type, f": {error.message}{hint}") from None

    return convert_literal


def _money(type: MoneyType) -> Converter:
    currency = type.currency
    convert_text = _literal(type, read_money)

    def convert_money(value: Any) -> Any:
        amount, found = convert_text(value)
        if found != currency:
            raise _wrong(value, type)
        return amount

    return convert_money


def _enum(type: EnumType) -> Converter:
    members = frozenset(type.members)

    def convert_enum(value: Any) -> Any:
        if value.__class__ is not str or value not in members:
            raise Invalid(f"{shown(value)} is none of {describe(type)}")
        return value

    return convert_enum


def _sequence(type: ListType | SetType, root: str | None) -> Converter:
    convert = converter(type.of, root)
    convert_all = column(type.of, root)
    cap = type.max or MAX_ELEMENTS
    key = _sort_key(type) if isinstance(type, ListType) and type.by is not None else None
    gather: Callable[[Iterable[Any]], Any] = tuple if isinstance(type, ListType) else frozenset

    def convert_sequence(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise _wrong(value, type)
        if len(value) > cap:
            raise Invalid(f"{len(value)} elements, {cap} is the most")
        elements = None if convert_all is None else convert_all(value)
        if elements is None:
            elements = [convert(item) for item in value]
        return gather(elements if key is None else sorted(elements, key=key))

    return convert_sequence


def _sort_key(type: ListType) -> Callable[[Any], Any]:
    record = type.of
    assert isinstance(record, RecordType)
    place = [field.name for field in record.fields].index(type.by or "")
    kind = record.fields[place].type
    if isinstance(kind, EnumType):
        return lambda element: kind.members.index(element[place])
    return itemgetter(place)


def _map(type: MapType, root: str | None) -> Converter:
    convert = converter(type.of, root)
    convert_all, all_keys = column(type.of, root), _strings(MAX_STRING)
    cap = type.max or MAX_ELEMENTS

    def convert_map(value: Any) -> Map:
        if not is_mapping(value):
            raise _wrong(value, type)
        if len(value) > cap:
            raise Invalid(f"{len(value)} entries, {cap} is the most")
        keys = list(value)
        items = [value[key] for key in keys]
        converted = None if convert_all is None else convert_all(items)
        if converted is not None and all_keys(keys) is not None:
            return Map(zip(keys, converted, strict=True))
        result = Map()
        for key, item in zip(keys, items, strict=True):
            _string(_TEXT, MAX_STRING, key)
            try:
                result[key] = convert(item)
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
        if not is_mapping(value):
            raise _wrong(value, type)
        result: list[Any] = []
        for name, convert, optional in fields:
            if name in value:
                result.append(convert(value[name]))
            elif optional:
                result.append(None)
            else:
                raise Invalid(f"the record lacks the field `{name}`")
        return tuple(result)

    return convert_record


# --- many values


def column(type: Type, root: str | None = None) -> Column | None:
    """The function that converts many values to *type* together; None where a type has none.

    A type that holds a collection has none: elements that are bad would be looked at twice as often
    with each level.
    """
    match type:
        case ScalarType(kind="bool"):
            return lambda values: values if all_of(bool, values) else None
        case ScalarType(kind="int"):
            return _ints
        case ScalarType(kind="string", max=cap):
            return _strings(cap or MAX_STRING)
        case ScalarType(kind="path"):
            strings = _strings(MAX_STRING)
            return lambda values: (
                values if strings(values) is not None and all_normal(values) else None
            )
        case ScalarType(kind="time" | "date" | "version" as kind):
            return partial(_literals, _READERS[kind])
        case EnumType(members=names):
            members = frozenset(names)
            return lambda values: (
                values if all_of(str, values) and members.issuperset(values) else None
            )
        case RecordType():
            return _records(type, root)
        case ListType() | SetType() | MapType():
            return None
        case OptionalType(of=of) if column(of, root) is None:
            return None
        case _:
            return partial(_one_by_one, converter(type, root))


def _one_by_one(convert: Converter, values: Sequence[Any]) -> Sequence[Any] | None:
    try:
        return [convert(value) for value in values]
    except Invalid:
        return None


def _ints(values: Sequence[Any]) -> Sequence[Any] | None:
    if not values or not all_of(int, values):
        return None
    return values if min(values) >= -MAX_INT and max(values) <= MAX_INT else None


def _strings(cap: int) -> Column:
    limit = min(cap, _SHORT)

    def convert_strings(values: Sequence[Any]) -> Sequence[Any] | None:
        if not all_of(str, values):
            return None
        text = "".join(values)
        short = len(text) <= limit or max(map(len, values)) <= limit
        return values if short and _encodes(text) else None

    return convert_strings


def _literals(read: Callable[[str], Any], values: Sequence[Any]) -> Sequence[Any] | None:
    if not all_of(str, values):
        return None
    try:
        return [*map(read, values)]
    except LiteralError:
        return None


def _records(type: RecordType, root: str | None) -> Column | None:
    """Records field by field. An optional field that is absent is null (ruling 66)."""
    fields: list[tuple[Callable[[Any], Any], Column]] = []
    for field in type.fields:
        convert_all = column(field.type, root)
        if convert_all is None:
            return None
        optional = isinstance(field.type, OptionalType)
        get = methodcaller("get", field.name) if optional else itemgetter(field.name)
        fields.append((get, convert_all))

    def convert_records(values: Sequence[Any]) -> Sequence[Any] | None:
        if not all_of(dict, values):
            return None
        columns = []
        for get, convert_all in fields:
            try:
                converted = convert_all([*map(get, values)])
            except KeyError:
                return None
            if converted is None:
                return None
            columns.append(converted)
        return [*zip(*columns, strict=True)]

    return convert_records if fields else None
