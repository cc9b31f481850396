"""A host's own functions, and what becomes of their errors."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from goalspec.runtime.sources import FunctionFacts
from goalspec.tests.runtime.sources.goals import asked, goal_with, why

FACTS = goal_with("facts {\n  a.ok : bool\n  n : int\n}").facts


async def awaited() -> dict[str, Any]:
    await asyncio.sleep(0)
    return {"a": {"ok": True}, "n": 1}


@pytest.mark.parametrize(
    "function", [awaited, lambda: {"a.ok": True, "n": 1}, lambda: awaited()], ids=["a", "b", "c"]
)
def test_it_may_be_awaited_or_not(function: Any) -> None:
    assert asked(FunctionFacts(function, FACTS)) == {"a.ok": True, "n": 1}


def test_what_it_leaves_out_is_missing() -> None:
    assert why(asked(FunctionFacts(lambda: {"n": 2}, FACTS)), "a.ok")[0] == "missing"


async def failing() -> dict[str, Any]:
    raise OSError("the tracker is down")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (failing, "OSError: the tracker is down"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: [1], "the facts are a mapping"),
        (lambda: {"a": {"ok": 1}, "a.ok": 1}, "is there twice"),
        (lambda: {1: 2}, "is no string"),
    ],
    ids=["awaited", "raised", "a list", "twice", "no name"],
)
def test_its_faults_make_its_facts_unknown(function: Any, said: str) -> None:
    answer = asked(FunctionFacts(function, FACTS))
    assert answer.keys() == {"a.ok", "n"}
    assert all(why(answer, name)[0] == "error" and said in why(answer, name)[1] for name in answer)


def test_being_cancelled_is_no_fault() -> None:
    async def endless() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    async def cancelled() -> None:
        running = asyncio.ensure_future(FunctionFacts(endless, FACTS)())
        await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())
