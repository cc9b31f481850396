"""Judgements as conformance cases: the table of answers, and what follows of calls that fail, of
several judges and of bounds (judge.toml)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from goalspec.tests.runtime.conformance.cases import Written
from goalspec.tests.runtime.judge import goals
from goalspec.tests.runtime.judge.test_answer import TABLE, text_of

ROUTE = {"model": "judge-1", "provider": "acme"}
GOALS = {
    "judged": (goals.TEXT, goals.GOAL),
    **{
        name: (text, goals.goal_of(text))
        for name, text in {
            "paused": goals.TEXT.replace("max_invocations 3", "on_error pause"),
            "of three": goals.TEXT.replace("max_invocations 3", "quorum 2 of 3"),
            "unjudged": re.sub(r"  judge \{.*\}\n", "", goals.TEXT),
            "checked": 'facts { ok : bool }\ngoal g { objective "o" criterion a "x" check ok\n'
            'judge { model "judge-1" provider "acme" } }',
        }.items()
    },
}
EVIDENCE = [
    {"id": one.id, "provenance": one.provenance, "text": one.text} for one in goals.EVIDENCE
]


def written() -> Iterator[Written]:
    yield from map(_read_as, TABLE)
    file = Path(__file__).with_name("judge.toml")
    yield from map(_judged, tomllib.loads(file.read_text("utf-8"))["judgement"])


def _read_as(row: Mapping[str, Any]) -> Written:
    """One answer; where it is none, the judge is asked again, and answers well."""
    reply = {"text": text_of(dict(row)), "finish": row.get("finish", "stop")}
    good = {"text": text_of({"of": "good"}), "finish": "stop"}
    reads = row["reads"]
    if reads in ("accept", "continue", "blocked"):
        replies, read, decision = [reply], {"answer": {"decision": reads}}, reads
        calls = [{"member": 0, "again": False, "read": read}]
    else:
        replies, decision = [reply, good], "accept"
        calls = [
            {"member": 0, "again": False, "read": {"invalid": reads}},
            {"member": 0, "again": True, "read": {"answer": {"decision": "accept"}}},
        ]
    outcome = {"state": "decided", "decision": decision}
    answer = {"calls": calls, "outcome": outcome, "consequence": row.get("follows", decision)}
    return _written(f"answer: {row['name']}", "judged", answer, replies=replies)


def _judged(row: Mapping[str, Any]) -> Written:
    replies = [_reply(one) for one in row.get("replies", ())]
    asked = {
        name: row[name]
        for name in ("mode", "nonce", "route", "invocations", "facts")
        if name in row
    }
    if row.get("unrouted"):
        asked["route"] = None
    answer = {name: row[name] for name in ("refused", "consequence") if name in row}
    if "state" in row:
        answer["outcome"] = {"state": row["state"], **row.get("outcome", {})}
        reads = row.get("reads", ["answer"] * len(replies))
        waits = row.get("waits", [0] * len(replies))
        calls = zip(row.get("members", [0] * len(replies)), waits, reads, strict=True)
        answer["calls"] = [
            {"member": member, "wait": wait, "read": _read(read)} for member, wait, read in calls
        ]
    return _written(row["name"], row.get("goal", "judged"), answer, replies=replies, **asked)


def _reply(said: Mapping[str, Any] | str) -> dict[str, Any]:
    """A failure as it is, a text, or the good answer with other outcomes of parts."""
    if isinstance(said, str):
        return {"text": said, "finish": "stop"}
    if "kind" in said:
        return dict(said)
    outcomes = {name: word for name, word in said.items() if name != "decision"}
    answer = goals.said(said["decision"], **outcomes)
    return {"text": json.dumps(answer), "finish": "stop"}


def _read(word: str) -> dict[str, Any]:
    kind, _, what = word.partition(" ")
    return {"answer": {}} if kind == "answer" else {kind: what}


def _written(
    says: str, goal: str, answer: Mapping[str, Any], facts: Any = None, **asked: Any
) -> Written:
    source, made = GOALS[goal]
    request = {
        "kind": "judge", "goal": {"$goal": source},
        "observations": [{"facts": goals.FACTS if facts is None else facts}],
        "evidence": EVIDENCE, "claim": goals.CLAIM, "nonce": goals.NONCE, "route": ROUTE, **asked,
    }  # fmt: skip
    name = re.sub(r"[^a-z0-9]+", "-", says.lower()).strip("-")
    return Written(name, says, request, answer, {source: made})
