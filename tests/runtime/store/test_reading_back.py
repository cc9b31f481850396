"""What could not be read again is not written: it would take the session with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from goalspec.runtime.lifecycle.commands import Amend, Pause, Settle
from goalspec.runtime.lifecycle.events import Refusal, Step
from goalspec.runtime.record.parts import Claim, Record, Usage
from goalspec.runtime.store import (
    Posted,
    Store,
    StoreError,
)
from goalspec.runtime.store.port import Decide
from goalspec.tests.runtime.store.decisions import (
    GOAL,
    count,
    observe,
)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def unreadable(**fields: Any) -> Decide:
    """A step whose record has *fields*, and whose event is one."""

    def decide(record: Record, posted: Sequence[Posted], at: str) -> Step:
        step = count(record, posted, at)
        return replace(step, record=replace(step.record, **fields))

    return decide


@pytest.mark.row("H20")
@pytest.mark.parametrize(
    "fields",
    [
        {"usage": Usage(runtime=1.5)},  # type: ignore[arg-type]  # as a host may
        {"hidden": 1},
        {"updated_at": "yesterday"},
        {"claim": Claim(key="k", state="claimed", owner="o", ordinal=1, expires_at="soon")},
        {"monitor": {1: "a", "1": "b"}},
    ],
)
def test_a_record_that_could_not_be_read_again_is_not_written(
    store: Store, fields: dict[str, Any]
) -> None:
    before = store.mutate("s", count)
    store.post("s", Pause(), "person")
    with pytest.raises(StoreError, match=r"could not be read again .*nothing was written"):
        store.mutate("s", unreadable(**fields))
    assert store.get("s") == before
    assert (len(store.journal("s")), len(store.inbox("s"))) == (1, 1)
    assert store.mutate("s", count).version == 2


@pytest.mark.row("H20")
def test_an_event_that_could_not_be_read_again_is_not_written(store: Store) -> None:
    store.mutate("s", count)
    bad: Any = {"changes": 5}

    def with_event(more: dict[str, Any], *asked: Any) -> Step:
        step = count(*asked)
        return replace(step, events=(replace(step.events[0], **more),))

    for more in ({"details": {"m": deep(199)}}, {"actor": "root"}, {"kind": "happened"}, bad):
        with pytest.raises(StoreError, match=r"entry 2 .* could not be read again"):
            store.mutate("s", partial(with_event, more))
    assert len(store.journal("s")) == 1
    assert store.mutate("s", count).version == 2


@pytest.mark.row("H20")
def test_a_goal_that_made_way_and_could_not_be_read_again_is_not_written(store: Store) -> None:
    def decide(record: Record, posted: Sequence[Posted], at: str) -> Step:
        return replace(count(record, posted, at), archived=(replace(record, hidden=1),))  # type: ignore[arg-type]

    with pytest.raises(StoreError, match="could not be read again"):
        store.mutate("s", decide)
    assert (store.get("s"), store.history("s")) == (None, [])


def test_what_a_mutation_gives_is_what_is_read(store: Store) -> None:
    written = store.mutate("s", observe({"pair": (1, 2)}))
    assert written.record.monitor == {"pair": [1, 2]}
    assert store.get("s") == written


def test_of_a_refused_command_that_could_not_be_read_again_the_rest_is_audited(
    store: Store,
) -> None:
    command = Amend(goal=GOAL, reason="x", measurement={1: "a", "1": "b"})

    def refusing(record: Record, posted: Sequence[Posted], at: str) -> Step:
        raise Refusal("bad", "no", command, "agent")

    with pytest.raises(Refusal):
        store.mutate("s", refusing)
    (line,) = store.audit("s")
    assert (line["command"], line["message"]) == (None, "no")


@pytest.mark.row("H20")
@pytest.mark.ruling(44)
def test_a_command_that_could_not_be_read_again_is_not_posted(store: Store) -> None:
    bad: Any = 5
    commands = (
        Pause(reason=bad), Settle(settlement="1", usage=Usage(runtime=bad / 2)),
        Amend(goal=GOAL, reason="x", measurement=deep(300)),
    )  # fmt: skip
    for command in commands:
        with pytest.raises(StoreError, match=r"command .* could not be read again"):
            store.post("s", command, "person")
    root: Any = "root"
    with pytest.raises(StoreError, match="'root' is not an actor"):
        store.post("s", Pause(), root)
    assert store.inbox("s") == []
    store.mutate("s", count)
