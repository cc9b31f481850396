"""Literals: each kind's value and canonical text, what is refused, and reading back (Hypothesis)."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from goalspec.grammar import literals as lit
from goalspec.grammar import parse
from goalspec.grammar import syntax as s
from hypothesis import given, settings
from hypothesis import strategies as st

with (Path(__file__).parent / "data" / "literals.toml").open("rb") as _file:
    TABLE = tomllib.load(_file)

Read = Callable[[str], Any]


def literal(text: str) -> s.Literal | s.BadLiteral:
    """The literal that *text* is in a file."""
    parsed = parse(f"let x = {text}\n", "x.goal")
    assert parsed.diagnostics == (), [d.message for d in parsed.diagnostics]
    (let,) = parsed.file.statements
    assert isinstance(let, s.Let)
    assert isinstance(let.value, s.Literal | s.BadLiteral)
    assert let.value.span.end == 8 + len(text)
    return let.value


def write(kind: str, value: Any, currency: str | None) -> str:
    if kind == "money":
        return lit.write_money(value, currency or "")
    writers: dict[str, Callable[[Any], str]] = {
        "int": str, "number": lit.write_number, "percent": lit.write_percent,
        "duration": lit.write_duration, "size": lit.write_size, "time": lit.write_time,
        "date": lit.write_date,
    }  # fmt: skip
    return writers[kind](value)


@pytest.mark.ruling(17)
@pytest.mark.ruling(22)
@pytest.mark.parametrize(("text", "kind", "value", "canonical"), TABLE["good"])
def test_a_literal_has_its_value_and_its_canonical_text(
    text: str, kind: str, value: str, canonical: str
) -> None:
    node = literal(text)
    assert isinstance(node, s.Literal)
    exact = Decimal(value) if kind in ("number", "percent", "money") else int(value)
    assert (node.kind, node.value, node.text) == (kind, exact, text)
    assert type(node.value) is type(exact)
    assert write(kind, node.value, node.currency) == canonical
    if kind in ("number", "percent", "money") and "." not in canonical:
        return  # a whole number reads back as an int; its kind comes from the fact
    again = literal(canonical)
    assert isinstance(again, s.Literal)
    assert (again.kind, again.value) == (kind, exact)


@pytest.mark.parametrize(("text", "words"), TABLE["bad"])
def test_a_quantity_is_refused_with_what_to_write(text: str, words: str) -> None:
    refused(text, words)
    with pytest.raises(lit.LiteralError):
        lit.read_quantity(text)


@pytest.mark.ruling(22)
@pytest.mark.parametrize(
    ("text", "words"), TABLE["bad_times"] + TABLE["bad_dates"] + TABLE["bad_versions"]
)
def test_a_time_date_or_version_is_refused_with_what_to_write(text: str, words: str) -> None:
    read: Read = (
        lit.read_version if text[0] == "v" else lit.read_date if len(text) == 10 else lit.read_time
    )
    with pytest.raises(lit.LiteralError) as caught:
        read(text)
    assert words in f"{caught.value.message} {caught.value.hint}"


def refused(text: str, words: str) -> None:
    node = literal(text)
    assert isinstance(node, s.BadLiteral)
    assert words in f"{node.message} {node.hint}"


def test_versions_are_ordered() -> None:
    values = [lit.read_version(text) for text in TABLE["versions"]]
    assert values == sorted(values)
    assert len(set(values)) == len(values)
    assert [lit.write_version(value) for value in values] == TABLE["versions"]
    for text, value in zip(TABLE["versions"], values, strict=True):
        node = literal(text)
        assert isinstance(node, s.Literal)
        assert (node.kind, node.value) == ("version", value)


def test_build_metadata_does_not_count() -> None:
    assert lit.read_version("v1.0.0+a.1") == lit.read_version("1.0.0+b")


@pytest.mark.ruling(61)
@pytest.mark.parametrize(("text", "value"), TABLE["strings"])
def test_a_string_says_its_text(text: str, value: str) -> None:
    node = literal(text)
    assert isinstance(node, s.Literal)
    assert (node.kind, node.value) == ("string", value)


@pytest.mark.parametrize(("text", "words"), TABLE["bad_strings"])
def test_a_string_is_refused_with_what_to_write(text: str, words: str) -> None:
    refused(text, words)


@pytest.mark.ruling(18)
@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "sNaN", "1e309", "1e-309", "x"])
def test_a_number_is_finite_and_within_bounds(text: str) -> None:
    with pytest.raises(lit.LiteralError):
        lit.checked_decimal(text)


@pytest.mark.ruling(18)
@pytest.mark.parametrize("text", ["-0", "0", "-0.00", "0e500"])
def test_zero_has_one_form(text: str) -> None:
    assert str(lit.checked_decimal(text)) == "0"


@pytest.mark.parametrize(
    ("text", "value"),
    [("-5", -5), ("-0", 0), ("-1h30m", -5_400 * 10**9), ("-0.5%", Decimal("-0.005"))],
)
def test_a_sign(text: str, value: object) -> None:
    assert lit.read_signed(text)[1] == value


@pytest.mark.ruling(17)
def test_the_hosts_decimal_context_changes_nothing() -> None:
    import decimal

    with decimal.localcontext(decimal.Context(prec=2)):
        assert lit.read_quantity("12.3456%") == ("percent", Decimal("0.123456"))
        assert lit.write_number(Decimal("123.456")) == "123.456"
        assert lit.read_money("1234.56 USD") == (Decimal("1234.56"), "USD")


# --- reading back what was written

ROUND_TRIP = settings(max_examples=200, deadline=None, derandomize=True, database=None)
DECIMALS = st.decimals(
    min_value=-(10**20), max_value=10**20, allow_nan=False, allow_infinity=False, places=9
)


@given(st.integers(-(10**30), 10**30))
@ROUND_TRIP
def test_durations_and_sizes_read_back(value: int) -> None:
    assert lit.read_signed(lit.write_duration(value)) == ("duration", value)
    assert lit.read_signed(lit.spell_duration(value)) == ("duration", value)
    assert lit.read_signed(lit.write_size(value)) == ("size", value)


@given(st.integers(-lit.MAX_INT, lit.MAX_INT))
@ROUND_TRIP
def test_ints_read_back(value: int) -> None:
    assert lit.read_signed(str(value)) == ("int", value)


@given(DECIMALS)
@ROUND_TRIP
def test_numbers_percents_and_money_read_back(value: Decimal) -> None:
    assert lit.checked_decimal(lit.write_number(value)) == value
    assert lit.read_signed(lit.write_percent(value)) == ("percent", value)
    assert lit.read_money(lit.write_money(value, "USD")) == (value, "USD")
    for text in (lit.write_number(value), lit.write_percent(value)):
        assert "E" not in text.upper()
        assert not text.startswith("-0%")


@given(st.datetimes(timezones=st.just(dt.UTC)), st.integers(0, 999))
@ROUND_TRIP
def test_times_read_back(moment: dt.datetime, nanoseconds: int) -> None:
    whole = (moment - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)
    value = whole * 1_000 + nanoseconds
    assert lit.read_time(lit.write_time(value)) == value
    assert lit.read_time(moment.isoformat()) == whole * 1_000


@given(st.dates())
@ROUND_TRIP
def test_dates_read_back(day: dt.date) -> None:
    assert lit.write_date(day.toordinal()) == day.isoformat()
    assert lit.read_date(day.isoformat()) == day.toordinal()


@given(
    st.tuples(*[st.integers(0, 10**9)] * 3),
    st.lists(st.from_regex(r"\A(0|[1-9][0-9]{0,8}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)\Z"), max_size=4),
)
@ROUND_TRIP
def test_versions_read_back(release: tuple[int, int, int], pre: list[str]) -> None:
    text = "v" + ".".join(map(str, release)) + ("-" + ".".join(pre) if pre else "")
    if len(text) <= 256:
        assert lit.write_version(lit.read_version(text)) == text


@pytest.mark.ruling(23)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60))
@ROUND_TRIP
def test_strings_read_back(text: str) -> None:
    token = lit.write_string(text)
    assert lit.read_string(token) == text
    node = literal(token)
    assert isinstance(node, s.Literal)
    assert node.value == text


@given(st.text(max_size=40))
@ROUND_TRIP
def test_any_text_is_a_literal_or_is_refused(text: str) -> None:
    for read in (lit.read_quantity, lit.read_signed, lit.read_money, lit.read_time, lit.read_date,
                 lit.read_version, lit.checked_decimal):  # fmt: skip
        try:
            read(text)
        except lit.LiteralError as error:
            assert error.message


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (lit.read_signed, "٨٥%"), (lit.read_signed, "١h٣٠m"), (lit.read_signed, "1h３0m"),
        (lit.read_money, "٥ USD"), (lit.read_time, "٢٠٢٦-12-31T18:00Z"),
        (lit.read_date, "2026-12-３1"), (lit.read_version, "v1.٢.0"),
    ],
)  # fmt: skip
def test_digits_of_other_scripts_are_no_digits(read: Read, text: str) -> None:
    with pytest.raises(lit.LiteralError):
        read(text)


def test_a_long_negative_number_keeps_its_digits() -> None:
    """Whatever the ambient context is."""
    text = "1234567890123456789012345678901234.0"
    assert lit.read_signed(f"-{text}") == ("number", Decimal(f"-{text}"))


@pytest.mark.parametrize("zero", ["0.000", "-0", "0E-7", "-0.0", "0E+3"])
def test_a_computed_zero_is_written_as_zero(zero: str) -> None:
    assert (lit.write_number(Decimal(zero)), lit.write_percent(Decimal(zero))) == ("0", "0%")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (lit.read_signed, "٣s"), (lit.read_signed, "1٣%"), (lit.read_money, "٣ USD"),
        (lit.read_date, "٢026-01-01"), (lit.read_time, "٢026-01-01T00:00Z"),
    ],
)  # fmt: skip
def test_digits_are_those_of_ascii(read: Read, text: str) -> None:
    with pytest.raises(lit.LiteralError):
        read(text)
