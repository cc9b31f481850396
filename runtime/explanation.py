"""Explanations: what decided a predicate, in one line a person can check against the facts.

Made from the reasons that the three-valued form kept and the wordings of its sites: the deciding
leaves with the values they read, e.g. `coverage.line is 83.2%, at start it was 84.1%: 0.9 points
lower, 0.5 allowed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from ..compiler.folding import Reason, Truth, apply, read
from ..compiler.ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    SetType,
    Type,
)
from ..compiler.kernel import Facts, Map, Unknown, absolute, ordered, subtract
from ..compiler.program import (
    Change,
    Computed,
    Counted,
    Distance,
    ElementMention,
    FactMention,
    FormWording,
    KnownMention,
    LeafWording,
    LetWording,
    Mention,
    Predicate,
    QuantifierWording,
    Route,
    Wording,
)
from ..grammar.literals import (
    printable,
    spell_duration,
    write_date,
    write_money,
    write_number,
    write_percent,
    write_size,
    write_string,
    write_time,
    write_version,
)

MAX_LEAVES: Final = 4
MAX_SHOWN: Final = 5
_LONG_FRACTION = re.compile(r"(\.0*[1-9]\d{5})\d{2,}")
_ABSENT: Final = object()


def explain(
    predicate: Predicate,
    facts: Facts,
    inner: Mapping[str, Predicate],
    progress: Mapping[str, str],
) -> str:
    """Why *predicate* came out as it did; *inner* and *progress* are the temporal forms' own."""
    truth = predicate.explain(facts)
    return _Explanation(predicate.wordings(), facts, inner, progress).of(truth)


