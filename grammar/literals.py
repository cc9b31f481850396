"""The literals of the language: what `90m`, `0.5%`, `10MiB` or `v1.4.0-rc.1` mean.

Owns the reading of one literal's text into its exact value, and its writing in canonical form; the
grammar, the IR and the border where facts enter share it, so that a value is spelled one way.

Values in Python: int for `int`; Decimal for `number`, `percent` (85% is 0.85) and money; whole
nanoseconds (int) for `duration`; whole bytes (int) for `size`; nanoseconds since 1970-01-01Z (int)
for `time`; the proleptic ordinal (int) for `date`; a tuple that orders as Semantic Versioning 2.0.0
does for `version`; str for strings.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from typing import Final

# decimal128, as ruling 17 asks; every arithmetic of the language names this context, so that the
# ambient one of the host can change nothing.
DECIMAL: Final = Context(
    prec=34,
    rounding=ROUND_HALF_EVEN,
    Emin=-6143,
    Emax=6144,
    traps=[InvalidOperation, DivisionByZero, Overflow],
)
MAX_INT: Final = 2**53 - 1
MAX_DIGITS: Final = 34
MAX_EXPONENT: Final = 308

# Largest first: a joined duration is written in this order.
DURATION_UNITS: Final = {
    "w": 7 * 86_400 * 10**9,
    "d": 86_400 * 10**9,
    "h": 3_600 * 10**9,
    "m": 60 * 10**9,
    "s": 10**9,
    "ms": 10**6,
    "us": 10**3,
    "ns": 1,
}
SIZE_UNITS: Final = {
    "B": 1,
    "KB": 10**3,
    "KiB": 2**10,
    "MB": 10**6,
    "MiB": 2**20,
    "GB": 10**9,
    "GiB": 2**30,
    "TB": 10**12,
    "TiB": 2**40,
}
MULTIPLIERS: Final = {"k": 1_000, "M": 1_000_000}

# What people write from habit, and how the language writes it.
FOREIGN_UNITS: Final = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s",
    "min": "m", "mins": "m", "minute": "m", "minutes": "m",
    "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
    "day": "d", "days": "d", "week": "w", "weeks": "w",
    "msec": "ms", "millis": "ms", "K": "k",
    "b": "B", "kb": "KB", "kB": "KB", "mb": "MB", "gb": "GB",
    "kib": "KiB", "mib": "MiB", "gib": "GiB",
    "pp": "%", "pct": "%", "percent": "%",
}  # fmt: skip

Version = tuple[int, int, int, tuple[tuple[int, int | str], ...]]


class LiteralError(ValueError):
    """A text that is no literal: what is wrong, and what to write instead."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


# --- quantities: everything that begins with a digit and is not a time, a date or money

_QUANTITY = re.compile(r"(\d[\d_]*(?:\.\d[\d_]*)?)([A-Za-z%]*)", re.ASCII)
_JOINED = re.compile(r"(?:\d[\d_]*[a-z]+){2,}", re.ASCII)
_PART = re.compile(r"(\d[\d_]*)([a-z]+)", re.ASCII)


def read_quantity(text: str) -> tuple[str, int | Decimal]:
    """The kind (int, number, percent, duration, size) and value of an unsigned quantity."""
    if len(text) > 400:
        raise LiteralError("the number is longer than any value of the language")
    match = _QUANTITY.fullmatch(text)
    if match is None:
        if _JOINED.fullmatch(text) and not text.startswith("0x"):
            return "duration", _joined_duration(text)
        raise _malformed(text)
    digits, unit = match.groups()
    number = _number(digits)
    whole = "." not in digits
    if unit == "":
        return ("int", _int(number)) if whole else ("number", number)
    if unit in MULTIPLIERS:
        if not whole:
            raise LiteralError(
                f"`{unit}` multiplies a whole number",
                f"write `{_plain(DECIMAL.multiply(number, MULTIPLIERS[unit]))}`",
            )
        return "int", _int(DECIMAL.multiply(number, MULTIPLIERS[unit]))
    if unit == "%":
        return "percent", number.scaleb(-2, DECIMAL)
    if unit in DURATION_UNITS:
        return "duration", _whole(number, DURATION_UNITS[unit], "nanoseconds")
    if unit in SIZE_UNITS:
        return "size", _whole(number, SIZE_UNITS[unit], "bytes")
    if re.fullmatch(r"[A-Z]{3}", unit):
        raise LiteralError("money has a space before its currency", f"write `{digits} {unit}`")
    if unit in FOREIGN_UNITS:
        raise LiteralError(f"unknown unit `{unit}`", f"write `{digits}{FOREIGN_UNITS[unit]}`")
    raise LiteralError(
        f"unknown unit `{unit}`",
        "units are % for percent, "
        + " ".join(DURATION_UNITS)
        + " for durations, "
        + " ".join(SIZE_UNITS)
        + " for sizes, k and M for whole numbers",
    )


