"""Where each value of a compiled goal comes from: a place in a file, a preset, or a default."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .terminal import visible

if TYPE_CHECKING:
    from ..compiler.ir import Condition, Document, Expr, Goal
    from ..compiler.ir.document import Place

_DEFAULT = "default"


@dataclass(frozen=True)
class Value:
    """A value of a goal: its path in the goal's JSON, with ids of parts and names of facts; its
    text, predicates and facts in the language; and where it is said, unless it is a default."""

    path: str
    text: str
    place: Place | None


def values(document: Document, goal: Goal) -> Iterator[Value]:
    """The values of *goal*, one of the document's, in their order there."""
    from ..compiler.ir.text import write_fact

    places = document.source.places
    for path, text in _own(goal):
        yield Value(path, text, places.get(f"{goal.id}.{path}"))
    for kind in ("criteria", "constraints", "stops"):
        for condition in getattr(goal, kind):
            part = f"{goal.id}/{condition.id}"
            for name, text in _said(condition):
                key = part if name == "text" else f"{part}.{name}"
                yield Value(f"{kind}.{condition.id}.{name}", text, places.get(key))
    for fact in goal.facts:
        yield Value(f"facts.{fact.name}", write_fact(fact), document.source.facts[fact.name])


def _own(goal: Goal) -> Iterator[tuple[str, str]]:
    """What the goal says beside its conditions and facts."""
    yield "edition", str(goal.edition)
    yield "objective", goal.objective
    for name in ("budget", "advisory_budget", "pins", "judge"):
        block = getattr(goal, name)
        for key in block.field_names if block is not None else ():
            for path, text in _setting(key, getattr(block, key)):
                yield f"{name}.{path}", text
    for number, pin in enumerate(goal.pinned):
        yield f"pinned.{number}", f"{pin.pin}: {pin.content}"
    for number, protect in enumerate(goal.protect):
        new = f" allow new {', '.join(protect.allow_new)}" if protect.allow_new else ""
        yield f"protect.{number}", ", ".join(protect.globs) + new


def _setting(key: str, value: Any) -> Iterator[tuple[str, str]]:
    from ..compiler.ir.document import Quorum

    match value:
        case None | ():
            return
        case dict():
            yield from ((f"{key}.{name}", text) for name, text in value.items())
        case Quorum(needed=needed, of=of):
            yield key, f"{needed} of {of}"
        case tuple():
            yield key, ", ".join(value)
        case _:
            yield key, str(value)


def _said(condition: Condition) -> Iterator[tuple[str, str]]:
    yield "text", condition.text
    if hasattr(condition, "mode"):
        yield "mode", condition.mode
    for name in ("when", "given", "check"):
        expr = getattr(condition, name)
        if expr is not None:
            yield name, _predicate(expr)


def _predicate(expr: Expr) -> str:
    from ..compiler.ir.text import lets_of, write_expression

    lets = (f"{name} = {write_expression(of)}" for name, of in lets_of(expr).items())
    return ", where ".join([write_expression(expr), *lets])


def table(document: Document, *, color: bool) -> str:
    """For each goal its values, one a line, with where it comes from before it."""
    lines: list[str] = []
    for goal in document.goals:
        found = list(values(document, goal))
        origins = [_origin(value) for value in found]
        paths = max(len(value.path) for value in found)
        width = max(map(len, origins))
        lines += ["", _bold(f"{goal.id}  {goal.contract}", color)]
        for value, origin in zip(found, origins, strict=True):
            lines.append(f"  {value.path:<{paths}}  {origin:<{width}}  {visible(value.text)}")
    return "\n".join(lines[1:]) + "\n"


def _origin(value: Value) -> str:
    place = value.place
    if place is None:
        return _DEFAULT
    preset = f" ({place.preset})" if place.preset is not None else ""
    return visible(f"{place.file}:{place.line}{preset}")


def described(document: Document) -> list[dict[str, Any]]:
    """The same for a machine: a value whose place is null is a default."""
    return [
        {
            "goal": goal.id,
            "contract": goal.contract,
            "values": [_value(value) for value in values(document, goal)],
        }
        for goal in document.goals
    ]


def _value(value: Value) -> dict[str, Any]:
    place = value.place
    return {
        "path": value.path,
        "value": value.text,
        "place": place and {"file": place.file, "line": place.line, "column": place.column},
        "preset": place and place.preset,
    }


def _bold(text: str, color: bool) -> str:
    return click.style(text, bold=True) if color else text
