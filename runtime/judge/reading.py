"""The JSON object in what a model wrote: all of it, or what its one code fence holds.

Nothing is ever taken from prose, and the words of a trouble repeat nothing of the text: it may have
been copied from the evidence. A key that is there twice makes an object none, and an object that
breaks off is told from one that is malformed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

MAX_ANSWER = 64 * 1024  # characters; a verdict takes some hundreds for each part

_LONE = re.compile("[\ud800-\udfff]")

Trouble: TypeAlias = Literal["empty", "truncated", "prose", "several", "twice", "shape", "long"]


@dataclass(frozen=True, slots=True)
class NoObject:
    """Why a text holds no JSON object that can be read, in words for who wrote it."""

    kind: Trouble
    words: str


def read_object(text: str) -> dict[str, Any] | NoObject:
    """The JSON object of *text*."""
    if len(text) > MAX_ANSWER:
        return NoObject(
            "long", f"it has {len(text):,} characters, and {MAX_ANSWER:,} are the most."
        )
    bare = text.lstrip("\ufeff").strip()
    if not bare:
        return NoObject("empty", "it was empty.")
    try:
        return _object_of(bare)
    except RecursionError:
        return NoObject("shape", "it nests too deep.")


def _object_of(bare: str) -> dict[str, Any] | NoObject:
    whole = _decoded(bare)
    if not isinstance(whole, NoObject) or whole.kind == "twice":
        return whole
    fenced = [_decoded(block) for block in _fenced(bare)]
    objects = [found for found in fenced if not isinstance(found, NoObject)]
    if any(other != objects[0] for other in objects[1:]):
        return NoObject("several", "it holds several JSON objects that differ.")
    if objects:
        return objects[0]
    return next((found for found in fenced if isinstance(found, NoObject)), whole)


class _Twice(ValueError):
    """A key that is there twice."""


class _NotJson(ValueError):
    """A constant that JSON does not have."""


def _decoded(text: str) -> dict[str, Any] | NoObject:
    if not text.startswith(("{", "[")):
        return NoObject("prose", "it is not a JSON object.")
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        if error.pos >= len(text) or error.msg.startswith("Unterminated string"):
            return NoObject("truncated", "it breaks off before its JSON object ends.")
        place = f"line {error.lineno}, column {error.colno}"
        return NoObject("prose", f"it is not one JSON object: {error.msg} at {place}.")
    except _Twice:
        return NoObject("twice", "it has a key twice in one object.")
    except ValueError:  # a constant, or an integer of thousands of digits
        return NoObject("shape", "it holds a number that is none.")
    if not isinstance(value, dict):
        return NoObject("shape", "it is a list, where one JSON object is asked for.")
    if _LONE.search(json.dumps(value, ensure_ascii=False)):
        return NoObject("shape", "it holds half of a character.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Twice
    return found


def _constant(text: str) -> NoReturn:
    raise _NotJson(text)


def _fenced(text: str) -> Iterator[str]:
    """What stands in the code fences of *text*; one that is not closed goes to its end."""
    block: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = line.strip()
        if fence:
            if mark.startswith(fence) and not mark.strip(fence[0]):
                yield "\n".join(block).strip()
                fence, block = "", []
            else:
                block.append(line)
        elif mark.startswith(("```", "~~~")):
            ticks = len(mark) - len(mark.lstrip(mark[0]))
            if mark[0] not in mark[ticks:]:
                fence = mark[:ticks]
    if fence:
        yield "\n".join(block).strip()