def _number(digits: str) -> Decimal:
    if "_" not in digits:
        return checked_decimal(digits)
    if digits.endswith("_") or "__" in digits or "_." in digits or "._" in digits:
        raise LiteralError("`_` stands between two digits", "write 1_000")
    return checked_decimal(digits.replace("_", ""))


def checked_decimal(text: str) -> Decimal:
    """The decimal that *text* spells, within the language's bounds; `-0` is 0.

    Raises LiteralError over 34 digits or an exponent beyond ±308, and for NaN and infinities.
    """
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise LiteralError(f"`{text}` is not a number") from None
    if not number.is_finite():
        raise LiteralError(f"{text} is not a number of the language")
    if not number:
        return Decimal(0)
    exponent = number.adjusted()
    if abs(exponent) > MAX_EXPONENT:
        raise LiteralError(f"the exponent is beyond ±{MAX_EXPONENT}")
    if len(text) <= MAX_DIGITS:  # no more digits than that: rounding has nothing to do
        return number.normalize(DECIMAL)
    number = _trim(number)
    if len(number.as_tuple().digits) > MAX_DIGITS:
        raise LiteralError(f"a number has at most {MAX_DIGITS} digits")
    return number


def _trim(number: Decimal) -> Decimal:
    """*number* without trailing zeros, exact whatever the ambient context."""
    if not number:
        return Decimal(0)
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    significant = len(digits)
    while significant > 1 and digits[significant - 1] == 0:
        significant -= 1
    return Decimal((sign, digits[:significant], exponent + len(digits) - significant))


def _int(number: Decimal) -> int:
    value = int(number)
    if abs(value) > MAX_INT:
        raise LiteralError(f"a whole number lies within ±{MAX_INT:_}", "write a `number`: `1.0`")
    return value


def _whole(number: Decimal, unit: int, name: str) -> int:
    numerator, denominator = number.as_integer_ratio()
    value, rest = divmod(numerator * unit, denominator)
    if rest:
        raise LiteralError(f"the value is not a whole number of {name}")
    return value


def _joined_duration(text: str) -> int:
    order = list(DURATION_UNITS)
    total, last = 0, -1
    for digits, unit in _PART.findall(text):
        if unit not in DURATION_UNITS:
            raise LiteralError(
                f"unknown unit `{unit}` in a duration", "units are " + " ".join(DURATION_UNITS)
            )
        if order.index(unit) <= last:
            raise LiteralError(
                "a joined duration goes from the largest unit to the smallest", "write `1h30m`"
            )
        last = order.index(unit)
        total += int(_number(digits)) * DURATION_UNITS[unit]
    return total


def _malformed(text: str) -> LiteralError:
    if re.fullmatch(r"\d+(\.\d+){2,}", text, re.ASCII):
        return LiteralError(f"`{text}` is not a number", f"a version begins with v: `v{text}`")
    if re.fullmatch(r"[\d.]+[eE]\d+", text, re.ASCII):
        return LiteralError(
            "numbers have no exponent", "write the digits out; `k` and `M` multiply whole numbers"
        )
    if re.fullmatch(r"0[xXbBoO]\w+", text, re.ASCII):
        return LiteralError(f"`{text}` is not a number", "there are decimal numbers only")
    if re.fullmatch(r"\d[\d.]*[dhms]\d[\w.]*", text, re.ASCII):
        return LiteralError(
            f"`{text}` is not a duration", "each part is a whole number and its unit: `1h30m`"
        )
    return LiteralError(f"`{text}` is not a number", "write `1_000`, `12.5`, `85%`, `10m`, `64KB`")


def read_signed(text: str) -> tuple[str, int | Decimal]:
    """As read_quantity, with an optional minus sign."""
    if text.startswith("-"):
        kind, value = read_quantity(text[1:])
        if isinstance(value, int):
            return kind, -value
        return kind, value.copy_negate() if value else value
    return read_quantity(text)


# --- money, times, dates, versions

_MONEY = re.compile(r"(-?)(\d[\d_]*(?:\.\d[\d_]*)?)[ \t]+([A-Z]{3})", re.ASCII)
_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?([Zz]|[+-]\d\d:\d\d)",
    re.ASCII,
)
# The form that times mostly come in, which `datetime` reads. It would read others as well.
_is_utc_time = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", re.ASCII).fullmatch
_from_iso = dt.datetime.fromisoformat
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_VERSION = re.compile(
    r"v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?",
    re.ASCII,
)
_EPOCH: Final = dt.date(1970, 1, 1).toordinal()
_EPOCH_TIME: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_DAY: Final = DURATION_UNITS["d"]


