"""The JSON Schema (draft 2020-12) of the facts that a host supplies for a goal: those that the goal
reads, each with its type, unit, range, cap and members. A host can validate before it reports, and
make types of its own language from it.

It describes the nested form, `{"suite": {"passed": true}}`. A dotted key, which `goalspec check`
reads too, is refused, so that nothing passes unchecked: nest it before you validate. No fact is
required, since an observation may bring any of them, and each may be `{"$unknown": "error",
"because": "…"}`. Keys that no fact has are allowed: at the border they are a warning.

Beside the standard keywords a fact has `description`, and under `x-goalspec` its name (`fact`), its
declared `type` and `range` in the language's words, `lasting`, and its `source`.

What the schema accepts the runtime accepts, and the other way round, but for what JSON Schema has
no words for. Of these the schema lets pass what the runtime refuses:

- strings over 64 KiB that have no more than 65,536 characters; facts over 1 MiB; lone surrogates;
- numbers of more than 34 digits, or beyond 10^±308, also in strings with a unit;
- a duration or a size that is no whole number of nanoseconds or bytes (`"0.5B"`);
- a range, where the value is a string with a unit, an amount of money, a time, a date or a version;
- days that no calendar has (`"2026-02-30"`), unless the validator looks at `format`;
- paths that lead out of the project, or nowhere (`"."`).

And these it refuses, although they only lead to a warning or to a rounded value:

- a group that is no object (`{"suite": 3}`), or is said to be unknown as a whole;
- a bare number just outside its range that rounds to the range's end, to the nanosecond or byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, TypeAlias

from ...grammar.literals import DURATION_UNITS, MAX_INT, SIZE_UNITS
from ..codegen import literal_value
from ..ir.canonical import plain
from ..ir.document import UNKNOWN_REASONS, Fact, Goal, Range
from ..ir.text import write_range, write_type
from ..ir.types import (
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
)
from ..json_text import json_text
from .target import Artifact, Request, Target, stamp

Schema: TypeAlias = dict[str, Any]

_NAME = "facts-schema"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_UNKNOWN_KEY = "$unknown"

# The texts of the language's literals, as patterns of the subset that every validator has.
_DIGITS = "[0-9](?:_?[0-9])*"
_DECIMAL = rf"{_DIGITS}(?:\.{_DIGITS})?"
_DAY = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_NATURAL = "(?:0|[1-9][0-9]*)"
_PRE = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_BUILD = "[0-9A-Za-z-]+"


def _text(pattern: str, **more: Any) -> Schema:
    return {"type": "string", "pattern": f"^{pattern}$", **more}


# What a schema refers to, in its `$defs`.
_DEFINITIONS: dict[str, Schema] = {
    "unknown": {
        "description": "A fact that is not known, and why.",
        "type": "object",
        "properties": {
            _UNKNOWN_KEY: {"enum": list(UNKNOWN_REASONS)},
            "because": {"type": "string"},
        },
        "required": [_UNKNOWN_KEY],
        "additionalProperties": False,
    },
    "percent": _text(f"-?{_DECIMAL}%", examples=["84.2%"]),
    "duration": _text(
        rf"-?(?:{_DIGITS}\.{_DIGITS}(?:{'|'.join(DURATION_UNITS)})|"
        + "".join(f"(?:{_DIGITS}{unit})?" for unit in DURATION_UNITS)
        + ")",
        minLength=2,  # of the parts of a joined one, each of which may be left out, one is there
        examples=["90s", "1h30m"],
    ),
    "size": _text(f"-?{_DECIMAL}(?:{'|'.join(SIZE_UNITS)})", examples=["64KB"]),
    "time": _text(
        rf"{_DAY}[Tt]{_CLOCK}(?::[0-5][0-9](?:\.[0-9]{{1,9}})?)?(?:[Zz]|[+-]{_CLOCK})",
        examples=["2026-12-31T18:00Z"],
    ),
    "date": _text(_DAY, format="date", examples=["2026-12-31"]),
    "version": _text(
        rf"v?{_NATURAL}\.{_NATURAL}\.{_NATURAL}(?:-{_PRE}(?:\.{_PRE})*)?"
        rf"(?:\+{_BUILD}(?:\.{_BUILD})*)?",
        maxLength=256,
        examples=["v1.4.0"],
    ),
    "path": _text(r"[^\u0000]+", maxLength=MAX_STRING, examples=["src/app.py"]),
}


def goal_schema(goal: Goal) -> Schema:
    """The schema of one observation's facts, nested."""
    groups: dict[str, Any] = {}
    for fact in goal.facts:
        *path, last = fact.name.split(".")
        inner = groups
        for segment in path:
            inner = inner.setdefault(segment, {})
        inner[last] = fact
    schema = _group(groups)
    used = set(_references(schema))
    return {
        "$schema": _DIALECT,
        "goalspec": stamp(goal, _NAME),
        "title": f"Facts of {goal.id}",
        **schema,
        "$defs": {name: value for name, value in _DEFINITIONS.items() if name in used},
    }


