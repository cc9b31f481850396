"""The shapes of hosts: what is read is written again as it was, whatever it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.transcript import SHAPES, bare, call_ids, is_human, result_id, unpaired
from goalspec.runtime.transcript.shape import JOINED, UNREAD
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).parent
EXAMPLES = json.loads((HERE / "shapes.json").read_text("utf-8"))

# --- any JSON, and JSON that looks like rows

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
)
KEYS = st.sampled_from((
    "role", "content", "type", "text", "id", "name", "arguments", "function", "tool_calls",
    "tool_call_id", "call_id", "output", "tool_use_id", "input", "metadata", "provenance",
    "is_error", "status", "_todo_snapshot_synthetic", "_goal_snapshot_synthetic",
    "_compressed_summary", "goalspec:flags", "goalspec:row", UNREAD, JOINED, "x",
))  # fmt: skip
WORDS = st.sampled_from((
    "user", "assistant", "tool", "system", "text", "input_text", "output_text", "message",
    "function", "function_call", "function_call_output", "computer_call", "computer_call_output",
    "reasoning", "tool_use", "tool_result", "thinking", "synthetic", "summary", "human", "a", "b",
))  # fmt: skip


def mappings(values: st.SearchStrategy[Any], **fixed: st.SearchStrategy[Any]) -> Any:
    extra = st.dictionaries(KEYS, values, max_size=3)
    known = st.fixed_dictionaries({}, optional=fixed)
    return st.builds(lambda a, b: {**a, **b}, extra, known)


JSON = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)
IDS = st.sampled_from(("a", "b"))
PARTS = JSON | mappings(
    JSON, type=WORDS, text=st.text(max_size=5), id=IDS, name=WORDS, input=JSON, tool_use_id=IDS,
    content=JSON, is_error=st.booleans(),
)  # fmt: skip
FUNCTIONS = mappings(JSON, name=WORDS, arguments=JSON)
CALLS = JSON | mappings(
    JSON, id=IDS, type=st.just("function") | WORDS, function=FUNCTIONS | JSON, name=WORDS,
    arguments=JSON,
)  # fmt: skip
ROWS = JSON | mappings(
    JSON, role=WORDS, type=WORDS, content=st.text(max_size=5) | st.lists(PARTS, max_size=4) | JSON,
    tool_calls=st.lists(CALLS, max_size=2), tool_call_id=IDS, call_id=IDS, name=WORDS,
    arguments=JSON, output=JSON | st.lists(PARTS, max_size=2), metadata=mappings(JSON),
    _todo_snapshot_synthetic=st.booleans(),
)  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
@given(rows=st.lists(ROWS, max_size=4))
def test_what_is_read_is_written_as_it_was(name: str, rows: list[Any]) -> None:
    kept = json.dumps(rows)
    messages = SHAPES[name].messages(rows)
    assert SHAPES[name].rows(messages) == rows
    assert json.dumps(rows) == kept  # reading changes nothing


@pytest.mark.parametrize("name", SHAPES)
@given(rows=st.lists(ROWS, max_size=4))
def test_what_was_read_can_be_kept_as_json(name: str, rows: list[Any]) -> None:
    messages = json.loads(json.dumps(SHAPES[name].messages(rows)))
    assert SHAPES[name].rows(messages) == rows


# --- what each shape means


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_conversation_reads_as_messages(name: str) -> None:
    example = EXAMPLES[name]
    messages = SHAPES[name].messages(example["rows"])
    assert messages == example["messages"]
    assert SHAPES[name].rows(messages) == example["rows"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_conversation_has_the_same_pairs_in_every_shape(name: str) -> None:
    messages = SHAPES[name].messages(EXAMPLES[name]["rows"])
    assert [id for message in messages for id in call_ids(message)] == ["c1", "c2"]
    assert [result_id(message) for message in messages if result_id(message)] == ["c1", "c2"]
    missing = unpaired(messages)
    assert (missing.calls, missing.results) == ((), ())


MADE: list[dict[str, Any]] = [
    {"role": "user", "content": "Look."},
    {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [{"id": "c1", "name": "read", "arguments": '{"p": 1}'}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "seen"},
    {"role": "user", "content": [{"type": "text", "text": "And?"}]},
]
WRITTEN: dict[str, list[dict[str, Any]]] = {
    "openai-chat": [
        MADE[0],
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "read", "arguments": '{"p": 1}'},
                }
            ],
        },
        *MADE[2:],
    ],
    "openai-responses": [
        MADE[0],
        {"role": "assistant", "content": "I look."},
        {"type": "function_call", "call_id": "c1", "name": "read", "arguments": '{"p": 1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "seen"},
        {"role": "user", "content": [{"type": "input_text", "text": "And?"}]},
    ],
    "anthropic": [
        MADE[0],
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "read", "input": '{"p": 1}'},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "seen"}],
        },
        MADE[3],
    ],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_messages_that_were_made_elsewhere_become_rows(name: str) -> None:
    assert SHAPES[name].rows(MADE) == WRITTEN[name]


@pytest.mark.row("M03")
def test_a_flag_of_hermes_says_that_no_person_wrote_it() -> None:
    rows = [
        {"role": "user", "content": "Ship it."},
        {"role": "user", "content": "[todo] ship", "_todo_snapshot_synthetic": True},
        {"role": "user", "content": "Before: …", "_compressed_summary": True},
    ]
    messages = SHAPES["hermes"].messages(rows)
    assert [is_human(message) for message in messages] == [True, False, False]


def test_bare_rows_have_no_field_of_ours() -> None:
    rows = [{"role": "user", "content": "x", "metadata": {"provenance": "human"}}, 7, {"role": "y"}]
    assert bare(rows) == [{"role": "user", "content": "x"}, 7, {"role": "y"}]