def read_money(text: str) -> tuple[Decimal, str]:
    """Amount and currency of `5.00 USD`."""
    match = _MONEY.fullmatch(text)
    if match is None:
        raise LiteralError(f"`{text}` is not money", "write `5.00 USD`")
    amount = _number(match[2])
    return (amount.copy_negate() if match[1] and amount else amount), match[3]


def read_time(text: str) -> int:
    """Nanoseconds since 1970-01-01T00:00Z of an RFC 3339 time; seconds may be left out."""
    if _is_utc_time(text):
        try:
            since = _from_iso(text) - _EPOCH_TIME
        except ValueError:
            pass  # no such day: what follows says so
        else:
            return (since.days * 86_400 + since.seconds) * 10**9
    match = _TIME.fullmatch(text)
    if match is None:
        if re.fullmatch(r"\d{4}-\d\d-\d\d[Tt ][\d:.]+", text, re.ASCII):
            raise LiteralError("a time carries its offset", "add `Z` or `+02:00`")
        raise LiteralError(f"`{text}` is not a time", "write `2026-12-31T18:00Z`")
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    days = _ordinal(year, month, day) - _EPOCH
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        raise LiteralError(
            f"`{text}` is not a time", "hours go to 23, minutes and seconds to 59 (no leap second)"
        )
    if fraction and len(fraction) > 9:
        raise LiteralError("a time has at most 9 digits after the second")
    offset = 0
    if zone not in "Zz":
        hours, minutes = int(zone[1:3]), int(zone[4:6])
        if hours > 23 or minutes > 59:
            raise LiteralError(f"`{zone}` is not an offset", "write `Z` or `+02:00`")
        offset = (hours * 60 + minutes) * (-1 if zone[0] == "-" else 1)
    seconds = (int(hour) * 60 + int(minute) - offset) * 60 + int(second or 0)
    return days * _DAY + seconds * 10**9 + int((fraction or "").ljust(9, "0"))


