"""A judge that is a function of the host's, with or without `async`."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest
from goalspec.runtime.judge import Outage, Policy, Reply, Usage, judge
from goalspec.runtime.judge.adapters import FunctionCall
from goalspec.runtime.judge.adapters.function import Function
from goalspec.runtime.judge.asking import SystemClock
from goalspec.tests.runtime.judge.goals import GOOD, request

REQUEST = request()
TEXT = json.dumps(GOOD)


def ask(function: Function, policy: Policy | None = None) -> Any:
    call = FunctionCall(function, "judge-1", "acme", {"seed": 7})
    policy = policy or Policy(attempts=1, call_timeout=5)
    return asyncio.run(judge(REQUEST, call, policy, SystemClock()))


def plain(asked: Mapping[str, Any]) -> str:
    assert asked == REQUEST.prompt.to_json()
    return TEXT


async def coroutine(asked: Mapping[str, Any]) -> Reply:
    await asyncio.sleep(0)
    return Reply(TEXT, usage=Usage(5, 6))


class Called:
    async def __call__(self, asked: Mapping[str, Any]) -> str:
        return TEXT


@pytest.mark.row("P04")
@pytest.mark.parametrize("function", [plain, coroutine, Called(), lambda asked: coroutine(asked)])
def test_a_function_answers(function: Function) -> None:
    made = ask(function)
    assert made.accepted
    assert made.calls[0].route.parameters == {"seed": 7}


def test_what_a_function_raises_is_a_failed_call() -> None:
    def broken(asked: Mapping[str, Any]) -> str:
        raise LookupError("no model")

    made = ask(broken)
    assert made.outcome == Outage("failed", "LookupError: no model", closed=False)


@pytest.mark.parametrize("said", [None, b"{}", GOOD, True])
def test_what_is_no_text_is_a_failed_call(said: Any) -> None:
    made = ask(lambda asked: said)
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == "protocol"


def test_a_function_that_hangs_holds_nothing_up() -> None:
    release = threading.Event()

    def hangs(asked: Mapping[str, Any]) -> str:
        release.wait(30)
        return TEXT

    began = time.monotonic()
    made = ask(hangs, Policy(attempts=1, call_timeout=0.05))
    assert time.monotonic() - began < 5
    release.set()
    assert isinstance(made.outcome, Outage)
    assert made.outcome.kind == "timeout"
