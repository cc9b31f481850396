"""The time of a store on SQLite, where hosts' clocks are wrong: it goes on, never back, and no faster
than time does."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from goalspec.runtime.record.times import SECOND, read_stamp, stamp
from goalspec.runtime.store import LeaseHeld, LeaseLost, Store, StoreError, open_store
from goalspec.runtime.store.host_time import Uptime, uptime
from goalspec.runtime.store.sqlite import open_sqlite
from goalspec.tests.runtime.store.decisions import START, Clock, count, edit, wait_until

pytestmark = pytest.mark.row("H18")
YEARS_AHEAD = datetime(2899, 1, 1, tzinfo=UTC)


@dataclass
class Host:
    """A machine: its clock, which may be wrong, and its uptime."""

    clock: Clock = field(default_factory=Clock)
    up: Uptime | None = field(default_factory=lambda: Uptime("first boot", 5 * SECOND))

    def go(self, seconds: float) -> None:
        self.clock.go(seconds)
        if self.up is not None:
            boot, passed = self.up
            self.up = Uptime(boot, passed + round(seconds * SECOND))


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def opened(tmp_path: Path, host: Host) -> Iterator[Callable[[Callable[[], datetime]], Store]]:
    """A process on the host that goes by a clock."""
    stores: list[Store] = []

    def open_(clock: Callable[[], datetime]) -> Store:
        stores.append(open_sqlite(tmp_path / "goals.db", clock, lambda: host.up))
        return stores[-1]

    yield open_
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[[Callable[[], datetime]], Store], host: Host) -> Store:
    return opened(host.clock)


@pytest.fixture
def wrong(opened: Callable[[Callable[[], datetime]], Store], store: Store) -> Store:
    """The same file, for a process whose clock is centuries ahead."""
    return opened(lambda: YEARS_AHEAD)


def test_a_clock_far_ahead_stops_nothing_for_good(store: Store, wrong: Store, host: Host) -> None:
    """What was to end by then has ended, and whatever comes after it ends in its time."""
    before = store.lease("s", "driver", 60)
    store.add_token("s", "d", 60)
    wrong.mutate("evil", count)
    with pytest.raises(LeaseLost, match="ended at"):
        store.mutate("s", count, lease=before)
    assert not store.has_token("s", "d")
    crashed = store.lease("s", "driver", 60)
    store.add_token("s", "d", 60)
    assert store.mutate("t", wait_until(crashed.expires_at)).version == 1
    assert store.take_due("me", 60) == []
    host.go(59)
    assert store.has_token("s", "d")
    with pytest.raises(LeaseHeld):
        store.mutate("s", count)
    host.go(1)
    assert not store.has_token("s", "d")
    assert [lease.session for lease in store.take_due("me", 60)] == ["t"]
    assert store.mutate("s", count).version == 1


def test_a_lease_of_a_clock_far_ahead_ends_for_one_who_only_finds_it_held(
    store: Store, wrong: Store, host: Host
) -> None:
    wrong.lease("s", "evil", 60)
    with pytest.raises(LeaseHeld):
        store.mutate("s", count)
    host.go(61)
    assert store.mutate("s", count).version == 1


def test_what_ended_stays_ended(store: Store, host: Host) -> None:
    lease = store.lease("s", "me", 60)
    store.add_token("s", "d", 60)
    host.go(61)
    seen = store.now()
    host.clock.go(-3600)
    assert store.now() >= seen
    assert not store.has_token("s", "d")
    with pytest.raises(LeaseLost):
        store.mutate("s", count, lease=lease)


def test_a_store_that_slept_for_a_month_goes_on(store: Store, host: Host) -> None:
    lease = store.lease("s", "me", 60)
    host.go(30 * 86_400)
    host.up = Uptime("second boot", 20 * SECOND)
    assert store.now() == stamp(START + timedelta(days=30))
    with pytest.raises(LeaseLost):
        store.mutate("s", count, lease=lease)
    assert store.mutate("s", count).record.updated_at == stamp(host.clock.time)


def test_after_a_new_start_of_the_host_time_goes_on_again(
    store: Store, wrong: Store, host: Host
) -> None:
    wrong.now()
    first = store.now()
    host.go(100)
    assert span(first, store.now()) == 100
    store.mutate("s", count)
    host.up = Uptime("second boot", 10 * SECOND)
    seen = store.now()
    assert span(first, seen) == 100
    host.go(50)
    assert span(seen, store.now()) == 50


def test_where_the_host_tells_no_uptime_time_stands_still_until_its_clock_is_there(
    store: Store, host: Host
) -> None:
    host.up = None
    host.go(60)
    seen = store.now()
    host.go(-30)
    assert store.now() == seen
    host.go(29)
    assert store.now() == seen
    host.go(2)
    assert span(seen, store.now()) == 1


def test_two_clocks_that_differ_do_not_make_time_run(
    opened: Callable[[Callable[[], datetime]], Store], store: Store, host: Host
) -> None:
    other = opened(lambda: host.clock.time + timedelta(hours=1))
    for _ in range(50):
        host.go(1)
        other.mutate("t", count)
        store.mutate("s", count)
    assert span(stamp(START), store.now()) <= 3600 + 50


@pytest.mark.parametrize("seed", range(20))
def test_time_goes_on_never_back_and_no_faster_than_it_passes(
    store: Store, host: Host, seed: int
) -> None:
    """Whatever becomes of the clock and of the host."""
    random_ = random.Random(seed)
    last, passed, ahead = store.now(), 0.0, START
    for _ in range(60):
        seconds = random_.choice([0, 0.5, 10, 3600])
        host.go(seconds)
        passed += seconds
        if random_.random() < 0.3:
            host.clock.go(random_.choice([-86_400, -5, 5, 86_400]))
        if random_.random() < 0.1:
            host.up = Uptime(str(random_.random()), round(random_.random() * SECOND))
        ahead = max(ahead, host.clock.time)
        now = store.mutate("s", count).record.updated_at if random_.random() < 0.5 else store.now()
        assert last <= now <= stamp(ahead + timedelta(seconds=passed))
        last = now


def test_a_clock_at_the_end_of_time_is_refused(
    opened: Callable[[Callable[[], datetime]], Store], store: Store
) -> None:
    last = opened(lambda: datetime(2999, 12, 31, 23, 59, 59, tzinfo=UTC))
    with pytest.raises(StoreError, match=r"the clock says 2999-12-31.* set it right"):
        last.mutate("s", count)
    assert store.mutate("s", count).record.updated_at == stamp(START)


@pytest.mark.parametrize("column", ["start = 'x'", "boot = 5", "uptime = 'x'", "uptime = -1"])
def test_a_start_that_is_none_is_made_anew(
    tmp_path: Path, store: Store, wrong: Store, host: Host, column: str
) -> None:
    wrong.now()
    seen = store.now()
    edit(tmp_path / "goals.db", f"update goalspec_clock set {column}")
    assert store.now() == seen
    host.go(10)
    assert span(seen, store.now()) == 10


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a host does not tell its uptime")
def test_a_host_tells_its_uptime_to_every_process() -> None:
    code = "from goalspec.runtime.store.host_time import uptime; print(*uptime(), sep='|')"
    first = uptime()
    assert first is not None
    boot, microseconds = subprocess.check_output([sys.executable, "-c", code], text=True).split("|")
    last = uptime()
    assert last is not None
    assert first.boot == boot == last.boot
    assert first.microseconds < int(microseconds) < last.microseconds


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a host does not tell its uptime")
def test_a_store_goes_by_the_uptime_of_its_host(tmp_path: Path) -> None:
    path = tmp_path / "goals.db"
    wrong = open_store(str(path), lambda: YEARS_AHEAD)
    wrong.lease("s", "evil", 0.05)
    wrong.close()
    store = open_store(str(path))
    with pytest.raises(LeaseHeld):
        store.mutate("s", count)
    time.sleep(0.06)
    assert store.mutate("s", count).version == 1
    store.close()


def span(first: str, second: str) -> float:
    """Seconds between two times."""
    return (read_stamp(second) - read_stamp(first)) / SECOND