def read_date(text: str) -> int:
    """The proleptic Gregorian ordinal of `2026-12-31`."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise LiteralError(f"`{text}` is not a date", "write `2026-12-31`")
    return _ordinal(*match.groups())


def _ordinal(year: str, month: str, day: str) -> int:
    try:
        return dt.date(int(year), int(month), int(day)).toordinal()
    except ValueError:
        raise LiteralError(f"`{year}-{month}-{day}` is no day of the calendar") from None


def read_version(text: str) -> Version:
    """A tuple that orders as Semantic Versioning 2.0.0 does; build metadata does not count."""
    match = _VERSION.fullmatch(text)
    if match is None or len(text) > 256:
        raise LiteralError(f"`{text}` is not a semantic version", "write `v1.4.0` or `v2.0.0-rc.1`")
    major, minor, patch, pre = match.groups()
    if pre is None:  # a release comes after each of its pre-releases
        return int(major), int(minor), int(patch), ((2, 0),)
    parts: list[tuple[int, int | str]] = []
    for part in pre.split("."):
        if part.isdigit() and part != "0" and part.startswith("0"):
            raise LiteralError(f"`{part}` in a pre-release has a leading zero")
        parts.append((0, int(part)) if part.isdigit() else (1, part))
    return int(major), int(minor), int(patch), tuple(parts)


# --- canonical texts


def _plain(number: Decimal | int) -> str:
    """Digits without exponent or trailing zeros."""
    if isinstance(number, int):
        return str(number)
    return format(_trim(number), "f")


def write_number(value: Decimal | int) -> str:
    return _plain(value)


def write_percent(value: Decimal) -> str:
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    return _plain(Decimal((sign, digits, exponent + 2))) + "%"


def write_money(value: Decimal, currency: str) -> str:
    return f"{_plain(value)} {currency}"


def write_duration(value: int) -> str:
    """One number and the largest unit up to days that divides *value*: `90m`, `14d`."""
    for unit, factor in DURATION_UNITS.items():
        if unit != "w" and value and value % factor == 0:
            return f"{value // factor}{unit}"
    return "0s"


def spell_duration(value: int) -> str:
    """A duration for readers, who do not say `1447m` but `1d7m`."""
    if abs(value) < DURATION_UNITS["h"]:
        return write_duration(value)
    said, rest = "-" if value < 0 else "", abs(value)
    for unit in ("d", "h", "m"):
        count, rest = divmod(rest, DURATION_UNITS[unit])
        said += f"{count}{unit}" if count else ""
    return said + (write_duration(rest) if rest else "")


def write_size(value: int) -> str:
    """The shortest whole number and its unit: `64KB`, `10MiB`."""
    if value == 0:
        return "0B"
    candidates = [(abs(value) // f, u) for u, f in SIZE_UNITS.items() if value % f == 0]
    count, unit = min(candidates, key=lambda pair: pair[0])
    return f"{'-' if value < 0 else ''}{count}{unit}"


def write_time(value: int) -> str:
    """RFC 3339 in UTC, without a fraction that is zero."""
    days, rest = divmod(value, _DAY)
    seconds, nanoseconds = divmod(rest, 10**9)
    minutes, second = divmod(seconds, 60)
    fraction = f".{nanoseconds:09d}".rstrip("0") if nanoseconds else ""
    day = write_date(days + _EPOCH)
    return f"{day}T{minutes // 60:02d}:{minutes % 60:02d}:{second:02d}{fraction}Z"


def write_date(value: int) -> str:
    if not 1 <= value <= dt.date.max.toordinal():
        return f"day {value}"
    return dt.date.fromordinal(value).isoformat()


def write_version(value: Version) -> str:
    major, minor, patch, pre = value
    release = f"v{major}.{minor}.{patch}"
    if pre == ((2, 0),):
        return release
    return f"{release}-{'.'.join(str(part) for _, part in pre)}"


# --- strings

_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.)|$)", re.DOTALL)
_ESCAPES: Final = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_NEWLINE = re.compile(r"\r\n|\r")


def read_string(token: str) -> str:
    """The text that a string token of the file stands for; line ends become LF.

    `"…"`, `\"\"\"…\"\"\"` without the common indentation and the outer line breaks, `r"…"`.
    """
    if token.startswith("r"):
        return _plain_text(token[2:-1])
    if not token.startswith('"""'):
        return _unescape(_plain_text(token[1:-1]))
    body = _NEWLINE.sub("\n", token[3:-3])
    lines = body.split("\n")
    if len(lines) == 1:
        return _unescape(_plain_text(body))
    indents = [line[: -len(line.lstrip(" \t"))] for line in lines[1:] if line.strip(" \t")]
    margin = _shared(indents)
    lines[1:] = [line[margin:] if line.strip(" \t") else "" for line in lines[1:]]
    if not lines[0].strip(" \t"):
        del lines[0]
    if lines and not lines[-1].strip(" \t"):
        del lines[-1]
    return _unescape(_plain_text("\n".join(lines)))


def _shared(indents: list[str]) -> int:
    """The length of what all *indents* begin with: a tab is no number of spaces."""
    shortest = min(map(len, indents), default=0)
    columns = enumerate(zip(*indents, strict=False))
    return next((place for place, column in columns if len(set(column)) > 1), shortest)


def place_in_string(token: str, index: int) -> int:
    """Where in *token*, a string of one line, the character at *index* of its text stands."""
    place = token.index('"') + 1
    if token.startswith("r"):
        return place + index
    for _ in range(index):
        escape = _ESCAPE.match(token, place)
        place = escape.end() if escape else place + 1
    return place


def _plain_text(text: str) -> str:
    control = _CONTROL.search(text)
    if control is not None:
        raise LiteralError(
            f"the string holds the control character U+{ord(control[0]):04X}",
            f"write `\\u{{{ord(control[0]):x}}}`",
        )
    return text


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    if match[1] is not None:
        point = int(match[1], 16)
        if point > 0x10FFFF or 0xD800 <= point <= 0xDFFF or point == 0:
            raise LiteralError(f"`\\u{{{match[1]}}}` is no character")
        return chr(point)
    if match[2] in _ESCAPES:
        return _ESCAPES[match[2]]
    raise LiteralError(
        f"unknown escape `\\{match[2] or ''}`",
        'escapes are \\" \\\\ \\n \\t \\u{…}; a string without escapes is r"…"',
    )


def write_string(text: str) -> str:
    """*text* as a one-line string literal."""
    parts = []
    for char in text:
        if char in '"\\':
            parts.append("\\" + char)
        elif char == "\n":
            parts.append("\\n")
        elif char == "\t":
            parts.append("\\t")
        elif _CONTROL.match(char):
            parts.append(f"\\u{{{ord(char):x}}}")
        else:
            parts.append(char)
    return '"' + "".join(parts) + '"'


def printable(text: str) -> str:
    """*text* on one line, with nothing in it that a reader or a terminal would not see."""
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)
