"""C135: however often a conversation is compacted, the block is the same bytes, once, and no longer
than it was."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from goalspec import compile_text
from goalspec.runtime.compaction import GoalState, Plan, compact
from goalspec.runtime.compaction.blocks import block_of
from goalspec.runtime.transcript import text_of
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TURNS = st.lists(
    st.builds(
        lambda role, text: {"role": role, "content": text},
        st.sampled_from(("user", "assistant")), st.text(max_size=20),
    ),
    max_size=5,
)  # fmt: skip


@given(rounds=st.lists(TURNS, min_size=2, max_size=12), keep=st.integers(0, 4))
def test_n_compactions_keep_one_copy_byte_for_byte(rounds: list[Any], keep: int) -> None:
    document = compile_text(
        'goal g {\n  objective "Ship it"\n  criterion c "It is shipped"\n  judge {}\n}\n'
    ).document
    assert document is not None
    state = GoalState(document.goals[0])
    block = block_of(state.goal)
    messages: list[Any] = []
    for turns in rounds:
        done = compact([*messages, *turns], Plan(keep_last=keep), lambda _: "So far.", state, NOW)
        messages = done.messages
        text = "\n".join(map(text_of, messages))
        assert text.count(block) == 1
        assert text.count("Contract: ") == 1
        assert done.report.ok
