"""The Monitor: what it keeps between observations (rulings 1 to 7, 10, 11, 37, 73)."""

from __future__ import annotations

from typing import Any

import pytest
from goalspec.compiler import compile_text
from goalspec.runtime import BadFacts, Monitor, RefusedObservation, Verdict


def monitor(check: str, facts: str = "s.ok : bool", **options: Any) -> Monitor:
    text = (
        f'facts {{\n  {facts}\n}}\ngoal g {{\n  objective "x"\n'
        f'  criterion c "y"\n    check {check}\n}}\n'
    )
    compilation = compile_text(text)
    assert compilation.document is not None, [d.message for d in compilation.diagnostics]
    document = compilation.document
    return Monitor(document.goals[0], declared=document.facts, **options)


def outcome(verdict: Verdict) -> str:
    return verdict.criteria[0].outcome


def minute(n: float) -> str:
    return f"2026-03-01T{10 + int(n) // 60:02d}:{int(n) % 60:02d}:{int(n * 60) % 60:02d}Z"


@pytest.mark.ruling(1)
@pytest.mark.row("X03")
def test_an_observation_counts_where_it_supplies_every_fact() -> None:
    two = monitor("(s.ok and t.ok) for 2 runs", "s.ok : bool\n  t.ok : bool")
    both = {"s.ok": True, "t.ok": True}
    assert outcome(two.observe(both)) == "unknown"
    assert outcome(two.observe({"s.ok": True})) == "unknown"  # a part of it is no run
    assert outcome(two.observe(both)) == "met"


@pytest.mark.ruling(1)
def test_a_clock_names_what_counts() -> None:
    two = monitor("(s.ok and t.ok) for 2 runs of s.ok", "s.ok : bool\n  t.ok : bool")
    two.observe({"s.ok": True, "t.ok": True})
    assert outcome(two.observe({"t.ok": True})) == "unknown"
    assert outcome(two.observe({"s.ok": True})) == "met"


@pytest.mark.ruling(1)
def test_one_id_counts_once_and_its_parts_merge() -> None:
    two = monitor("(s.ok and t.ok) for 2 runs", "s.ok : bool\n  t.ok : bool")
    for id in ("a", "a", "b"):
        two.observe({"s.ok": True}, id=id)
    assert outcome(two.observe({"t.ok": True}, id="a")) == "unknown"
    assert outcome(two.observe({"t.ok": True}, id="a")) == "unknown"
    assert outcome(two.observe({"t.ok": True}, id="b")) == "met"


@pytest.mark.ruling(1)
def test_two_values_under_one_id_are_unknown() -> None:
    one = monitor("s.ok")
    one.observe({"s.ok": True}, id="a")
    verdict = one.observe({"s.ok": False}, id="a")
    assert (outcome(verdict), verdict.criteria[0].reason) == ("unknown", "invalid")
    assert "two values under the id a" in verdict.criteria[0].explanation


@pytest.mark.ruling(1)
def test_a_contradicted_run_is_counted_again_as_unknown() -> None:
    two = monitor("s.ok for 2 runs")
    two.observe({"s.ok": True}, id="a")
    assert outcome(two.observe({"s.ok": True}, id="b")) == "met"
    assert outcome(two.observe({"s.ok": False}, id="b")) == "unknown"


@pytest.mark.ruling(1)
def test_the_last_256_ids_are_remembered() -> None:
    one = monitor("s.ok for 300 runs")
    for n in range(300):
        one.observe({"s.ok": True}, id=f"run-{n}")
    assert len(one._ids) == 256


@pytest.mark.ruling(2)
def test_a_fact_of_another_revision_is_stale_unless_it_is_lasting() -> None:
    facts = "s.ok : bool\n  r.ok : bool lasting\n  o.ok : bool"
    one = monitor("s.ok and r.ok and o.ok", facts)
    assert outcome(one.observe({"s.ok": True, "r.ok": True, "o.ok": True}, rev="a")) == "met"
    verdict = one.observe({"o.ok": True}, rev="b")
    assert (outcome(verdict), verdict.criteria[0].reason) == ("unknown", "stale")
    assert "observed on a, now at b" in verdict.criteria[0].explanation
    assert outcome(one.observe({"s.ok": True}, rev="b")) == "met"


@pytest.mark.ruling(2)
def test_on_one_revision_starts_again() -> None:
    two = monitor("s.ok for 2 runs on one revision")
    two.observe({"s.ok": True}, rev="a")
    assert outcome(two.observe({"s.ok": True}, rev="b")) == "unknown"
    assert outcome(two.observe({"s.ok": True}, rev="b")) == "met"
    assert outcome(monitor("s.ok for 1 runs on one revision").observe({"s.ok": True})) == "unknown"


