"""What descriptions say in English: numbers with their units and bounds, and where a word of a
string stands in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Final
from typing import Literal as Choice

from ...grammar import syntax as s
from ...grammar.literals import (
    DECIMAL,
    DURATION_UNITS,
    SIZE_UNITS,
    write_duration,
    write_money,
    write_number,
    write_percent,
    write_size,
)
from ...grammar.source import Source, Span

# What stands behind it is not read: a rule's cost stays in proportion to a file's length.
MOST_CHARACTERS: Final = 4_000

Kind = Choice["count", "percent", "duration", "size", "money"]


class Prose:
    """The text of a string, and where its characters stand in the file."""

    def __init__(self, node: s.Literal, source: Source) -> None:
        self.text = str(node.value)[:MOST_CHARACTERS]
        self._node = node
        self._token = source.text[node.span.start : node.span.end]

    def span(self, start: int, end: int) -> Span:
        """The place in the file of `text[start:end]`, which is not empty."""
        first = self._node.span.start
        return Span(first + self._places[start][0], first + self._places[end - 1][1])

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        token, raw = self._token, self._token.startswith("r")
        place = 3 if token.startswith('"""') else token.index('"') + 1
        places = []
        for char in self.text:
            while token[place] in " \t\r\n" and not _stands_for(token[place], char):
                place += 1  # indentation and outer line breaks, which are no part of the text
            width = 1 if raw or token[place] != "\\" else _escape(token, place)
            places.append((place, place + width))
            place += width
        return places


def _stands_for(written: str, char: str) -> bool:
    return written == char or (written == "\r" and char == "\n")


def _escape(token: str, place: int) -> int:
    """How long the escape at *place* is: `\\n`, `\\u{2013}`."""
    return token.index("}", place) + 1 - place if token[place + 1] == "u" else 2


# --- quantities


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text: *number* as it is written, *value* as the language's literal has it.

    *bound* is the comparison that the words around it make, None where they make none or could be
    meant either way. A *stated* quantity has a unit or a bound; the others may be anybody's name.
    """

    start: int
    end: int
    kind: Kind
    number: Decimal
    value: int | Decimal
    bound: str | None
    stated: bool
    phrase: str
    currency: str = ""

    @property
    def literal(self) -> str:
        """The quantity as a literal of the language."""
        value: Any = self.value
        match self.kind:
            case "percent":
                return write_percent(value)
            case "duration":
                return write_duration(value)
            case "size":
                return write_size(value)
            case "money":
                return write_money(value, self.currency)
            case "count":
                return write_number(value)


# Behind a digit, without a space.
_UNITS: Final[dict[str, tuple[Kind, Any]]] = {
    "%": ("percent", Decimal("0.01")),
    **{unit: ("duration", factor) for unit, factor in DURATION_UNITS.items()},
    **{unit: ("size", factor) for unit, factor in SIZE_UNITS.items()},
    "k": ("count", 1_000),
    "M": ("count", 1_000_000),
}
_CURRENCIES: Final = (
    "USD EUR GBP CHF JPY CNY INR CAD AUD NZD SEK NOK DKK PLN CZK BRL MXN KRW"
).split()
_SYMBOLS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
# A word behind a digit, perhaps after a space or a hyphen; of the last ones no value is known.
_WORDS: Final[dict[str, tuple[Kind | None, Any]]] = {
    **dict.fromkeys(("%", "percent", "pct", "point", "points", "pp"), ("percent", Decimal("0.01"))),
    **{unit.lower(): ("size", factor) for unit, factor in SIZE_UNITS.items() if len(unit) > 1},
    **{code.lower(): ("money", code) for code in _CURRENCIES},
    **dict.fromkeys(("dollar", "dollars"), ("money", "USD")),
    **dict.fromkeys(("euro", "euros"), ("money", "EUR")),
    **dict.fromkeys(("byte", "bytes"), ("size", 1)),
    **dict.fromkeys(("kilobyte", "kilobytes"), ("size", SIZE_UNITS["KB"])),
    **dict.fromkeys(("megabyte", "megabytes"), ("size", SIZE_UNITS["MB"])),
    **dict.fromkeys(("gigabyte", "gigabytes"), ("size", SIZE_UNITS["GB"])),
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("duration", DURATION_UNITS["ms"])),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("duration", DURATION_UNITS["s"])),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("duration", DURATION_UNITS["m"])),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("duration", DURATION_UNITS["h"])),
    **dict.fromkeys(("day", "days"), ("duration", DURATION_UNITS["d"])),
    **dict.fromkeys(("week", "weeks"), ("duration", DURATION_UNITS["w"])),
    **dict.fromkeys(("month", "months", "quarter", "quarters", "year", "years"), (None, None)),
}
_NUMBER = re.compile(
    r"(?<![\w.,:/#@+–-])(?P<symbol>[$€£¥])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d[\d_]{0,30}(?:\.\d{1,30})?)"
    r"(?P<unit>[A-Za-z%]+)?(?![.,:/–-]?\d)(?!\w)"
)
_WORD_BEHIND = re.compile(r"[ \t\n-](?:percentage )?([A-Za-z]+|%)(?![\w/])")
_NUMBER_WORDS: Final = {
    word: Decimal(number)
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve".split(), 2
    )
}

_MORE = "(?:more|greater|higher|larger|bigger|longer|older) than|above|over|beyond|exceed(?:s|ing)?"
_LESS = "(?:less|fewer|lower|smaller|shorter|younger) than|below|under"
_WINDOW: Final = 60  # characters before a number in which words may be about it
_BEFORE = re.compile(
    rf"(?:\b(?P<no>no|not|never) )?(?:\b(?P<more>{_MORE})|\b(?P<less>{_LESS})"
    r"|(?P<least>\bat least|>=|≥)|(?P<most>\bat (?:the )?most|\bup to|<=|≤)"
    r"|(?P<above>>)|(?P<below><)"
    r"|\b(?P<other>within|exactly|(?:maximum|minimum|max|min)(?: of)?))"
    r"[ \n]*(?:about |roughly |~)?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"(?:[ \n-][A-Za-z][\w-]{0,30}){0,2}?[ \n-](?:(?P<most>at (?:the )?most"
    r"|or (?:less|fewer|lower|below|shorter|smaller))"
    r"|(?P<least>at least|(?:or|and) (?:more|higher|above|better|longer|greater))"
    r"|(?P<other>consecutive|times|runs|in a row|in sequence|in succession))(?!\w)",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|neither|without|cannot)\b|n't", re.I)
_NAME_BEFORE = re.compile(  # `Python 3.11 or higher`, `version 2 or above`
    r"\b(?:[A-Z][\w+]*|version|release|level|tier|priority|step|phase|page|port|line) $"
)
_OPPOSITE: Final = {">": "<=", "<": ">="}


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of *text* that are written in digits, in order; dates, versions and what is
    joined to a word are none."""
    for match in _NUMBER.finditer(text):
        found = _measured(match, text)
        if found is not None:
            yield found


