"""Facts files: one JSON object, an array of observations, or JSON Lines; and a baseline's."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .facts import BadFacts, parse_json

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


def read_observations(data: bytes, declared: Iterable[str]) -> list[Observation]:
    """The observations of a facts file. Raises BadFacts with the line."""
    text = facts_text(data)
    if not text.strip():
        raise BadFacts("the facts are empty: an observation without facts is `{}`")
    first = frozenset(name.split(".")[0] for name in declared)
    observations = [_observation(value, place, first) for place, value in _values(text)]
    if not observations:
        raise BadFacts("the facts hold no observation: one without facts is `{}`")
    return observations


def read_baseline(data: bytes) -> dict[str, Any]:
    """The facts of a baseline file. Raises BadFacts."""
    baseline = parse_json(facts_text(data))
    if not isinstance(baseline, dict):
        raise BadFacts("a baseline is one JSON object")
    return baseline


def stamped(observations: list[Observation], now: str) -> list[Observation]:
    """The observations, each taken as seen *now* (RFC 3339) where none has a time."""
    if any(observation.at is not None for observation in observations):
        return observations
    return [replace(observation, at=now) for observation in observations]


def facts_text(data: bytes) -> str:
    """The text of a facts file. Raises BadFacts where it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFacts(f"the facts are not UTF-8 (byte {error.start})") from None


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
                raise BadFacts(str(bad).replace("(line 1,", f"(line {number},")) from None
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


def _observation(value: Any, place: str, declared: frozenset[str]) -> Observation:
    at_place = place.replace(":", ", line ")
    if not isinstance(value, dict):
        raise BadFacts(f"an observation is a JSON object{at_place}")
    if not _is_enveloped(value, declared):
        return Observation(value, None, None, None, place)
    for key in value:
        if key not in _ENVELOPE:
            names = ", ".join(sorted(_ENVELOPE))
            raise BadFacts(f"an observation has {names}, and no `{key}`{at_place}")
        if key != "facts" and value[key] is not None and not isinstance(value[key], str):
            raise BadFacts(f"`{key}` is a string{at_place}")
    return Observation(
        value.get("facts", {}), value.get("at"), value.get("id"), value.get("rev"), place
    )


def _is_enveloped(value: dict[str, Any], declared: frozenset[str]) -> bool:
    """Are these facts with their time, id or revision around them, or the facts alone? *declared*
    are the first segments of the facts' names."""
    if isinstance(value.get("facts"), dict):
        return "facts" not in declared
    tick = "at" in value and set(value) <= {"at", "id", "rev"}
    return tick and not declared & set(value)


def now_text() -> str:
    """The clock, which stamps observations that have no time."""
    return dt.datetime.now(dt.UTC).isoformat().replace("+00:00", "Z")
