"""How JSON becomes a value of a type, as rulings 11, 17, 18, 25, 64 to 66 and 68 word it.

The oracle's own border: one branch a type, nothing shared with the runtime but the readers of
literals. What does not fit raises InvalidError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from goalspec.compiler.ir.document import Fact
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

Value: TypeAlias = Any  # of the type of its fact or expression, or Unknown
Json: TypeAlias = Any

MAX_INT = 2**53 - 1
MAX_ELEMENTS = 3000
MAX_STRING = 64 * 1024


class InvalidError(ValueError):
    """A JSON value that is not one of its fact's type."""


class Unknown:
    """No value, and why."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown) and other.reason == self.reason

    def __hash__(self) -> int:
        return hash(self.reason)

    def __repr__(self) -> str:
        return f"Unknown({self.reason})"


class Map(dict[str, Value]):
    """A map that can be an element of a set."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self))


def enter_facts(facts: Iterable[Fact], json: Mapping[str, Json]) -> dict[str, Value]:
    """The facts that an observation's JSON supplies, by dotted or nested keys."""
    declared = {fact.name: fact for fact in facts}
    found = {}
    waiting = list(json.items())
    while waiting:
        key, value = waiting.pop()
        if key in declared:
            found[key] = enter_fact(declared[key], value)
        elif isinstance(value, Mapping):
            waiting += [(f"{key}.{name}", inner) for name, inner in value.items()]
    return found


def enter_fact(fact: Fact, json: Json) -> Value:
    """The value that *json* gives a fact: unknown where it is withdrawn or does not fit."""
    if isinstance(json, Mapping) and set(json) == {"$unknown"}:
        return Unknown(str(json["$unknown"]))
    try:
        value = enter(fact.type, json)
    except ValueError:
        return Unknown("invalid")
    if fact.range is not None and value is not None:
        kind = fact.type.of.kind if isinstance(fact.type, OptionalType) else fact.type.kind
        low, high = fact.range.low, fact.range.high
        if low is not None and value < literal(kind, low.value):
            return Unknown("invalid")
        if high is not None and value > literal(kind, high.value):
            return Unknown("invalid")
    return value


def literal(kind: str, text: bool | int | str | None) -> Value:
    """The value of a literal of the IR."""
    if not isinstance(text, str):
        return text
    match kind:
        case "number":
            return Decimal(text)
        case "int" | "percent" | "duration" | "size":
            return literals.read_signed(text)[1]
        case "money":
            return literals.read_money(text)[0]
        case "time":
            return literals.read_time(text)
        case "date":
            return literals.read_date(text)
        case "version":
            return literals.read_version(text)
        case _:
            return text


def enter(type: Type, json: Json) -> Value:
    """The value of *type* that *json* is. Raises InvalidError (or another ValueError)."""
    match type:
        case OptionalType(of=of):
            return None if json is None else enter(of, json)
        case ScalarType():
            return _scalar(type, json)
        case MoneyType(currency=currency):
            amount, unit = literals.read_money(_text(json))
            if unit != currency:
                raise InvalidError(f"{unit} is not {currency}")
            return amount
        case EnumType(members=members):
            if _text(json) not in members:
                raise InvalidError(f"{json!r} is no member")
            return json
        case ListType(of=of, by=by):
            items = [enter(of, item) for item in _elements(type, json)]
            if by is not None:
                assert isinstance(of, RecordType)
                place = [field.name for field in of.fields].index(by)
                items.sort(key=lambda record: record[place])
            return tuple(items)
        case SetType(of=of):
            return frozenset(enter(of, item) for item in _elements(type, json))
        case MapType(of=of):
            if not isinstance(json, Mapping) or len(json) > (type.max or MAX_ELEMENTS):
                raise InvalidError("not a map, or too large")
            return Map({_string(key): _under_key(of, item) for key, item in json.items()})
        case RecordType(fields=fields):
            if not isinstance(json, Mapping):
                raise InvalidError("not a record")
            values = []
            for field in fields:
                if field.name in json:
                    values.append(enter(field.type, json[field.name]))
                elif isinstance(field.type, OptionalType):
                    values.append(None)
                else:
                    raise InvalidError(f"{field.name} is missing")
            return tuple(values)


def _under_key(type: Type, json: Json) -> Value:
    try:
        return enter(type, json)
    except ValueError:
        return Unknown("invalid")


def _elements(type: ListType | SetType, json: Json) -> list[Json]:
    if not isinstance(json, list) or len(json) > (type.max or MAX_ELEMENTS):
        raise InvalidError("not a list, or too long")
    return json


def _scalar(type: ScalarType, json: Json) -> Value:
    match type.kind:
        case "bool":
            if not isinstance(json, bool):
                raise InvalidError("not a bool")
            return json
        case "int":
            number = _number(json)
            if number != number.to_integral_value() or abs(number) > MAX_INT:
                raise InvalidError("not a whole number within the bounds")
            return int(number)
        case "number":
            return _number(json)
        case "percent" | "duration" | "size":
            return _measure(type, json)
        case "time":
            return literals.read_time(_text(json))
        case "date":
            return literals.read_date(_text(json))
        case "version":
            return literals.read_version(_text(json))
        case "path":
            return path(_text(json))
        case "string":
            text = _string(json)
            if type.max is not None and len(text) > type.max:
                raise InvalidError("too long")
            return text


def _measure(type: ScalarType, json: Json) -> Value:
    """A text with its unit, or a bare number where the type says in what it is counted."""
    if isinstance(json, str):
        kind, value = literals.read_signed(json)
        if kind != type.kind:
            raise InvalidError(f"{json!r} is a {kind}")
        return value
    number = _number(json)
    match type.kind, type.unit:
        case _, None:
            raise InvalidError("a bare number")
        case "percent", "ratio":
            return number
        case "percent", "points":
            return number.scaleb(-2)
        case "duration", str(unit):
            return round(Fraction(number) * literals.DURATION_UNITS[unit])
        case "size", str(unit):
            return round(Fraction(number) * literals.SIZE_UNITS[unit])
    raise AssertionError(type)


def _number(json: Json) -> Decimal:
    if isinstance(json, bool) or not isinstance(json, int | Decimal):
        raise InvalidError("not a number")
    number = Decimal(json)
    if not number.is_finite():
        raise InvalidError("not finite")
    if number == 0:
        return Decimal(0)
    if abs(number.adjusted()) > 308:
        raise InvalidError("the exponent is too large")
    digits = "".join(str(digit) for digit in number.as_tuple().digits).strip("0")
    if len(digits) > 34:
        raise InvalidError("too many digits")
    return number


def _text(json: Json) -> str:
    if not isinstance(json, str):
        raise InvalidError("not a string")
    return json


def _string(json: Json) -> str:
    text = _text(json)
    if any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise InvalidError("a lone surrogate")
    if len(text.encode()) > MAX_STRING:
        raise InvalidError("longer than 64 KiB")
    return text


def path(text: str) -> str:
    """The one form of a path: `/`, no `.` or `..`, never outside the root."""
    if text.startswith("/") or text == "" or "\0" in text:
        raise InvalidError("not a path below the root")
    parts: list[str] = []
    for part in _string(text).split("/"):
        if part == "..":
            if not parts:
                raise InvalidError("above the root")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or "."
