"""The changes of the goal itself: what each part said, what it says, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...compiler.ir.document import Condition, Constraint, Criterion, Fact, Stop
from ...compiler.ir.text import write_fact
from ..record.reading import read_as
from .contract import clauses_of
from .moments import Moment, field_of
from .texts import Text, one_line_json, said

_CONDITIONS: Mapping[str, type[Condition]] = {
    "criterion": Criterion, "constraint": Constraint, "stop": Stop,
}  # fmt: skip
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
        before, after = field_of(one, "before"), field_of(one, "after")
        yield Changed(name, _text(_written(part, before)), _text(_written(part, after)))


def _written(part: str, value: Any) -> Any:
    """A part of the contract in the language's own words, as far as it has lines of its own there;
    else its JSON."""
    if value is None:
        return None
    if part in _CONDITIONS:
        condition: Condition = read_as(_CONDITIONS[part], value, part)
        mode = getattr(condition, "mode", "gating")
        said = [condition.text, *clauses_of(condition)]
        return "\n".join(said if mode == "gating" else [mode, *said])
    if part == "facts":
        facts: tuple[Fact, ...] = read_as(tuple[Fact, ...], value, part)
        return "\n".join(map(write_fact, facts))
    if isinstance(value, dict):
        return "\n".join(f"{name} {_spelled(words)}" for name, words in value.items())
    return value


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else one_line_json(value)


def _retargeted(details: Mapping[str, Any]) -> Iterator[Changed]:
    yield Changed(
        "objective", _text(details.get("previous_objective")), _text(details.get("objective"))
    )
    for one in details.get("retired") or ():
        yield Changed(f"criterion {field_of(one, 'id')}", _text(field_of(one, "description")), None)


def _text(value: Any) -> Text | None:
    return None if value is None else said(value, MAX_VALUE)
