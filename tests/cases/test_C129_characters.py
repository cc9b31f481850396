"""C129: whatever the characters of a reason, the document is JSON, on one line, and no longer than hosts
take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from goalspec.runtime.driving.firing import MAX_REASON, REFUSALS, refusal
from goalspec.tests.cli.hooked import Hooked

HARD = 'two\nlines, "quotes", back\\slash, tab\t, \U0001f600, ü, 한, \u2028'


def units(text: str) -> int:
    """The length as JavaScript counts it."""
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("host", REFUSALS)
@pytest.mark.parametrize(
    "reason",
    [HARD, "x" * MAX_REASON, "x" * (MAX_REASON + 1), HARD * 2_000, "\U0001f600" * 100_000],
    ids=["hard", "most", "more", "100 KB", "astral"],
)
def test_a_reason_is_read_back(host: str, reason: str) -> None:
    document = refusal(host, reason)
    assert document.isascii()
    assert document.count("\n") == 1
    read = json.loads(document)["reason"]
    if units(reason) <= MAX_REASON:
        assert read == reason
    else:
        assert units(read) <= MAX_REASON
        assert "characters are left out" in read
        assert read.startswith(reason[:2_000])
        assert read.endswith(reason[-2_000:])


@pytest.mark.parametrize("half", ["\ud83d", "\ude00", "a\ud83d", "\x00", "\x1b[2J"])
def test_what_no_host_takes_is_replaced(half: str) -> None:
    read = json.loads(refusal("codex", half))["reason"]
    assert "\ufffd" in read
    assert read.encode("utf-8")
    assert all(char >= " " for char in read)


def test_a_goal_of_such_characters_refuses_in_one_document(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path)
    parts = "\n".join(
        f'  criterion c{number} "It is \U0001f600 \\"{"long " * 40}{number}\\"" check n == {number}'
        for number in range(100)
    )
    objective = 'Two\\nlines, \\"quotes\\" and \U0001f600.'
    hooked.create(
        text=f'facts {{ n : int in 0.. }}\ngoal long {{\n  objective "{objective}"\n{parts}\n}}\n'
    )
    answer = hooked.fire(output=HARD * 2_000)
    assert answer["decision"] == "block"
    assert units(answer["reason"]) <= MAX_REASON
    assert 'Objective: Two\n  | lines, "quotes" and \U0001f600.\n' in answer["reason"]
    assert "characters are left out" in answer["reason"]
