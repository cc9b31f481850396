"""What of a goal must outlive every compaction of a conversation, in the four forms that hosts
take.

`pins` are the values: the goal's own, one for each constraint, and those that the file names. `id`
follows from the content and `dedupe_key` from the place, so compiling again gives the same pins,
and a host that keeps the newest pin of each key replaces what was changed. Each goal has keys of
its own: two goals in one conversation do not push each other out. `role_hint` is the lane, and
`meta.goal` of the goal's pin is the goal as hosts keep it. Paths in artifact references are brought
to one form.

`reminders` carry the pins through any way of compacting, one for each pin, to be injected again
after it. Every body stands in the fence. One that is evidence is cut to `max_body` characters of
content, with a mark that says so; one that binds is never cut, and where it is longer there is no
artifact.

`compaction_policy` is for whoever summarizes: a directive for each pin. Join its lists with those
of a policy that is there already; it ensures nothing by itself. `roots` are for a garbage
collection of tool results, each with its kind: what still mentions one is kept. Only artifact
references are roots, prose is none; `src/auth/` is a directory, and all below it counts.

Without a `pins` block the goal and its constraints are pinned. `max_body` and `register_kinds`, the
kinds that the file adds, each with its lane, are those of the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.document import Goal
from ..json_text import json_text
from ..paths import PathError
from ..pinning import (
    MAX_BODY,
    Pin,
    compaction_policy,
    goal_pins,
    reachability_roots,
    reminder,
)
from .target import Artifact, Refusal, Request, Target, stamp


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        made = {"goalspec": stamp(goal, "pins"), **pinned(goal)}
        yield Artifact(f"{goal.id}.pins.json", json_text(made))


def pinned(goal: Goal) -> dict[str, Any]:
    """The pins of *goal* and what is made of them. Raises Refusal."""
    limit = MAX_BODY if goal.pins is None or goal.pins.max_body is None else goal.pins.max_body
    pins = _pins(goal, limit)
    return {
        "max_body": limit,
        "register_kinds": {} if goal.pins is None else dict(goal.pins.lanes),
        "pins": [pin.to_json() for pin in pins],
        "reminders": [reminder(pin, limit) for pin in pins],
        "compaction_policy": compaction_policy(pins),
        "roots": [root.to_json() for root in reachability_roots(pins)],
    }


def _pins(goal: Goal, limit: int) -> tuple[Pin, ...]:
    try:
        pins = goal_pins(goal)
    except PathError as error:
        raise Refusal(
            f"the goal {goal.id} pins an artifact_ref that is no path of the project: "
            f"{error.message}; write the path from the project's root"
        ) from None
    for pin in pins:
        if pin.kind == "constraint" and len(pin.content) > limit:
            raise Refusal(
                f"the goal {goal.id} pins its constraint {pin.meta.get('part', pin.id)}, which has "
                f"{len(pin.content)} characters, and max_body is {limit}: a pin that binds is "
                "never cut, so shorten it or raise max_body"
            )
    return pins


TARGET = Target(
    name="pins",
    summary="What outlives a compaction: pins, reminders, a compaction policy, typed roots.",
    writes=("GOAL.pins.json",),
    artifacts=_artifacts,
)
