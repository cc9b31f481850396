"""Is an answer what is due? It may say more, and never less: of an object every key that is due is
there and matches, where null is as good as absent; a list matches element for element."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..record.times import is_stamp, read_stamp

CLOSE = 1_000  # microseconds
MAX_SHOWN = 200  # characters of a value in a message


def differences(due: Any, given: Any, place: str = "") -> Iterator[str]:
    """What of *given* is not what is *due*, each with its place."""
    if isinstance(due, dict) and isinstance(given, dict):
        for key, value in due.items():
            yield from differences(value, given.get(key), f"{place}.{key}" if place else key)
    elif isinstance(due, list) and isinstance(given, list):
        if len(due) != len(given):
            yield f"{place}: it has {len(given)} elements, and {len(due)} are due"
        for index, (value, other) in enumerate(zip(due, given, strict=False)):
            yield from differences(value, other, f"{place}[{index}]")
    elif not _is_same(due, given):
        yield f"{place or 'the answer'}: it is {shown(given)}, and {shown(due)} is due"


def _is_same(due: Any, given: Any) -> bool:
    if isinstance(due, str) and isinstance(given, str) and is_stamp(due) and is_stamp(given):
        return abs(read_stamp(due) - read_stamp(given)) < CLOSE
    return bool(due == given) and isinstance(due, bool) == isinstance(given, bool)


def shown(value: Any) -> str:
    """A value as a message quotes it."""
    return cut(json.dumps(value))


def cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
