"""Times of one width, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from goalspec.runtime.record import BadTime, read_stamp, stamp, write_stamp
from goalspec.runtime.record.times import is_stamp
from hypothesis import given
from hypothesis import strategies as st

TIMES = st.datetimes(datetime(1000, 1, 2), datetime(2999, 12, 30))


@given(TIMES, st.integers(-14 * 60, 14 * 60))
def test_a_time_is_the_same_moment_whatever_its_zone(time: datetime, offset: int) -> None:
    utc = time.replace(tzinfo=UTC)
    there = utc.astimezone(timezone(timedelta(minutes=offset)))
    assert stamp(there) == stamp(utc) == write_stamp(read_stamp(stamp(utc)))
    assert datetime.fromisoformat(stamp(utc)) == utc


@given(TIMES, TIMES)
def test_times_compare_as_text(one: datetime, two: datetime) -> None:
    assert (stamp(one.replace(tzinfo=UTC)) < stamp(two.replace(tzinfo=UTC))) == (one < two)


@pytest.mark.parametrize(("fold", "hours"), [(0, 0), (1, 1)])
def test_an_hour_that_comes_twice_is_two_hours(fold: int, hours: int) -> None:
    time = datetime(2026, 10, 25, 2, 30, fold=fold, tzinfo=ZoneInfo("Europe/Berlin"))
    assert stamp(time) == f"2026-10-25T0{hours}:30:00.000000Z"


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(BadTime, match="has no zone"):
        stamp(datetime(2026, 3, 1))


@pytest.mark.parametrize(
    "text",
    [
        "", "now", "2026-03-01", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z",
        "2026-03-01T12:00:00.000000", "2026-03-01T12:00:00.000000+00:00",
        "2026-03-01t12:00:00.000000z", "2026-13-01T12:00:00.000000Z",
        "2026-03-01T24:00:00.000000Z", "2026-03-01T12:60:00.000000Z", "9999-03-01T12:00:00.000000Z",
        "2026-03-01T12:00:00.000000Z\n", "２026-03-01T12:00:00.000000Z",
    ],
)  # fmt: skip
def test_what_is_not_of_that_width_is_refused(text: str) -> None:
    assert not is_stamp(text)
    with pytest.raises(BadTime, match="write 2026-03-01T12:00"):
        read_stamp(text)
