"""Running `test` blocks: what is observed, what misses and why, and what is no test at all."""

from __future__ import annotations

import pytest
from goalspec import Document, compile_text
from goalspec.runtime.testing import Fault, FinishedTest, run_test

GOAL = """\
facts {
  suite.passed : bool
  n            : int in 0..
  level        : number
  took         : duration as ms
  levels       : list of { at: number?, by: map of number }
  note         : string?
}

goal g {
  objective "o"
  criterion twice "It passes twice" check suite.passed for 2 runs
  criterion lower "It is lower" check level < level at start and level < level at baseline
  criterion deep "All are high" check each x in levels: (x.at != null and x.at > 1.5 and x.by["k"] == 0.5)
  criterion quick "It is quick" when n > 0 check took < 250ms
  constraint few "Few" check n < 5
  stop done-for "Nothing left" check note != null and note == "stop"
}
"""  # fmt: skip


def document(body: str, goal: str = GOAL) -> Document:
    compilation = compile_text(f'{goal}\ntest "t" for g {{\n{body}\n}}\n')
    assert compilation.document is not None, compilation.errors
    return compilation.document


def ran(body: str, goal: str = GOAL) -> FinishedTest:
    read = document(body, goal)
    return run_test(read, read.tests[0])


@pytest.mark.row("X05")
@pytest.mark.ruling(35, 5)
def test_steps_are_carried_out_in_order() -> None:
    run = ran(
        "observe { suite.passed = true }\n expect twice unknown\n"
        "observe { suite.passed = true }\n expect twice met\n"
        "observe { suite.passed = unknown(error) }\n expect twice unknown"
    )
    assert run.passed
    assert [verdict.criteria[0].outcome for verdict in run.verdicts] == [
        "unknown",
        "met",
        "unknown",
    ]
    assert run.verdicts[2].criteria[0].reason == "error"


@pytest.mark.ruling(35, 3)
def test_a_baseline_a_start_and_numbers_at_any_depth() -> None:
    run = ran(
        "observe { level = 2.5 }\n baseline { level = 2.25 }\n"
        'observe { level = 2  levels = [{ at: 1.75, by: { "k": 0.5 } }] }\n'
        "expect lower met\n expect deep met\n"
        'observe { levels = [{ at: null, by: { "k": 0.5 } }] }\n expect deep unmet'
    )
    assert (run.passed, run.notes) == (True, ())


@pytest.mark.ruling(10)
def test_times_and_revisions_are_the_observations() -> None:
    goal = (
        'facts {\n  ok : bool\n  since : time lasting\n}\n\ngoal g {\n  objective "o"\n'
        '  criterion aged "It is old" check age(since) >= 1h\n'
        '  criterion ok "It is fine" check ok\n}\n'
    )
    run = ran(
        'observe at 2026-03-01T10:00Z rev "a" { ok = true  since = 2026-03-01T09:30Z }\n'
        "expect aged unmet\n expect ok met\n"
        'observe at 2026-03-01T10:30Z rev "b" { }\n expect aged met\n expect ok unknown',
        goal,
    )
    assert run.passed


def test_a_miss_says_what_was_seen_and_why() -> None:
    run = ran(
        "observe { suite.passed = true }\n expect twice unknown\n"
        "observe { n = 3  took = 300ms }\n expect quick met\n expect few held"
    )
    [miss] = run.misses
    assert (miss.step, miss.observation) == (3, 2)
    assert (miss.expected, miss.seen) == ("quick met", "unmet")
    assert [result.id for result in miss.why] == ["quick"]
    assert miss.why[0].explanation == "took is 300ms: took < 250ms does not hold, 50ms over"
    assert not run.passed and run.fault is None


@pytest.mark.ruling(12, 13)
def test_a_missed_done_names_what_stands_in_its_way() -> None:
    run = ran(
        'observe { suite.passed = false  n = 7  note = "stop" }\n expect done\n expect not done'
    )
    [miss] = run.misses
    assert (miss.expected, miss.seen) == ("done", "not done")
    assert {result.id: result.outcome for result in miss.why} == {
        "twice": "unmet", "lower": "unknown", "deep": "unknown", "quick": "unknown",
        "few": "violated", "done-for": "stopped",
    }  # fmt: skip


def test_a_stop_that_is_unknown_is_not_in_the_way() -> None:
    goal = (
        'facts {\n  ok : bool\n  bad : bool\n  there : bool\n}\n\ngoal g {\n  objective "o"\n'
        '  criterion c "c" check ok\n  criterion w "w" when there check ok\n'
        '  stop s "s" check bad\n}\n'
    )
    done = ran("observe { ok = true  there = false }\n expect not done", goal)
    [miss] = done.misses
    assert (miss.seen, [r.id for r in miss.why]) == ("done", ["c"])
    unknown = ran("observe { there = false }\n expect done", goal)
    assert [r.id for r in unknown.misses[0].why] == ["c"]


def test_nothing_met_and_nothing_in_the_way() -> None:
    goal = (
        'facts {\n  ok : bool\n  there : bool\n}\n\ngoal g {\n  objective "o"\n'
        '  criterion w "w" when there check ok\n}\n'
    )
    run = ran("observe { there = false }\n expect done", goal)
    assert (run.misses[0].seen, run.misses[0].why) == ("not done", ())


def test_every_expectation_is_looked_at() -> None:
    run = ran("observe { n = 9 }\n expect few held\n expect few violated\n expect quick met")
    assert [(miss.step, miss.seen) for miss in run.misses] == [(1, "violated"), (3, "unknown")]


# --- what is no test


def test_a_test_without_an_expectation_shows_nothing() -> None:
    run = ran("observe { n = 1 }")
    assert run.fault == Fault(
        None, "the test expects nothing: say `expect ID OUTCOME` or `expect done`"
    )
    assert not run.passed


def test_nothing_is_expected_of_no_observation() -> None:
    run = ran("baseline { level = 1 }\n expect few unknown\n observe { n = 1 }\n expect few held")
    assert run.fault == Fault(1, "nothing was observed yet: say `observe { … }` before it")
    assert run.verdicts == ()


@pytest.mark.ruling(10)
def test_an_observation_that_is_refused_ends_the_test() -> None:
    run = ran(
        "observe at 2026-03-01T10:00Z { n = 9 }\n expect few held\n"
        "observe at 2026-03-01T09:00Z { n = 1 }\n expect few held"
    )
    assert run.fault is not None
    assert run.fault.step == 2
    assert "more than 5 minutes before" in run.fault.message
    assert [miss.step for miss in run.misses] == [1]


def test_a_value_out_of_range_is_noted() -> None:
    run = ran("baseline { n = -2 }\n observe { n = -1 }\n expect few unknown")
    assert run.passed
    assert [(note.kind, note.fact) for note in run.notes] == [("invalid", "n"), ("invalid", "n")]
