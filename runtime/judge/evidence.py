"""What a judge is shown of the run: evidence items, bounded, and spelled so that no item can pass
for another or end the fence.

Every line of an item begins with a mark that no line of the structure has. Where an item is cut,
its beginning and its end stay, and a line between them says how much is missing; where there are
too many, the middle ones are left out and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from ...compiler.rendering.escaping import CONTINUED, escaped

Provenance: TypeAlias = Literal["fact", "tool", "user", "assistant"]

SHOWING: frozenset[Provenance] = frozenset(("fact", "tool"))
"""What can show something: what a person or the worker wrote is a claim."""

MAX_BYTES = 256 * 1024  # of all items and the claim in one call, as they are spelled
MAX_ITEMS = 512
CHECKS = "checks"  # the id of the item that holds what the machine decided

_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.:/-]{0,126}[A-Za-z0-9])?")
_FIRST_WORD = re.compile(r"\A\S{1,64}(?=\s)")
_LAST_WORD = re.compile(r"(?<=\s)\S{1,64}\Z")
_NOTE = "  ~ "  # begins a line that says what is missing; no line of an item begins so
_NOTE_BYTES = 64  # at most, of such a line


class BadRequest(ValueError):
    """A request that a judge cannot be asked."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One item: *text* as it was measured, printed or written, under an id of its own."""

    id: str
    provenance: Provenance
    text: str

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise BadRequest(
                f"evidence: the id {self.id!r} is none: it has letters, digits and "
                "`_.:/-`, at most 128 of them, with a letter or a digit at each end"
            )
        if self.provenance not in get_args(Provenance):
            known = ", ".join(get_args(Provenance))
            raise BadRequest(
                f"evidence {self.id}: the provenance `{self.provenance}` is none: there are {known}"
            )
        if not isinstance(self.text, str):
            raise BadRequest(f"evidence {self.id}: it is a text, not {type(self.text).__name__}")


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as the judge sees it: its pieces, two where it is cut, and how it is spelled."""

    pieces: tuple[str, ...]
    lines: str


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """What stands in one call: the items that are there, by their ids, and the two texts."""

    items: dict[str, tuple[Evidence, Shown]]
    evidence: str
    claim: str


def shown_evidence(
    items: Sequence[Evidence], claim: str, max_bytes: int = MAX_BYTES
) -> ShownEvidence:
    """*items* and *claim* within *max_bytes*: long texts share what short ones leave."""
    kept, dropped = _kept(items)
    heads = [f"[{item.id} | {item.provenance}]\n" for item in kept]
    texts = [*(item.text for item in kept), claim]
    room = max_bytes - sum(map(len, heads)) - len(texts) * (_NOTE_BYTES + 2) - _NOTE_BYTES
    shares = _shares(_sizes(texts, room), room)
    shown = [_cut(text, share) for text, share in zip(texts, shares, strict=True)]
    lines = [head + one.lines for head, one in zip(heads, shown, strict=False)]
    if dropped:
        lines.insert(len(kept) // 2, f"{_NOTE}{dropped:,} items are left out here")
    return ShownEvidence(
        {item.id: (item, one) for item, one in zip(kept, shown, strict=False)},
        "\n".join(lines) or f"{_NOTE}there is none",
        shown[-1].lines if claim.strip() else f"{_NOTE}it says nothing",
    )


def _kept(items: Sequence[Evidence]) -> tuple[list[Evidence], int]:
    dropped = max(0, len(items) - MAX_ITEMS)
    half = MAX_ITEMS // 2
    return [*items[:half], *items[half + dropped :]], dropped


def _sizes(texts: Sequence[str], room: int) -> list[int]:
    """The bytes of each as it is spelled. A character takes a byte or more: where that alone is
    beyond any share, a text is not spelled to be measured, since evidence may be very long."""
    lengths = [len(text) for text in texts]
    most = max(_shares(lengths, room))
    return [
        length if length > most else _bytes(text)
        for text, length in zip(texts, lengths, strict=True)
    ]


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """Room for each: all that it needs, or an equal part of what those that need less leave."""
    shares = [0] * len(sizes)
    left = room
    for place, at in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[at] = min(sizes[at], max(0, left) // (len(sizes) - place))
        left -= shares[at]
    return shares


def _spelled(text: str) -> str:
    return f"{CONTINUED}{escaped(text)}"


def _bytes(text: str) -> int:
    return len(_spelled(text).encode())


def _cut(text: str, room: int) -> Shown:
    if len(text) <= room and _bytes(text) <= room:
        return Shown((text,), _spelled(text))
    half = max(0, room) // 2
    # Without what may be half a word: half of a number is another number.
    head = _LAST_WORD.sub("", _longest(text, half, from_end=False))
    tail = _FIRST_WORD.sub("", _longest(text, half, from_end=True))
    note = f"{_NOTE}{len(text) - len(head) - len(tail):,} characters are cut here"
    lines = (_spelled(head) if head else "", note, _spelled(tail) if tail else "")
    return Shown((head, tail), "\n".join(filter(None, lines)))


def _longest(text: str, room: int, from_end: bool) -> str:
    """The longest beginning, or end, of *text* that is found to fit; a character takes a byte or
    more, so that a long text need not be spelled as a whole."""
    fits, most = 0, min(len(text), room)
    while fits < most:
        middle = (fits + most + 1) // 2
        if _bytes(_part(text, middle, from_end)) <= room:
            fits = middle
        else:
            most = middle - 1
    return _part(text, fits, from_end)


def _part(text: str, length: int, from_end: bool) -> str:
    return text[len(text) - length :] if from_end else text[:length]


def check_ids(items: Iterable[Evidence]) -> None:
    """Raises BadRequest where two items have one id, or one has that of the machine's item."""
    taken = {CHECKS}
    for item in items:
        if item.id in taken:
            raise BadRequest(f"evidence: the id {item.id} is there twice")
        taken.add(item.id)