@pytest.mark.ruling(3)
@pytest.mark.ruling(73)
def test_at_start_is_the_first_observation_and_is_never_filled_in() -> None:
    one = monitor("a.n >= a.n at start", "a.n : int\n  a.m : int")
    assert outcome(one.observe({"a.n": 5}, rev="a")) == "unknown"
    assert outcome(one.observe({"a.n": 5}, rev="b")) == "met"  # never stale
    assert outcome(one.observe({"a.n": 4}, rev="b")) == "unmet"
    late = monitor("a.n >= a.n at start", "a.n : int\n  a.m : int")
    late.observe({})
    late.observe({"a.n": 5})
    assert outcome(late.observe({"a.n": 6})) == "unknown"


@pytest.mark.ruling(4)
@pytest.mark.parametrize(
    ("observations", "expected"),
    [
        ([(0, True), (5, True)], "unknown"),
        ([(0, True), (5, True), (10, True)], "met"),
        ([(0, False), (5, True), (10, True)], "unmet"),  # false within the last ten minutes
        ([(0, False), (5, True), (16, True)], "met"),
        ([(0, True), (5, None), (10, True)], "unknown"),
        ([(0, True), (5, None), (10, True), (20, True)], "met"),
        ([(0, True), (10, True), (11, False)], "unmet"),
    ],
)
def test_held_for_ten_minutes(observations: list[tuple[int, Any]], expected: str) -> None:
    ten = monitor("s.ok for 10m")
    for n, value in observations:
        value = {"$unknown": "error"} if value is None else value
        verdict = ten.observe({"s.ok": value}, at=minute(n))
    assert outcome(verdict) == expected


@pytest.mark.ruling(4)
@pytest.mark.ruling(10)
def test_a_gap_larger_than_every_is_unknown_and_a_tick_shows_it() -> None:
    ten = monitor("s.ok for 10m every 6m")
    for n in (0, 5, 10):
        verdict = ten.observe({"s.ok": True}, at=minute(n))
    assert outcome(verdict) == "met"
    assert outcome(ten.observe({}, at=minute(12))) == "met"
    silent = ten.observe({}, at=minute(17))
    assert (outcome(silent), silent.criteria[0].reason) == ("unknown", "stale")
    assert outcome(ten.observe({"s.ok": True}, at=minute(17))) == "unknown"


@pytest.mark.ruling(4)
def test_without_times_durations_are_unknown() -> None:
    assert outcome(monitor("s.ok for 10m").observe({"s.ok": True})) == "unknown"


@pytest.mark.ruling(5)
@pytest.mark.row("X03")
@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ("t", "unknown"), ("tt", "met"), ("ft", "unmet"), ("ftt", "met"), ("ttf", "unmet"),
        ("tut", "unknown"), ("tutt", "met"), ("fu", "unmet"), ("fut", "unknown"), ("u", "unknown"),
        ("f", "unmet"), ("", "unknown"),
    ],
)  # fmt: skip
def test_a_streak_is_the_kleene_and_of_the_last_runs(runs: str, expected: str) -> None:
    two = monitor("s.ok for 2 runs")
    verdict = two.observe({})
    for run in runs:
        value: Any = {"t": True, "f": False, "u": {"$unknown": "error"}}[run]
        verdict = two.observe({"s.ok": value})
    assert outcome(verdict) == expected


@pytest.mark.ruling(6)
def test_always_and_ever() -> None:
    always, ever = monitor("always s.ok"), monitor("ever s.ok")
    assert outcome(always.observe({})) == outcome(ever.observe({})) == "unknown"
    always.observe({"s.ok": True})
    assert outcome(always.observe({"s.ok": {"$unknown": "error"}})) == "unknown"
    later = always.observe({"s.ok": True})
    assert outcome(later) == "unknown"
    assert "stays until a person waives it" in later.criteria[0].explanation
    assert outcome(always.observe({"s.ok": False})) == "unmet"
    assert outcome(ever.observe({"s.ok": False})) == "unmet"
    assert outcome(ever.observe({"s.ok": True})) == "met"
    assert outcome(ever.observe({"s.ok": False})) == "met"


