"""Facts on their way in, beside pydantic-core validating the same shape.

Both sides take the same observation and leave exact values: decimals for percents, whole numbers
for counts, instants for times, a set of paths. pydantic-core checks types, bounds and lengths.
goalspec does the same and also what its language asks for beyond it: it reads units and money,
brings paths to one form, finds facts under dotted or nested keys, and says which keys nobody
declared. `Monitor.observe` is all that a host calls, the verdict on one small criterion included.
"""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from goalspec.compiler import compile_text
from goalspec.compiler.codegen import fact_spec
from goalspec.runtime.conversion import fact_converter
from goalspec.runtime.facts import flattener, parse_json
from goalspec.runtime.monitor import Monitor
from goalspec.runtime.verdict import Verdict
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, with_config
from timing import Aim, Work, duration, measure, row
from typing_extensions import TypedDict

_SPEC = """
facts {
  suite.passed     : bool
  suite.failed     : int in 0..
  suite.took       : duration as ms in 0s..
  coverage.line    : percent as ratio in 0%..100%
  coverage.branch  : percent as ratio in 0%..100%
  latency.p95      : duration as ms in 0s..
  latency.p99      : duration as ms in 0s..
  diff.files       : set of path
  review.approvals : list of { author: string, at: time, stale: bool }
  ci.checks        : map of "success" | "failure" | "skipped"
  cost.spent       : money USD
  cost.month       : money USD
}

goal ship {
  objective "Ship it."
  criterion passed "The suite passes"
    check suite.passed
}
"""

_Ratio = Annotated[Decimal, Field(ge=0, le=1)]
_Milliseconds = Annotated[Decimal, Field(ge=0)]
_Text = Annotated[str, StringConstraints(strict=True, max_length=65_536)]
_Money = Annotated[str, StringConstraints(strict=True, pattern=r"^\d+\.\d\d USD$")]
_Truth = Annotated[bool, Field(strict=True)]


class Suite(TypedDict):
    passed: _Truth
    failed: Annotated[int, Field(ge=0, strict=True)]
    took: _Milliseconds


class Coverage(TypedDict):
    line: _Ratio
    branch: _Ratio


class Latency(TypedDict):
    p95: _Milliseconds
    p99: _Milliseconds


class Diff(TypedDict):
    files: Annotated[set[_Text], Field(max_length=3_000)]


class Approval(TypedDict):
    author: _Text
    at: datetime
    stale: _Truth


class Review(TypedDict):
    approvals: Annotated[list[Approval], Field(max_length=3_000)]


class Checks(TypedDict):
    checks: Annotated[
        dict[_Text, Literal["success", "failure", "skipped"]], Field(max_length=3_000)
    ]


class Cost(TypedDict):
    spent: _Money
    month: _Money


@with_config(ConfigDict(extra="ignore"))
class Observation(TypedDict):
    suite: Suite
    coverage: Coverage
    latency: Latency
    diff: Diff
    review: Review
    ci: Checks
    cost: Cost


def observation() -> dict[str, Any]:
    """What a host reports after a run, as a Python caller has it."""
    return {
        "suite": {"passed": True, "failed": 0, "took": 48_210},
        "coverage": {"line": 0.8421, "branch": 0.7934},
        "latency": {"p95": 182, "p99": 391},
        "diff": {"files": [f"src/checkout/steps/step_{number:02}.py" for number in range(30)]},
        "review": {
            "approvals": [
                {"author": f"dev{day}", "at": f"2026-03-{day:02}T10:00:00Z", "stale": day == 1}
                for day in range(1, 11)
            ]
        },
        "ci": {"checks": {"build": "success", "lint": "success", "docs": "skipped"}},
        "cost": {"spent": "3.20 USD", "month": "117.45 USD"},
    }


def run(quick: bool) -> None:
    document = compile_text(_SPEC).document
    assert document is not None
    facts = observation()
    text = json.dumps(facts)
    peer = TypeAdapter(Observation).validator
    monitor = Monitor(document.goals[0], declared=document.facts)
    declared = {fact.name: fact for fact in document.facts}
    flatten = flattener(declared)
    converters = {name: fact_converter(fact_spec(fact)) for name, fact in declared.items()}

    def convert(given: dict[str, Any]) -> dict[str, Any]:
        raw, _ = flatten(given)
        return {name: converters[name](value) for name, value in raw.items()}

    def convert_text(given: str) -> dict[str, Any]:
        return convert(parse_json(given))

    def observe_text(given: str) -> Verdict:
        return monitor.observe(parse_json(given))

    assert peer.validate_python(facts)["diff"]["files"] == convert(facts)["diff.files"]
    assert not monitor.observe(facts).notes
    repeat = 2 if quick else 300
    works = [
        Work("objects: pydantic-core", peer.validate_python, facts, repeat),
        Work("objects: the converters", convert, facts, repeat),
        Work("objects: Monitor.observe", monitor.observe, facts, repeat),
        Work("JSON: pydantic-core", peer.validate_json, text, repeat),
        Work("JSON: the converters", convert_text, text, repeat),
        Work("JSON: Monitor.observe", observe_text, text, repeat),
    ]
    times = measure(works, 1 if quick else 31)
    print("\nconversion: 12 facts, among them 30 paths and 10 records with times")
    for base, *ours in (works[:3], works[3:]):
        row(base.name, duration(times.of[base.name]))
        for work in ours:
            row(work.name, duration(times.of[work.name]), times.cost(work, base), Aim(2))
