"""A monitor's state: going on from it is going on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.compiler.ir.document import Goal
from goalspec.runtime import Monitor, RefusedObservation
from goalspec.runtime.monitor_state import BadState, read_value, write_value
from hypothesis import given, settings
from hypothesis import strategies as st

FACTS = """
  a.ok : bool
  b.n : int
  c.share : percent
  d.names : set of string
  e.by : map of int
  f.runs : list of { ok : bool, took : duration }
  g.at : time
  h.kept : bool lasting
"""
CHECKS = (
    "a.ok for 2 runs",
    "(a.ok and b.n > 1) for 3 runs of a.ok on one revision",
    "a.ok for 4m every 3m",
    "always b.n < 4",
    "ever (b.n == 3)",
    "b.n >= b.n at start",
    "b.n > previous b.n",
    "b.n fresh 2m >= 1",
    "c.share >= 50%",
    '"x" in d.names',
    'e.by["x"] == 1',
    "all r in f.runs: (r.ok and r.took < 3s)",
    "age(g.at) < 5m",
    "h.kept and a.ok",
)


def compiled(checks: tuple[str, ...] = CHECKS, facts: str = FACTS) -> Goal:
    criteria = "\n".join(f'  criterion c{n} "y"\n    check {c}' for n, c in enumerate(checks))
    text = f'facts {{{facts}}}\ngoal g {{\n  objective "x"\n{criteria}\n}}\n'
    compilation = compile_text(text)
    assert compilation.document is not None, [d.message for d in compilation.diagnostics]
    return compilation.document.goals[0]


GOAL = compiled()


def minute(n: int) -> str:
    return f"2026-03-01T10:{n:02d}:00Z"


def restored(monitor: Monitor, goal: Goal = GOAL) -> Monitor:
    return Monitor(goal, state=json.loads(json.dumps(monitor.state())))


VALUES = {
    "a.ok": st.booleans(),
    "b.n": st.integers(0, 4),
    "c.share": st.sampled_from(["12.5%", "50%", "99.9%", "many"]),
    "d.names": st.lists(st.sampled_from("xyz"), unique=True),
    "e.by": st.dictionaries(st.sampled_from("xy"), st.sampled_from([1, 2, "ill"])),
    "f.runs": st.lists(
        st.fixed_dictionaries({"ok": st.booleans(), "took": st.sampled_from(["1s", "4s"])}),
        max_size=2,
    ),
    "g.at": st.sampled_from([minute(0), minute(3), "2026-03-01T10:00:00.000000001Z"]),
    "h.kept": st.one_of(st.booleans(), st.just({"$unknown": "error", "because": "down"})),
}
OBSERVATIONS = st.lists(
    st.tuples(
        st.fixed_dictionaries({}, optional=VALUES),
        st.integers(0, 2),  # minutes later
        st.sampled_from([None, "one", "two", "three"]),
        st.sampled_from([None, "rev-1", "rev-2"]),
    ),
    max_size=8,
)


def outcomes(monitor: Monitor, rows: list[tuple[Any, str, str | None, str | None]]) -> list[Any]:
    seen: list[Any] = []
    for facts, at, id, rev in rows:
        try:
            seen.append(monitor.observe(facts, at=at, id=id, rev=rev).to_json())
        except RefusedObservation as error:
            seen.append(str(error))
    return seen


@pytest.mark.ruling(45)
@settings(max_examples=150, deadline=None)
@given(OBSERVATIONS, st.integers(0, 8))
def test_to_stop_anywhere_and_go_on_is_to_go_on(rows: list[Any], stop: int) -> None:
    clock, timed = 0, []
    for facts, later, id, rev in rows:
        clock += later
        timed.append((facts, minute(clock), id, rev))
    whole = outcomes(Monitor(GOAL), timed)
    before = Monitor(GOAL)
    first = outcomes(before, timed[:stop])
    assert [*first, *outcomes(restored(before), timed[stop:])] == whole


def test_a_state_of_a_state_is_the_same() -> None:
    monitor = Monitor(GOAL)
    monitor.observe({"a.ok": True, "d.names": ["z", "x"]}, at=minute(1), id="one", rev="r")
    assert restored(monitor).state() == monitor.state()


@pytest.mark.ruling(1)
def test_the_last_256_ids_come_along() -> None:
    monitor = Monitor(compiled(("a.ok for 301 runs",)))
    for n in range(300):
        monitor.observe({"a.ok": True}, id=f"run-{n}")
    after = restored(monitor, monitor.goal)
    assert len(after.state()["ids"]) == 256
    assert after.observe({"a.ok": True}, id="run-299").criteria[0].outcome == "unknown"
    assert after.observe({"a.ok": True}, id="run-300").criteria[0].outcome == "met"


@pytest.mark.ruling(9)
@pytest.mark.row("X13")
def test_a_criterion_before_it_moves_no_streak() -> None:
    monitor = Monitor(compiled(("a.ok for 2 runs",)))
    monitor.observe({"a.ok": True})
    amended = compiled(("b.n > 0", "a.ok for 2 runs"))
    verdict = restored(monitor, amended).observe({"a.ok": True, "b.n": 1})
    assert [result.outcome for result in verdict.criteria] == ["met", "met"]


@pytest.mark.ruling(3)
@pytest.mark.row("X13")
def test_the_start_survives_an_amendment() -> None:
    monitor = Monitor(compiled(("b.n >= b.n at start",)))
    monitor.observe({"b.n": 5})
    after = restored(monitor, compiled(("a.ok", "b.n >= b.n at start")))
    assert after.observe({"b.n": 4}).criteria[1].outcome == "unmet"


@pytest.mark.row("X13")
def test_a_fact_of_another_type_begins_anew() -> None:
    monitor = Monitor(compiled(("b.n > 0 for 2 runs", "a.ok")))
    monitor.observe({"b.n": 1, "a.ok": True})
    facts = FACTS.replace("b.n : int", "b.n : number")
    verdict = restored(monitor, compiled(("b.n > 0 for 2 runs", "b.n > 0", "a.ok"), facts)).observe(
        {}
    )
    assert [result.outcome for result in verdict.criteria] == ["unknown", "unknown", "met"]


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("state_version",), 2, "state_version: it is 1, not 2"),
        (("more",), 1, "more: there is no such field"),
        (("count",), "many", "count: it is a whole number"),
        (("now",), "noon", "a time that is none"),
        (("facts", "a.ok", "value"), {"list": 1}, "a value that is none"),
        (("facts", "a.ok", "value"), {"number": "1e"}, "a value that is none"),
        (("forms",), {"KEY": {"state": [1], "before": [1, 2, 3, 4, 5]}}, "no counters of Streak"),
    ],
)  # fmt: skip
def test_what_is_no_state_is_refused(path: tuple[str, ...], value: Any, says: str) -> None:
    goal = compiled(("a.ok for 2 runs",))
    monitor = Monitor(goal)
    monitor.observe({"a.ok": True})
    state: Any = monitor.state()
    [key] = state["forms"]
    place = state
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = json.loads(json.dumps(value).replace("KEY", key))
    with pytest.raises(BadState, match=says):
        Monitor(goal, state=state)


@pytest.mark.parametrize("value", [2**60, -(2**60), 2**53 - 1])
def test_whole_numbers_beyond_json_s_keep_their_value(value: int) -> None:
    assert read_value(json.loads(json.dumps(write_value(value)))) == value
