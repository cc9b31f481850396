"""The fold, and the proof of one, beside reading and writing the same transcript as JSON.

A transcript is what long runs have: people seldom speak, most rows are calls and their results, one
in ten has metadata, and earlier boundaries left a block or two.
"""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime
from typing import Any

from goalspec.compiler import compile_text
from goalspec.runtime.compaction import GoalState, fold, verify_fold
from timing import Aim, Work, duration, measure, row

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SIZES = ((1_000, 2_000), (10_000, 2_000), (100_000, 200), (100_000, 1_300))

_SPEC = """
facts { tests.failed : int in 0.. }

goal ship {
  objective "Ship it."
  criterion tests "The tests pass" check tests.failed == 0
  criterion docs "The handbook says what changed"
  constraint scope "Nothing outside src/ changes"
  judge {}
}
"""


def state() -> GoalState:
    document = compile_text(_SPEC).document
    assert document is not None
    return GoalState(document.goals[0])


def transcript(messages: int, characters: int) -> list[dict[str, Any]]:
    """So many *messages*, of *characters* each on average, with a block in the middle."""
    text = ("def f(x):\n    return x  # ünïcode and “quotes”\n" * 500)[: characters * 2]
    rows: list[dict[str, Any]] = []
    for number in range(messages // 2):
        id = f"call_{number}"
        if number % 10 == 0:
            rows.append({"role": "user", "content": f"Message {number}. {text}"})
            rows.append({"role": "assistant", "content": "Done.", "metadata": {"turn": number}})
        else:
            call = {"id": id, "name": "read", "arguments": json.dumps({"path": f"src/{number}.py"})}
            rows.append({"role": "assistant", "content": "", "tool_calls": [call]})
            rows.append({"role": "tool", "tool_call_id": id, "content": text})
    middle = len(rows) // 2
    return [*fold(rows[:middle], state(), NOW).messages, *rows[middle:]]


def run(quick: bool) -> None:
    for messages, characters in ((1_000, 200),) if quick else SIZES:
        _compare(transcript(messages, characters), quick)


def _compare(rows: list[dict[str, Any]], quick: bool) -> None:
    text = json.dumps(rows)
    print(f"\nfolding: {len(rows):,} messages, {len(text) / 1e6:,.0f} MB as JSON")
    goal = state()
    folded = fold(rows, goal, NOW).messages
    assert verify_fold(rows, folded, goal, NOW).ok

    def through_json(text: str) -> None:
        json.dumps(json.loads(text))

    peer = Work("json.loads and json.dumps", through_json, text, units=len(rows))
    folding = Work("fold", lambda rows: fold(rows, goal, NOW), rows, units=len(rows))
    proving = Work("verify_fold", lambda rows: verify_fold(rows, folded, goal, NOW), rows,
                   units=len(rows))  # fmt: skip
    times = measure([peer, folding, proving], 1 if quick else 7)
    row(peer.name, duration(times.of[peer.name]))
    row(folding.name, duration(times.of[folding.name]), times.cost(folding, peer), Aim(0.1))
    row(proving.name, duration(times.of[proving.name]), times.cost(proving, peer))
    row("fold, peak memory of a message", f"{_peak(rows, goal) / len(rows):,.0f} bytes")


def _peak(rows: list[dict[str, Any]], goal: GoalState) -> int:
    tracemalloc.start()
    fold(rows, goal, NOW)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