class _Explanation:
    def __init__(
        self, wordings: tuple[Wording, ...], facts: Facts, inner: Mapping[str, Predicate],
        progress: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.wordings = wordings
        self.facts = facts
        self.inner = inner
        self.progress = progress

    def of(self, truth: Truth) -> str:
        lines = list(dict.fromkeys(self._line(reason) for reason in truth.because))
        lines = [line for line in lines if line]
        shown = lines[:MAX_LEAVES]
        if len(lines) > MAX_LEAVES:
            shown.append(f"and {len(lines) - MAX_LEAVES} more")
        return "; ".join(shown) or "it follows from its form"

    def _line(self, reason: Reason) -> str:
        wording = self.wordings[reason.site]
        where = ", ".join(
            f"{name} = {show(value, wording.variables.get(name))}"
            for name, value in reason.bindings
        )
        prefix = f"for {where}: " if where else ""
        return prefix + self._said(wording, reason)

    def _said(self, wording: Wording, reason: Reason) -> str:
        match wording.form:
            case LetWording(name=name):
                return f"{name} {_verb(reason.value)}"
            case QuantifierWording() as quantifier:
                return self._quantifier(quantifier, reason)
            case FormWording() as form:
                return self._temporal(form, reason)
            case LeafWording() as leaf:
                return self._leaf(leaf, reason)

    def _leaf(self, leaf: LeafWording, reason: Reason) -> str:
        change = None if leaf.change is None else self._change(leaf.change)
        if change is not None:
            return change
        bound = dict(reason.bindings)
        reads = list(dict.fromkeys(self._mentions(leaf.reads, bound)))
        if leaf.bare and reads:
            return ", ".join(reads)
        if leaf.computed is not None and not isinstance(reason.value, Unknown):
            return self._computed(leaf.computed, leaf.distance, reason, bound)
        verdict = f"{leaf.text} {_verb(reason.value)}{_distance(leaf.distance, reason)}"
        if (
            isinstance(reason.value, Unknown)
            and reason.value.words
            and not _told(reads, reason.value)
        ):
            verdict += f" ({reason.value.words})"
        return f"{', '.join(reads)}: {verdict}" if reads else verdict

    def _computed(
        self, computed: Computed, distance: Distance | None, reason: Reason, bound: dict[str, Any]
    ) -> str:
        """`count(…) is 1: >= 2 does not hold`: a computed left side, with its value."""
        value = show(reason.operands[0], computed.type)
        said = [f"{computed.left} is {value}", *self._mentions(computed.reads, bound)]
        verdict = f"{computed.test} {_verb(reason.value)}{_distance(distance, reason)}"
        counted = ""
        if computed.counted is not None and not reason.value:
            counted = self._counted(computed.counted, reason.operands[0])
        return f"{', '.join(said)}: {verdict}{counted}"

    def _counted(self, counted: Counted, count: Any) -> str:
        """` (counted …)`: the first of the elements that a count found. What fails has to be named
        to be mended."""
        if not count:
            return ""
        if counted.found is None:
            reads = ", ".join(self._mentions(counted.reads, {}))
            return f" ({reads})" if reads else ""
        because = counted.found.explain(self.facts).because
        found = dict.fromkeys(dict(reason.bindings).get(counted.var, _ABSENT) for reason in because)
        shown = [show(element, counted.type) for element in found if element is not _ABSENT]
        return f" (counted {', '.join(shown)}{_more(count, len(shown))})"

    # --- what was read

    def _mentions(self, mentions: Iterable[Mention], bound: dict[str, Any]) -> Iterator[str]:
        """`coverage.line is 83.2%` for each."""
        for mention in mentions:
            match mention:
                case FactMention(key=key, type=type):
                    yield self._fact(key, type)
                case KnownMention(name=name, key=key):
                    yield f"{name} is {'known' if self.facts.get(key) else 'unknown'}"
                case ElementMention():
                    value = self._element(mention.route, bound)
                    if value is _ABSENT:
                        yield from self._mentions(mention.otherwise, bound)
                    else:
                        yield f"{mention.text} is {show(value, mention.type)}"

    def _fact(self, key: str, type: Type | None) -> str:
        value = read(self.facts, key)
        if isinstance(value, Unknown):
            words = f": {value.words}" if value.words else ""
            return f"{key} is unknown ({value.reason}{words})"
        return f"{key} is {show(value, type)}"

    def _element(self, route: Route, bound: dict[str, Any]) -> Any:
        match route:
            case ("variable", name):
                return bound.get(name, _ABSENT)
            case ("text", text):
                return text
            case ("fact", key):
                value = read(self.facts, key)
                return _ABSENT if isinstance(value, Unknown) else value
            case ("field", of, place):
                record = self._element(of, bound)
                return record[place] if isinstance(record, tuple) else _ABSENT
            case ("entry", of, key):
                mapping, name = self._element(of, bound), self._element(key, bound)
                return mapping.get(name, _ABSENT) if isinstance(mapping, Map) else _ABSENT
        return _ABSENT

    # --- forms

    def _quantifier(self, wording: QuantifierWording, reason: Reason) -> str:
        if isinstance(reason.operands[0], Unknown):
            return ", ".join(self._mentions(wording.reads, {}))
        domain, count, hits = reason.operands
        over, body = wording.over, wording.body
        if count == 0 and wording.where is not None and domain:
            return f"{over} has none where {wording.where}"
        if count == 0:
            return f"{over} is empty"
        matching = f" where {wording.where}" if wording.where is not None else ""
        if hits:
            if wording.op in ("any", "none"):
                return f"{hits} of {count} in {over}{matching}: {body}"
            return f"{hits} of {count} in {over}{matching} fail {body}"
        if isinstance(reason.value, Unknown):
            words = f": {reason.value.words}" if reason.value.words else ""
            return f"{over}{matching} is undecided ({reason.value.reason}{words})"
        held = "none" if wording.op in ("any", "none") else "all"
        return f"{held} of {count} in {over}{matching}: {body}"

    def _temporal(self, wording: FormWording, reason: Reason) -> str:
        key = wording.key
        text = f"{wording.text} {_verb(reason.value)}"
        words = self.progress.get(key, "")
        if isinstance(reason.value, Unknown):
            words = reason.value.words or words
        if words:
            text += f" ({words})"
        if reason.value is not True and key in self.inner:
            now = explain(self.inner[key], self.facts, self.inner, self.progress)
            text += f"; now: {now}"
        return text

    def _change(self, change: Change) -> str | None:
        """`x >= x at start - 0.5%`: how far x moved, and how far it may."""
        then, now = read(self.facts, change.base), read(self.facts, change.key)
        if any(isinstance(value, Unknown) or value is None for value in (then, now)):
            return None
        moved, type = _gap(now, then), change.type
        if isinstance(moved, Unknown):
            return None
        direction = "lower" if now < then else "higher"
        moves = f"{_difference(moved, type)} {direction}" if moved else "no change"
        tail = ""
        if change.allowed is not None:
            tail = f", {_difference(change.allowed, type).removesuffix(' points')} allowed"
        was = f"{change.said} {show(then, type)}"
        return f"{change.key} is {show(now, type)}, {was}: {moves}{tail}"


def _distance(distance: Distance | None, reason: Reason) -> str:
    """How far a comparison that failed is from holding."""
    if distance is None or reason.value is not False:
        return ""
    left, right = reason.operands
    if left is None or right is None:
        return ""
    gap = _gap(right, left)
    if isinstance(gap, Unknown):
        return ""
    return f", {_difference(gap, distance.type)} {distance.side}" if gap else ", it is equal"


def _gap(one: Any, other: Any) -> Any:
    """How far apart two values are, in the arithmetic of the language."""
    if isinstance(one, int) and isinstance(other, int):
        return abs(one - other)
    return apply(absolute, apply(subtract, one, other))


def _told(reads: list[str], unknown: Unknown) -> bool:
    return any(unknown.words in read for read in reads)


def _verb(value: Any) -> str:
    if isinstance(value, Unknown):
        return "is unknown"
    return "holds" if value else "does not hold"


def _difference(value: Any, type: Type) -> str:
    if type.kind == "percent":
        return f"{_cut(write_percent(value)).removesuffix('%')} points"
    return show(value, type)


def show(value: Any, type: Type | None) -> str:
    """A value as the language writes it, cut to a short line; hostile characters are escaped."""
    if isinstance(value, Unknown):
        return f"unknown ({value.reason})"
    if value is None:
        return "null"
    match type.of if isinstance(type, OptionalType) else type:
        case ListType(of=of) | SetType(of=of):
            items = list(ordered(value))
            return _several([show(item, of) for item in items[: MAX_SHOWN + 1]], len(items), "[]")
        case MapType(of=of):
            entries = [f"{_quoted(key)}: {show(item, of)}" for key, item in list(value.items())[:6]]
            return _several(entries, len(value), "{}")
        case RecordType(fields=fields):
            entries = [
                f"{field.name}: {show(item, field.type)}"
                for field, item in zip(fields, value, strict=True)
            ]
            return _several(entries, len(entries), "{}")
        case MoneyType(currency=currency):
            return write_money(value, currency)
        case OptionalType() | EnumType() | None:
            return _quoted(value) if isinstance(value, str) else str(value)
        case scalar:
            return _show_scalar(value, scalar.kind)


def _show_scalar(value: Any, kind: str) -> str:
    match kind:
        case "bool":
            return "true" if value else "false"
        case "int" | "number":
            return _cut(write_number(value))
        case "percent":
            return _cut(write_percent(Decimal(value)))
        case "duration":
            return spell_duration(value)
        case "size":
            return write_size(value)
        case "time":
            return write_time(value)
        case "date":
            return write_date(value)
        case "version":
            return write_version(value)
        case _:
            return _quoted(value)


def _cut(number: str) -> str:
    """What a division left behind the point, in six digits that say something: `33.333333…%`."""
    return _LONG_FRACTION.sub(r"\1…", number)


def _quoted(value: str) -> str:
    cut = value if len(value) <= 60 else value[:57] + "…"
    return printable(write_string(cut))


def _several(items: list[str], count: int, brackets: str) -> str:
    shown = items[:MAX_SHOWN]
    return f"{brackets[0]}{', '.join(shown)}{_more(count, len(shown))}{brackets[1]}"


def _more(count: int, shown: int) -> str:
    return f", and {count - shown} more" if count > shown else ""
