"""JSON where it enters: text to values, and whether a value is JSON at all. A record goes through
RFC 8785, so that numbers are finite, whole ones are exact in a double, and text is Unicode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...grammar.literals import MAX_INT

MAX_DEPTH = 200
MAX_DIGITS = 400  # of a whole number, before anyone asks what it is for


def parse(text: str | bytes) -> Any:
    """The JSON that *text* holds; a key that stands twice is refused. Raises ValueError, its
    message in plain words."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8: byte {error.start} cannot be read") from None
    except json.JSONDecodeError as error:
        raise ValueError(
            f"it is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None
    except RecursionError:
        raise ValueError(f"it nests deeper than {MAX_DEPTH} levels") from None


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits: write it as a string")
    return int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {json.dumps(twice)} is there twice")
    return values


def json_problems(value: Any, path: str = "", depth: int = 0) -> Iterator[str]:
    """What of *value* is not JSON, each with its place."""
    if depth > MAX_DEPTH:
        yield f"{path}: it nests deeper than {MAX_DEPTH} levels"
    elif isinstance(value, str):
        if _is_cut(value):
            yield f"{path}: it has a lone surrogate, which is no character"
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            yield f"{path}: the number is beyond ±(2^53-1): write it as a string"
    elif isinstance(value, float):
        if value - value != 0:
            yield f"{path}: {value} is not finite, and JSON has no such number"
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                yield f"{path}: the key {key!r} is {type(key).__name__}, not a string"
            elif _is_cut(key):
                yield f"{path}: a key has a lone surrogate, which is no character"
            else:
                yield from json_problems(item, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from json_problems(item, f"{path}[{index}]", depth + 1)
    else:
        yield f"{path}: a {type(value).__name__} is not JSON"


def _is_cut(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)
