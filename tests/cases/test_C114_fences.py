"""C114: a valid verdict counts inside one code fence, after a preamble too; two that differ do not."""

from __future__ import annotations

import json

import pytest
from goalspec.runtime.judge import Answer, Invalid, read_answer
from goalspec.tests.runtime.judge.goals import GOOD, request, said

TEXT = json.dumps(GOOD, indent=2)
OTHER = json.dumps(said("continue", cause="unmet"))


@pytest.mark.parametrize(
    "reply",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"````JSON\n{TEXT}\n````",
        f"Sure, here is my verdict:\n```json\n{TEXT}\n```",
        f"```json\n{TEXT}\n```\n```json\n{json.dumps(GOOD)}\n```",
    ],
)
def test_one_object_counts(reply: str) -> None:
    read = read_answer(reply, request())
    assert isinstance(read, Answer)
    assert read.decision == "accept"


@pytest.mark.parametrize(
    "reply",
    [f"```json\n{TEXT}\n```\n```json\n{OTHER}\n```", f"```json\n{OTHER}\n```\n~~~\n{TEXT}\n~~~"],
)
def test_two_objects_that_differ_do_not(reply: str) -> None:
    read = read_answer(reply, request())
    assert isinstance(read, Invalid)
    assert read.kind == "several"
