"""Which root keeps which result: cases.toml, one table of spellings (row H06)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from goalspec.runtime.reachability import Policy, Root, reclaim

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))["case"]
POLICY = Policy(window=1, min_chars=100)


def root_of(given: Any) -> Root | str:
    if isinstance(given, str):
        return given
    [(kind, text)] = given.items()
    return Root(kind, text)


def transcript(case: dict[str, Any]) -> list[Any]:
    call = {"id": "c1", "name": "read", "arguments": case.get("arguments", {})}
    return [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "c1",
            "name": "read",
            "content": case["body"] + "\n" + "value\n" * 180,
            **case.get("fields", {}),
        },
        {"role": "user", "content": "new task"},
    ]


def test_each_case_has_its_own_name() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.row("H06")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_root_keeps_what_mentions_it(case: dict[str, Any]) -> None:
    messages = transcript(case)
    bare = reclaim(messages, [], POLICY, case.get("folder"))
    assert [result.reason for result in bare.results] == ["unreachable"]
    root = root_of(case["root"])
    [result] = reclaim(messages, [root], POLICY, case.get("folder")).results
    assert (result.reason == "root") is case["kept"], result.words
    if case["kept"]:
        assert result.wanted is not None and result.wanted.origin == "given"
