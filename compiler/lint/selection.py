"""Which codes a run looks for: by id, by name, by the beginning of an id, or `ALL`."""

from __future__ import annotations

from collections.abc import Iterable

from ...grammar.diagnostics import nearest
from .catalogue import BY_ID, BY_NAME, CODES
from .config import UnknownCode

# What a run may leave out.
SELECTABLE = frozenset(code.id for code in CODES if code.can_be_silenced)
_NAMES = frozenset(code.name for code in CODES if code.can_be_silenced)


def select(chosen: Iterable[str] | None, ignored: Iterable[str]) -> frozenset[str]:
    """The ids of the codes that *chosen* names (all, where it is None) without *ignored*.

    Raises UnknownCode.
    """
    wanted = SELECTABLE if chosen is None else _named(chosen)
    return wanted - _named(ignored)


def _named(words: Iterable[str]) -> frozenset[str]:
    return frozenset(id for word in words for id in _one(word.strip()))


def _one(word: str) -> frozenset[str]:
    if word.upper() == "ALL":
        return SELECTABLE
    code = BY_ID.get(word.upper()) or BY_NAME.get(word.lower())
    if code is not None:
        if code.id not in SELECTABLE:
            raise UnknownCode(f"{code.id} is an error of the language and is always told")
        return frozenset([code.id])
    found = frozenset(id for id in SELECTABLE if len(word) > 2 and id.startswith(word.upper()))
    if not found:
        near = nearest(word.upper(), SELECTABLE) or nearest(word.lower(), _NAMES)
        hint = f"did you mean {near}?" if near else "`goalspec explain` lists them"
        raise UnknownCode(f"there is no code `{word}`; {hint}")
    return found
