"""Literals beside a literal: one step away from it, or of another unit.

A step is one in the last place that is written: beside `0.5%` stand `0.4%` and `0.6%`, beside
`250ms` stand `249ms` and `251ms`. What is one unit has steps of a smaller one: beside `1d` stand
`23h` and `25h`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from ..grammar.literals import (
    DECIMAL,
    DURATION_UNITS,
    MAX_INT,
    SIZE_UNITS,
    LiteralError,
    checked_decimal,
    read_date,
    read_money,
    read_signed,
    read_time,
    read_version,
    write_date,
    write_duration,
    write_money,
    write_number,
    write_percent,
    write_size,
    write_time,
    write_version,
)
from .ir.expressions import Literal

# The largest first, which is how a step's unit is looked for.
_DURATIONS: Final = dict(sorted(DURATION_UNITS.items(), key=lambda unit: -unit[1]))
_SIZES: Final = dict(sorted(SIZE_UNITS.items(), key=lambda unit: -unit[1]))


def discrete(kind: str) -> bool:
    """Are the values of such a type whole steps, nothing between them?"""
    return kind in ("int", "date")


def stepped(literal: Literal, direction: int) -> Literal | None:
    """The literal one step below (-1) or above (1); None where there is none."""
    step = _STEPS.get(literal.type)
    if step is None:
        return None
    try:
        value = step(literal.value, direction)
    except LiteralError:  # beyond the bounds of the language
        return None
    return None if value is None else replace(literal, value=value)


def _int(value: int, direction: int) -> int | None:
    moved = value + direction
    return moved if abs(moved) <= MAX_INT else None


def _last_place(digits: str) -> Decimal:
    return Decimal(1).scaleb(-len(digits.partition(".")[2]))


def _decimal(digits: str, direction: int) -> str:
    moved = DECIMAL.add(checked_decimal(digits), direction * _last_place(digits))
    return write_number(checked_decimal(format(moved, "f")))


def _percent(text: str, direction: int) -> str:
    return f"{_decimal(text.removesuffix('%'), direction)}%"


def _money(text: str, direction: int) -> str:
    digits, currency = text.split(" ")
    return write_money(read_money(f"{_decimal(digits, direction)} {currency}")[0], currency)


def _quantity(units: dict[str, int], write: Callable[[int], str]) -> Callable[[str, int], str]:
    def step(text: str, direction: int) -> str:
        value = int(read_signed(text)[1])
        fitting = (size for size in units.values() if not value % size and abs(value) > size)
        return write(value + direction * next(fitting, 1))

    return step


def _time(text: str, direction: int) -> str:
    return write_time(read_time(text) + direction * DURATION_UNITS["s"])


def _date(text: str, direction: int) -> str:
    moved = write_date(read_date(text) + direction)
    read_date(moved)  # raises beyond the calendar
    return moved


def _version(text: str, direction: int) -> str | None:
    major, minor, patch, pre = read_version(text)
    return write_version((major, minor, patch + direction, pre)) if patch + direction >= 0 else None


_STEPS: Final[dict[str, Callable[[Any, int], Any]]] = {
    "int": _int,
    "number": _decimal,
    "percent": _percent,
    "money": _money,
    "duration": _quantity(_DURATIONS, write_duration),
    "size": _quantity(_SIZES, write_size),
    "time": _time,
    "date": _date,
    "version": _version,
}


# --- units

_DIGITS_AND_UNIT: Final = re.compile(r"(-?\d+)([A-Za-z]+)")


def rescaled(literal: Literal) -> Literal | None:
    """The literal as somebody writes it who mistakes its unit: a ratio taken for percent points,
    seconds for minutes, KB for MB; None where it has no unit, or is zero."""
    text = str(literal.value)
    match literal.type:
        case "percent":
            value = write_percent(Decimal(read_signed(text)[1]).scaleb(-2, DECIMAL))
        case "duration":
            canonical = write_duration(int(read_signed(text)[1]))
            value = write_duration(_mistaken(canonical, _DURATIONS))
        case "size":
            value = write_size(_mistaken(write_size(int(read_signed(text)[1])), _SIZES))
        case _:
            return None
    return None if value == text or not read_signed(text)[1] else replace(literal, value=value)


# The unit that each is mistaken for.
_MISTAKEN: Final = {
    "d": "h", "h": "m", "m": "s", "s": "ms", "ms": "s", "us": "ms", "ns": "us",
    "B": "KB", "KB": "MB", "MB": "KB", "GB": "MB", "TB": "GB",
    "KiB": "MiB", "MiB": "KiB", "GiB": "MiB", "TiB": "GiB",
}  # fmt: skip


def _mistaken(canonical: str, units: dict[str, int]) -> int:
    digits, unit = _DIGITS_AND_UNIT.findall(canonical)[0]
    return int(digits) * units[_MISTAKEN[unit]]
