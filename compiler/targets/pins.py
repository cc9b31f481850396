"""What of a goal must outlive every compaction, in the forms that hosts have for it.

`pins` are the values themselves: the goal's own pin, one for each constraint, and each `pin` that
the goal states, as its `pins { … }` says; without that block the goal and its constraints are
pinned. An id follows from a pin's content, and of two pins with one `dedupe_key` the newer takes
the older one's place: compile again, inject again, and nothing is there twice. The goal's own pin
has the key `pin/goal`, since a session has one goal; a constraint's key has the goal's id and its
own. `meta.goal` is the goal as typed JSON.

`register_kinds` are the kinds that the goal adds to those that hosts have, each with its lane.

`reminders`, in the order of the pins, is the path that survives by construction: inject each, and a
compaction that keeps reminders keeps it word for word. Bodies are fenced and escaped. What binds
(`goal`, `constraint`, `no_compact`) is never cut: one longer than `max_body` is an error here.
Evidence is cut to it, with a mark that says so. `compaction_policy` is for a host that hands its
summarizer instructions, and guarantees nothing by itself.

`roots` are things, never prose, by which a host can ask what is still reachable: the
`artifact_refs`, the protected files, and the paths and globs of the goal's predicates, each with
its kind (`path`, `directory`, `glob`, `symbol`, `hash`, `issue`) and in one spelling: without `./`,
without a line number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.document import Goal
from ..json_text import json_text
from ..pinning import (
    Pin,
    PinError,
    Root,
    compaction_policy,
    goal_pins,
    goal_roots,
    max_body_of,
    pin_roots,
    reminder,
)
from .target import Artifact, Refusal, Request, Target, stamp


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        yield Artifact(f"{goal.id}.pins.json", json_text(_pins_file(goal)))


def _pins_file(goal: Goal) -> dict[str, Any]:
    return {"goalspec": stamp(goal, "pins"), **pins_value(goal)}


def pins_value(goal: Goal) -> dict[str, Any]:
    """The pins of a goal and what they lower to, as JSON. Raises Refusal."""
    try:
        pins = goal_pins(goal)
        reminders = [_reminder(pin, max_body_of(goal)) for pin in pins]
    except PinError as error:
        raise Refusal(f"the goal `{goal.id}`: {error}") from None
    roots = dict.fromkeys((*pin_roots(pins), *goal_roots(goal)))
    return {
        "register_kinds": {} if goal.pins is None else dict(goal.pins.lanes),
        "pins": [_pin(pin) for pin in pins],
        "reminders": reminders,
        "compaction_policy": compaction_policy(pins),
        "roots": [_root(root) for root in roots],
    }


def _reminder(pin: Pin, max_body: int) -> dict[str, Any]:
    """Evidence is cut to *max_body*; what binds is measured by its content, and never cut."""
    return reminder(pin, max_body=None if pin.binds else max_body)


def _pin(pin: Pin) -> dict[str, Any]:
    return {
        "id": pin.id,
        "kind": pin.kind,
        "content": pin.content,
        "dedupe_key": pin.dedupe_key,
        "role_hint": pin.role_hint,
        "meta": dict(pin.meta),
    }


def _root(root: Root) -> dict[str, str]:
    return {"kind": root.kind, "text": root.text}


TARGET = Target(
    name="pins",
    summary="What must outlive a compaction: pins, reminders, a policy, and roots.",
    writes=("GOAL.pins.json",),
    artifacts=_artifacts,
)
