"""Pins of a session: their kinds, lanes, policies and roots, and the ones that people mark."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from goalspec.compiler.pinning import MAX_BODY
from goalspec.runtime.pins import (
    MAX_NO_COMPACT,
    Pin,
    PinError,
    Root,
    no_compact_pins,
    pin,
    pin_compaction_policy,
    pin_kinds,
    pin_reachability_roots,
    pin_reminder,
    recognize_no_compact,
    strip_no_compact,
    unpin,
    with_pin_roots,
)

DECISION = pin("decision", "Retries stay in the client")
FILE = pin("artifact_ref", "src/old.rs")


@pytest.mark.row("H01")
def test_a_pin_is_a_small_frozen_value() -> None:
    assert pin_kinds() == ("artifact_ref", "constraint", "decision", "goal", "no_compact")
    assert isinstance(DECISION, Pin)
    assert (DECISION.kind, DECISION.content) == ("decision", "Retries stay in the client")
    assert DECISION.dedupe_key == f"pin/decision/{DECISION.id}"
    assert (pin("decision", "x").id, pin("decision", "x").id) != (pin("goal", "x").id,) * 2
    assert pin("decision", "x") == pin("decision", "x")  # never random
    with pytest.raises(FrozenInstanceError):
        DECISION.content = "y"  # type: ignore[misc]


@pytest.mark.row("H01")
@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        ("bogus", "x", "`bogus` is no kind of pin; there are artifact_ref, constraint"),
        ("goal", "", "its content is empty"),
        ("goal", " \n", "its content is empty"),
        ("goal", 7, "its content is empty"),
    ],
)
def test_what_is_no_pin_is_refused(kind: str, content: Any, says: str) -> None:
    with pytest.raises(PinError, match=says):
        pin(kind, content)


@pytest.mark.row("H01", "H02")
def test_a_kind_may_be_registered_for_one_call() -> None:
    made = pin("todo", "Write docs", register_kinds=["todo"])
    assert (made.kind, made.role_hint) == ("todo", "system")
    with pytest.raises(PinError):
        pin("todo", "Write docs")
    with pytest.raises(PinError, match="a list of kinds"):
        pin("todo", "x", register_kinds="todo")


@pytest.mark.row("H02")
def test_each_kind_has_its_lane_and_the_caller_the_last_word() -> None:
    lanes = {kind: pin(kind, "x").role_hint for kind in pin_kinds()}
    assert lanes == {
        "artifact_ref": "developer", "constraint": "system", "decision": "developer",
        "goal": "system", "no_compact": "system",
    }  # fmt: skip
    assert pin("goal", "x", role_hint="developer").role_hint == "developer"
    assert pin("decision", "x", register_kinds=["decision"]).role_hint == "developer"


@pytest.mark.row("H03")
def test_unpinning_and_roots_leave_the_pins_as_they_were() -> None:
    pins = [DECISION, FILE]
    assert unpin(pins, DECISION.id) == [FILE]
    assert unpin(pins, "nobody") == pins
    assert pin_reachability_roots(pins) == (Root("path", "src/old.rs"),)
    assert pins == [DECISION, FILE]


@pytest.mark.row("H04")
def test_a_reminder_outlives_a_compaction() -> None:
    made = pin_reminder(FILE, propagate="all", tag_namespace="app")
    assert "src/old.rs" in made.pop("body")
    assert made == {
        "tags": ["app", "pin", "artifact_ref"], "dedupe_key": FILE.dedupe_key,
        "preserve_on_compact": True, "role_hint": "developer", "propagate": "all",
    }  # fmt: skip


@pytest.mark.row("H05")
def test_a_policy_names_each_pin() -> None:
    policy = pin_compaction_policy([DECISION, FILE], {"instructions": "Be short."})
    assert [policy["author"], policy["mode"], policy["instructions"]] == [
        "pins",
        "pins",
        "Be short.",
    ]
    assert len(policy["preserve"]) == 2
    for made, entry in zip((DECISION, FILE), policy["preserve"], strict=True):
        assert made.dedupe_key in entry
    assert "drop" not in policy


@pytest.mark.row("H05")
def test_merging_loses_nothing_of_the_policy_that_is_there() -> None:
    there = {
        "instructions": " Theirs. ", "preserve": ["a", "b"], "drop": "noise", "scope": "session",
        "author": "host", "mode": "strict", "extend_default_instructions": False,
    }  # fmt: skip
    own = {"instructions": "Ours.", "preserve": "b", "drop": ["logs"]}
    merged = pin_compaction_policy([FILE], own, merge=there)
    assert merged["preserve"][:2] == ["a", "b"]
    assert len(merged["preserve"]) == 3
    assert merged["drop"] == ["noise", "logs"]
    assert merged["instructions"] == "Theirs.\nOurs."
    assert (merged["scope"], merged["extend_default_instructions"]) == ("session", False)
    assert (merged["author"], merged["mode"]) == ("pins", "pins")
    labelled = pin_compaction_policy([FILE], own, merge=there, preserve_labels=True)
    assert (labelled["author"], labelled["mode"]) == ("host", "strict")
    assert pin_compaction_policy([FILE], own, merge=merged) == merged  # again changes nothing new


def test_a_policy_of_a_wrong_shape_is_refused() -> None:
    with pytest.raises(PinError, match="preserve: it is a text or a list of texts"):
        pin_compaction_policy([], {"preserve": {"a": 1}})
    with pytest.raises(PinError, match="merge: it is a mapping, not int"):
        pin_compaction_policy([], merge=5)  # type: ignore[arg-type]  # as a host may
    assert pin_compaction_policy([], merge={"drop": None}).keys() == {"author", "mode", "preserve"}


@pytest.mark.row("H01", "H02", "H04")
def test_what_no_host_takes_is_refused() -> None:
    host: Any = pin
    for lane in ("user", 5, ""):
        with pytest.raises(PinError, match="is no lane"):
            host("decision", "x", role_hint=lane)
    with pytest.raises(PinError, match="is no kind of pin"):
        host([], "x")
    with pytest.raises(PinError, match="a list of kinds"):
        host("goal", "x", register_kinds=None)
    with pytest.raises(PinError, match="propagate is all, session, none, not `every`"):
        pin_reminder(FILE, propagate="every")
    with pytest.raises(PinError, match="a number of characters"):
        pin_reminder(FILE, max_body="9")  # type: ignore[arg-type]  # as a host may
    assert {FILE, pin("artifact_ref", FILE.content)} == {FILE}  # a value, which a set can hold


@pytest.mark.row("H03", "H06")
@pytest.mark.parametrize(
    ("roots", "gives"),
    [
        (None, ["src/old.rs", "src/"]),
        ("x", ["x", "src/old.rs", "src/"]),
        (["src/old.rs", "y"], ["src/old.rs", "y", "src/"]),
    ],
)
def test_a_caller_s_roots_stay_beside_those_of_pins(roots: Any, gives: list[str]) -> None:
    options = {"window": 4} if roots is None else {"window": 4, "roots": roots}
    made = with_pin_roots(options, [FILE, DECISION, pin("artifact_ref", "./src/")])
    assert made == {"window": 4, "roots": gives}
    assert "roots" not in options or options["roots"] == roots


# --- [no-compact]


@pytest.mark.row("H07")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("## Session goal [no-compact]\nObjective: X", "## Session goal\nObjective: X"),
        ("Look:\n# A [no-compact] B\nx", "Look:\n# A B\nx"),
        ("###### [no-compact] Keep\nx", "###### Keep\nx"),
        ("# T [no-compact] [no-compact] \nx", "# T\nx"),
        ("```sh\n# a [no-compact]\n```\ntext", None),
        ("~~~\n# a [no-compact]", None),
        ("```\n# a\n```\n# B [no-compact]\nx", "```\n# a\n```\n# B\nx"),
        ("## plain heading", None),
        ("## [NO-COMPACT] heading", None),
        ("what does [no-compact] do?", None),
        ("## [no-compact]", None),
        ("## [no-compact]\n\n", None),
        ("", None),
        (7, None),
    ],
)
def test_a_marked_heading_makes_a_pin(text: Any, content: str | None) -> None:
    made = recognize_no_compact(text)
    assert (made.content if made else None) == content
    assert made is None or (made.kind, made.role_hint) == ("no_compact", "system")


@pytest.mark.row("H07")
def test_a_text_without_the_mark_stays_as_it_is() -> None:
    text = "## T\n[no-compact] is a mark\n\n  x  \n"
    assert strip_no_compact(text) == text


@pytest.mark.row("H07")
@pytest.mark.ruling(37, 54)
def test_what_binds_is_not_cut() -> None:
    with pytest.raises(PinError, match="mark a shorter part"):
        recognize_no_compact("# x [no-compact]\n" + "y" * MAX_BODY)


@pytest.mark.row("H07")
@pytest.mark.ruling(37)
def test_only_people_s_messages_make_pins_and_not_too_many() -> None:
    marked = "# Keep {} [no-compact]\nx"
    machine = {
        "role": "user",
        "content": marked.format("m"),
        "metadata": {"provenance": "synthetic"},
    }
    messages = [
        machine,
        {"role": "tool", "tool_call_id": "a", "content": marked.format("t")},
        {"role": "assistant", "content": marked.format("a")},
        {"role": "user", "content": "# Long [no-compact]\n" + "y" * MAX_BODY},
        *({"role": "user", "content": marked.format(n)} for n in range(MAX_NO_COMPACT + 1)),
        {"role": "user", "content": marked.format(1)},  # said again: it is one pin, and the newest
    ]
    found = no_compact_pins(messages)
    assert [made.content.split()[2] for made in found.pins] == [
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "1",
    ]
    assert list(found.refused) == [3, 4]
    assert "newer messages" in found.refused[4]
