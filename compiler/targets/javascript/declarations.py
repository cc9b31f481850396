"""The types of a generated JavaScript module, for hosts that are written in TypeScript.

What a host may give is an interface made from the goal's facts: each by its dotted name, or nested;
what each is and in which unit stands in its comment.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from ...ir.document import Fact, Goal
from ...ir.types import (
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
from ..spelling import inline
from .spelling import spell_text

_TEXTS = {
    "duration": "Duration",
    "size": "Size",
    "time": "Time",
    "date": "CalendarDate",
    "version": "Version",
    "path": "Path",
}


def declarations(goal: Goal, facts: Iterable[Fact], stamp: str) -> str:
    """The text of the `.d.mts` file."""
    fixed = (files(__package__) / "lib" / "module.d.mts").read_text("utf-8")
    named = {fact.name: fact for fact in facts}
    ids = [part.id for part in (*goal.criteria, *goal.constraints, *goal.stops)]
    return "\n".join(
        [
            f"// {stamp}",
            "// Types of the module beside this file. Do not edit: compile the goal file again.",
            "",
            f"/** {_comment(goal.objective)} */",
            f"export declare const GOAL: {spell_text(goal.id)};",
            "/** The hash of the goal's contract: what it means, whatever its layout. */",
            f"export declare const CONTRACT: {spell_text(goal.contract)};",
            "",
            "/** The ids of the goal's criteria, constraints and stops. */",
            f"export type PartId = {' | '.join(map(spell_text, ids)) or 'never'};",
            "",
            "/** The facts of an observation, each by its dotted name or nested. */",
            "export interface Facts extends DottedFacts, NestedFacts {}",
            "",
            "export interface DottedFacts {",
            *(line for fact in named.values() for line in _member(fact, fact.name, "  ")),
            "}",
            "",
            "export interface NestedFacts {",
            *_nested(_tree(named), "  "),
            "}",
            "",
            fixed,
        ]
    )


def _tree(facts: dict[str, Fact]) -> dict[str, Any]:
    """Facts whose names have several segments, by their segments; below a name that is a fact's
    own nothing is nested."""
    tree: dict[str, Any] = {}
    for fact in facts.values():
        *path, last = fact.name.split(".")
        if not path or any(".".join(path[:end]) in facts for end in range(1, len(path) + 1)):
            continue
        inner = tree
        for segment in path:
            inner = inner.setdefault(segment, {})
        inner[last] = fact
    return tree


def _nested(tree: dict[str, Any], indent: str) -> Iterable[str]:
    for key, value in tree.items():
        if isinstance(value, Fact):
            yield from _member(value, key, indent)
        else:
            yield f"{indent}readonly {_key(key)}?: {{"
            yield from _nested(value, indent + "  ")
            yield f"{indent}}};"


def _member(fact: Fact, key: str, indent: str) -> Iterable[str]:
    yield f"{indent}/** {_comment(_said(fact))} */"
    yield f"{indent}readonly {_key(key)}?: {_spelled(fact.type)} | UnknownFact;"


def _said(fact: Fact) -> str:
    """The fact's type with its unit and range, and what it is."""
    said = describe(fact.type)
    whole = fact.type.of if isinstance(fact.type, OptionalType) else fact.type
    if isinstance(whole, ScalarType) and whole.unit is not None:
        said += f", a bare number as {whole.unit}"
    if fact.range is not None:
        low, high = fact.range.low, fact.range.high
        said += f", in {low.value if low else ''}..{high.value if high else ''}"
    return f"{said}: {fact.description}" if fact.description else said


def _spelled(type: Type) -> str:
    match type:
        case ScalarType(kind="bool"):
            return "boolean"
        case ScalarType(kind="int" | "number"):
            return "number | bigint"
        case ScalarType(kind="string"):
            return "string"
        case ScalarType(kind="percent", unit=unit):
            return "Percent | number" if unit else "Percent"
        case ScalarType(kind=kind, unit=unit):
            return f"{_TEXTS[kind]} | number" if unit else _TEXTS[kind]
        case MoneyType(currency=currency):
            return f"`${{number}} {currency}`"
        case EnumType(members=members):
            return " | ".join(map(spell_text, members))
        case ListType(of=of) | SetType(of=of):
            inner = _spelled(of)
            return f"readonly {inner}[]" if inner.isidentifier() else f"readonly ({inner})[]"
        case MapType(of=of):
            return f"Entries<{_spelled(of)}>"
        case OptionalType(of=of):
            return f"{_spelled(of)} | null"
        case RecordType(fields=fields):
            return "{ " + " ".join(_field(field.name, field.type) for field in fields) + " }"


def _field(name: str, type: Type) -> str:
    optional = "?" if isinstance(type, OptionalType) else ""
    return f"readonly {_key(name)}{optional}: {_spelled(type)};"


def _key(name: str) -> str:
    return name if name.isidentifier() and name.isascii() else spell_text(name)


def _comment(text: str) -> str:
    """*text* on one line, with nothing in it that ends a comment."""
    return inline(text).replace("*/", "*\\/")
