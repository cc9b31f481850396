"""Sessions to report on: one that was driven for many turns, through much that can happen to a
goal, and what a store has of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any

from goalspec.runtime.convergence.events import Effect
from goalspec.runtime.driving import Judging, Proposal, Turn, Worked, run
from goalspec.runtime.goals import Goals
from goalspec.runtime.judge import CallFailed, Reply
from goalspec.runtime.judge.ports import Usage as JudgeUsage
from goalspec.runtime.lifecycle import Refusal
from goalspec.runtime.lifecycle.commands import Amend, Complete, Create
from goalspec.runtime.record import Metadata, Usage, Verification
from goalspec.runtime.report import Stock
from goalspec.runtime.store import MemoryStore
from goalspec.tests.runtime.driving.hosts import Facts, TurnedClock, driven, host, store_at
from goalspec.tests.runtime.judge.goals import goal_of
from goalspec.tests.runtime.judge.scripted import Script as Judge

SESSION = "7f3a"
GOAL = """
facts {
  suite.passed   : bool      "Did the whole suite pass?"
  suite.failed   : int       "How many tests failed"
  coverage.line  : percent
  lint.findings  : int
}

goal login-race {
  objective "Fix the race in the login: two requests at once never share a session, and nobody is logged out by it."

  criterion suite "The whole suite passes"
    check suite.passed and suite.failed == 0

  criterion coverage "Coverage is no lower than it was"
    check coverage.line >= 86%

  criterion lint "No findings are left"
    check lint.findings == 0

  criterion cause "The commit message explains the cause"
  criterion docs "The page on sessions tells of the new lock"
  constraint scope "Nothing but the login is touched"
  stop no-access "A credential is missing"

  budget { turns 40  tokens 300k  runtime 6h  cost 5.00 USD }
  budget advisory { tokens 200k }
  judge { model "judge-1"  provider "acme"  max_invocations 6 }
  protect "tests/**" allow new "tests/login/**"
}
"""
AMENDED = GOAL.replace("86%", "84%").replace("300k", "400k")
METADATA = Metadata(
    acceptance_note="Ann looks at the diff before it is merged.",
    verification=Verification(command="pytest -q", source={"file": "Makefile", "line": 12}),
    source="issue 7",
)
DIFF = Effect(
    "run",
    "git diff --stat",
    "src/login.py | 18 ++++++++++++------\n docs/sessions.md | 9 +++++++++",
)
LOG = Effect(
    "run", "git log -1", "Login: take the lock before the session is read\n\nTwo requests…"
)


def judged(decision: str, **outcomes: str) -> dict[str, Any]:
    """An answer in which *outcomes* are of parts by their ids, and good where nothing is said."""
    quotes = {
        "cause": {"source": "tool-2", "quote": "take the lock before the session is read"},
        "docs": {"source": "tool-1", "quote": "docs/sessions.md | 9 +++++++++"},
        "scope": {"source": "tool-1", "quote": "src/login.py | 18"},
    }

    def part(id: str, good: str, reason: str) -> dict[str, Any]:
        outcome = outcomes.get(id.replace("-", "_"), good)
        return {
            "evidence": [quotes[id]] if id in quotes and outcome == good else [],
            "reason": reason,
            "outcome": outcome,
        }

    step = {"part": "docs", "step": "Say on the page on sessions when the lock is let go."}
    return {
        "criteria": {
            "cause": part("cause", "met", "The message says what raced with what, and why."),
            "docs": part("docs", "met", "The page has a part on the lock."),
        },
        "constraints": {"scope": part("scope", "held", "Only the login and its page changed.")},
        "stops": {"no-access": part("no-access", "unclear", "No step failed for want of access.")},
        "decision": decision,
        "next_step": None if decision == "accept" else step,
    }


def reply(said: Any, tokens: int = 3_200) -> Reply:
    text = said if isinstance(said, str) else json.dumps(said)
    return Reply(text, usage=JudgeUsage(tokens, 400, Decimal("0.0184")))


@dataclass
class Pins:
    """Pinned files, one of which is changed for a while."""

    is_drifted: bool = False

    def hashes(self) -> Mapping[str, str | None]:
        changed = "d" if self.is_drifted else "b"
        return {
            "login.goal": "a" * 64,
            "tests/test_login.py": changed * 64,
            "tests/test_session.py": "c" * 64,
        }


@dataclass
class Agent:
    """Works the whole of the story, a turn at a time."""

    clock: TurnedClock
    facts: Facts
    pins: Pins
    goals: Goals
    turns: int = 0
    seen: list[Turn] = field(default_factory=list)

    async def __call__(self, turn: Turn) -> Worked:
        self.seen.append(turn)
        self.turns = number = len(self.seen)
        await self.clock.sleep(240 + 37 * (number % 5))
        failed = max(0, 9 - (number * 2) // 3) if number < 17 else 0
        self.facts.values.update({
            "suite.passed": failed == 0,
            "suite.failed": failed,
            "coverage.line": f"{83.2 + 0.1 * min(number, 20):.1f}%",
            "lint.findings": max(0, 12 - number) if number != 14 else 3,
        })  # fmt: skip
        if number in (4, 5):
            del self.facts.values["coverage.line"]
        self.pins.is_drifted = number in (18, 19)
        if number == 11:
            amend = Amend(
                goal=goal_of(AMENDED), reason="The generated client left the count.",
                measurement={"before": "86.1%", "after": "84.0%"},
            )  # fmt: skip
            self.goals.perform(SESSION, amend, "person")
        proposes = number in (9, 18, 21, 23, 25)
        return Worked(
            output=f"Turn {number}: {failed} tests fail still.",
            usage=Usage(
                tokens=9_000 + 1_500 * (number % 4), tool_calls=6 + number % 5, cost="0.11 USD"
            ),
            effects=(DIFF, LOG, Effect("run", "pytest -q", f"{failed} failed, {number} passed")),
            proposal=Proposal("complete", "All of it is done.") if proposes else None,
        )


def judge() -> Judge:
    return Judge(
        [
            CallFailed("rate_limited", "429: slow down", 5.0),
            reply(judged("continue", docs="unmet")),
            reply("I think that it is done! All criteria are met."),
            reply(judged("continue", docs="unclear")),
            reply(judged("accept")),
        ]
    )


def store_of_long_session() -> MemoryStore:
    """A session with an earlier goal, refusals, and a goal that was driven to its end."""
    clock = TurnedClock()
    store = store_at(clock)
    goals = Goals(store)
    earlier = goal_of(
        'goal notes {\n objective "Write the notes."\n criterion c "They are there"\n}'
    )
    goals.perform(SESSION, Create(goal=earlier), "person")
    with suppress(Refusal):
        goals.perform(SESSION, Complete(reason="I am done."), "agent")
    goals.perform(SESSION, Complete(reason="I saw them."), "person")
    goals.perform(SESSION, Create(goal=goal_of(GOAL), metadata=METADATA), "person")
    with suppress(Refusal):
        goals.perform(SESSION, Amend(goal=goal_of(AMENDED), reason="It is easier."), "agent")
    facts, pins = Facts({"suite.passed": False, "suite.failed": 9, "lint.findings": 12}), Pins()
    agent = Agent(clock, facts, pins, goals)
    given = host(agent, facts, clock, judging=Judging(judge()), pins=pins)
    driven(run(goal_of(GOAL), given, store=store, session=SESSION), clock)
    return store


def stock_of(store: MemoryStore, session: str = SESSION) -> Stock:
    found = store.snapshot(session)
    assert found is not None
    stored, entries = found
    return Stock(
        stored.record, entries, store.history(session), store.audit(session),
        store.exhibits(session),
    )  # fmt: skip


@cache
def long_stock() -> Stock:
    return stock_of(store_of_long_session())