def numbers(text: str) -> set[Decimal]:
    """All numbers of *text*, those up to twelve in words too."""
    words = re.findall(r"[a-z]+", text.lower())
    digits = {quantity.number for quantity in quantities(text)}
    return digits | {_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS}


def _measured(match: re.Match[str], text: str) -> Quantity | None:
    number = Decimal(match["digits"].replace(",", "").replace("_", ""))
    end = match.end()
    kind: Kind | None = "count"
    unit: Any = 1
    if match["symbol"]:
        kind, unit = "money", _SYMBOLS[match["symbol"]]
    elif match["unit"]:
        kind, unit = _UNITS.get(match["unit"]) or _WORDS.get(match["unit"].lower(), (None, None))
    elif behind := _WORD_BEHIND.match(text, end):
        known = _WORDS.get(behind[1].lower())
        kind, unit = known or ("count", 1)
        end = behind.end() if known else end
    if kind is None:
        return None
    value: int | Decimal = number if kind == "money" else DECIMAL.multiply(number, unit)
    if kind in ("duration", "size"):
        value = int(value)
    bound, stated, start, last = _bound(match, end, text)
    return Quantity(
        match.start(), end, kind, number, value, bound, stated or kind != "count",
        " ".join(text[start:last].split()), unit if kind == "money" else "",
    )  # fmt: skip


def _bound(match: re.Match[str], end: int, text: str) -> tuple[str | None, bool, int, int]:
    """The bound that the words around a number say, whether they say any, and the phrase's ends."""
    start = match.start()
    window = text[max(0, start - _WINDOW) : start]
    before = _BEFORE.search(window)
    if before is not None:
        op = _operator(before)
        if before["no"]:
            op = _OPPOSITE.get(op) if op else None
        elif _NEGATION.search(window, 0, before.start()):
            op = None
        return op, True, start - len(window) + before.start(), end
    behind = _BEHIND.match(text, end)
    if behind is not None and not _NAME_BEFORE.search(window):
        op = ">=" if behind["least"] else "<=" if behind["most"] else None
        return None if _NEGATION.search(window) else op, True, start, behind.end()
    return None, False, start, end


def _operator(before: re.Match[str]) -> str | None:
    if before["more"] or before["above"]:
        return ">"
    if before["less"] or before["below"]:
        return "<"
    return ">=" if before["least"] else "<=" if before["most"] else None
