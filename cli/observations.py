"""Facts files: one JSON object, an array of observations, or JSON Lines."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..runtime.facts import BadFacts, parse_json

_LINE_END = re.compile(r"\r\n|\n|\r")  # and none of the others: they may stand in a string
_ENVELOPE = {"at", "id", "rev", "facts"}


@dataclass(frozen=True)
class Observation:
    """Facts with, perhaps, their time, id and revision; *place* is where they stand in their file,
    as a suffix of its name."""

    facts: Mapping[str, Any]
    at: str | None
    id: str | None
    rev: str | None
    place: str


def read_observations(data: bytes, declared: Iterator[str] | list[str]) -> list[Observation]:
    """The observations of a facts file. Raises BadFacts with the line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFacts(f"the facts are not UTF-8 (byte {error.start})") from None
    if not text.strip():
        raise BadFacts("the facts are empty: an observation without facts is `{}`")
    plain = any(name.split(".")[0] in _ENVELOPE for name in declared)
    observations = [_observation(value, place, plain) for place, value in _values(text)]
    if not observations:
        raise BadFacts("the facts hold no observation: one without facts is `{}`")
    return observations


def _values(text: str) -> Iterator[tuple[str, Any]]:
    """Each observation's JSON with its place: one object, an array, or one object a line."""
    try:
        whole = parse_json(text)
    except BadFacts as error:
        lines = [(n, line) for n, line in enumerate(_LINE_END.split(text), 1) if line.strip()]
        if len(lines) < 2 or not _starts_alone(lines[0][1]):
            raise error from None
        for number, line in lines:
            try:
                yield f":{number}", parse_json(line)
            except BadFacts as bad:
                raise BadFacts(f"line {number}: {bad}") from None
        return
    if isinstance(whole, list):
        yield from ((f" (observation {n})", value) for n, value in enumerate(whole, 1))
    else:
        yield ":1", whole


def _starts_alone(line: str) -> bool:
    try:
        parse_json(line)
    except BadFacts as error:
        return "twice" in str(error)
    return True


def _observation(value: Any, place: str, plain: bool) -> Observation:
    if not isinstance(value, dict):
        raise BadFacts("an observation is a JSON object" + place.replace(":", ", line "))
    enveloped = "facts" in value and isinstance(value["facts"], dict) and set(value) <= _ENVELOPE
    tick = set(value) == {"at"} and isinstance(value["at"], str)
    if plain or not (enveloped or tick):
        return Observation(value, None, None, None, place)
    for key in ("at", "id", "rev"):
        if value.get(key) is not None and not isinstance(value[key], str):
            raise BadFacts(f"`{key}` is a string" + place.replace(":", ", line "))
    return Observation(
        value.get("facts", {}), value.get("at"), value.get("id"), value.get("rev"), place
    )


def now_text() -> str:
    """The clock, as the command line stamps observations that have no time."""
    return dt.datetime.now(dt.UTC).isoformat().replace("+00:00", "Z")
