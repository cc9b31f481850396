"""The goal is created, amended, retargeted and cleared, and each time its generation rises."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goalspec.compiler.ir.canonical import plain, seal
from goalspec.compiler.ir.document import Budget, Criterion
from goalspec.compiler.rendering import goal_block, judge_brief, render_all
from goalspec.runtime.host import goal_retirement, goal_under_obligations
from goalspec.runtime.lifecycle import Refusal, decide
from goalspec.runtime.lifecycle.commands import (
    Amend,
    Begin,
    Cancel,
    Clear,
    Complete,
    Create,
    Pause,
    Reset,
    Resume,
    Retarget,
    SetMetadata,
    Settle,
    Show,
    TakeClaim,
)
from goalspec.runtime.record import Metadata, Record, Usage, canonical_record
from goalspec.runtime.record.objective import capped_objective
from goalspec.tests.runtime.lifecycle import acting
from goalspec.tests.runtime.lifecycle.states import ADDED, OTHER, RAISED, STATES, changed_goal
from goalspec.tests.runtime.record.records import GOAL, at

ACTIVE = STATES["active"]
NONE = STATES["none"]


def do(record: Record, command: Any, actor: Any = "person", second: int = 60) -> Record:
    return decide(record, command, actor, at(second)).record


def code(record: Record, command: Any, actor: Any = "person") -> str:
    return acting.code(record, command, actor)


# --- create

LONG = capped_objective("x" * 1_100_000)


@pytest.mark.row("H16", "S01")
def test_a_created_goal_is_active_and_counted() -> None:
    metadata = Metadata(acceptance_note="two look", criterion_sources={"passes": "issue 7"})
    record = do(NONE, Create(goal=GOAL, metadata=metadata, objective=GOAL.objective), "agent", 5)
    assert (record.goal, record.status.name, record.set_by) == (GOAL, "active", "agent")
    assert (record.created_at, record.updated_at, record.status.since) == (at(5),) * 3
    assert (record.generation, record.metadata, record.objective) == (1, metadata, GOAL.objective)
    assert record.contract == GOAL.contract
    shown_otherwise = Create(goal=GOAL, objective="Do what the person said", contract="c1:mine")
    assert "not what this text is cut to" in str(acting.refusal(NONE, shown_otherwise, "agent"))
    assert "no hash of a contract" in str(acting.refusal(NONE, shown_otherwise, "agent"))


@pytest.mark.row("S01", "P10")
@pytest.mark.ruling(49)
def test_over_a_finished_goal_it_archives_and_starts_at_nothing() -> None:
    spent = do(ACTIVE, Settle(settlement="s", usage=Usage(turns=3)), "runtime")
    done = do(do(spent, TakeClaim(owner="host"), "runtime"), Complete())
    step = decide(done, Create(goal=OTHER), "person", at(70))
    assert step.archived == (done,)
    assert step.archived[0].usage == Usage(turns=3)
    assert (step.record.goal, step.record.usage) == (OTHER, Usage())
    assert step.record.generation == done.generation + 1
    assert step.record.settled == ("s",)  # so that a late settlement is not charged again


@pytest.mark.row("P10", "X15")
@pytest.mark.ruling(52)
@pytest.mark.parametrize("state", ["complete", "ended", "cleared", "active", "paused", "sealed"])
def test_an_agent_creates_only_where_there_never_was_a_goal(state: str) -> None:
    assert code(STATES[state], Create(goal=OTHER), "agent") == "not_a_person"
    assert do(Record(session="new"), Create(goal=OTHER), "agent").set_by == "agent"


@pytest.mark.row("P08", "P10")
def test_an_agent_s_amendment_leaves_what_awaits_its_evaluation() -> None:
    pending = STATES["pending"]
    amended = do(pending, Amend(goal=ADDED, reason="more"), "agent")
    before, after = pending.pending, amended.pending
    assert before is not None and after is not None
    assert replace(after, evaluation=before.evaluation) == before
    assert after.evaluation != before.evaluation  # an answer about the goal before is of the past
    assert amended.candidate == pending.candidate
    assert do(pending, Amend(goal=ADDED, reason="more")).pending is None
    assert code(STATES["started"], Amend(goal=ADDED, reason="x"), "agent") == "continuation_started"


@pytest.mark.row("H20")
def test_what_nests_too_deep_to_be_read_again_is_not_written() -> None:
    deep: Any = 1
    for _ in range(199):
        deep = [deep]
    amend = Amend(goal=ADDED, reason="more", measurement=deep)
    assert code(ACTIVE, amend, "agent") == "bad_record"


@pytest.mark.row("S01", "P10")
def test_over_an_unfinished_goal_only_a_person_s_replace_does() -> None:
    assert code(ACTIVE, Create(goal=OTHER)) == "unfinished_goal"
    assert code(ACTIVE, Create(goal=OTHER), "agent") == "not_a_person"
    for state in ("active", "none", "complete"):
        assert code(STATES[state], Create(goal=OTHER, replace=True), "agent") == "not_a_person"
    step = decide(ACTIVE, Create(goal=OTHER, replace=True), "person", at(60))
    assert (step.record.goal, step.archived) == (OTHER, (ACTIVE,))


@pytest.mark.ruling(33)
def test_the_file_s_contract_stands_beside_what_is_enforced() -> None:
    record = do(NONE, Create(goal=RAISED, contract=GOAL.contract))
    assert (record.contract, record.goal and record.goal.contract) == (
        GOAL.contract,
        RAISED.contract,
    )
    amended = do(record, Amend(goal=ADDED, reason="docs"))
    assert (amended.contract, amended.goal and amended.goal.contract) == (
        GOAL.contract,
        ADDED.contract,
    )
    from_file = do(record, Amend(goal=ADDED, reason="docs", from_file=True))
    assert from_file.contract == ADDED.contract


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (Create(goal=replace(GOAL, objective="Other")), "goal.contract: it is not the hash"),
        (Create(goal=seal(replace(GOAL, objective=" "))), "goal.objective: it is blank"),
        (Create(goal=changed_goal(criteria=(*GOAL.criteria, GOAL.criteria[0]))), "the id `passes` is there twice"),
        (Create(goal=changed_goal(criteria=(Criterion(id="", text="x"),))), "goal.criteria[0].id: it is blank"),
        (Create(goal=GOAL, metadata=Metadata(criterion_sources={"no": 1})), "metadata.criterion_sources.no"),
        (Create(goal=GOAL, metadata=Metadata(source=print)), "metadata.source: a builtin_function_or_method is not JSON"),
        (Create(goal=GOAL, metadata=Metadata(source=float("nan"))), "metadata.source: nan is not finite"),
        (Create(goal=GOAL, metadata=Metadata(acceptance_note="\ud800")), "lone surrogate"),
        (Create(goal=GOAL, metadata=Metadata(acceptance_note="x" * 70_000)), "65536 is the most"),
        (Create(goal=seal(replace(GOAL, objective=LONG[0])), objective=LONG[1]), "1048576 is the most"),
    ],
)  # fmt: skip
def test_a_bad_one_is_refused_before_anything_changes(command: Create, says: str) -> None:
    with pytest.raises(Refusal) as caught:
        do(NONE, command)
    assert caught.value.code == "bad_record"
    assert says in str(caught.value)
    assert Record(session="s-1") == NONE


# --- amend


@pytest.mark.row("X13")
def test_an_amendment_keeps_the_original_the_reason_and_the_measurement_in_the_journal() -> None:
    goal = changed_goal(
        criteria=(replace(GOAL.criteria[0], text="All suites pass"), *GOAL.criteria[1:])
    )
    [event] = decide(
        ACTIVE, Amend(goal=goal, reason="it was false", measurement={"failed": 3}), "person", at(60)
    ).events
    assert event.kind == "amended"
    assert event.details == {
        "reason": "it was false",
        "measurement": {"failed": 3},
        "changed": [
            {
                "part": "criterion", "id": "passes",
                "before": plain(GOAL.criteria[0]), "after": plain(goal.criteria[0]),
            }
        ],
    }  # fmt: skip


@pytest.mark.row("X13")
def test_an_amendment_keeps_what_was_used_and_drops_what_was_on_its_way() -> None:
    spent = do(ACTIVE, Settle(settlement="s", usage=Usage(turns=3)), "runtime")
    claimed = replace(do(spent, TakeClaim(owner="host"), "runtime"), monitor={"count": 2})
    record = do(claimed, Amend(goal=ADDED, reason="docs"))
    assert (record.usage, record.monitor, record.settled) == (Usage(turns=3), {"count": 2}, ("s",))
    assert (record.pending, record.claim, record.candidate) == (None, None, None)
    assert record.generation == claimed.generation + 1


def test_the_whole_text_stays_with_its_objective() -> None:
    typed = replace(ACTIVE, objective="Ship it, all of it.")
    assert do(typed, Amend(goal=ADDED, reason="docs")).objective == "Ship it, all of it."
    assert do(typed, Amend(goal=changed_goal(objective="Ship."), reason="less")).objective is None


@pytest.mark.row("H19", "X13")
def test_a_dropped_criterion_retires_and_keeps_its_identity() -> None:
    described = do(ACTIVE, SetMetadata(metadata=Metadata(criterion_sources={"clean": 1})))
    record = do(described, Amend(goal=changed_goal(criteria=GOAL.criteria[:1]), reason="false"))
    assert record.goal is not None
    assert [(r.id, r.text) for r in record.goal.retired] == [("clean", "The linter is silent")]
    again = do(record, Amend(goal=GOAL, reason="it was true after all"))
    assert again.goal is not None
    assert [r.id for r in again.goal.retired] == ["clean"]
    assert [c.id for c in again.goal.criteria] == ["passes", "clean"]
    assert again.goal.contract == GOAL.contract


@pytest.mark.row("X13", "H20")
@pytest.mark.parametrize(
    ("command", "refused"),
    [
        (Amend(goal=GOAL, reason="nothing"), "same_goal"),
        (Amend(goal=OTHER, reason="another"), "another_goal"),
        (Amend(goal=ADDED, reason=" "), "blank"),
        (Amend(goal=ADDED, reason="x", measurement=float("inf")), "bad_record"),
    ],
)
def test_what_is_no_amendment_is_refused(command: Amend, refused: str) -> None:
    assert code(ACTIVE, command) == refused


# --- retarget


@pytest.mark.row("H15", "H19")
@pytest.mark.ruling(55)
def test_a_retarget_retires_the_criteria_and_writes_the_checkpoint() -> None:
    obligations = {
        "retarget": {
            "objective": "Ship the other.", "control_id": "c-9", "message_id": "m-1",
            "success_criteria": [{"id": "passes", "description": "The other passes"}],
        }
    }  # fmt: skip
    new = goal_under_obligations(GOAL, obligations).goal
    step = decide(ACTIVE, Retarget(goal=new, control_id="c-9", message_id="m-1"), "person", at(60))
    [event] = step.events
    assert (event.kind, event.details) == ("retargeted", goal_retirement(GOAL, obligations))
    goal = step.record.goal
    assert goal is not None
    assert [r.id for r in goal.retired] == ["passes", "clean"]
    assert [c.id for c in goal.criteria] == ["passes"]
    assert (goal.constraints, goal.budget) == (GOAL.constraints, GOAL.budget)
    assert (step.record.status.name, step.record.generation) == ("active", 2)
    assert canonical_record(step.record)["spec"]["retired_criteria"][0]["id"] == "passes"


@pytest.mark.ruling(55)
def test_without_criteria_the_goal_blocks_until_a_person_gives_it_some() -> None:
    record = STATES["no_criteria"]
    assert (record.status.name, record.status.reason) == (
        "blocked", "criteria: the new objective has none of its own",
    )  # fmt: skip
    assert code(record, Resume()) == "no_criteria"
    paused = do(record, Pause())
    assert code(paused, Resume()) == "no_criteria"
    assert record.goal is not None
    given = seal(replace(record.goal, criteria=(Criterion(id="new", text="It ships"),)))
    assert do(record, Amend(goal=given, reason="criteria"), "agent").status.name == "blocked"
    assert do(record, Amend(goal=given, reason="criteria")).status.name == "active"


@pytest.mark.parametrize(
    ("goal", "refused"),
    [
        (changed_goal(objective="Other", criteria=()), "not_a_retarget"),  # nothing is retired
        (changed_goal(budget=None, objective="Other"), "not_a_retarget"),
        (OTHER, "another_goal"),
    ],
)
def test_a_retarget_changes_nothing_else(goal: Any, refused: str) -> None:
    assert code(ACTIVE, Retarget(goal=goal, control_id="c")) == refused


def test_a_retarget_needs_its_control_and_is_once() -> None:
    new = STATES["no_criteria"].goal
    assert new is not None
    assert code(ACTIVE, Retarget(goal=new, control_id="")) == "blank"
    assert do(STATES["no_criteria"], Retarget(goal=new, control_id="c")) == STATES["no_criteria"]


# --- clear, reset, cancel


@pytest.mark.row("H21", "S01")
@pytest.mark.parametrize("command", [Clear(), Reset(), Cancel()])
def test_the_goal_goes_and_is_archived(command: Any) -> None:
    opened = do(ACTIVE, Begin(run="r"), "runtime")
    step = decide(opened, command, "person", at(60))
    record = step.record
    assert (record.goal, record.status.name, record.generation) == (None, "cleared", 2)
    assert (record.metadata, record.usage, record.created_at) == (Metadata(), Usage(), "")
    assert [one.goal for one in step.archived] == [GOAL]
    assert step.events[0].details["goal"] == GOAL.id
    assert record.turn.state == ("open" if isinstance(command, Clear) else "idle")
    assert record.sealed == isinstance(command, Cancel)


@pytest.mark.row("H20", "H21")
@pytest.mark.ruling(48, 49)
def test_a_cancelled_goal_ended_so_and_the_record_is_sealed() -> None:
    step = decide(ACTIVE, Cancel(reason="wrong idea"), "person", at(60))
    [archived] = step.archived
    assert (archived.status.name, archived.status.ending, archived.status.reason) == (
        "ended", "cancelled", "wrong idea",
    )  # fmt: skip
    assert [event.kind for event in step.events] == ["cleared", "sealed"]
    assert code(step.record, Begin(run="r"), "runtime") == "sealed"
    assert code(step.record, Create(goal=OTHER), "agent") == "not_a_person"
    assert not do(step.record, Create(goal=OTHER)).sealed


def test_a_finished_goal_that_is_cancelled_stays_what_it_was_in_the_history() -> None:
    [archived] = decide(STATES["complete"], Cancel(), "person", at(60)).archived
    assert archived.status.name == "complete"


def test_the_monitor_s_state_is_not_archived() -> None:
    [archived] = decide(replace(ACTIVE, monitor={"count": 1}), Clear(), "person", at(60)).archived
    assert archived.monitor is None


# --- beside the goal


@pytest.mark.row("H17")
def test_metadata_is_replaced_whole_and_is_no_new_generation() -> None:
    record = do(ACTIVE, SetMetadata(metadata=Metadata(acceptance_note="look")))
    assert (record.metadata.acceptance_note, record.generation) == ("look", ACTIVE.generation)
    assert code(ACTIVE, SetMetadata(metadata=Metadata(criterion_sources={"x": 1}))) == "bad_record"


@pytest.mark.row("H17")
def test_metadata_reaches_no_prompt() -> None:
    metadata = Metadata(acceptance_note="NOTE", criterion_sources={"passes": "NOTE"}, source="NOTE")
    record = do(NONE, Create(goal=GOAL, metadata=metadata))
    assert record.goal is not None
    texts = [fragment.text for fragment in render_all(record.goal)]
    assert texts
    assert "NOTE" not in " ".join([*texts, judge_brief(record.goal), goal_block(record.goal)])


@pytest.mark.row("P01")
def test_the_dashboard_hides_and_shows() -> None:
    hidden = do(ACTIVE, Show(hidden=True), "agent")
    assert hidden.hidden
    assert do(hidden, Show(hidden=True)) == hidden
    assert not do(hidden, Show(hidden=False)).hidden


@pytest.mark.ruling(56)
def test_to_be_hidden_makes_no_goal_younger() -> None:
    hidden = do(ACTIVE, Show(hidden=True), "agent")
    assert hidden.updated_at == ACTIVE.updated_at


def test_a_new_goal_is_shown() -> None:
    hidden = do(do(ACTIVE, Show(hidden=True), "agent"), Clear())
    assert not do(hidden, Create(goal=ACTIVE.goal)).hidden


def test_a_budget_that_did_not_change_lifts_no_limit() -> None:
    limited = STATES["limited"]
    assert do(limited, Amend(goal=ADDED, reason="docs")).status.name == "budget_limited"
    low = changed_goal(budget=Budget(turns=20))
    assert do(limited, Amend(goal=low, reason="less")).status.name == "budget_limited"