def _group(facts: dict[str, Any]) -> Schema:
    """The facts whose names have one beginning, by what follows it."""
    properties: Schema = {
        key: fact_schema(value) if isinstance(value, Fact) else _not_unknown(_group(value))
        for key, value in facts.items()
    }
    return {
        "type": "object",
        "propertyNames": {"pattern": "^[^.]*$"},
        "properties": properties,
    }


def fact_schema(fact: Fact) -> Schema:
    """The schema of what a host may say of *fact*."""
    about: Schema = {"fact": fact.name, "type": write_type(fact.type)}
    if fact.range is not None:
        about["range"] = write_range(fact.range)
    if fact.lasting:
        about["lasting"] = True
    if fact.source is not None:
        about["source"] = plain(fact.source)
    described = {"description": fact.description} if fact.description is not None else {}
    values = [_not_unknown(value) for value in _values(fact.type, fact.range)]
    return {**described, "x-goalspec": about, "anyOf": [*values, _refer("unknown")]}


def _not_unknown(value: Schema) -> Schema:
    """*value*, if it is an object, without the key that says that a fact is unknown."""
    if value.get("type") != "object":
        return value
    return {**value, "properties": {**value.get("properties", {}), _UNKNOWN_KEY: False}}


def _refer(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _references(schema: Any) -> Iterator[str]:
    for key, value in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "$ref":
            yield value.rpartition("/")[2]
        elif isinstance(value, dict | list):
            yield from _references(value)


def _one(type: Type) -> Schema:
    values = list(_values(type, None))
    return values[0] if len(values) == 1 else {"anyOf": values}


def _values(type: Type, range: Range | None) -> Iterator[Schema]:
    """The forms that a value of *type* has in JSON."""
    match type:
        case ScalarType(kind="bool"):
            yield {"type": "boolean"}
        case ScalarType(kind="int"):
            yield {"type": "integer", "minimum": -MAX_INT, "maximum": MAX_INT, **_ends(range, 1)}
        case ScalarType(kind="number"):
            yield {"type": "number", **_ends(range, 1)}
        case ScalarType(kind="string", max=most):
            yield {"type": "string", "maxLength": most or MAX_STRING}
        case ScalarType(kind=kind, unit=unit):
            yield _refer(kind)
            if unit is not None:
                yield {"type": "number", **_ends(range, _UNITS[kind][unit])}
        case MoneyType(currency=currency):
            yield _text(rf"-?{_DECIMAL}[ \t]+{currency}", examples=[f"5.00 {currency}"])
        case EnumType(members=members):
            yield {"type": "string", "enum": list(members)}
        case ListType(of=of, max=most) | SetType(of=of, max=most):
            yield {"type": "array", "items": _one(of), "maxItems": most or MAX_ELEMENTS}
        case MapType(of=of, max=most):
            yield {
                "type": "object",
                "additionalProperties": _one(of),
                "propertyNames": {"maxLength": MAX_STRING},
                "maxProperties": most or MAX_ELEMENTS,
            }
        case RecordType(fields=fields):
            yield {
                "type": "object",
                "properties": {field.name: _one(field.type) for field in fields},
                "required": [
                    field.name for field in fields if not isinstance(field.type, OptionalType)
                ],
            }
        case OptionalType(of=of):
            yield from _values(of, range)
            yield {"type": "null"}


# What one of a unit is in a kind's values: 1 point is 0.01, 1 ms a million nanoseconds.
_UNITS: dict[str, dict[str, Any]] = {
    "percent": {"ratio": 1, "points": Decimal("0.01")},
    "duration": DURATION_UNITS,
    "size": SIZE_UNITS,
}


def _ends(range: Range | None, unit: Any) -> Schema:
    """The ends of *range* as bounds of a number in *unit*."""
    if range is None:
        return {}
    ends = {"minimum": range.low, "maximum": range.high}
    return {
        name: _number(Decimal(literal_value(end)) / unit)
        for name, end in ends.items()
        if end is not None
    }


def _number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        yield Artifact(f"{goal.id}.facts.schema.json", json_text(goal_schema(goal)))


TARGET = Target(
    name=_NAME,
    summary="JSON Schema of the facts that the host supplies.",
    writes=("GOAL.facts.schema.json",),
    artifacts=_artifacts,
)
