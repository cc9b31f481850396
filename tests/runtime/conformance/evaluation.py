"""The truth tables (tests/tables) as conformance cases: their words are hand-written from the
language page, and held against an interpreter that shares no code with the Monitor."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from goalspec.grammar.literals import MAX_INT
from goalspec.tests.runtime.conformance.cases import Written
from goalspec.tests.tables.test_tables import FOLDER, Step, compiled, read_json, source_of, step


def written() -> Iterator[Written]:
    for path in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(path.read_text("utf-8"))["case"]:
            yield from _case(path, case)


def _case(path: Path, case: Mapping[str, Any]) -> Iterator[Written]:
    histories = [[row] for row in case.get("rows", ())] + list(case.get("series", ()))
    steps = [[step(*row) for row in history] for history in histories]
    spelled = [history for history in steps if all(_survives(one.facts) for one in history)]
    if not spelled:
        return
    source = source_of(case)
    baseline = {"baseline": _plain(read_json(case["baseline"]))} if "baseline" in case else {}
    yield Written(
        name=f"{path.stem}-{re.sub(r'[^a-z0-9]+', '-', case['name'].lower()).strip('-')}",
        says=case["name"],
        goals={source: compiled(source)},
        request={
            "kind": "evaluate", "goal": {"$goal": source}, **baseline,
            "histories": [[_observation(one) for one in history] for history in spelled],
        },
        answer={"histories": [[_verdict(one) for one in history] for history in spelled]},
    )  # fmt: skip


def _observation(step: Step) -> dict[str, Any]:
    envelope = {"at": step.at, "id": step.id, "rev": step.rev}
    said = {name: value for name, value in envelope.items() if value is not None}
    return {"facts": _plain(step.facts), **said}


def _verdict(step: Step) -> dict[str, Any]:
    if step.wanted is None:
        return {"refused": "observation"}
    verdict: dict[str, Any] = {}
    for name, word, reason in step.wanted:
        if name == "done":
            verdict["done"] = word == "done"
        elif name == "floor":
            verdict["floor"] = word
        else:
            verdict.setdefault("outcomes", {})[name] = word
            if reason is not None:
                verdict.setdefault("reasons", {})[name] = reason
    return verdict


def _survives(value: Any) -> bool:
    """Is *value* the same after JSON as most languages read it: numbers are doubles, and strings
    are Unicode?"""
    if isinstance(value, str):
        return not re.search("[\ud800-\udfff]", value)
    if isinstance(value, Mapping):
        return all(_survives(item) for item in value.values())
    if isinstance(value, list):
        return all(_survives(item) for item in value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Decimal):
        return math.isfinite(float(value)) and Decimal(repr(float(value))) == value
    return isinstance(value, bool) or not isinstance(value, int) or -MAX_INT <= value <= MAX_INT


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value
