"""C154: an age is the same at every offset from UTC, and over a change of the clocks; an age below
nothing is an error of a clock, and never fresh."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from goalspec.runtime.lifecycle import Refusal, adopt
from goalspec.runtime.lifecycle.commands import Park, Pause, Resume, Wake
from goalspec.runtime.record import BadTime, Record, read_stamp, stamp
from goalspec.tests.runtime.lifecycle.acting import code
from goalspec.tests.runtime.lifecycle.states import STATES, perform

ACTIVE = STATES["active"]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("hours", [-12, -5, 0, 7, 14])
def test_a_session_that_is_seconds_old_is_so_everywhere(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    created = datetime.fromisoformat(ACTIVE.created_at).astimezone(zone)
    age = read_stamp(stamp(created + timedelta(seconds=3))) - read_stamp(ACTIVE.created_at)
    assert age == 3_000_000


def test_a_time_without_an_offset_is_refused_and_ends_nothing() -> None:
    with pytest.raises(BadTime, match="has no zone"):
        stamp(datetime(2026, 3, 1, 12))
    for time in ("2026-03-01T12:10:00", "2026-03-01T12:10:00.000000"):
        assert code(ACTIVE, Park(reason="CI", until=time)) == "bad_time"


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        (datetime(2026, 3, 28, 12), datetime(2026, 3, 29, 12), 23),  # an hour is left out
        (datetime(2026, 10, 24, 12), datetime(2026, 10, 25, 12), 25),  # an hour comes twice
    ],
)
def test_a_day_of_the_calendar_is_not_24_hours(start: datetime, end: datetime, hours: int) -> None:
    begun, until = (stamp(time.replace(tzinfo=BERLIN)) for time in (start, end))
    assert read_stamp(until) - read_stamp(begun) == hours * 3_600_000_000
    park = Park(reason="the nightly run", until=until)
    if hours > 24:
        with pytest.raises(Refusal, match="more than 24 hours"):
            perform(ACTIVE, park, "runtime", begun)
        return
    parked = perform(ACTIVE, park, "runtime", begun).record
    assert perform(parked, Wake(), "runtime", until).record.status.name == "active"


def test_a_clock_that_goes_back_does_not_make_a_change_older() -> None:
    later = perform(ACTIVE, Pause(), "person", "2026-03-01T13:00:00.000000Z").record
    resumed = perform(later, Resume(), "person", "2026-03-01T12:00:00.000000Z").record
    assert resumed.updated_at == "2026-03-01T13:00:00.000001Z"


def test_a_negative_age_is_an_error_of_the_clock() -> None:
    with pytest.raises(Refusal) as caught:
        adopt(ACTIVE, Record(session="s-2"), "s-2", "2026-03-01T11:00:00.000000Z")
    assert caught.value.code == "clock"