@pytest.mark.ruling(7)
def test_previous_is_not_moved_by_other_facts() -> None:
    up = monitor("a.n > previous a.n", "a.n : int\n  a.m : int")
    assert outcome(up.observe({"a.n": 1})) == "unknown"
    assert outcome(up.observe({"a.n": 2})) == "met"
    assert outcome(up.observe({"a.m": 2})) == "met"
    assert outcome(up.observe({"a.n": 2})) == "unmet"


@pytest.mark.ruling(9)
def test_a_streak_is_keyed_by_its_form_alone() -> None:
    from goalspec.compiler.codegen import temporal_key

    def key(text: str) -> str:
        check = compile_text(text).document.goals[0].criteria[-1].check  # type: ignore[union-attr]
        return temporal_key(check)  # type: ignore[arg-type]

    head = 'facts {\n  s.ok : bool\n}\ngoal g {\n  objective "x"\n'
    plain = f'{head}  criterion c "y" check s.ok for 2 runs\n}}'
    moved = f'{head}  criterion b "z" check s.ok\n  criterion c "y"\n\n check (s.ok) for 2 runs\n}}'
    named = f'{head}  let fine = s.ok\n  criterion c "y" check fine for 2 runs\n}}'
    other = f'{head}  criterion c "y" check s.ok for 3 runs\n}}'
    assert key(plain) == key(moved) == key(named) != key(other)


@pytest.mark.ruling(10)
def test_times_behind_and_ahead() -> None:
    one = monitor("s.ok")
    one.observe({"s.ok": True}, at=minute(10))
    back = one.observe({"s.ok": False}, at=minute(6))
    assert [note.kind for note in back.notes] == ["clamped"]
    with pytest.raises(RefusedObservation, match="before the last"):
        one.observe({"s.ok": True}, at=minute(4))
    with pytest.raises(RefusedObservation, match="ahead of the clock"):
        one.observe({"s.ok": True}, at=minute(20), received_at=minute(14))
    assert outcome(one.observe({}, at=minute(10))) == "unmet"  # a refusal changed nothing
    with pytest.raises(RefusedObservation, match="no time"):
        one.observe({})
    untimed = monitor("s.ok")
    untimed.observe({"s.ok": True})
    with pytest.raises(RefusedObservation, match="has a time"):
        untimed.observe({}, at=minute(1))


@pytest.mark.ruling(10)
def test_ages_and_past() -> None:
    facts = "r.at : time"
    old = monitor("age(r.at) >= 5m", facts)
    assert outcome(old.observe({"r.at": minute(0)}, at=minute(4))) == "unmet"
    assert outcome(old.observe({}, at=minute(5))) == "met"
    future = monitor("age(r.at) >= 5m", facts).observe({"r.at": minute(9)}, at=minute(4))
    assert (outcome(future), future.criteria[0].reason) == ("unknown", "invalid")
    past = monitor("past(r.at)", facts)
    assert outcome(past.observe({"r.at": minute(9)}, at=minute(4))) == "unmet"
    assert outcome(past.observe({}, at=minute(9))) == "met"
    assert outcome(monitor("past(r.at)", facts).observe({"r.at": minute(9)})) == "unknown"


def test_fresh() -> None:
    fresh = monitor("s.ok fresh 10m")
    assert outcome(fresh.observe({"s.ok": True}, at=minute(0))) == "met"
    assert outcome(fresh.observe({}, at=minute(10))) == "met"
    stale = fresh.observe({}, at=minute(11))
    assert (outcome(stale), stale.criteria[0].reason) == ("unknown", "stale")


@pytest.mark.ruling(11)
def test_an_ill_typed_value_is_unknown_and_named_and_the_rest_is_taken() -> None:
    one = monitor("s.ok and a.n == 1", "s.ok : bool\n  a.n : int")
    verdict = one.observe({"s.ok": True, "a.n": "1", "b": 2})
    assert verdict.criteria[0].reason == "invalid"
    assert [(note.kind, note.fact) for note in verdict.notes] == [
        ("undeclared", "b"),
        ("invalid", "a.n"),
    ]
    assert outcome(one.observe({"a.n": 1})) == "met"


@pytest.mark.ruling(11)
def test_a_fact_that_is_there_twice_changes_nothing() -> None:
    one = monitor("s.ok")
    one.observe({"s.ok": True})
    with pytest.raises(BadFacts):
        one.observe({"s.ok": False, "s": {"ok": False}})
    assert outcome(one.observe({})) == "met"


