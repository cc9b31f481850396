"""What is reclaimed, what never is, and what the answer says of it (row H06)."""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import pytest
from goalspec.compiler.pinning import make_pin, pin_roots
from goalspec.runtime.reachability import Policy, Projection, Root, reclaim

UUID = "8f14e45f-ea5e-4dab-8c71-6f589afb8e17"
SHA = "deadbeef1234567890abcdef1234567890abcdef"
FILLING = "value\n" * 180


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def said(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def call(id: str, name: str = "read", **arguments: Any) -> dict[str, Any]:
    calls = [{"id": id, "name": name, "arguments": arguments}]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def answer(id: str | None, content: Any, name: str = "read", **fields: Any) -> dict[str, Any]:
    by = {} if id is None else {"tool_call_id": id}
    return {"role": "tool", **by, "name": name, "content": content, **fields}


def reclaimed(projection: Projection) -> list[str]:
    return [result.place for result in projection.reclaimed]


def two_files() -> list[Any]:
    return [
        user("inspect"),
        call("c1", path="src/old.rs"),
        answer("c1", "src/old.rs\n" + FILLING),
        call("c2", path="src/other.rs"),
        answer("c2", "src/other.rs\n" + FILLING),
        user("new task"),
    ]


ONE = Policy(window=1, min_chars=100)
TWO = Policy(window=2, min_chars=100)


# --- the cases of the reference host


@pytest.mark.row("H06")
def test_two_files_of_which_one_is_pinned() -> None:
    pins = [make_pin("artifact_ref", "src/old.rs")]
    assert len(reclaim(two_files(), [], ONE).reclaimed) == 2
    assert reclaimed(reclaim(two_files(), pin_roots(pins), ONE)) == ["messages[4].content"]


@pytest.mark.row("H06")
@pytest.mark.parametrize("content", ["./src/old.rs", "src/old.rs:42", "/repo/src/old.rs", "src/"])
def test_a_pinned_path_in_any_spelling(content: str) -> None:
    roots = pin_roots([make_pin("artifact_ref", content)])
    kept = reclaim(two_files(), roots, ONE, "/repo").kept
    assert 2 in {result.index for result in kept}


@pytest.mark.row("H06")
def test_roots_of_the_caller_stand_beside_those_of_pins() -> None:
    roots = [*pin_roots([make_pin("artifact_ref", "src/old.rs")]), "src/other.rs"]
    assert reclaimed(reclaim(two_files(), roots, ONE)) == []


@pytest.mark.row("H06")
@pytest.mark.parametrize("kind", ["decision", "constraint", "no_compact"])
def test_what_a_pin_says_in_prose_is_no_root(kind: str) -> None:
    pins = [make_pin(kind, "We read the old value and any other file by read")]
    assert len(reclaim(two_files(), pin_roots(pins), ONE).reclaimed) == 2


@pytest.mark.row("H06")
def test_what_the_last_messages_name_is_kept() -> None:
    messages = [
        user("inspect old and live files"),
        call("old", path="src/old.rs"),
        answer("old", "src/old.rs\n" + FILLING, _host={"kind": "tool_result"}),
        call("live", path="src/live.rs"),
        answer("live", "src/live.rs\nIMPORTANT\n" + FILLING, _host={"kind": "tool_result"}),
        said("The active change is in src/live.rs."),
        user("Continue from the live file finding."),
    ]
    projection = reclaim(messages, [], TWO)
    assert reclaimed(projection) == ["messages[2].content"]
    assert projection.messages[2]["content"].startswith("[tool result reclaimed: ")
    assert projection.messages[4] is messages[4]
    assert projection.results[1].words == (
        "it mentions the path src/live.rs, a root that the last messages mention"
    )


@pytest.mark.row("H06")
def test_a_field_of_the_domain_is_no_frame() -> None:
    messages = [
        user("Inspect the stored record."),
        call("c", "lookup"),
        answer("c", FILLING, data={"kind": "CustomerRecord"}, _host={"kind": "tool_result"}),
        said("CustomerRecord is the active domain object."),
        user("Continue with CustomerRecord."),
    ]
    assert reclaimed(reclaim(messages, [], TWO)) == []


@pytest.mark.row("H06")
def test_ids_in_fields_are_known_however_they_look() -> None:
    fields = ({"object_id": "widget"}, {"record_id": UUID}, {"commit_sha": SHA})
    messages = [
        user("Inspect the selected objects."),
        *(answer(None, FILLING, "lookup", data=data) for data in (*fields, {"issue_number": 12})),
        user(f"Continue with widget, {UUID}, {SHA}, and issue 12."),
    ]
    projection = reclaim(messages, [], ONE)
    assert [result.reason for result in projection.results] == ["root"] * 4
    assert projection.results[0].mention == "widget"


@pytest.mark.row("H06")
def test_references_are_whole_tokens() -> None:
    messages = [
        user("Inspect two old objects."),
        answer(None, FILLING, "lookup", data={"issue_number": 2}),
        answer(None, FILLING, "lookup", data={"commit_sha": "abc1234"}),
        user("Continue with issue 12 and xabc1234y."),
    ]
    places = ["messages[1].content", "messages[2].content"]
    assert reclaimed(reclaim(messages, [], ONE)) == places
    last = [*messages[:-1], user("Go on.")]
    assert reclaimed(reclaim(last, ["issue 12 and xabc1234y"], ONE)) == places


def blocks() -> list[Any]:
    uses = [
        {"type": "tool_use", "id": "old", "name": "read", "input": {"path": "src/old.rs"}},
        {"type": "tool_use", "id": "live", "name": "read", "input": {"path": "src/live.rs"}},
    ]
    shown = [
        {"type": "tool_result", "tool_use_id": "old", "content": "src/old.rs\n" + FILLING},
        {"type": "tool_result", "tool_use_id": "live", "content": "src/live.rs\n" + FILLING},
    ]
    return [
        user("inspect old and live files"),
        said(uses),
        user(shown),
        said("The active change is in src/live.rs."),
        user("Continue from the live file finding."),
    ]


@pytest.mark.row("H06")
def test_one_of_two_blocks_of_a_message() -> None:
    messages = blocks()
    projection = reclaim(messages, [], TWO)
    assert reclaimed(projection) == ["messages[2].content[0].content"]
    first, second = projection.messages[2]["content"]
    assert first["tool_use_id"] == "old"
    assert first["content"].startswith("[tool result reclaimed: ")
    assert second is messages[2]["content"][1]


@pytest.mark.row("H06")
def test_a_required_write_barrier() -> None:
    messages = two_files()
    required = Policy(window=1, min_chars=100, require_barrier=True)
    projection = reclaim(messages, [], required)
    assert projection.messages is messages
    assert [result.reason for result in projection.results] == ["barrier", "barrier"]
    given = Policy(1, 100, barrier=("src/old.rs",), require_barrier=True)
    projection = reclaim(messages, [], given)
    assert reclaimed(projection) == ["messages[4].content"]
    wanted = projection.results[0].wanted
    assert wanted is not None and wanted.origin == "barrier"


# --- better than it


@pytest.mark.row("H06")
def test_a_recent_call_of_a_tool_keeps_no_older_result_of_it() -> None:
    messages = [
        *two_files()[:-1],
        call("c3", path="src/new.rs"),
        answer("c3", "src/new.rs\n" + FILLING),
        said("I read it, and shall read more with read."),
    ]
    assert len(reclaim(messages, [], Policy(3, 100)).reclaimed) == 2


@pytest.mark.row("H06")
def test_a_call_id_that_is_used_again_keeps_nothing() -> None:
    messages = [*two_files()[:-1], call("c1", path="a/b.rs"), answer("c1", "x"), user("go")]
    assert len(reclaim(messages, [], Policy(3, 100)).reclaimed) == 2


def test_a_recent_search_in_a_folder_keeps_nothing_below_it() -> None:
    messages = [*two_files()[:-1], call("c3", "grep", path="src/"), answer("c3", "none")]
    assert len(reclaim(messages, [], TWO).reclaimed) == 2


def test_a_recent_listing_of_code_wants_files_and_no_symbols() -> None:
    stale = [answer("a", "class SessionStore\n" + FILLING), answer("b", "src/x.py\n" + FILLING)]
    shown = answer("c", "src/x.py:3: class SessionStore")
    assert reclaimed(reclaim([*stale, shown], [], ONE)) == ["messages[0].content"]


def test_the_arguments_of_a_recent_call_count() -> None:
    messages = [*two_files()[:-1], call("c3", command="cat src/old.rs")]
    assert reclaimed(reclaim(messages, [], ONE)) == ["messages[4].content"]


# --- what stays whatever it mentions


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({"is_error": True}, "x"),
        ({"isError": True}, "x"),
        ({"error": {"code": 7}}, "x"),
        ({"status": "Failed"}, "x"),
        ({"status": "denied"}, "x"),
        ({"success": False}, "x"),
        ({"exit_code": 2}, "x"),
        ({}, "Error: no such file"),
        ({}, "error[E0308]: mismatched types"),
        ({}, "error TS2304: Cannot find name"),
        ({}, "\nTool error while reading"),
        ({}, "failed: disk full"),
        ({}, "Traceback (most recent call last):"),
        ({}, '{"content": "x", "is_error" : true}'),
    ],
)
def test_errors_stay(fields: dict[str, Any], body: str) -> None:
    messages = [answer("a", f"{body}\n{FILLING}", **fields), user("go")]
    projection = reclaim(messages, [], ONE)
    assert (projection.messages is messages, projection.results[0].reason) == (True, "error")


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ({"is_error": False, "exit_code": 0, "success": True, "status": "ok", "error": None}, "x"),
        ({}, "Errors and how to handle them"),
        ({}, "Failed tests are listed below"),
        ({}, 'text with "is_error": true in it'),
    ],
)
def test_what_only_looks_like_an_error_goes(fields: dict[str, Any], body: str) -> None:
    messages = [answer("a", f"{body}\n{FILLING}", **fields), user("go")]
    assert [result.reason for result in reclaim(messages, [], ONE).results] == ["unreachable"]


