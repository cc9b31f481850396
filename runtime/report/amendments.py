"""The changes of the goal itself: what each part said, what it says, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .moments import Moment, field_of
from .texts import Text, said

MAX_VALUE = 4_000  # characters of a part, of a measurement


@dataclass(frozen=True, slots=True)
class Changed:
    """A part of the contract: *before* is None where it is new, *after* where it is gone."""

    part: str
    before: Text | None
    after: Text | None


@dataclass(frozen=True, slots=True)
class Amendment:
    """*contract* is the hash from then on."""

    entry: int
    at: str
    actor: str
    kind: str
    reason: Text | None
    measurement: Text | None
    changed: tuple[Changed, ...]
    contract: str | None


def amendments_of(moments: Iterable[Moment]) -> tuple[Amendment, ...]:
    return tuple(
        _amendment(moment) for moment in moments if moment.event.kind in ("amended", "retargeted")
    )


def _amendment(moment: Moment) -> Amendment:
    event = moment.event
    details = event.details
    changed = _retargeted(details) if event.kind == "retargeted" else _amended(details)
    reason = details.get("reason", details.get("control_id"))
    return Amendment(
        entry=moment.number,
        at=event.at,
        actor=event.actor,
        kind=event.kind,
        reason=_text(reason),
        measurement=_text(details.get("measurement")),
        changed=tuple(changed),
        contract=field_of(event.changes, "goal", "contract"),
    )


def _amended(details: Mapping[str, Any]) -> Iterator[Changed]:
    for one in details.get("changed") or ():
        id = field_of(one, "id")
        part = str(field_of(one, "part")).replace("_", " ")
        name = part if id is None else f"{part} {id}"
        yield Changed(name, _text(field_of(one, "before")), _text(field_of(one, "after")))


def _retargeted(details: Mapping[str, Any]) -> Iterator[Changed]:
    yield Changed(
        "objective", _text(details.get("previous_objective")), _text(details.get("objective"))
    )
    for one in details.get("retired") or ():
        yield Changed(f"criterion {field_of(one, 'id')}", _text(field_of(one, "description")), None)


def _text(value: Any) -> Text | None:
    return None if value is None else said(value, MAX_VALUE)
