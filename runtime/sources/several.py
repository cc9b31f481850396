"""Several sources as one: what one of them says is so, and what two say in two ways is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..conversion import shown
from ..facts import UNKNOWN_KEY, is_mapping
from .answers import without_value

if TYPE_CHECKING:
    from ..driving.ports import FactSource


@dataclass(frozen=True, slots=True)
class SeveralFacts:
    """What all *sources* answer, one after the other: a command may write what the next one
    reads."""

    sources: Sequence[FactSource]

    async def __call__(self) -> Mapping[str, Any]:
        return joined([await source() for source in self.sources])


def joined(answers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The answers as one, each flat. That a source does not say a fact counts for nothing beside
    one that does; of two that say it, a failure is stronger than a value, and two values that are
    not the same are none."""
    found: dict[str, Any] = {}
    for answer in answers:
        for name, said in answer.items():
            found[name] = _both(found[name], said) if name in found else said
    return found


def _both(one: Any, other: Any) -> Any:
    reasons = [_reason(one), _reason(other)]
    if reasons[0] == "missing" or one == other:
        return other
    if reasons[1] == "missing" or reasons[0] is not None:
        return one
    if reasons[1] is not None:
        return other
    return without_value("invalid", f"two sources say {shown(one)} and {shown(other)}")


def _reason(said: Any) -> Any:
    return said.get(UNKNOWN_KEY) if is_mapping(said) else None
