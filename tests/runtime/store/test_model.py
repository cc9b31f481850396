"""Each store against a model of a few dictionaries, under any sequence of what may be asked of it,
with a clock that goes on and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from goalspec.runtime.lifecycle import replay
from goalspec.runtime.lifecycle.commands import Pause
from goalspec.runtime.lifecycle.events import Refusal
from goalspec.runtime.record.parts import Record, Status
from goalspec.runtime.record.times import SECOND, read_stamp, write_stamp
from goalspec.runtime.store import (
    Lease,
    LeaseHeld,
    LeaseLost,
    StaleVersion,
    Store,
    StoreError,
    broken_links,
    open_store,
)
from goalspec.tests.runtime.store.conftest import empty
from goalspec.tests.runtime.store.decisions import GOAL, Clock, changed, count, refuse
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

SESSIONS, OWNERS, SPANS = st.sampled_from("ab"), st.sampled_from("mn"), st.sampled_from([1, 5, 60])
Opened: TypeAlias = Callable[[Clock], Store]


@dataclass
class Known:
    """What the model knows of a session."""

    count: int = 0
    inbox: list[int] = field(default_factory=list)
    refusals: int = 0
    lease: Lease | None = None
    token: int = 0
    wake: str | None = None
    old: list[Lease] = field(default_factory=list)


class Machine(RuleBasedStateMachine):
    def __init__(self, opened: Opened) -> None:
        super().__init__()
        self.opened = opened

    @initialize()
    def begin(self) -> None:
        self.clock = Clock()
        self.store = self.opened(self.clock)
        self.known = {"a": Known(), "b": Known()}
        self.high = 0
        self.changes: list[str] = []  # sessions, in the order of their last change
        self.tokens: dict[str, int] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()

    # --- the model's time and leases

    def time(self) -> int:
        return max(self.high, read_stamp(f"{self.clock.time:%Y-%m-%dT%H:%M:%S.%f}Z"))

    def seen(self) -> None:
        self.high = self.time()

    def live(self, session: str) -> Lease | None:
        lease = self.known[session].lease
        return lease if lease and read_stamp(lease.expires_at) > self.time() else None

    def granted(self, session: str, owner: str, seconds: float, *, renewed: bool = False) -> Lease:
        known = self.known[session]
        if not renewed:
            known.token += 1
        ends = write_stamp(self.time() + int(seconds * SECOND))
        self.seen()
        if known.lease is not None:
            known.old.append(known.lease)
        known.lease = Lease(session, owner, known.token, ends)
        return known.lease

    # --- what is asked

    @rule(seconds=st.sampled_from([-100, -3, 0.5, 1, 4, 30, 100]))
    def time_passes(self, seconds: float) -> None:
        self.clock.go(seconds)

    @rule(session=SESSIONS, lease=st.sampled_from(["none", "live", "old"]), wait=st.none() | SPANS)
    def mutate(self, session: str, lease: str, wait: int | None) -> None:
        known, live = self.known[session], self.live(session)
        old = known.old[-1] if known.old else None
        given = {"none": None, "live": known.lease, "old": old}[lease]
        wake = None if wait is None else write_stamp(self.time() + wait * SECOND)

        def decide(record: Record, posted: Any, at: str) -> Any:
            assert at == write_stamp(self.time())
            assert [each.number for each in posted] == known.inbox
            status = Status(name="parked", until=wake) if wake else Status(name="active")
            count = record.continuations + 1
            return changed(record, at, goal=GOAL, continuations=count, status=status)

        is_mine = given is not None and live is not None and given.token == live.token
        if (given is None and live is None) or is_mine:
            stored = self.store.mutate(session, decide, lease=given)
            known.count += 1
            assert (stored.version, stored.record.continuations) == (known.count, known.count)
            known.inbox, known.wake = [], wake
            self.changes = [*(each for each in self.changes if each != session), session]
            self.seen()
        elif given is None:
            with pytest.raises(LeaseHeld):
                self.store.mutate(session, decide)
        else:
            with pytest.raises(LeaseLost):
                self.store.mutate(session, decide, lease=given)
            if known.lease is not None and given.token == known.lease.token:
                self.end(session)  # it was found to be over

    def end(self, session: str) -> None:
        known = self.known[session]
        if known.lease is not None:
            known.old.append(known.lease)
        known.lease = None
        self.seen()

    @rule(session=SESSIONS, back=st.integers(1, 3))
    def mutate_a_stale_version(self, session: str, back: int) -> None:
        if self.live(session) is None:
            with pytest.raises(StaleVersion):
                self.store.mutate(session, count, version=self.known[session].count - back)

    @rule(session=SESSIONS)
    def be_refused(self, session: str) -> None:
        if self.live(session) is None:
            with pytest.raises(Refusal):
                self.store.mutate(session, refuse)
            self.known[session].refusals += 1
            self.seen()

    @rule(session=SESSIONS)
    def fail(self, session: str) -> None:
        with pytest.raises((StoreError, LeaseHeld)):
            self.store.mutate(session, lambda r, p, at: changed(r, at, monitor=float("nan")))

    @rule(session=SESSIONS)
    def post(self, session: str) -> None:
        self.known[session].inbox.append(self.store.post(session, Pause(), "person").number)

    @rule(session=SESSIONS, owner=OWNERS, seconds=SPANS)
    def lease(self, session: str, owner: str, seconds: int) -> None:
        live = self.live(session)
        if live is not None and live.owner != owner:
            with pytest.raises(LeaseHeld):
                self.store.lease(session, owner, seconds)
        else:
            given = self.store.lease(session, owner, seconds)
            assert given == self.granted(session, owner, seconds)

    @rule(session=SESSIONS, seconds=SPANS)
    def renew(self, session: str, seconds: int) -> None:
        lease = self.known[session].lease
        if lease is None:
            return
        if self.live(session) is None:
            with pytest.raises(LeaseLost):
                self.store.renew(lease, seconds)
            self.end(session)
        else:
            renewed = self.store.renew(lease, seconds)
            assert renewed == self.granted(session, lease.owner, seconds, renewed=True)

    @rule(session=SESSIONS, old=st.booleans())
    def release(self, session: str, old: bool) -> None:
        known = self.known[session]
        lease = known.old[-1] if old and known.old else known.lease
        if lease is None:
            return
        self.store.release(lease)
        if known.lease and (lease.owner, lease.token) == (known.lease.owner, known.lease.token):
            self.end(session)

    @rule(session=SESSIONS)
    def break_lease(self, session: str) -> None:
        known = self.known[session]
        if known.lease is not None:
            known.token += 1
        self.store.mutate(session, count, breaking=True)
        known.count += 1
        known.inbox = []
        self.changes = [*(each for each in self.changes if each != session), session]
        self.end(session)

    @rule(owner=OWNERS, seconds=SPANS, limit=st.integers(1, 2))
    def take_due(self, owner: str, seconds: int, limit: int) -> None:
        now = write_stamp(self.time())
        due = sorted(
            (known.wake, session)
            for session, known in self.known.items()
            if known.wake is not None and known.wake <= now and self.live(session) is None
        )[:limit]
        taken = self.store.take_due(owner, seconds, limit)
        assert taken == [self.granted(session, owner, seconds) for _, session in due]

    @rule(digest=st.sampled_from("xy"), seconds=SPANS)
    def add_token(self, digest: str, seconds: int) -> None:
        ends = self.time() + seconds * SECOND
        self.tokens = {d: end for d, end in self.tokens.items() if end > self.time()}
        assert self.store.add_token("a", digest, seconds) == write_stamp(ends)
        self.tokens[digest] = ends

    @rule(digest=st.sampled_from("xy"))
    def has_token(self, digest: str) -> None:
        has = self.tokens.get(digest, 0) > self.time()
        assert self.store.has_token("a", digest) == has
        if not has and digest in self.tokens:
            self.tokens = {d: end for d, end in self.tokens.items() if end > self.time()}

    @rule()
    def tell_the_time(self) -> None:
        assert self.store.now() == write_stamp(self.time())
        self.seen()

    # --- what must be there

    @invariant()
    def everything_is_there(self) -> None:
        for session, known in self.known.items():
            stored = self.store.get(session)
            assert (0 if stored is None else stored.version) == known.count
            entries = self.store.journal(session)
            assert len(entries) == known.count
            assert list(broken_links(entries)) == []
            record = Record(session=session) if stored is None else stored.record
            assert replay((entry.event for entry in entries), session) == record
            assert [each.number for each in self.store.inbox(session)] == known.inbox
            assert len(self.store.audit(session)) == known.refusals
        listed = [each.record.session for each in self.store.sessions().stored]
        assert sorted(listed) == sorted(self.changes)
        times = [each.record.updated_at for each in self.store.sessions().stored]
        assert times == sorted(times, reverse=True)


def run(opened: Opened, examples: int) -> None:
    run_state_machine_as_test(
        lambda: Machine(opened),
        settings=settings(
            max_examples=examples, stateful_step_count=40, deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip


def test_the_store_in_memory() -> None:
    run(lambda clock: open_store("memory:", clock), 60)


def test_the_store_on_sqlite(tmp_path: Path) -> None:
    """Each run on a file of its own, that is a copy of a new one."""
    new = tmp_path / "new.db"
    open_store(str(new)).close()
    numbers = iter(range(10_000))

    def opened(clock: Clock) -> Store:
        path = tmp_path / f"{next(numbers)}.db"
        path.write_bytes(new.read_bytes())
        return open_store(str(path), clock)

    run(opened, 20)


def test_the_store_on_postgres(request: pytest.FixtureRequest, database: str) -> None:
    server = request.getfixturevalue("server")

    def opened(clock: Clock) -> Store:
        empty(server)
        return open_store(database, clock)

    run(opened, 12)
