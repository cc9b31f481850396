"""Readers of literals: the quick way of what comes most is the long way (rulings 17, 22)."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from goalspec.grammar.literals import MAX_DIGITS, LiteralError, checked_decimal, read_time
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.ruling(22)
@given(st.datetimes(min_value=dt.datetime(1, 1, 1)))
def test_a_time_in_utc_is_read_as_one_with_an_offset(moment: dt.datetime) -> None:
    text = moment.isoformat(timespec="seconds")
    assert read_time(f"{text}Z") == read_time(f"{text}+00:00")


@pytest.mark.ruling(22)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2026-02-30T10:00:00Z", "no day of the calendar"),
        ("0000-01-01T10:00:00Z", "no day of the calendar"),
        ("2026-03-01T24:00:00Z", "is not a time"),
        ("2026-03-01T10:00:60Z", "is not a time"),
        ("2026-W09-1T10:00:00Z", "is not a time"),
        ("2026-03-01T100000.5Z", "is not a time"),
    ],
)
def test_what_only_python_takes_for_a_time_is_none(text: str, said: str) -> None:
    with pytest.raises(LiteralError, match=said):
        read_time(text)


@pytest.mark.ruling(17)
@given(st.integers(-(10**MAX_DIGITS) + 1, 10**MAX_DIGITS - 1), st.integers(-40, 20))
def test_a_decimal_loses_its_trailing_zeros_and_nothing_else(digits: int, exponent: int) -> None:
    number = Decimal(digits).scaleb(exponent)
    for text in (str(number), f"{number:f}"):
        read = checked_decimal(text)
        assert read == number
        assert read == 0 or read.as_tuple().digits[-1] != 0
