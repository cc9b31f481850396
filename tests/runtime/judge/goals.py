"""A goal with judged parts of each kind, evidence for it, and answers to it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from goalspec import Monitor, Verdict, compile_text
from goalspec.compiler.ir.document import Goal, Quorum
from goalspec.runtime.judge import Evidence, JudgeRequest
from goalspec.runtime.judge.request import Mode

TEXT = """
facts {
  suite.passed : bool
  release.due  : bool
}

goal fix-login {
  objective "Fix the flaky login test."
  criterion stable "The suite passes"
    check suite.passed
  criterion cause "The commit message explains the cause"
  criterion notes "The release notes tell of it"
    when release.due
  advisory criterion style "The message is well written"
  constraint scope "Nothing but the login is touched"
  stop no-access "A credential is missing"
  judge { model "judge-1"  provider "acme"  max_invocations 3 }
}
"""


def goal_of(text: str) -> Goal:
    document = compile_text(text).document
    assert document is not None
    [goal] = document.goals
    return goal


GOAL = goal_of(TEXT)
FACTS: Mapping[str, Any] = {"suite.passed": True, "release.due": False}
NONCE = "0123456789abcdef0123456789abcdef"

LOG = Evidence(
    "e1", "tool", "$ git log -1 --format=%B\nLogin test: wait for the session, not for a second\n"
)  # fmt: skip
DIFF = Evidence("e2", "tool", "$ git diff --stat\n tests/login.py | 4 ++--\n 1 file changed")
SAID = Evidence("e3", "assistant", "I fixed it, and the message explains the cause in detail.")
ASKED = Evidence("e4", "user", "Please keep the change small.")
EVIDENCE = (LOG, DIFF, SAID, ASKED)
CLAIM = "The login test is stable now."


def verdict_of(facts: Mapping[str, Any] = FACTS, goal: Goal = GOAL) -> Verdict:
    return Monitor(goal).observe(facts)


def request(
    facts: Mapping[str, Any] = FACTS, evidence: tuple[Evidence, ...] = EVIDENCE, claim: str = CLAIM,
    mode: Mode = "full", goal: Goal = GOAL, nonce: str = NONCE,
) -> JudgeRequest:  # fmt: skip
    return JudgeRequest(goal, verdict_of(facts, goal), evidence, claim, nonce, mode)


def with_quorum(needed: int, of: int, goal: Goal = GOAL) -> Goal:
    assert goal.judge is not None
    return replace(goal, judge=replace(goal.judge, quorum=Quorum(needed=needed, of=of)))


GOOD: dict[str, Any] = {
    "criteria": {
        "cause": {
            "evidence": [{"source": "e1", "quote": "wait for the session, not for a second"}],
            "reason": "It names what the test raced against.",
            "outcome": "met",
        },
        "style": {"evidence": [], "reason": "There is little to go by.", "outcome": "unclear"},
    },
    "constraints": {
        "scope": {
            "evidence": [{"source": "e2", "quote": "tests/login.py | 4 ++--"}],
            "reason": "One file of the login's tests is changed.",
            "outcome": "held",
        },
    },
    "stops": {
        "no-access": {"evidence": [], "reason": "No step failed.", "outcome": "unclear"},
    },
    "decision": "accept",
    "next_step": None,
}
STEP = {"part": "cause", "step": "Write into the message what the test waited for."}


def changed(*changes: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    answer = copy.deepcopy(GOOD)
    for change in changes:
        change(answer)
    return answer


def said(decision: str = "continue", **outcomes: str) -> dict[str, Any]:
    """An answer with other outcomes of parts, by their ids with `_` for `-`."""
    answer = copy.deepcopy(GOOD)
    answer.update(decision=decision, next_step=None if decision == "accept" else STEP)
    for name, outcome in outcomes.items():
        for kind in ("criteria", "constraints", "stops"):
            if (part := answer[kind].get(name.replace("_", "-"))) is not None:
                part["outcome"] = outcome
                if outcome == "stopped":
                    part["evidence"] = [{"source": "e1", "quote": "Login test"}]
    return answer