def test_baseline() -> None:
    up = monitor("a.n >= a.n at baseline", "a.n : int", baseline={"a": {"n": 3}})
    assert outcome(up.observe({"a.n": 3})) == "met"
    assert outcome(up.observe({"a.n": 2})) == "unmet"
    assert outcome(monitor("a.n >= a.n at baseline", "a.n : int").observe({"a.n": 3})) == "unknown"


@pytest.mark.row("X02")
def test_missing_is_never_met() -> None:
    for check in ("s.ok", "not s.ok", "s.ok or t.ok", "all x in xs: x > 0"):
        one = monitor(check, "s.ok : bool\n  t.ok : bool\n  xs : list of int")
        verdict = one.observe({})
        assert (outcome(verdict), verdict.done, verdict.exit_code) == ("unknown", False, 3)


@pytest.mark.ruling(26)
def test_a_join_of_two_large_lists_is_an_index_and_agrees() -> None:
    facts = "xs : list max 20_000 of { k: string? }\n  ys : list max 20_000 of { k: string? }"
    guard = "xs : list max 20_000 of { k: string }\n  ys : list max 20_000 of { k: string }"
    joined = "all a in xs: any b in ys: b.k == a.k"
    one = monitor(joined, guard)
    xs = [{"k": str(n)} for n in range(20_000)]
    assert outcome(one.observe({"xs": xs, "ys": xs[::-1]})) == "met"
    assert outcome(one.observe({"ys": xs[1:]})) == "unmet"
    small = monitor(joined, facts)
    assert outcome(small.observe({"xs": [{"k": "a"}], "ys": [{"k": None}, {"k": "a"}]})) == "met"
    assert outcome(small.observe({"ys": [{"k": None}, {"k": "b"}]})) == "unknown"
    assert outcome(small.observe({"ys": []})) == "unmet"
    assert outcome(small.observe({"xs": []})) == "met"


@pytest.mark.ruling(1)
def test_parts_of_one_observation_are_not_mixed_with_a_later_one() -> None:
    two = monitor("(s.ok and t.ok) for 2 runs", "s.ok : bool\n  t.ok : bool")
    two.observe({"s.ok": False}, id="1")
    two.observe({"s.ok": True, "t.ok": True}, id="2")
    late = two.observe({"t.ok": True}, id="1")
    assert outcome(late) == "unmet"  # run 1 had s.ok false, whatever run 2 said since
    assert not late.done
    one = monitor("s.ok", "s.ok : bool\n  t.ok : bool")
    one.observe({"t.ok": True}, id="1")
    one.observe({"s.ok": True}, id="2")
    assert outcome(one.observe({"s.ok": False}, id="1")) == "met"  # run 2's is the newer value


@pytest.mark.ruling(18)
def test_a_field_that_a_record_does_not_have_is_named() -> None:
    facts = "xs : list of { n: int, closed: time? }"
    verdict = monitor("each x in xs: x.closed == null", facts).observe(
        {"xs": [{"n": 1, "closd": "2026-01-01T00:00Z"}, {"n": 2, "closd": None}]}
    )
    (note,) = verdict.notes
    assert (note.kind, note.fact) == ("undeclared", "xs")
    assert "no field closd; did you mean closed?" in note.message


def test_facts_that_are_no_mapping_are_refused() -> None:
    for facts in ([], {1: 2}, "x"):
        with pytest.raises(BadFacts):
            monitor("s.ok").observe(facts)  # type: ignore[arg-type]


@pytest.mark.ruling(26)
def test_an_unknown_beside_a_large_quantifier_stays_cheap() -> None:
    """Elements that decide nothing are passed by their straight form: no reasons are made."""
    from goalspec.compiler import folding

    made = 0
    plain = folding.Reason.__init__

    def counting(self: Any, *arguments: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        plain(self, *arguments, **named)

    one = monitor("u.ok or (all q in xs: count(r in xs where r == q) == 1)",
                  "u.ok : bool\n  xs : list of int")  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folding.Reason, "__init__", counting)
        verdict = one.observe({"xs": list(range(300))})
        assert "all of 300" in verdict.criteria[0].explanation
    assert made < 20


@pytest.mark.ruling(1)
def test_a_late_part_is_known_in_its_own_observation() -> None:
    """A fact that only the late part supplies was known there, though it is stale by now."""
    seen = monitor("always known(t.ok)", "s.ok : bool\n  t.ok : bool")
    seen.observe({"s.ok": True}, id="a", rev="r1")
    seen.observe({"t.ok": True}, id="b", rev="r2")
    assert outcome(seen.observe({"t.ok": True}, id="a", rev="r1")) == "met"
