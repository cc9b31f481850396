"""Reclaiming stale tool results, beside json.loads and json.dumps of the same transcript: what a
host pays anyway to keep it.

The roots are what a long session has: files, a directory, a glob, a symbol, a commit, an issue, and
what the last messages mention. Memory is what one run allocates at its peak, the answer included.
"""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

from goalspec.runtime.reachability import Root, reclaim
from timing import Aim, Work, duration, measure, row
from transcripts import transcript

_SIZES = ((1_000, 2_000_000), (10_000, 20_000_000), (100_000, 200_000_000))
_ROOTS = (
    *(Root("path", f"src/part{number}/step_{number}.py") for number in range(20)),
    Root("directory", "src/part40"),
    Root("glob", "src/part41/**"),
    Root("symbol", "SessionStore"),
    Root("hash", "9f3c21ab5d"),
    Root("issue", "#4711"),
)


def run(quick: bool) -> None:
    for count, size in ((60, 60_000),) if quick else _SIZES:
        messages = transcript(count, size)
        _compare(messages, 1 if quick else 5)


def _compare(messages: list[dict[str, Any]], rounds: int) -> None:
    text = json.dumps(messages)
    print(f"\nreachability: {len(messages):,} messages, {len(text) / 1e6:,.1f} MB of JSON")
    count = len(messages)
    peer = Work("json.loads and json.dumps, a message", _round_trip, text, units=count)
    ours = Work("reclaim, a message", _reclaim, messages, units=count)
    times = measure([peer, ours], rounds)
    row(peer.name, duration(times.of[peer.name]))
    row(ours.name, duration(times.of[ours.name]), times.cost(ours, peer), Aim(1))
    peak, outcome = _peak(messages)
    row("peak memory of reclaim, a message", f"{peak / count:,.0f} bytes")
    row("reclaimed", f"{outcome:.0%} of the characters")


def _round_trip(text: str) -> str:
    return json.dumps(json.loads(text))


def _reclaim(messages: list[dict[str, Any]]) -> object:
    return reclaim(messages, _ROOTS)


def _peak(messages: list[dict[str, Any]]) -> tuple[int, float]:
    """The bytes that one run allocates at most, and the share of the results' characters that it
    reclaims."""
    tracemalloc.start()
    projection = reclaim(messages, _ROOTS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    whole = sum(result.chars for result in projection.results)
    return peak, projection.reclaimed_chars / whole
