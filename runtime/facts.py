"""The border where facts enter: JSON in exact numbers, each declared fact under its name.

Owns what an observation looks like: dotted and nested keys, a fact that is said to be unknown, and
the keys that nobody declared. What a value means is the converters' business.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from types import NoneType
from typing import Any, TypeAlias

from ..compiler.ir.types import ListType, MapType, OptionalType, RecordType, SetType, Type
from ..compiler.kernel import Unknown
from ..grammar.literals import MAX_EXPONENT

UNKNOWN_KEY = "$unknown"
REASONS = ("missing", "stale", "null", "skipped", "error", "invalid")


class BadFacts(ValueError):
    """Facts that are not JSON, or say one fact twice."""


@dataclass(frozen=True, slots=True)
class BadNumber:
    """A JSON number beyond the language's bounds, or NaN; invalid wherever it enters."""

    text: str


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


# --- keys


# The raw value of each declared fact, and the undeclared keys.
Flat: TypeAlias = tuple[dict[str, Any], list[str]]


def flattener(names: Iterable[str]) -> Callable[[Mapping[str, Any]], Flat]:
    """The function that finds the facts of these names in nested or dotted keys.

    It raises BadFacts where a fact is there twice, dotted and nested.
    """
    declared = frozenset(names)
    prefixes = {
        name[:place] for name in declared for place in range(len(name)) if name[place] == "."
    }
    # Below each prefix: the name that a key stands for.
    below = {
        prefix: {name.removeprefix(prefix): name for name in declared if name.startswith(prefix)}
        for prefix in ("", *(f"{prefix}." for prefix in prefixes))
    }

    def flatten(facts: Mapping[str, Any]) -> Flat:
        if not is_mapping(facts):
            raise BadFacts("the facts are a mapping of names to values")
        found: dict[str, Any] = {}
        undeclared: list[str] = []
        stack: list[tuple[str, Mapping[str, Any]]] = [("", facts)]
        while stack:
            prefix, values = stack.pop()
            names = below[prefix]
            for key, value in values.items():
                if key in names:
                    name = names[key]
                    if name in found:
                        raise BadFacts(f"the fact {name} is there twice, dotted and nested")
                    found[name] = value
                    continue
                if not isinstance(key, str):
                    raise BadFacts(f"the key {key!r} is no string")
                name = prefix + key
                if name in prefixes and is_mapping(value) and UNKNOWN_KEY not in value:
                    stack.append((name + ".", value))
                else:
                    undeclared.append(name)
        return found, undeclared

    return flatten


def all_of(kind: type, values: Iterable[Any]) -> bool:
    """Is each value of just this class? The set asks without a step of Python for each."""
    return {kind}.issuperset(map(type, values))


# What JSON has beside objects; asking the abstract class costs more than most conversions.
_NO_MAPPING = frozenset({bool, int, float, str, list, tuple, Decimal, BadNumber, NoneType})


def is_mapping(value: Any) -> bool:
    kind = type(value)
    return kind is dict or (kind not in _NO_MAPPING and isinstance(value, Mapping))


def explicit_unknown(value: Any) -> Unknown | None:
    """The unknown that `{"$unknown": "error", "because": "…"}` says."""
    if not is_mapping(value) or UNKNOWN_KEY not in value:
        return None
    reason, words = value[UNKNOWN_KEY], value.get("because", "")
    if reason not in REASONS or not isinstance(words, str) or set(value) - {UNKNOWN_KEY, "because"}:
        return Unknown("invalid", words=f"{UNKNOWN_KEY} takes one of {', '.join(REASONS)}")
    return Unknown(reason, words=words)


# --- keys inside of values

# The keys inside a value that its records do not have, each with the fields there are.
Surplus: TypeAlias = Callable[[Any], Iterable[tuple[str, tuple[str, ...]]]]


def undeclared_fields(type: Type) -> Surplus | None:
    """The function that finds them in values of *type*; None where the type holds no record."""
    match type:
        case OptionalType(of=of):
            return undeclared_fields(of)
        case ListType(of=of) | SetType(of=of) if (surplus := undeclared_fields(of)) is not None:
            return partial(_of_elements, surplus, _flat_fields(of))
        case MapType(of=of) if (surplus := undeclared_fields(of)) is not None:
            return partial(_of_entries, surplus)
        case RecordType(fields=fields):
            inner = ((field.name, undeclared_fields(field.type)) for field in fields)
            found = [(name, surplus) for name, surplus in inner if surplus is not None]
            return partial(_of_record, tuple(field.name for field in fields), found)
    return None


def _flat_fields(type: Type) -> frozenset[str]:
    """The fields of a record without records inside."""
    if not isinstance(type, RecordType) or any(undeclared_fields(f.type) for f in type.fields):
        return frozenset()
    return frozenset(field.name for field in type.fields)


def _of_elements(
    surplus: Surplus, flat: frozenset[str], value: Any
) -> Iterable[tuple[str, tuple[str, ...]]]:
    if not isinstance(value, list | tuple):
        return ()
    if flat and all_of(dict, value) and flat.issuperset(set().union(*value)):
        return ()  # what comes most, all keys at once
    return (found for item in value for found in surplus(item))


def _of_entries(surplus: Surplus, value: Any) -> Iterable[tuple[str, tuple[str, ...]]]:
    if not is_mapping(value):
        return ()
    return (found for item in value.values() for found in surplus(item))


def _of_record(
    names: tuple[str, ...], inner: Sequence[tuple[str, Surplus]], value: Any
) -> Iterable[tuple[str, tuple[str, ...]]]:
    if not is_mapping(value):
        return
    yield from ((str(key), names) for key in value if key not in names)
    for name, surplus in inner:
        if name in value:
            yield from surplus(value[name])


def holds_map(type: Type) -> bool:
    """Is there a map in *type*, whose entries may be ill-typed one by one?"""
    match type:
        case MapType():
            return True
        case OptionalType(of=of) | ListType(of=of) | SetType(of=of):
            return holds_map(of)
        case RecordType(fields=fields):
            return any(holds_map(field.type) for field in fields)
    return False