SIGNED = [
    {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
    {"type": "redacted_thinking", "data": "AAAA"},
    {"type": "reasoning", "encrypted_content": "AAAA"},
    {"type": "text", "text": "x", "thoughtSignature": "c2ln"},
]


@pytest.mark.parametrize("part", SIGNED)
def test_signed_reasoning_keeps_its_message_as_it_is(part: dict[str, Any]) -> None:
    messages = blocks()
    messages[2]["content"].append(part)
    projection = reclaim(messages, [], TWO)
    assert projection.messages is messages
    assert [result.reason for result in projection.results] == ["signed", "signed"]


@pytest.mark.parametrize("key", ["reasoning_details", "reasoning"])
def test_signed_reasoning_beside_the_content(key: str) -> None:
    details = [{"type": "reasoning.encrypted", "data": "AAAA"}]
    projection = reclaim([answer("a", FILLING, **{key: details}), user("go")], [], ONE)
    assert projection.results[0].reason == "signed"


def test_unsigned_reasoning_does_not() -> None:
    messages = blocks()
    messages[2]["content"].append({"type": "thinking", "thinking": "hm"})
    assert len(reclaim(messages, [], TWO).reclaimed) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (FILLING[:99], "short"),
        (None, "opaque"),
        ([{"type": "image", "data": "AAAA" * 900}], "opaque"),
        ({"any": "thing"}, "opaque"),
    ],
)
def test_what_is_not_worth_it_stays(content: Any, reason: str) -> None:
    assert reclaim([answer("a", content), user("go")], [], ONE).results[0].reason == reason


