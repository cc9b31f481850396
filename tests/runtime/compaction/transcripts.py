"""Random transcripts: every mix of roles, calls, parts, earlier folds and summaries, in any
language, and JSON that is no message at all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from goalspec.compiler.rendering import PRESERVED_HEADER, render
from goalspec.runtime.compaction import GoalState, fold
from goalspec.runtime.compaction.blocks import block_of
from goalspec.tests.compiler.rendering.goals import goal_of
from hypothesis import strategies as st

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
GOAL = goal_of(lambda name: f"The {name} <of> it\nin two lines")
OLDER = goal_of(lambda name: f"An older {name}")
STATE = GoalState(GOAL, generation=3)
BLOCK = block_of(GOAL)
STALE = GoalState(OLDER, generation=2)

TEXTS = st.text(max_size=12) | st.sampled_from((
    "Also keep the docs in sync.", "ここを直して", "أصلح الاختبار", "исправь\n\n", "\n", "</goal>", "\ud800",
    PRESERVED_HEADER, f"What is {PRESERVED_HEADER}?", f"{PRESERVED_HEADER}\n\nmine\n</goal-0123456789ab>",
    f"It said:\n\n{BLOCK}\n\nWhy?", BLOCK[:-1], BLOCK.replace("objective", "purpose"),
    f"Twice:\n\n{BLOCK}\n\n{BLOCK}", f"{PRESERVED_HEADER}\n{BLOCK}\n{BLOCK.split(PRESERVED_HEADER)[1]}",
))  # fmt: skip
JUNK: st.SearchStrategy[Any] = st.sampled_from((None, 7, "x", [], {}, {"role": "user"}, {"role": 3}, {"content": "x"},
    {"role": "user", "content": None}, {"role": "user", "content": "x", "metadata": 5},
    {"role": "tool"}, {"role": "assistant", "tool_calls": [None, {"id": []}]},
    {"role": "user", "content": [None, {"type": "text"}]}, {"role": ["user"]},
))  # fmt: skip
IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}


def contents() -> st.SearchStrategy[Any]:
    part = st.builds(lambda text: {"type": "text", "text": text}, TEXTS) | st.just(IMAGE)
    return TEXTS | st.lists(part, max_size=3)


def people() -> st.SearchStrategy[Any]:
    """Persons' messages, in hosts that say so. (What ends with a block in a host that says nothing
    is a fold's.)"""
    human = st.just({"provenance": "human"})
    return st.builds(lambda c, m: {"role": "user", "content": c, "metadata": m}, contents(), human)


def unmarked() -> st.SearchStrategy[Any]:
    return st.builds(lambda content: {"role": "user", "content": content}, contents())


def machines() -> st.SearchStrategy[Any]:
    """Todo snapshots, summaries that quote or mangle the contract, reminders."""
    told = TEXTS | st.sampled_from((BLOCK, f"x\n\n{BLOCK}\n\ny", block_of(OLDER), "…" + BLOCK[40:]))
    reminder = {"preserve_on_compact": True, "dedupe_key": "k", "tags": ["pin"]}
    metadata = st.sampled_from((
        {"provenance": "synthetic"}, {"provenance": "summary", "x": 1},
        {"provenance": "synthetic", "reminder": reminder},
    ))  # fmt: skip
    roles = st.sampled_from(("user", "user", "assistant", "system"))
    return st.builds(
        lambda r, t, m: {"role": r, "content": t, "metadata": m}, roles, told, metadata
    )


def told_by_machines() -> st.SearchStrategy[list[Any]]:
    """A call beside a block, in one message of an engine's."""
    calls = [{"id": "m", "name": "read", "arguments": "{}"}]
    metadata = {"provenance": "synthetic"}
    call = {"role": "assistant", "content": BLOCK, "tool_calls": calls, "metadata": metadata}
    return st.just([call, {"role": "tool", "tool_call_id": "m", "content": "ok"}])


def continuations() -> st.SearchStrategy[Any]:
    texts = st.sampled_from((render(GOAL, "continuation").text, render(OLDER, "continuation").text))
    metadata = {"provenance": "synthetic"}
    return st.builds(lambda t: {"role": "user", "content": t, "metadata": metadata}, texts)


@st.composite
def rounds(draw: Any) -> list[Any]:
    """An assistant's calls and their results, in any order."""
    ids = draw(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True))
    calls = [{"id": id, "name": "read", "arguments": "{}"} for id in ids]
    results = [{"role": "tool", "tool_call_id": id, "content": draw(TEXTS)} for id in ids]
    return [
        {"role": "assistant", "content": draw(TEXTS), "tool_calls": calls},
        *draw(st.permutations(results)),
    ]


def rows() -> st.SearchStrategy[list[Any]]:
    plain = (
        people() | unmarked() | machines() | continuations() | JUNK
        | st.builds(lambda t: {"role": "assistant", "content": t}, TEXTS)
        | st.builds(lambda t: {"role": "system", "content": t}, TEXTS)
    )  # fmt: skip
    return plain.map(lambda row: [row]) | rounds() | told_by_machines()


@st.composite
def transcripts(draw: Any) -> list[Any]:
    """A transcript, through none, one or two earlier boundaries, its last calls perhaps open."""
    made: list[Any] = []
    for state in draw(st.lists(st.sampled_from((STALE, STATE)), max_size=2)):
        for row in draw(st.lists(rows(), max_size=4)):
            made += row
        made = fold(_apart(made), state, NOW).messages
    for row in draw(st.lists(rows(), max_size=4)):
        made += row
    if draw(st.booleans()):
        calls: list[Any] = [{"id": id, "name": "x", "arguments": {}} for id in ("p", "q")]
        made.append({"role": "assistant", "content": "", "tool_calls": calls})
        made += draw(st.sampled_from(([], [{"role": "tool", "tool_call_id": "q", "content": "1"}])))
    return _apart(made)


def _apart(messages: list[Any]) -> list[Any]:
    """No two messages of machines side by side in the user's place, as hosts leave none."""
    from goalspec.runtime.transcript import is_machine_user

    apart: list[Any] = []
    for message in messages:
        if apart and is_machine_user(message) and is_machine_user(apart[-1]):
            apart.append({"role": "assistant", "content": "…"})
        apart.append(message)
    return apart
