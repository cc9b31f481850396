"""What an effect is known by, so that the same one again is no progress: a hash over the call and
its result, without what differs from call to call and means nothing."""

from __future__ import annotations

import hashlib
import json
import re

from .events import Effect

_STAMP = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_CLOCK = r"\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\b"
_DURATION = r"\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|sec|secs|seconds?|min|mins|minutes?|m|h|hours?)\b"
_UUID = r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
_HEX = (
    r"\b(?:0x[0-9a-fA-F]+|(?=[a-f]{0,64}\d)[0-9a-f]{7,64})\b"  # with a digit, so that it is no word
)
_MASKED = re.compile("|".join((_UUID, _STAMP, _CLOCK, _DURATION, _HEX)))
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def fingerprint(effect: Effect) -> str:
    """Times, durations and ids are masked in the result; numbers in the arguments of a call that
    changes nothing, so that reading the next lines of a file again and again is one effect."""
    arguments = effect.arguments if effect.mutates else _NUMBER.sub("#", effect.arguments)
    return digest(effect.tool, arguments, _MASKED.sub("#", effect.result))


def digest(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def output_digest(text: str) -> str:
    """A reply without case, white space, numbers and what `fingerprint` masks."""
    return digest("output", " ".join(_NUMBER.sub("#", _MASKED.sub("#", text)).casefold().split()))