def test_a_pointer_is_never_longer_than_what_it_stands_for() -> None:
    policy = Policy(0, 0)
    for length in (0, 1, 100, 150, 200):
        [result] = reclaim([answer("a", "x" * length)], [], policy).results
        assert result.reclaimed is (length > 160)
        assert result.reclaimed_chars >= 0


def test_the_last_messages_stay_whole() -> None:
    projection = reclaim(two_files(), [], Policy(window=2, min_chars=100))
    assert [result.reason for result in projection.results] == ["unreachable", "recent"]
    assert reclaim(two_files(), [], Policy(window=99, min_chars=0)).reclaimed == ()


# --- the answer


def test_the_answer_shares_what_it_did_not_touch_and_leaves_what_it_was_given() -> None:
    messages = two_files()
    before = copy.deepcopy(messages)
    new = reclaim(messages, [], ONE).messages
    assert messages == before
    assert [a is b for a, b in zip(new, messages, strict=True)] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]
    assert {key: new[2][key] for key in ("role", "tool_call_id", "name")} == {
        "role": "tool", "tool_call_id": "c1", "name": "read",
    }  # fmt: skip


def test_a_pointer_says_what_stood_there() -> None:
    messages = two_files()
    projection = reclaim(messages, [], ONE)
    [result, _] = projection.reclaimed
    body = messages[2]["content"]
    digest = hashlib.sha256(body.encode()).hexdigest()
    line = projection.messages[2]["content"]
    assert line == (
        f"[tool result reclaimed: {len(body)} characters, about {len(body) // 4} tokens, "
        f"sha256:{digest}; call the tool again if it is needed]"
    )
    assert (result.sha256, result.chars, result.call) == (digest, len(body), "c1")
    assert result.reclaimed_chars == len(body) - len(line)
    assert projection.reclaimed_tokens == projection.reclaimed_chars // 4


def test_the_parts_of_a_result_that_are_no_text_stay() -> None:
    image = {"type": "image", "data": "AAAA"}
    parts = [image, {"type": "text", "text": FILLING}, image, {"type": "text", "text": "more"}]
    projection = reclaim([answer("a", parts), user("go")], [], ONE)
    first, second, third = projection.messages[0]["content"]
    assert (first, third) == (image, image)
    assert second["text"].startswith(f"[tool result reclaimed: {len(FILLING) + 5} characters")


def test_the_report() -> None:
    projection = reclaim(two_files(), [Root("path", "./src/old.rs")], ONE)
    assert list(projection.lines()) == [
        "kept       messages[2].content: it mentions the path ./src/old.rs, as src/old.rs, a root that was given",
        "reclaimed  messages[4].content: no root is mentioned in it",
    ]
    report = projection.to_json()
    assert (report["kept"], report["reclaimed"]) == (1, 1)
    assert report["roots"] == [{"kind": "path", "text": "./src/old.rs", "origin": "given"}]
    assert report["results"][0]["root"]["origin"] == "given"
    assert report["results"][1]["sha256"] == projection.results[1].sha256


def test_a_call_is_found_by_its_tool_where_there_is_no_id() -> None:
    messages = [
        {"role": "assistant", "content": "", "tool_calls": [
            {"type": "function", "function": {"name": "read", "arguments": '{"path": "src/old.rs"}'}}
        ]},
        answer(None, FILLING),
        answer(None, FILLING, "other"),
        user("go"),
    ]  # fmt: skip
    assert reclaimed(reclaim(messages, ["src/old.rs"], ONE)) == ["messages[2].content"]
