"""What of a goal another one takes away. Nothing is understood here: whatever is neither the same
nor added counts as weaker, and what could end the work sooner is never merely added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...compiler.ir.canonical import plain
from ...compiler.ir.document import Condition, Goal

# What must stay as it is. A limit that is lower, a judge where none was, or one more `stop` would
# end the work sooner; a pin's policy that is new takes the place of the default one.
_FIXED = ("edition", "budget", "advisory_budget", "pins", "judge")


def weakenings(old: Goal, new: Goal) -> tuple[str, ...]:
    """Each thing that *new* drops or changes of *old*, in words; empty where it only adds."""
    return tuple(_weakenings(old, new))


def _weakenings(old: Goal, new: Goal) -> Iterator[str]:
    if old.objective != new.objective:
        yield "the objective was changed"
    yield from _conditions("criterion", old.criteria, new.criteria)
    yield from _conditions("constraint", old.constraints, new.constraints)
    yield from _conditions("stop", old.stops, new.stops)
    criteria = {criterion.id for criterion in old.criteria}
    for criterion in new.criteria:
        if criterion.id not in criteria and criterion.mode == "awaited":
            yield f"the awaited criterion `{criterion.id}` was added, on which the work could wait"
    known = {stop.id for stop in old.stops}
    for stop in new.stops:
        if stop.id not in known:
            yield f"the stop `{stop.id}` was added, which could end the work"
    yield from _facts(old, new)
    for name in _FIXED:
        if getattr(old, name) != getattr(new, name):
            yield f"the {name.replace('_', ' ')} was changed: {_change(old, new, name)}"
    if not _holds(new.pinned, old.pinned):
        yield "a pinned text was changed or dropped"
    if not _holds(new.protect, old.protect):
        yield "a protection of files was changed or dropped"
    if any(entry.allow_new for entry in new.protect if entry not in old.protect):
        yield "a protection was added that allows new files"


def _conditions(kind: str, old: Sequence[Condition], new: Sequence[Condition]) -> Iterator[str]:
    now = {condition.id: condition for condition in new}
    for condition in old:
        if condition.id not in now:
            yield f"the {kind} `{condition.id}` was dropped"
        elif now[condition.id] != condition:
            fields = " and ".join(_differing(condition, now[condition.id]))
            yield f"the {fields} of the {kind} `{condition.id}` was changed"


def _facts(old: Goal, new: Goal) -> Iterator[str]:
    now = {fact.name: fact for fact in new.facts}
    for fact in old.facts:
        if fact.name not in now:
            yield f"the fact `{fact.name}` was dropped"
            continue
        differing = _differing(fact, now[fact.name])
        fields = [name for name in differing if name != "description"]
        if fields:
            yield f"the {' and '.join(fields)} of the fact `{fact.name}` was changed"


def _differing(old: Any, new: Any) -> list[str]:
    return [name for name in old.field_names if getattr(old, name) != getattr(new, name)]


def _change(old: Goal, new: Goal, name: str) -> str:
    before, after = getattr(old, name), getattr(new, name)
    if before is None or after is None or not hasattr(before, "field_names"):
        return "there was none" if before is None else "it was dropped" if after is None else (
            f"{before} became {after}"
        )  # fmt: skip
    return ", ".join(
        f"{field} {_said(getattr(before, field))} became {_said(getattr(after, field))}"
        for field in _differing(before, after)
    )


def _said(value: Any) -> str:
    return "none" if value is None else str(plain(value))


def _holds(now: Sequence[Any], before: Iterable[Any]) -> bool:
    return all(entry in now for entry in before)


def amended_parts(old: Goal, new: Goal) -> list[dict[str, Any]]:
    """What an amendment changed, each part as it was and as it is, for the journal: a criterion, a
    constraint or a stop by its id, and the rest of the contract by its name."""
    changed: list[dict[str, Any]] = []
    kinds = (("criterion", "criteria"), ("constraint", "constraints"), ("stop", "stops"))
    for kind, name in kinds:
        before = {condition.id: plain(condition) for condition in getattr(old, name)}
        after = {condition.id: plain(condition) for condition in getattr(new, name)}
        changed += (
            {"part": kind, "id": id, "before": before.get(id), "after": after.get(id)}
            for id in {**before, **after}
            if before.get(id) != after.get(id)
        )
    rest = ("edition", "objective", "facts", "budget", "advisory_budget", "pins", "pinned", "judge",
            "protect")  # fmt: skip
    for name in rest:
        before_rest, after_rest = plain(getattr(old, name)), plain(getattr(new, name))
        if before_rest != after_rest:
            changed.append({"part": name, "before": before_rest, "after": after_rest})
    return changed
