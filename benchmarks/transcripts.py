"""Transcripts of coding agents in the sizes that long sessions reach: calls and their results, with
words, code, logs, listings, JSON and some Russian, built from a seed."""

from __future__ import annotations

import random
from typing import Any

_WORDS = (
    "the session is opened before a token was read and closes when its owner leaves so that no "
    "request waits for an answer while another thread holds the lock of this queue"
).split()
_RUSSIAN = (
    "сессия открывается до того как прочитан ключ и закрывается когда владелец уходит".split()
)
_CODE = (
    "    def {a}_{b}(self, {a}: int, {b}: str | None = None) -> bool:",
    '        """Say whether the {a} of a {b} is done."""',
    "        if self._{a}.get({b!r}) is None and {b} not in self.{a}_{b}:",
    '            raise ValueError(f"no {a} in {{{b}}}")',
    "        return self.{b}[{a}] == {n}",
    "",
)


def transcript(messages: int, size: int) -> list[dict[str, Any]]:
    """So many *messages* with about *size* characters of text, of which four fifths are results."""
    source = random.Random(messages)
    pool = [_text(source, kind, 40_000) for kind in ("code", "log", "list", "json", "prose", "ru")]
    pool += [_text(source, "code", 40_000) for _ in range(6)]
    pairs = messages // 3
    length = max(size * 4 // 5 // pairs, 40)
    talk = max(size // 5 // pairs, 20)
    found: list[dict[str, Any]] = []
    for number in range(pairs):
        path = f"src/part{number % 977}/step_{number % 89}.py"
        call = {"id": f"call_{number}", "name": "read", "arguments": {"path": path}}
        found.append({"role": "assistant", "content": "I look at it.", "tool_calls": [call]})
        content = _cut(source, pool, source.randrange(length // 2, length * 3 // 2))
        found.append({"role": "tool", "tool_call_id": f"call_{number}", "content": content})
        found.append({"role": "user", "content": _cut(source, pool[4:5], talk)})
    while len(found) < messages:
        found.append({"role": "user", "content": "Go on with src/part7/step_7.py and issue 4711."})
    return found


def _cut(source: random.Random, pool: list[str], length: int) -> str:
    """A piece of that length, which may be longer than any text of the pool."""
    text = source.choice(pool)
    start = source.randrange(len(text) // 2)
    whole = text[start:] + text * (length // len(text) + 1)
    return whole[:length]


def _text(source: random.Random, kind: str, length: int) -> str:
    lines: list[str] = []
    while sum(map(len, lines)) < length:
        lines += (_line(source, kind, len(lines)) for _ in range(50))
    return "\n".join(lines)


def _line(source: random.Random, kind: str, number: int) -> str:
    a, b, n = source.choice(_WORDS), source.choice(_WORDS), source.randrange(10_000)
    match kind:
        case "code":
            return _CODE[n % len(_CODE)].format(a=a, b=b, n=n)
        case "log":
            return (
                f"2026-03-01T10:{n % 60:02}:00Z INFO {a}.{b}: {n} of {n * 7} in lib/{b}/{a}.c:{n}"
            )
        case "list":
            return f"-rw-r--r-- 1 dev dev {n:6} lib/{a}/{b}_{n}.txt"
        case "json":
            return f'{{"id": {n}, "name": "{a}-{b}", "state": "{a}", "tags": ["{b}", "{n:x}"]}},'
        case "ru":
            return " ".join(source.choice(_RUSSIAN) for _ in range(9))
        case _:
            return " ".join(source.choice(_WORDS) for _ in range(12))
