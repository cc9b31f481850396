"""What a source answers: every fact that it feeds, flat under its name, with a value or the reason
why it has none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ...compiler.ir.document import Fact
from ...compiler.ir.types import (
    ListType,
    MapType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from ..facts import UNKNOWN_KEY, BadFacts, flattener, is_mapping
from ..observations import read_observations

MAX_FACTS = 16 * 1024 * 1024  # bytes of a facts file, or of a command's output
ON_WINDOWS = os.name == "nt"
_MAX_WORDS = 300


def without_value(reason: str, because: str) -> dict[str, str]:
    """An unknown as facts files spell it."""
    words = because if len(because) <= _MAX_WORDS else because[: _MAX_WORDS - 1] + "…"
    return {UNKNOWN_KEY: reason, "because": words}


def failed(facts: Iterable[Fact], because: str) -> dict[str, Any]:
    """The answer of a source that could not be asked, or said nothing that can be read."""
    return {fact.name: without_value("error", because) for fact in facts}


def answer(
    given: Mapping[str, Any], facts: Iterable[Fact], source: str, on_windows: bool = ON_WINDOWS
) -> dict[str, Any]:
    """The answer that *source* gave: what it does not say is missing, whatever it said before.
    Raises BadFacts where a fact is there twice."""
    facts = tuple(facts)
    missing = without_value("missing", f"{source} does not say it")
    return {fact.name: missing for fact in facts} | flat(given, facts, on_windows)


def flat(
    given: Mapping[str, Any], facts: Iterable[Fact], on_windows: bool = ON_WINDOWS
) -> dict[str, Any]:
    """The facts that *given* says, each under its name. Keys that nobody declared are kept with
    nothing under them. Raises BadFacts where a fact is there twice."""
    types = {fact.name: fact.type for fact in facts}
    found, undeclared = flattener(types)(given)
    said = {name: slashed(v, types[name]) if on_windows else v for name, v in found.items()}
    return said | dict.fromkeys(undeclared, without_value("missing", "nobody declared it"))


def answer_in(
    data: bytes, facts: Iterable[Fact], source: str, on_windows: bool = ON_WINDOWS
) -> dict[str, Any]:
    """The answer that is the one observation in *data*, of now. Raises BadFacts."""
    facts = tuple(facts)
    observations = read_observations(data, [fact.name for fact in facts])
    if len(observations) > 1:
        raise BadFacts("a source that is asked for the facts now gives one observation")
    (now,) = observations
    if (now.at, now.id, now.rev) != (None, None, None):
        raise BadFacts("the facts now have no `at`, `id` or `rev` of their own: write them alone")
    return answer(now.facts, facts, source, on_windows)


def slashed(value: Any, type: Type) -> Any:
    """*value* of *type* with `/` in its paths, which a source on Windows separates by
    backslashes."""
    match type:
        case ScalarType(kind="path") if isinstance(value, str):
            return value.replace("\\", "/")
        case OptionalType(of=of):
            return slashed(value, of)
        case ListType(of=of) | SetType(of=of) if isinstance(value, list):
            return [slashed(item, of) for item in value]
        case MapType(of=of) if is_mapping(value) and UNKNOWN_KEY not in value:
            return {key: slashed(item, of) for key, item in value.items()}
        case RecordType(fields=fields) if is_mapping(value) and UNKNOWN_KEY not in value:
            types = {field.name: field.type for field in fields}
            return {k: slashed(v, types[k]) if k in types else v for k, v in value.items()}
    return value
