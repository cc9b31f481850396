"""A record from elsewhere becomes the session's: a person's doing, and nothing runs by it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goalspec.compiler.host_goal import read_goal
from goalspec.runtime.lifecycle import Refusal, replay
from goalspec.runtime.lifecycle.importing import import_record
from goalspec.runtime.record import Actor, Claim, Record, Status, StatusName, Turn, Usage
from goalspec.runtime.record.foreign import read_foreign

AT = "2026-03-01T12:00:00.000000Z"
LATER = "2026-03-02T12:00:00.000000Z"
GOAL = read_goal({"id": "ship", "objective": "Ship it.", "success_criteria": ["It shipped"]})[0]
MINE = read_goal({"id": "mine", "objective": "Mine."})[0]


def record(session: str = "old", status: StatusName = "active", **more: object) -> Record:
    given = {
        "session": session, "goal": GOAL, "contract": GOAL.contract, "set_by": "person",
        "generation": 4, "created_at": AT, "updated_at": AT, "usage": Usage(turns=3),
        "settled": ("r1", "r2", "r3"), "status": Status(name=status, since=AT),
    }  # fmt: skip
    return Record(**{**given, **more})


@pytest.mark.ruling(52)
@pytest.mark.parametrize("status", ["active", "paused", "blocked", "budget_limited"])
def test_what_is_not_over_waits_for_a_person(status: StatusName) -> None:
    claim = Claim(key="ship:4:1", state="started", owner="driver", ordinal=1, expires_at=LATER)
    came = record(status=status, claim=claim, turn=Turn(state="open", run="r", opened_at=AT))
    step = import_record(Record(session="new"), came, "person", LATER)
    new = step.record
    assert (new.status.name, new.status.reason) == ("paused", "it was imported")
    assert (new.claim, new.turn) == (None, Turn())
    assert (new.session, new.goal, new.usage, new.settled) == (
        "new", GOAL, Usage(turns=3), ("r1", "r2", "r3"),
    )  # fmt: skip
    assert (new.generation, new.created_at, new.updated_at) == (5, AT, LATER)
    assert replay(step.events, "new") == new


@pytest.mark.parametrize("status", ["complete", "ended"])
def test_what_is_over_stays_so(status: StatusName) -> None:
    ending = "impossible" if status == "ended" else None
    came = replace(record(), status=Status(name=status, ending=ending, since=AT))
    new = import_record(Record(session="new"), came, "person", LATER).record
    assert new.status == Status(name=status, ending=ending, since=LATER)


@pytest.mark.row("H20")
def test_over_an_unfinished_goal_it_has_to_be_said() -> None:
    mine = record("new", goal=MINE, generation=9)
    with pytest.raises(Refusal, match="import over it"):
        import_record(mine, record(), "person", LATER)
    step = import_record(mine, record(), "person", LATER, over=True)
    assert step.record.generation == 10
    assert [one.goal for one in step.archived] == [MINE]
    done = replace(mine, status=Status(name="complete", since=AT))
    assert import_record(done, record(), "person", LATER).record.goal == GOAL


@pytest.mark.parametrize("actor", ["agent", "runtime"])
def test_nobody_but_a_person_imports(actor: Actor) -> None:
    with pytest.raises(Refusal) as refusal:
        import_record(Record(session="new"), record(), actor, LATER)
    assert refusal.value.code == "not_a_person"


def test_a_sealed_record_opens_by_a_persons_import() -> None:
    sealed = Record(session="new", sealed=True, generation=2, updated_at=AT)
    assert import_record(sealed, record(), "person", LATER).record.sealed is False


@pytest.mark.row("H16", "S12")
def test_records_of_others() -> None:
    empty = {"spec": None, "metadata": None, "generation": 0, "created_at": "", "updated_at": ""}
    with pytest.raises(Refusal, match="nothing to import"):
        import_record(Record(session="n"), read_foreign(empty, "n").record, "person", LATER)
    spec = {"objective": "Ship it.", "success_criteria": []}
    came = read_foreign({**empty, "spec": spec}, "n").record
    new = import_record(Record(session="n"), came, "person", LATER)
    assert new.record.updated_at == LATER
    assert replay(new.events, "n") == new.record


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"generation": 2**53 - 2}, "generation: 9007199254740990 is more than a run comes to"),
        ({"continuations": 2**53 - 1}, "continuations: "),
        ({"usage": Usage(tokens=2**53 - 1)}, "usage.tokens: "),
        ({"created_at": "2999-12-31T23:59:59.999999Z"}, "created_at: 2999.* is yet to come"),
        ({"objective": "Delete everything"}, "not what this text is cut to"),
        ({"contract": "c1:of the person's file"}, "contract: it is no hash"),
    ],
)
def test_what_would_make_a_goal_that_nobody_can_count_on_is_refused(
    more: dict[str, object], says: str
) -> None:
    with pytest.raises(Refusal, match=says):
        import_record(Record(session="new"), record(**more), "person", LATER)  # type: ignore[arg-type]
