"""What every store does, unchanged on each: in memory, on SQLite, and on a real PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from goalspec.runtime.lifecycle.commands import Clear, Pause, Resume
from goalspec.runtime.lifecycle.events import Refusal, Refused, Step
from goalspec.runtime.record.parts import Record
from goalspec.runtime.record.times import stamp
from goalspec.runtime.store import (
    Lease,
    LeaseHeld,
    LeaseLost,
    Posted,
    Side,
    StaleVersion,
    Store,
    StoreError,
    broken_links,
)
from goalspec.tests.runtime.store.decisions import (
    ACTIVE,
    GOAL,
    START,
    Clock,
    changed,
    count,
    keep,
    later,
    observe,
    refuse,
    wait_until,
)


def of(store: Store, session: str) -> int:
    """What `count` counted."""
    stored = store.get(session)
    return 0 if stored is None else stored.record.continuations


# --- mutations


def test_what_was_written_is_read(store: Store) -> None:
    assert store.get("s") is None
    written = store.mutate("s", lambda r, posted, at: changed(r, at, goal=GOAL, status=ACTIVE))
    assert written.version == 1
    assert written.record.goal == GOAL
    assert store.get("s") == written
    assert store.get("another") is None


def test_a_decision_is_told_the_record_and_the_stores_time(store: Store, clock: Clock) -> None:
    told: list[tuple[Record, Sequence[Posted], str]] = []

    def decision(record: Record, posted: Sequence[Posted], at: str) -> Step:
        told.append((record, posted, at))
        return count(record, posted, at)

    first = store.mutate("s", decision)
    clock.go(1)
    store.mutate("s", decision)
    assert told == [
        (Record(session="s"), [], stamp(START)),
        (first.record, [], later(stamp(START), 1)),
    ]


@pytest.mark.row("P05")
@pytest.mark.row("S12")
def test_a_stale_version_is_refused(store: Store) -> None:
    read = store.mutate("s", count)
    store.mutate("s", count)
    with pytest.raises(StaleVersion, match="at version 2, not 1"):
        store.mutate("s", count, version=read.version)
    assert store.mutate("s", count, version=2).version == 3
    with pytest.raises(StaleVersion):
        store.mutate("s", count, version=0)
    assert store.mutate("new", count, version=0).version == 1


def test_a_step_without_a_change_is_no_version(store: Store) -> None:
    assert store.mutate("s", keep).version == 0
    assert store.get("s") is None
    store.mutate("s", count)
    assert store.mutate("s", keep).version == 1


def test_a_decision_that_fails_leaves_nothing(store: Store) -> None:
    before = store.mutate("s", count)
    store.post("s", Pause(), "person")

    def fails(record: Record, posted: Sequence[Posted], at: str) -> Step:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.mutate("s", fails)
    assert store.get("s") == before
    assert len(store.inbox("s")) == 1
    assert store.audit("s") == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {1, 2}, object()])
def test_what_is_not_json_is_refused_whole(store: Store, value: Any) -> None:
    before = store.mutate("s", count)
    with pytest.raises(StoreError, match="not JSON, and nothing was written"):
        store.mutate("s", observe(value))
    assert store.get("s") == before
    assert len(store.journal("s")) == 1
    store.mutate("s", count)


def test_text_of_any_script_is_kept(store: Store) -> None:
    state = {"text": "ünï \0 𝒳 \u2028 ا", "number": 2**53 - 1, "none": None, "list": [1.5, True]}
    written = store.mutate("sëssion/1 ✓", observe(state))
    assert store.get("sëssion/1 ✓") == written
    assert written.record.monitor == state


@pytest.mark.ruling(45)
def test_the_monitors_state_stands_beside_the_record(store: Store) -> None:
    large = {"facts": ["x" * 1000] * 500}
    store.mutate("s", observe(large))
    store.mutate("s", count)
    stored = store.get("s")
    assert stored is not None
    assert stored.record.monitor == large
    store.mutate("s", observe(None))
    stored = store.get("s")
    assert stored is not None
    assert stored.record.monitor is None


def test_a_value_that_was_given_out_is_nobodys(store: Store) -> None:
    state = {"list": [1]}
    store.mutate("s", observe(state))
    state["list"].append(2)
    stored = store.get("s")
    assert stored is not None
    assert stored.record.monitor == {"list": [1]}


def test_a_step_for_another_session_is_a_fault(store: Store) -> None:
    with pytest.raises(ValueError, match="for s gave t's record"):
        store.mutate("s", lambda record, posted, at: changed(Record(session="t"), at))
    assert store.get("s") is None


def test_sessions_come_with_the_latest_change_first(store: Store, clock: Clock) -> None:
    for session in ("a", "b", "c"):
        store.mutate(session, count)
        clock.go(1)
    store.mutate("a", count)
    store.lease("unknown", "me", 60)
    assert [each.record.session for each in store.sessions().stored] == ["a", "c", "b"]


@pytest.mark.parametrize("name", ["", " s", "a\nb", "a\0b", "\ud800", "x" * 501, None, 5, b"s"])
def test_a_name_that_no_store_could_keep_is_refused(store: Store, name: Any) -> None:
    asked = (
        lambda: store.get(name), lambda: store.mutate(name, count), lambda: store.inbox(name),
        lambda: store.post(name, Pause(), "person"), lambda: store.lease("s", name, 1),
        lambda: store.journal(name), lambda: store.take_due(name, 1),
        lambda: store.has_token("s", name),
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(StoreError, match="printable characters"):
            ask()


# --- the inbox


@pytest.mark.ruling(44)
def test_the_inbox_is_decided_on_and_emptied_in_one_transaction(store: Store) -> None:
    posted = [store.post("s", command, "person") for command in (Pause(), Resume(), Clear())]
    store.post("another", Pause(), "person")
    assert store.inbox("s") == posted
    assert [each.number for each in posted] == sorted({each.number for each in posted})
    told: list[Posted] = []

    def takes(record: Record, inbox: Sequence[Posted], at: str) -> Step:
        told.extend(inbox)
        return count(record, inbox, at)

    store.mutate("s", takes)
    assert told == posted
    assert store.inbox("s") == []
    assert len(store.inbox("another")) == 1
    store.mutate("s", takes)
    assert told == posted


@pytest.mark.ruling(44)
def test_a_command_is_posted_whoever_has_the_lease(store: Store) -> None:
    store.lease("s", "driver", 60)
    store.post("s", Pause(), "person")
    assert [each.command for each in store.inbox("s")] == [Pause()]


def test_a_refused_command_of_the_inbox_stops_nothing(store: Store) -> None:
    store.post("s", Pause(), "agent")

    def takes(record: Record, posted: Sequence[Posted], at: str) -> Step:
        refused = Refused(at=at, actor="agent", command=posted[0].command, code="c", message="m")
        return replace(count(record, posted, at), refused=(refused,))

    assert store.mutate("s", takes).version == 1
    assert store.inbox("s") == []
    assert [line["code"] for line in store.audit("s")] == ["c"]


def test_what_is_not_json_is_not_posted(store: Store) -> None:
    with pytest.raises(StoreError, match="`pause` is not JSON"):
        store.post("s", Pause(reason="\ud800"), "person")
    assert store.inbox("s") == []


# --- leases


@pytest.mark.row("H18")
@pytest.mark.ruling(47)
def test_one_live_writer(store: Store, clock: Clock) -> None:
    mine = store.lease("s", "me", 60)
    assert mine == Lease("s", "me", 1, later(stamp(START), 60))
    with pytest.raises(LeaseHeld) as caught:
        store.lease("s", "you", 60)
    assert (caught.value.owner, caught.value.until) == ("me", mine.expires_at)
    with pytest.raises(LeaseHeld, match="a live writer, me, until"):
        store.mutate("s", count)
    assert store.mutate("s", count, lease=mine).version == 1
    store.lease("t", "you", 60)  # another session's is of nobody's concern


@pytest.mark.row("H18")
@pytest.mark.ruling(47)
def test_a_writer_that_slept_past_its_lease_writes_no_more(store: Store, clock: Clock) -> None:
    mine = store.lease("s", "me", 60)
    clock.go(59.999999)
    store.mutate("s", count, lease=mine)
    clock.go(0.000001)
    with pytest.raises(LeaseLost, match="ended at"):
        store.mutate("s", count, lease=mine)
    assert of(store, "s") == 1


@pytest.mark.row("H18")
def test_a_later_lease_fences_an_earlier_one(store: Store, clock: Clock) -> None:
    mine = store.lease("s", "me", 60)
    clock.go(61)
    yours = store.lease("s", "you", 60)
    assert yours.token > mine.token
    for lost in (mine, replace(mine, token=yours.token), replace(yours, token=mine.token)):
        with pytest.raises(LeaseLost, match="you has it, token 2"):
            store.mutate("s", count, lease=lost)
        with pytest.raises(LeaseLost):
            store.renew(lost, 60)
        store.release(lost)
    store.mutate("s", count, lease=yours)


def test_a_lease_is_of_one_session(store: Store) -> None:
    lease = store.lease("s", "me", 60)
    with pytest.raises(LeaseLost, match="of session s, not of t"):
        store.mutate("t", count, lease=lease)


def test_a_lease_is_renewed(store: Store, clock: Clock) -> None:
    mine = store.lease("s", "me", 60)
    clock.go(40)
    again = store.renew(mine, 60)
    assert again == replace(mine, expires_at=later(stamp(START), 100))
    clock.go(59)
    renewed = store.renew(mine, 60)
    assert renewed == replace(mine, expires_at=later(stamp(START), 159))
    clock.go(60)
    with pytest.raises(LeaseLost):
        store.renew(renewed, 60)
    assert store.lease("s", "me", 60).token == 2


@pytest.mark.row("H18")
def test_a_successor_of_the_same_name_fences_its_predecessor(store: Store) -> None:
    old = store.lease("s", "me", 60)
    new = store.lease("s", "me", 60)
    assert new.token > old.token
    for late in (lambda: store.mutate("s", count, lease=old), lambda: store.renew(old, 60)):
        with pytest.raises(LeaseLost):
            late()
    store.release(old)
    store.mutate("s", count, lease=new)


def test_a_released_lease_is_over(store: Store) -> None:
    mine = store.lease("s", "me", 60)
    store.release(mine)
    with pytest.raises(LeaseLost, match="nobody has it"):
        store.mutate("s", count, lease=mine)
    store.mutate("s", count)
    assert store.lease("s", "you", 60).token == 2


@pytest.mark.ruling(44)
def test_a_broken_lease_writes_no_more(store: Store) -> None:
    mine = store.lease("s", "me", 60)

    def refusing(record: Record, inbox: Sequence[Posted], at: str) -> Step:
        raise Refusal("no", "no")

    with pytest.raises(Refusal):
        store.mutate("s", refusing, breaking=True)
    assert store.renew(mine, 60).token == mine.token  # what is refused breaks nothing
    assert store.mutate("s", count, breaking=True).version == 1
    with pytest.raises(LeaseLost):
        store.mutate("s", count, lease=mine)
    with pytest.raises(LeaseLost):
        store.renew(mine, 60)
    store.mutate("s", count)
    assert store.lease("s", "me", 60).token > mine.token + 1


@pytest.mark.ruling(47)
@pytest.mark.parametrize("see", ["mutate", "renew", "lease", "now"])
def test_a_clock_that_goes_back_makes_nothing_live_again(
    store: Store, clock: Clock, see: str
) -> None:
    mine = store.lease("s", "me", 60)
    clock.go(61)
    if see == "lease":
        store.release(store.lease("s", "you", 0.000001))
    elif see == "now":
        store.now()
    else:
        with pytest.raises(LeaseLost):
            store.mutate("s", count, lease=mine) if see == "mutate" else store.renew(mine, 1)
    clock.go(-3600)
    with pytest.raises(LeaseLost):
        store.mutate("s", count, lease=mine)


def test_the_time_of_a_refusal_does_not_come_again(store: Store, clock: Clock) -> None:
    """What was refused since it is too late stays too late."""
    clock.go(60)
    with pytest.raises(Refusal):
        store.mutate("s", refuse)
    (line,) = store.audit("s")
    clock.go(-3600)
    assert store.mutate("s", count).record.updated_at == line["at"] == later(stamp(START), 60)


def test_time_never_goes_back(store: Store, clock: Clock) -> None:
    first = store.now()
    clock.go(-10)
    assert store.now() == first
    clock.go(30)
    store.mutate("s", count)
    seen = store.get("s")
    assert seen is not None
    clock.go(-3600)
    assert store.now() == seen.record.updated_at
    told = store.mutate("t", count).record.updated_at
    assert told == seen.record.updated_at


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e12, True, "1", None])
def test_a_span_that_is_none_is_refused(store: Store, seconds: Any) -> None:
    lease = store.lease("s", "me", 60)
    asked = (
        lambda: store.lease("s", "me", seconds), lambda: store.renew(lease, seconds),
        lambda: store.take_due("me", seconds), lambda: store.add_token("s", "d", seconds),
    )  # fmt: skip
    for ask in asked:
        with pytest.raises(StoreError, match="no span of seconds"):
            ask()


@pytest.mark.parametrize("limit", [-1, 2**70, True, 1.5, "1"])
def test_a_limit_that_is_none_is_refused(store: Store, limit: Any) -> None:
    for ask in (
        lambda: store.take_due("me", 60, limit), lambda: store.journal("s", limit=limit),
    ):  # fmt: skip
        with pytest.raises(StoreError, match="is no limit"):
            ask()
    assert store.take_due("me", 60, 0) == []
    assert store.journal("s", after=2**70) == []


def test_a_store_that_was_closed_does_nothing(store: Store) -> None:
    store.mutate("s", count)
    store.close()
    for ask in (lambda: store.get("s"), lambda: store.mutate("s", count), store.now):
        with pytest.raises(StoreError, match="was closed"):
            ask()


# --- wakes


@pytest.mark.row("P06")
def test_what_is_due_is_given_to_one_asker(store: Store, clock: Clock) -> None:
    for number, session in enumerate(("c", "a", "b")):
        store.mutate(session, wait_until(later(stamp(START), 10 * (number + 1))))
    store.mutate("never", count)
    assert store.take_due("me", 60, limit=9) == []
    clock.go(20)
    first = store.take_due("me", 60)
    second = store.take_due("you", 60)
    assert [(lease.session, lease.owner) for lease in (*first, *second)] == [
        ("c", "me"), ("a", "you"),
    ]  # fmt: skip
    assert store.take_due("they", 60) == []
    store.mutate("c", wait_until(None), lease=first[0])
    clock.go(61)  # the one who took `a` died
    again = store.take_due("they", 60, limit=9)
    assert [lease.session for lease in again] == ["a", "b"]
    assert again[0].token > second[0].token
    with pytest.raises(LeaseLost):
        store.mutate("a", count, lease=second[0])


# --- two sessions at once


def test_two_sessions_change_together(store: Store) -> None:
    store.mutate("b", count)
    store.post("a", Pause(), "person")
    both = store.mutate_both(
        "b",
        "a",
        lambda first, second, at: (
            changed(first.record, at, continuations=5),
            changed(second.record, at, continuations=len(second.inbox)),
        ),
    )
    assert [each.version for each in both] == [2, 1]
    assert (of(store, "b"), of(store, "a")) == (5, 1)
    assert store.inbox("a") == []


def test_two_sessions_change_together_or_not_at_all(store: Store) -> None:
    with pytest.raises(StoreError, match="not JSON"):
        store.mutate_both(
            "a",
            "b",
            lambda one, two, at: (count(*one, at), changed(two.record, at, monitor=float("nan"))),
        )

    def refusing(one: Side, two: Side, at: str) -> tuple[Step, Step]:
        raise Refusal("no", "no")

    with pytest.raises(Refusal):
        store.mutate_both("a", "b", refusing)
    assert (store.get("a"), store.get("b")) == (None, None)
    assert [line["code"] for line in store.audit("a")] == ["no"]
    with pytest.raises(StoreError, match="named twice"):
        store.mutate_both("a", "a", refusing)


def test_two_sessions_need_both_to_be_free(store: Store, clock: Clock) -> None:
    def both(one: Side, two: Side, at: str) -> tuple[Step, Step]:
        return count(*one, at), count(*two, at)

    mine = store.lease("a", "me", 60)
    with pytest.raises(LeaseHeld):
        store.mutate_both("a", "b", both)
    store.mutate_both("a", "b", both, lease=mine)
    store.lease("b", "you", 60)
    with pytest.raises(LeaseHeld):
        store.mutate_both("a", "b", both, lease=mine)
    clock.go(60)
    with pytest.raises(LeaseLost):
        store.mutate_both("a", "b", both, lease=mine)
    assert (of(store, "a"), of(store, "b")) == (1, 1)


# --- tokens


@pytest.mark.ruling(36)
def test_a_token_speaks_for_its_session_until_it_ends(store: Store, clock: Clock) -> None:
    assert store.add_token("s", "d1", 60) == later(stamp(START), 60)
    assert store.has_token("s", "d1")
    assert not store.has_token("s", "d2")
    assert not store.has_token("t", "d1")
    clock.go(30)
    assert store.add_token("s", "d1", 60) == later(stamp(START), 90)
    clock.go(59)
    assert store.has_token("s", "d1")
    clock.go(1)
    assert not store.has_token("s", "d1")
    clock.go(-3600)
    assert not store.has_token("s", "d1")


# --- threads


def test_threads_lose_no_update(store: Store) -> None:
    def work() -> None:
        for _ in range(25):
            store.mutate("s", count)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert of(store, "s") == 100
    assert list(broken_links(store.journal("s"))) == []
