"""A compaction around a summarizer: what it is asked, what stays, and what goes wrong in it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.pinning import GOAL_KEY, Pin, PinError, goal_pin, goal_pins, make_pin
from goalspec.runtime.compaction import (
    GoalState,
    Plan,
    SummaryError,
    SummaryRequest,
    command_summarizer,
    compact,
    fold,
    verify_fold,
)
from goalspec.runtime.compaction.cutting import cut
from goalspec.runtime.reachability import Policy
from goalspec.runtime.transcript import text_of
from goalspec.tests.runtime.compaction.transcripts import BLOCK, GOAL, NOW, OLDER, STATE

SYSTEM = {"role": "system", "content": "You are terse."}
ASK = {"role": "user", "content": "Fix it."}
WORKING = {"role": "assistant", "content": "working"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "a", "name": "x", "arguments": {}}],
}
RESULT = {"role": "tool", "tool_call_id": "a", "content": "1"}
MESSAGES = [SYSTEM, ASK, WORKING, CALL, RESULT, WORKING, ASK, WORKING]


class Recording:
    def __init__(self) -> None:
        self.requests: list[SummaryRequest] = []

    def __call__(self, request: SummaryRequest) -> str:
        self.requests.append(request)
        return " They fixed it. "


def test_what_opens_and_ends_the_transcript_stays() -> None:
    done = compact(MESSAGES, Plan(keep_first=1, keep_last=2), Recording(), STATE, NOW)
    assert done.messages[:2] == [SYSTEM, ASK]
    assert done.messages[3:5] == [ASK, WORKING]
    assert text_of(done.messages[2]).endswith("\n\nThey fixed it.")
    assert done.messages[2]["metadata"] == {"provenance": "summary"}
    assert text_of(done.messages[5]) == BLOCK
    assert (done.summarized, done.error, done.report.ok) == (4, None, True)


@pytest.mark.parametrize(
    ("keep_first", "keep_last", "span"),
    [
        (0, 0, (1, 8)),
        (0, 4, (1, 3)),
        (0, 3, (1, 5)),
        (3, 0, (3, 8)),
        (2, 4, (3, 3)),
        (99, 0, (8, 8)),
    ],
)
def test_a_cut_tears_nothing_apart(keep_first: int, keep_last: int, span: tuple[int, int]) -> None:
    assert cut(MESSAGES, keep_first, keep_last) == span


def test_calls_that_wait_are_not_summarized() -> None:
    assert cut([SYSTEM, ASK, WORKING, CALL], 0, 0) == (1, 3)


@pytest.mark.row("H05")
def test_pins_and_the_host_s_policy_direct_the_summarizer() -> None:
    recording = Recording()
    pins = (goal_pin(GOAL), make_pin("decision", "Retries stay in the client"))
    policy = {"instructions": "In French.", "drop": ["logs"], "preserve": ["names"], "author": "me"}
    compact(MESSAGES, Plan(keep_last=2, pins=pins, policy=policy), recording, STATE, NOW)
    (request,) = recording.requests
    assert request.messages == MESSAGES[1:6]
    assert request.policy["author"] == "me"
    paragraphs = request.instructions.split("\n\n")
    assert paragraphs[1] == "In French."
    assert paragraphs[2] == "Keep:\n- names"  # what is put back, a summarizer need not keep
    named = "\n".join(request.policy["preserve"])
    assert all(pin.dedupe_key in named for pin in pins)
    assert paragraphs[3] == "Leave out:\n- logs"


@pytest.mark.row("H05")
def test_a_policy_that_is_none_is_refused_before_anything_happens() -> None:
    recording = Recording()
    for policy in ({"preserve": 5}, {"drop": {"a": 1}}):
        with pytest.raises(PinError, match="a text or a list of texts"):
            compact(MESSAGES, Plan(keep_last=2, policy=policy), recording, STATE, NOW)
    assert not recording.requests


@pytest.mark.row("M04")
@pytest.mark.parametrize(
    "state",
    [None, GoalState(GOAL, "complete"), GoalState(replace(OLDER, id="other"), generation=9)],
    ids=["no goal", "complete", "another goal"],
)
def test_pins_of_a_goal_that_is_not_pursued_are_not_put_back(state: GoalState | None) -> None:
    of_goal, own = goal_pins(GOAL), make_pin("decision", "Retries stay in the client")
    before = compact(MESSAGES, Plan(keep_last=2, pins=(*of_goal, own)), Recording(), STATE, NOW)
    assert sum(_reminds(message) for message in before.messages) == len(of_goal)
    for plan in (Plan(keep_last=2, pins=(*of_goal, own)), Plan(keep_last=99, pins=(own,))):
        done = compact(before.messages, plan, Recording(), state, NOW)
        (left,) = filter(_reminds, done.messages)
        assert left["metadata"]["reminder"]["dedupe_key"] == own.dedupe_key
        assert done.report.ok
    folded = fold(before.messages, state, NOW).messages
    assert sum(map(_reminds, folded)) == 1
    kinds = {one.kind for one in verify_fold(before.messages, before.messages, state, NOW).findings}
    assert "resurrected" in kinds


def test_a_summarizer_s_command_is_one() -> None:
    with pytest.raises(ValueError, match="a program's name"):
        command_summarizer([], timeout=1)


def test_instructions_may_stand_in_place_of_ours() -> None:
    recording = Recording()
    policy = {"instructions": "Only names.", "extend_default_instructions": False}
    compact(MESSAGES, Plan(keep_last=2, policy=policy), recording, STATE, NOW)
    assert recording.requests[0].instructions == "Only names."


@pytest.mark.row("H04")
@pytest.mark.ruling(53)
def test_pins_are_put_back_once_and_the_goal_has_one_carrier() -> None:
    decision = make_pin("decision", "Retries stay in the client")
    plan = Plan(keep_last=2, pins=(goal_pin(GOAL), decision))
    messages: list[Any] = MESSAGES
    for _ in range(3):
        messages = compact([*messages, WORKING], plan, Recording(), STATE, NOW).messages
    keys = [
        message["metadata"]["reminder"]["dedupe_key"] for message in messages if _reminds(message)
    ]
    assert keys == [decision.dedupe_key]
    assert GOAL_KEY not in keys
    assert messages[1]["role"] == "developer"
    assert "\n".join(map(text_of, messages)).count(BLOCK) == 1
    unpinned = compact(messages, Plan(keep_last=2), Recording(), STATE, NOW).messages
    assert not any(map(_reminds, unpinned))


@pytest.mark.row("H04")
def test_a_host_s_own_reminder_stays_and_the_newest_of_a_key_wins() -> None:
    def reminding(body: str, preserve: bool = True) -> dict[str, Any]:
        reminder = {"dedupe_key": "todo", "preserve_on_compact": preserve}
        return {
            "role": "system", "content": body,
            "metadata": {"provenance": "synthetic", "reminder": reminder},
        }  # fmt: skip

    messages = [SYSTEM, ASK, reminding("old"), WORKING, reminding("new"), WORKING, ASK]
    left = compact(messages, Plan(keep_last=1), Recording(), STATE, NOW).messages
    assert [text_of(message) for message in left if _reminds(message)] == ["new"]
    passing = [SYSTEM, ASK, reminding("x", preserve=False), WORKING, ASK]
    left = compact(passing, Plan(keep_last=1), Recording(), STATE, NOW).messages
    assert not any(map(_reminds, left))


def _reminds(message: Any) -> bool:
    return "reminder" in message.get("metadata", {})


@pytest.mark.row("H06")
def test_stale_results_go_unless_a_pin_or_a_root_wants_them() -> None:
    def reading(id: str, path: str) -> list[Any]:
        call = {"id": id, "name": "read", "arguments": json.dumps({"path": path})}
        return [
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": id, "content": f"// {path}\n" + "x = 1\n" * 100},
        ]

    messages = [ASK, *reading("a", "src/old.rs"), *reading("b", "src/new.rs"), WORKING]

    def left(pins: tuple[Pin, ...], roots: tuple[str, ...]) -> list[str]:
        plan = Plan(
            keep_last=9, pins=pins, roots=roots, reclaim=Policy(window=1, min_chars=100)
        )  # fmt: skip
        done = compact(messages, plan, Recording(), STATE, NOW)
        assert done.report.ok
        assert done.reclaimed is not None
        whole = {text_of(message) for message in messages if message["role"] == "tool"}
        kept = [message for message in done.messages if message["role"] == "tool"]
        assert len(kept) == 2
        return [one["tool_call_id"] for one in kept if text_of(one) in whole]

    pin = make_pin("artifact_ref", "src/old.rs")
    assert left((), ()) == []
    assert left((pin,), ()) == ["a"]
    assert left((pin,), ("src/new.rs",)) == ["a", "b"]


# --- what goes wrong


def failing(request: SummaryRequest) -> str:
    raise ConnectionError("no route")


@pytest.mark.parametrize(
    ("summarize", "says"),
    [
        (failing, "the summarizer failed: ConnectionError: no route"),
        (lambda request: "  ", "the summary is empty"),
        (lambda request: None, "a summary is a string, not NoneType"),
    ],
)
def test_without_a_summary_nothing_is_lost(summarize: Any, says: str) -> None:
    done = compact(MESSAGES, Plan(keep_last=2), summarize, STATE, NOW)
    assert (done.error, done.summarized) == (says, 0)
    assert done.messages[:-1] == MESSAGES
    assert text_of(done.messages[-1]) == BLOCK
    assert done.report.ok


def test_without_room_for_the_contract_nothing_is_compacted() -> None:
    done = compact(MESSAGES, Plan(keep_last=2, room=10), Recording(), STATE, NOW)
    assert done.messages == MESSAGES
    assert done.error is not None
    assert "there is room for 10" in done.error
    assert [finding.kind for finding in done.report.findings] == ["missing"]


def test_with_nothing_to_summarize_nobody_is_asked() -> None:
    recording = Recording()
    done = compact([SYSTEM, ASK], Plan(), recording, STATE, NOW)
    assert (recording.requests, done.summarized, done.error) == ([], 0, None)
    assert text_of(done.messages[1]) == f"Fix it.\n\n{BLOCK}"


@pytest.mark.row("M04")
def test_a_goal_that_is_over_is_gone_after_a_compaction() -> None:
    there = compact(MESSAGES, Plan(keep_last=2), Recording(), STATE, NOW).messages
    over = compact(there, Plan(keep_last=2), Recording(), GoalState(GOAL, "complete"), NOW)
    assert BLOCK not in "\n".join(map(text_of, over.messages))
    assert over.report.ok


# --- a command


def script(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_command_summarizes() -> None:
    code = "import json, sys; asked = json.load(sys.stdin); print(sorted(asked), len(asked['messages']))"
    summary = command_summarizer(script(code), 20)
    done = compact(MESSAGES, Plan(keep_last=2), summary, STATE, NOW)
    assert done.error is None
    assert text_of(done.messages[1]).endswith("['instructions', 'messages', 'policy'] 5")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (script("import sys; sys.exit('no key')"), "exit code 1: no key"),
        (script("import time; time.sleep(60)"), "no summary after 0.3 s"),
        (script("import sys; sys.stdout.buffer.write(b'\\xff')"), "not UTF-8"),
        (["no-such-command-here"], "No such file"),
    ],
)
def test_a_command_that_fails_says_why(command: list[str], says: str) -> None:
    with pytest.raises(SummaryError, match=says):
        command_summarizer(command, 0.3 if "sleep" in str(command) else 20)(
            SummaryRequest([], "", {})
        )


def test_a_request_is_json() -> None:
    recording = Recording()
    compact(MESSAGES, Plan(keep_last=2, pins=(goal_pin(GOAL),)), recording, STATE, NOW)
    (request,) = recording.requests
    assert json.loads(json.dumps([request.policy, list(request.messages)]))
