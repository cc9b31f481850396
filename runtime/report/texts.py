"""Texts as the page has them: long ones by their beginning and their end, and JSON in one line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Text:
    """*head* is all of it, unless *cut* characters are left out before *tail*."""

    head: str
    cut: int = 0
    tail: str = ""


def shortened(text: str, most: int) -> Text:
    """*text* in at most *most* characters."""
    if len(text) <= most:
        return Text(text)
    half = most // 2
    return Text(text[:half], len(text) - 2 * half, text[len(text) - half :])


def one_line_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def said(value: Any, most: int) -> Text:
    """A JSON value; a string as it is."""
    return shortened(value if isinstance(value, str) else one_line_json(value), most)


def newest(items: Sequence[_T], most: int) -> tuple[tuple[_T, ...], int]:
    """The last *most* of *items*, and how many come before them."""
    kept = tuple(items[max(len(items) - most, 0) :])
    return kept, len(items) - len(kept)
