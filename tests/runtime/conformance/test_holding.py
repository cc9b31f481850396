"""Programs that lie, die, hang and print garbage: each is a failure of the case that it owed an
answer to, and of no other."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest
from goalspec.runtime.conformance import Case, Result, hold
from goalspec.runtime.processes import NotStarted

CASES = [Case(f"n/{n}", "a number", {"id": f"n/{n}", "n": n}, {"n": n}) for n in range(5)]

# Answers each request with its number; `special` has what is done instead, by the request's number.
PROGRAM = """
import json, os, signal, sys, time
def say(*values):
    for value in values:
        print(value if isinstance(value, str) else json.dumps(value), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    n = request["n"]
    answer = {"id": request["id"], "n": n}
    BODY
    say(answer)
"""


def held(body: str = "pass", patience: float = 20.0, before: str = "") -> dict[str, list[str]]:
    """The problems of each case that has some."""
    program = before + PROGRAM.replace("BODY", body)
    results = asyncio.run(hold([sys.executable, "-c", program], CASES, patience))
    assert [result.case for result in results] == CASES
    return {r.case.name: list(r.problems) for r in results if not r.holds}


@pytest.mark.row("X16")
def test_a_program_that_answers_holds() -> None:
    assert held() == {}


def test_one_that_answers_at_the_end_holds() -> None:
    assert held("if n < 4: kept = globals().setdefault('kept', []); kept.append(answer); continue\n    say(*kept[::-1])") == {}  # fmt: skip


def test_a_lie_is_told_from_what_is_due() -> None:
    assert held("if n == 2: answer['n'] = 7") == {"n/2": ["n: it is 7, and 2 is due"]}


def test_what_it_says_of_an_error_is_repeated() -> None:
    said = {"n/1": ["it says: not mine"]}
    assert held("if n == 1: answer = {'id': 'n/1', 'error': 'not mine'}") == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.exit(3)", "it ended with exit code 3 before it answered"),
        ("raise ValueError('oh no')", "it ended with exit code 1 before it answered: ValueError: oh no"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "signal 9 ended it before it answered"),
        ("sys.exit(0)", "it ended with exit code 0 before it answered"),
    ],
)  # fmt: skip
def test_where_it_dies_that_case_fails_and_those_after_it_are_asked(body: str, said: str) -> None:
    assert held(f"if n == 2: {body}") == {"n/2": [said]}


def test_a_case_that_it_leaves_out_fails() -> None:
    problems = held("if n == 1: continue")
    assert problems == {"n/1": ["it ended with exit code 0 before it answered"]}


def test_a_program_that_hangs_is_left() -> None:
    began = time.monotonic()
    problems = held("if n == 3: time.sleep(600)", patience=1.5)
    assert problems == {"n/3": ["it hangs: there was no answer within 1.5 s"]}
    assert time.monotonic() - began < 15


def test_one_that_never_answers_is_started_three_times() -> None:
    problems = held("sys.exit(1)")
    died = ["it ended with exit code 1 before it answered"]
    not_asked = ["it was not asked: 3 starts in a row gave no answer"]
    assert list(problems.values()) == [died] * 3 + [not_asked] * 2


@pytest.mark.parametrize(
    ("garbage", "why"),
    [
        ("'Welcome!'", "it is not JSON: Expecting value (line 1, column 1)): Welcome!"),
        ("'[1]'", "it is a JSON object, not a list): [1]"),
        ("{'n': 1}", "its `id` is not that of a request): {\"n\": 1}"),
        ("{'id': 'n/9', 'n': 9}", "its `id` is not that of a request): {\"id\": \"n/9\", \"n\": 9}"),
        ("{'id': 7}", "its `id` is not that of a request): {\"id\": 7}"),
    ],
)  # fmt: skip
def test_garbage_is_held_against_the_case_that_was_owed(garbage: str, why: str) -> None:
    problems = held(f"if n == 1: say({garbage}, {garbage})")
    assert problems == {"n/1": [f"what it printed is no answer ({why}"]}


def test_bytes_that_are_no_text_are_garbage() -> None:
    problems = held(r"if n == 0: sys.stdout.buffer.write(b'\xff\n'); sys.stdout.flush()")
    assert list(problems) == ["n/0"]
    assert "it is not UTF-8" in problems["n/0"][0]


def test_nesting_without_an_end_is_garbage() -> None:
    problems = held("if n == 0: say('[' * 100_000)")
    assert list(problems) == ["n/0"]
    deep = held("if n == 0: say('{\"id\": ' + '[' * 900 + ']' * 900 + '}')")
    assert list(deep) == ["n/0"]


def test_a_second_answer_is_one_too_many() -> None:
    assert held("if n == 1: say(answer)") == {"n/1": ["it was answered twice"]}


def test_a_flood_ends() -> None:
    problems = held("\n    while n == 2: say('y' * 1000)", patience=1.5)
    assert list(problems) == ["n/2"]
    assert problems["n/2"][0].startswith("what it printed is no answer")


def test_one_that_does_not_end_when_all_is_answered_is_left() -> None:
    began = time.monotonic()
    assert held("if n == 4: say(answer); time.sleep(600)") == {}
    assert time.monotonic() - began < 15


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotStarted, match="No such file"):
        asyncio.run(hold([str(tmp_path / "nothing")], CASES, 5))


def test_a_result_without_problems_holds() -> None:
    assert Result(CASES[0], ()).holds
    assert not Result(CASES[0], ("no",)).holds
