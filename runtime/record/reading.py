"""Records, commands and events as JSON, and back: closed, strict, and with every problem at once in
plain words.

An older `record_version` is brought up step by step before it is read; a newer one is refused, so
that nothing of it is lost by writing it back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, TypeAlias

from ...compiler.ir.canonical import plain
from ...compiler.ir.document import Goal
from .checking import goal_problems, record_problems, size_problems
from .json_values import json_problems, parse
from .parts import RECORD_VERSION, Record

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

# What turns a record's JSON of one version into that of the next, by the version it reads.
UPCASTERS: dict[int, Upcaster] = {}


class BadRecord(ValueError):
    """JSON that is no record, command or event. *problems* has them all, each with its place."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class NewerRecord(BadRecord):
    """A record of a later goalspec. It is not ours to write over."""


def write_record(record: Record) -> dict[str, Any]:
    """*record* as JSON values; what is absent is left out."""
    written: dict[str, Any] = plain(record)
    return written


def read_record(source: str | bytes | Mapping[str, Any]) -> Record:
    """The record that *source*, JSON or its text, holds. Raises BadRecord."""
    values = upcast(read_object(source), "record_version", RECORD_VERSION, UPCASTERS)
    goal, problems = _read_goal(json.dumps(values.get("goal")))
    try:
        record: Record = read_as(Record, {**values, "goal": None})
    except BadRecord as error:
        problems += error.problems
    raise_any(problems)
    record = replace(record, goal=goal)
    raise_any((*record_problems(record, goal), *size_problems(record)))
    return record


@lru_cache(maxsize=64)
def _read_goal(text: str) -> tuple[Goal | None, tuple[str, ...]]:
    """A record's goal from its JSON text, and what is wrong with it. Records of one goal follow
    each other, and the goal's hash costs more than all the rest of a record."""
    try:
        goal: Goal | None = read_as(Goal | None, json.loads(text), "goal")
    except BadRecord as error:
        return None, error.problems
    found = () if goal is None else goal_problems(goal)
    return goal, tuple(f"goal.{problem}" for problem in found)


def read_object(source: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object that *source* holds, which is JSON all through. Raises BadRecord."""
    value: Any = source
    if isinstance(source, str | bytes):
        try:
            value = parse(source)
        except ValueError as error:
            raise BadRecord([str(error)]) from None
    if not isinstance(value, Mapping):
        raise BadRecord([f"it is a JSON object, not {_kind(value)}"])
    values = dict(value)
    raise_any(json_problems(values))
    return values


def upcast(
    values: dict[str, Any], field: str, latest: int, upcasters: Mapping[int, Upcaster]
) -> dict[str, Any]:
    """*values* in the form of the version *latest*; their own stands in *field*. Raises
    BadRecord."""
    version: Any = values.get(field)
    is_number = isinstance(version, int) and not isinstance(version, bool)
    if not is_number or (version < latest and version not in upcasters):
        known = ", ".join(map(str, sorted({*upcasters, latest})))
        raise BadRecord([f"{field}: it is one of {known}, not {_said(version)}"])
    if version > latest:
        message = (
            f"{field}: {version} is newer than this goalspec reads ({latest}): install a later "
            "one; what is stored stays as it is"
        )
        raise NewerRecord([message])
    for step in range(version, latest):
        values = upcasters[step](values)
    return {**values, field: latest}


def read_as(kind: Any, values: Any, place: str = "") -> Any:
    """*values*, which are JSON, as a value of the type *kind*; they stand at *place*. Raises
    BadRecord."""
    from pydantic import ValidationError

    try:
        return adapter(kind).validate_json(json.dumps(values), strict=True)
    except ValidationError as error:
        raise BadRecord(_plain_words(error.errors(include_url=False), values, place)) from None


def read_field(name: str, value: Any) -> Any:
    """A record's field *name* from its JSON. Raises BadRecord."""
    if name not in Record.field_names:
        raise BadRecord([f"{name}: a record has no such field"])
    return read_as(_field_types()[name], value, name)


def raise_any(problems: Iterable[str]) -> None:
    """Raise BadRecord where there is a problem."""
    found = tuple(problems)
    if found:
        raise BadRecord(found)


@cache
def _field_types() -> Mapping[str, Any]:
    return get_annotations(Record, eval_str=True)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Validates JSON of the type *kind*; pydantic is imported with the first."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


# --- a validator's errors in plain words

_WANTED = {
    "string_type": "a string",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "dict_type": "an object",
    "dataclass_type": "an object",
    "tuple_type": "a list",
    "union_tag_not_found": "an object with its `kind`",
}


def _plain_words(errors: Iterable[Any], values: Any, place: str) -> Iterator[str]:
    for error in errors:
        path, value = _place(place, error["loc"], values)
        kind = error["type"]
        if kind == "missing":
            what = "it is missing"
        elif kind in ("extra_forbidden", "unexpected_keyword_argument"):
            what = "there is no such field"
        elif kind == "literal_error":
            what = f"it is {error['ctx']['expected']}, not {_said(value)}"
        elif kind == "union_tag_invalid":
            what = f"its `kind` is one of {error['ctx']['expected_tags']}"
        else:
            what = f"it is {_WANTED.get(kind, 'not what belongs here')}, not {_said(value)}"
        yield f"{path}: {what}" if path else what


def _place(path: str, steps: Iterable[str | int], values: Any) -> tuple[str, Any]:
    """The path in the JSON: a step that a union adds of its own leads nowhere in it."""
    steps = list(steps)
    for number, step in enumerate(steps):
        last = number == len(steps) - 1
        if isinstance(step, int):
            path += f"[{step}]"
            fits = isinstance(values, list) and step < len(values)
            values = values[step] if fits else None
        elif isinstance(values, dict) and (step in values or last):
            path += f".{step}" if path else step
            values = values.get(step)
    return path, values


def _said(value: Any) -> str:
    """A value as a message quotes it."""
    if isinstance(value, dict | list):
        return _kind(value)
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _kind(value: Any) -> str:
    number = "a number" if isinstance(value, int | float) else type(value).__name__
    names = {dict: "an object", list: "a list", str: "a string", type(None): "null"}
    return names.get(type(value), number)
