"""What a page has of a session."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir.document import Retired
from goalspec.runtime.exhibits import Exhibit
from goalspec.runtime.goals import Goals
from goalspec.runtime.lifecycle.commands import (
    Begin,
    Block,
    Cancel,
    Clear,
    Create,
    Propose,
    Retarget,
)
from goalspec.runtime.lifecycle.events import Event
from goalspec.runtime.record import BadRecord, Metadata, Record
from goalspec.runtime.report import Page, Stock, page_of
from goalspec.runtime.report.journal import FIRST, LAST, differences
from goalspec.runtime.report.judgements import MAX_ITEM
from goalspec.runtime.report.spending import MAX_LINES, MAX_POINTS
from goalspec.runtime.report.timeline import MAX_COLUMNS
from goalspec.runtime.store import MemoryStore
from goalspec.runtime.store.port import Entry
from goalspec.tests.runtime.convergence.loop import checked
from goalspec.tests.runtime.judge.goals import goal_of
from goalspec.tests.runtime.report.sessions import (
    SESSION,
    long_stock,
    stock_of,
    store_of_long_session,
)


@pytest.fixture(scope="module")
def page() -> Page:
    return page_of(long_stock())


def row(page: Page, id: str, kind: str = "observation") -> str:
    """The outcomes of a part in the columns of a kind, by their first letters."""
    columns = [one for one in page.timeline.columns if one.kind == kind]
    return "".join((one.outcomes or {}).get(id, "-")[0] for one in columns)


def test_how_it_stands_and_why(page: Page) -> None:
    assert page.standing is not None
    assert (page.standing.name, page.standing.gone) == ("complete", None)
    assert page.standing.reason == "the judge accepts: cause, docs, scope, no-access"
    assert page.line.startswith("complete (the judge accepts")


def test_the_contract_in_the_languages_own_words(page: Page) -> None:
    contract = page.contract
    assert contract is not None
    parts = {part.id: part for part in contract.parts}
    assert list(parts) == ["suite", "coverage", "lint", "cause", "docs", "scope", "no-access"]
    assert parts["coverage"].clauses == ("check coverage.line >= 84%",)
    assert (parts["coverage"].decided_by, parts["coverage"].outcome) == ("check", "met")
    assert (parts["docs"].decided_by, parts["docs"].judged) == ("judge", "met")
    assert ("verified by", "pytest -q") in contract.metadata
    assert [(one.name, one.limit, one.advised) for one in contract.limits] == [
        ("cost", "5 USD", None), ("tokens", "400,000", "200,000"), ("turns", "40", None),
        ("runtime", "6h", None),
    ]  # fmt: skip
    facts = {fact.name: fact.value for fact in contract.facts}
    assert facts["coverage.line"] is not None and facts["coverage.line"].head == "85.2%"
    assert [(one.path, one.hash) for one in page.pinned.files][1] == (
        "tests/test_login.py",
        "b" * 64,
    )


def test_a_column_for_each_observation_and_each_judgement(page: Page) -> None:
    assert row(page, "suite") == "u" * 14 + "m" * 10
    assert row(page, "coverage") == "u" * 11 + "m" * 13
    assert row(page, "lint") == "u" * 12 + "mmu" + "m" * 9
    assert row(page, "cause") == "j" * 24
    assert row(page, "docs", "judgement") == "uum"
    assert [c.outcomes["docs"] for c in page.timeline.columns if c.kind == "judgement"] == [  # type: ignore[index]
        "unmet", "unclear", "met",
    ]  # fmt: skip
    assert [c.turns for c in page.timeline.columns if c.kind == "observation"] == [*range(24)]


def test_what_was_used_of_each_limit(page: Page) -> None:
    assert page.spending is not None
    curves = {(one.name, one.advisory): one for one in page.spending.curves}
    assert list(curves) == [
        ("turns", False), ("tokens", False), ("cost", False), ("runtime", False), ("tokens", True),
    ]  # fmt: skip
    tokens = curves["tokens", False].points
    assert tokens[0].words == "0 of 300,000"
    raised = [p for p in tokens if p.entry == page.amendments[0].entry]
    assert [p.words.split(" of ")[1] for p in raised] == ["400,000"]
    assert raised[0].share < tokens[tokens.index(raised[0]) - 1].share
    assert tokens[-1].words == "261,000 of 400,000"
    assert curves["tokens", True].points[-1].share == pytest.approx(1.305)
    assert ("turns", "23") in page.spending.used


@pytest.mark.row("X08", "X14")
def test_a_judgement_has_what_the_judge_was_shown_and_said(page: Page) -> None:
    last = page.evaluations.shown[-1]
    assert (last.outcome, last.entry) == ("complete", page.journal.entries - 2)
    [judgement] = last.judgements
    assert judgement.request is not None and judgement.came_to is not None
    assert [item.id for item in judgement.request.items] == ["facts", "tool-1", "tool-2", "tool-3"]
    assert "src/login.py" in judgement.request.items[1].text.head
    assert judgement.came_to.decision == "accept"
    cause = judgement.came_to.parts[0]
    assert [(q.source, q.quote.head) for q in cause.quotes] == [
        ("tool-2", "take the lock before the session is read")
    ]
    [call] = judgement.calls
    assert (call.model, call.provider, call.tokens, call.cost) == (
        "judge-1",
        "acme",
        3600,
        "0.0184",
    )
    assert dict(call.hashes)["contract"] == page.contract.hash  # type: ignore[union-attr]
    taken = long_stock().entries[(judgement.entry or 0) - 1].event.changes["loop"]
    assert isinstance(taken, dict) and taken["exhibit"] == judgement.hash


def test_calls_that_brought_nothing_are_there_too(page: Page) -> None:
    [first] = page.evaluations.shown[0].judgements
    assert [call.read_as for call in first.calls] == [
        "no reply: rate_limited: 429: slow down", "an answer: continue",
    ]  # fmt: skip
    [again] = page.evaluations.shown[2].judgements
    assert [call.read_as.split(":")[0] for call in again.calls] == ["no answer", "an answer"]
    assert again.calls[1].problem is not None


@pytest.mark.row("X11")
def test_drift_is_listed_while_it_lasts(page: Page) -> None:
    drifted = page.evaluations.shown[1]
    assert drifted.reason == "pinned files drifted: tests/test_login.py was changed"
    assert drifted.judgements == ()
    stock = long_stock()
    then = page_of(replace(stock, entries=stock.entries[: (drifted.entry or 0) + 2]))
    assert then.standing is not None and page.standing is not None
    assert then.standing.drift == ("tests/test_login.py was changed",)
    assert page.standing.drift == ()


@pytest.mark.row("X13")
def test_an_amendment_has_the_original_the_reason_and_the_measurement(page: Page) -> None:
    [one] = page.amendments
    assert (one.actor, one.contract) == ("person", page.contract.hash)  # type: ignore[union-attr]
    assert one.reason is not None and one.reason.head == "The generated client left the count."
    assert one.measurement is not None and json.loads(one.measurement.head)["before"] == "86.1%"
    coverage, budget = one.changed
    assert coverage.before is not None and coverage.after is not None
    assert coverage.part == "criterion coverage"
    assert coverage.before.head.endswith("check coverage.line >= 86%")
    assert coverage.after.head.endswith("check coverage.line >= 84%")
    assert budget.after is not None and "tokens 400000" in budget.after.head


def test_refusals_and_earlier_goals(page: Page) -> None:
    assert [(one.actor, one.code) for one in page.refusals] == [
        ("agent", "not_a_person"), ("agent", "not_a_person"),
    ]  # fmt: skip
    [earlier] = page.earlier
    assert (earlier.goal, earlier.generation) == ("notes", 1)
    assert earlier.status.startswith("complete (I saw them.)")


def test_the_journal_is_whole_and_says_what_changed(page: Page) -> None:
    journal = page.journal
    assert (journal.problems, journal.left_out, journal.last) == ((), 0, ())
    assert [line.number for line in journal.first] == [*range(1, journal.entries + 1)]
    status = next(line for line in journal.first[1:] if line.kind == "status_changed")
    changes = {change.path: change for change in status.changes}
    name = changes["status.name"]
    assert name.before is not None and name.after is not None
    assert (name.before.head, name.after.head) == ("active", "complete")
    assert "updated_at" not in changes


@pytest.mark.ruling(36)
def test_a_journal_that_was_changed_is_said_to_be(page: Page) -> None:
    stock = long_stock()
    event = stock.entries[5].event
    entries = [*stock.entries]
    entries[5] = replace(entries[5], event=replace(event, actor="person"))
    problems = page_of(replace(stock, entries=entries)).journal.problems
    assert problems and "6" in problems[0]


def test_what_is_no_records_is_refused() -> None:
    stock = long_stock()
    number, entry = next(
        (n, e) for n, e in enumerate(stock.entries) if e.event.kind == "progress_accounted"
    )
    event = replace(entry.event, changes={**entry.event.changes, "usage": "much"})
    entries = [*stock.entries]
    entries[number] = replace(entry, event=event)
    with pytest.raises(BadRecord, match="usage"):
        page_of(replace(stock, entries=entries))


# --- other sessions


def store(*commands: Any) -> MemoryStore:
    made = MemoryStore()
    for command in commands:
        Goals(made).perform(SESSION, command, "person")
    return made


def test_a_session_in_which_nothing_happened() -> None:
    page = page_of(stock_of(store(Create(goal=checked()))))
    assert page.timeline.columns == ()
    assert page.evaluations.shown == ()
    assert page.contract is not None and page.contract.default_turns == 25
    assert [part.outcome for part in page.contract.parts] == [None]


def test_a_session_that_never_had_a_goal() -> None:
    page = page_of(Stock(Record(session="s"), (), (), (), ()))
    assert (page.contract, page.standing, page.spending) == (None, None, None)


@pytest.mark.ruling(41)
def test_whence_the_facts_come_is_stated() -> None:
    source = {"facts": "from a file that the agent can write", "run": 7}
    page = page_of(stock_of(store(Create(goal=checked(), metadata=Metadata(source=source)))))
    assert page.standing is not None
    assert page.standing.rows == (("the facts come", "from a file that the agent can write"),)


@pytest.mark.parametrize(
    ("command", "row"),
    [
        (Block(reason="401", mechanical=True), ("the block lifts", "with a person's next message")),
        (Block(reason="stop: s"), ("the block lifts", "when a person resumes it")),
        (Begin(run="run-1"), ("a run is at work", "run-1 since 2026-")),
        (Propose(outcome="blocked", reason="no access"), ("proposed", "blocked: no access")),
    ],
)
def test_what_is_on_its_way(command: Any, row: tuple[str, str]) -> None:
    kept = store(Create(goal=checked()))
    actor = "agent" if isinstance(command, Propose) else "runtime"
    Goals(kept).perform(SESSION, command, actor)
    standing = page_of(stock_of(kept)).standing
    assert standing is not None
    [(name, words)] = standing.rows
    assert name == row[0] and words.startswith(row[1])


@pytest.mark.parametrize(
    ("ends", "name", "gone"),
    [(Clear(), "active", "a person cleared it"), (Cancel(reason="too late"), "ended", "too late")],
)
def test_a_goal_that_is_gone_is_reported_on_as_it_stood(ends: Any, name: str, gone: str) -> None:
    page = page_of(stock_of(store(Create(goal=checked()), ends)))
    assert page.standing is not None and page.contract is not None
    assert (page.standing.name, page.standing.gone) == (name, gone)
    assert (page.contract.goal, page.earlier) == ("ship", ())


def test_a_goal_that_went_to_another_session_is_reported_on() -> None:
    kept = store(Create(goal=checked()))
    Goals(kept).adopt(SESSION, "next", "person")
    page = page_of(stock_of(kept))
    assert page.standing is not None and page.contract is not None
    assert page.standing.gone == "the session next adopted the goal"
    assert page.contract.goal == "ship"
    followed = page_of(stock_of(kept, "next"))
    assert followed.standing is not None
    assert [name for name, _ in followed.standing.rows] == ["adopted from"]


def test_what_was_judged_of_an_earlier_goal_is_none_of_this_ones() -> None:
    kept = store_of_long_session()
    Goals(kept).perform(SESSION, Create(goal=checked()), "person")
    page = page_of(stock_of(kept))
    assert page.evaluations.shown == () and page.evaluations.missing == ()
    assert page.timeline.columns == ()
    assert [one.goal for one in page.earlier] == ["notes", "login-race"]
    assert page.spending is not None and page.spending.judge == ()


def test_a_retarget_retires_rows() -> None:
    old = goal_of('goal g {\n objective "A."\n criterion c "C"\n judge {}\n}')
    new = goal_of('goal g {\n objective "B."\n criterion d "D"\n judge {}\n}')
    retired = replace(new, retired=(Retired(id="c", text="C"),))
    page = page_of(stock_of(store(Create(goal=old), Retarget(goal=retired, control_id="m-1"))))
    assert [(one.id, one.kept) for one in page.timeline.rows] == [("d", True), ("c", False)]
    [amendment] = page.amendments
    assert amendment.reason is not None and amendment.reason.head == "m-1"
    assert [one.part for one in amendment.changed] == ["objective", "criterion c"]
    assert page.contract is not None and page.contract.retired == (("c", "C"),)


def test_outcomes_that_an_older_journal_lacks_are_not_recorded() -> None:
    stock = long_stock()
    entries = [replace(entry, event=without_outcomes(entry.event)) for entry in stock.entries]
    page = page_of(replace(stock, entries=entries))
    observed = [one for one in page.timeline.columns if one.kind == "observation"]
    assert len(observed) == 24
    assert {one.outcomes for one in observed} == {None}


def without_outcomes(event: Event) -> Event:
    loop = event.changes.get("loop")
    if not isinstance(loop, dict):
        return event
    older = {name: value for name, value in loop.items() if name != "outcomes"}
    return replace(event, changes={**event.changes, "loop": older})


# --- bounds


def longer(stock: Stock, times: int) -> Stock:
    """The same journal, its entries from the first settled run on again and again."""
    begins = next(n for n, e in enumerate(stock.entries) if e.event.kind == "progress_accounted")
    again = [*stock.entries[:begins], *[*stock.entries[begins:-20]] * times]
    entries = [Entry(n, entry.event, entry.digest) for n, entry in enumerate(again, 1)]
    return replace(stock, entries=entries)


def test_ten_thousand_entries_are_bounded_and_what_is_left_out_is_said() -> None:
    page = page_of(longer(long_stock(), 50))
    journal = page.journal
    assert journal.entries > 10_000
    assert (len(journal.first), len(journal.last)) == (FIRST, LAST)
    assert journal.left_out == journal.entries - FIRST - LAST
    assert journal.last[-1].number == journal.entries
    assert len(journal.problems) == 20 and journal.problems_left_out > 0
    assert len(page.timeline.columns) == MAX_COLUMNS and page.timeline.left_out > 0
    assert page.spending is not None
    turns = page.spending.curves[0]
    assert (len(turns.points), len(turns.lines)) == (MAX_POINTS, MAX_LINES)
    assert turns.points[-1] == turns.lines[-1]


def test_many_pinned_files_are_bounded() -> None:
    stock = long_stock()
    gates = {f"tests/test_{number:04}.py": "0" * 64 for number in range(500)}
    page = page_of(replace(stock, record=replace(stock.record, gates=gates)))
    assert (len(page.pinned.files), page.pinned.left_out) == (400, 100)
    assert page.pinned.files[0].path == "tests/test_0000.py"


def test_long_texts_are_shown_by_their_beginning_and_their_end() -> None:
    stock = long_stock()
    huge = "A" * 500_000 + "Z" * 500_000

    def grown(exhibit: Exhibit) -> Exhibit:
        content: Any = exhibit.content
        if exhibit.kind != "request":
            return exhibit
        items = [{**item, "text": huge} for item in content["evidence"]]
        return replace(exhibit, content={**content, "evidence": items, "claim": huge})

    page = page_of(replace(stock, exhibits=[grown(one) for one in stock.exhibits]))
    request = page.evaluations.shown[-1].judgements[0].request
    assert request is not None
    text = request.items[0].text
    assert len(text.head) + len(text.tail) <= MAX_ITEM
    assert (text.head[0], text.tail[-1]) == ("A", "Z")
    assert text.cut == len(huge) - len(text.head) - len(text.tail)


@pytest.mark.parametrize("content", [None, [], {"evidence": 3}, {"calls": [], "outcome": {}}])
def test_an_exhibit_that_is_none_is_said_to_be(content: Any) -> None:
    stock = long_stock()
    spoiled = [replace(one, content=content) for one in stock.exhibits]
    page = page_of(replace(stock, exhibits=spoiled))
    said = [why for one in page.evaluations.shown for j in one.judgements for why in j.unreadable]
    assert len(said) == len(spoiled)
    assert all("cannot be read: " in why for why in said)


def test_half_a_character_that_a_tool_printed_is_no_obstacle() -> None:
    stock = long_stock()
    request: Any = stock.exhibits[0].content
    evidence = [{"id": "e", "provenance": "tool", "text": "a\ud800b"}]
    spoiled = replace(stock.exhibits[0], content={**request, "evidence": evidence})
    page = page_of(replace(stock, exhibits=[spoiled]))
    found = page.evaluations.shown[0].judgements[0].request
    assert found is not None and found.items[0].text.head == "a�b"


def test_judgements_of_which_nothing_is_kept_are_named() -> None:
    page = page_of(replace(long_stock(), exhibits=()))
    assert len(page.evaluations.missing) == 3
    assert [one.kind for one in page.timeline.columns].count("judgement") == 0


def test_differences_are_the_innermost_values() -> None:
    before = {"a": {"b": 1, "c": 2}, "d": [1]}
    after = {"a": {"b": 1, "c": 3}, "d": [1, 2], "e": {"f": 1}}
    assert list(differences(before, after, "x")) == [
        ("x.a.c", 2, 3), ("x.d", [1], [1, 2]), ("x.e", None, {"f": 1}),
    ]  # fmt: skip
