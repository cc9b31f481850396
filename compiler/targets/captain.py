"""A preset pack for a captain, an agent that looks after one thing of a team's for hours: what its
host needs to run it by this goal, as JSON and the same as TOML.

`goal` is the goal as hosts keep it, and `metadata` what stands beside it in a session's record:
`acceptance_note`, the place in the goal file of each criterion (`criterion_sources`), the command
that verifies the goal, and the goal's own place. Nothing of it goes into a prompt. Both together
must fit into a record of 64 KiB, in UTF-8.

`preset` is the row to register: a preset of the captains' family under the goal's id, so that no
built-in captain is replaced. Its pin policy stands there only if the goal says something of pins,
and like every value of a pack it yields to an explicit option of the caller's.

`options` go to the loop after the preset is merged, since a preset may set some of them to nothing.
They hold the goal's prompt fragment, to be added to those that are there; a sentinel, with a policy
for turns that allows it; and the limits: `max_iterations` counts turns, `max_verify_attempts`
counts claims to be done. `host_limits` are those that a loop has no option for. `judge.seams` has
the judge's options under the name that each generation of loops has for them: take the one that
yours knows, in the same step as `options`. `judge.on_error` says what follows when it fails;
nothing accepts on an error. Without a `judge` block there is none.

`verify_completion` says how a claim is gated. Run `command` with the facts on standard input, or
one of `modules` (from the targets `python` and `javascript`). The claim passes, on to the judge
where there is one, if each of `gates` is among the verdict's `met`, `held` and `waived`; if one of
`stops` has come about, the run ends unverified; otherwise the answer is `feedback.before`, the
lines of the open parts, and `feedback.after`. If only parts of `awaited` are open, others have to
act, and the run waits.

`context` has what the target [pins](pins.md) gives. Inject its reminders again after each
compaction: they hold for every way of compacting. The policy, to be joined with the captain's own,
holds only where something summarizes.

What is not there is left out, since TOML has no null. What a captain's loop cannot express is
refused with its reason: a cost in another currency than USD, a runtime that is no whole number of
milliseconds, a goal called like a built-in preset, parts for a judge without a judge."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from ..hidden import INVISIBLE
from ..host_spec import spec_of
from ..ir.canonical import canonical
from ..ir.document import Document, Goal, Place
from ..json_text import json_text
from ..judging import judged, loop_judges
from ..loop_options import (
    DONE_SENTINEL,
    MAX_ATTEMPTS,
    TURN_POLICY,
    Inexpressible,
    gates,
    loop_limits,
    prompt_fragment,
    uncounted_limits,
)
from ..pinning import BUILT_IN_LANES
from .pins import pinned
from .target import Artifact, Refusal, Request, Target, stamp

MAX_RECORD = 65_536  # bytes of a session's whole record, as compact JSON
PRESETS = (
    "audit", "merge_captain", "oncall_captain", "release_captain", "repair", "review_captain",
    "summary", "verify",
)  # fmt: skip

_HIDDEN = re.compile(rf"[\x7f-\x9f{INVISIBLE}]")
_TIME = "2026-01-01T00:00:00.000000000Z"  # as long as a record's times become


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        pack = _pack(request.document, goal)
        text = json_text(pack)
        yield Artifact(f"{goal.id}.captain.json", text)
        yield Artifact(f"{goal.id}.captain.toml", toml_text(pack))


def toml_text(value: dict[str, Any]) -> str:
    """*value* as TOML, with escapes for what a terminal would obey or hide."""
    import tomli_w

    text = tomli_w.dumps(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refusal("TOML has no way to spell a path that is not UTF-8: rename it") from None
    return _HIDDEN.sub(lambda match: f"\\U{ord(match[0]):08x}", text)


def _pack(document: Document, goal: Goal) -> dict[str, Any]:
    places = document.source.places
    spec, metadata = spec_of(goal), _metadata(goal, places)
    _check_record(goal, spec, metadata)
    _check_judge(goal)
    made: dict[str, Any] = {
        "goalspec": stamp(goal, "captain"),
        "goal": spec,
        "metadata": metadata,
        "preset": _preset(goal),
        "options": _options(goal),
        "host_limits": uncounted_limits(goal),
        "verify_completion": _verification(goal, places.get(goal.id)),
        "judge": _judge(goal),
        "context": pinned(goal),
    }
    return {key: value for key, value in made.items() if value is not None}


# --- the goal and what stands beside it


def _metadata(goal: Goal, places: dict[str, Place]) -> dict[str, Any]:
    own = places.get(goal.id)
    sources = {
        criterion.id: _spelled(places[f"{goal.id}/{criterion.id}"])
        for criterion in goal.criteria
        if criterion.mode != "advisory" and f"{goal.id}/{criterion.id}" in places
    }
    metadata: dict[str, Any] = {
        "acceptance_note": _acceptance(goal),
        "criterion_sources": sources,
        "source": goal.contract if own is None else _spelled(own),
    }
    if own is not None and _is_file(own):
        metadata["verification"] = {
            "command": shlex.join(_command(goal, own)),
            "source": goal.contract,
        }
    return metadata


def _acceptance(goal: Goal) -> str:
    criteria = [c for c in goal.criteria if c.mode != "advisory"]
    kinds = {
        "checked": sum(c.check is not None and c.mode == "gating" for c in criteria),
        "awaited from others": sum(c.mode == "awaited" for c in criteria),
        "judged": sum(c.check is None for c in criteria),
    }
    said = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    return (
        f"Done when each of the {len(criteria)} criteria that applies is met ({said}), no "
        "constraint is broken, no stop is true, and no protected file has changed."
    )


def _spelled(place: Place) -> str:
    return f"{place.file}:{place.line}:{place.column}"


def _is_file(place: Place) -> bool:
    return place.file.endswith(".goal")


def _command(goal: Goal, place: Place) -> list[str]:
    return ["goalspec", "check", place.file, "--goal", goal.id, "--facts", "-", "--json"]


def _check_record(goal: Goal, spec: dict[str, Any], metadata: dict[str, Any]) -> None:
    record = {
        "spec": spec, "metadata": metadata, "generation": 2**53 - 1, "created_at": _TIME,
        "updated_at": _TIME, "turn": "idle",
    }  # fmt: skip
    size = len(canonical(record))
    if size > MAX_RECORD:
        raise Refusal(
            f"the goal {goal.id} makes a record of {size:,} bytes, and a session keeps "
            f"{MAX_RECORD:,}: shorten its texts, or split it"
        )


# --- what the host is told


def _preset(goal: Goal) -> dict[str, Any]:
    kind = goal.id.lower()
    if kind in PRESETS:
        raise Refusal(
            f"the goal {goal.id} is called like a built-in preset, whose whole row it would "
            "replace: rename the goal"
        )
    pack: dict[str, Any] = {}
    if goal.pins is not None:
        kept = sorted(set(goal.pins.keep) & set(BUILT_IN_LANES))
        pack["pin_policy"] = {"kinds": kept, "preserve_on_compact": True}
    limits = _limits(goal)
    if "budget" in limits:
        pack["budget"] = limits["budget"]
    return {"kind": kind, "spec": {"family": "captain", "pack": pack}}


def _options(goal: Goal) -> dict[str, Any]:
    attempts = None if goal.budget is None else goal.budget.attempts
    return {
        "loop_until_done": True,
        "done_sentinel": DONE_SENTINEL,
        "turn_policy": dict(TURN_POLICY),
        "max_verify_attempts": attempts or MAX_ATTEMPTS,
        **_limits(goal),
        "context_profile": {"prompt_fragments": [prompt_fragment(goal)]},
    }


def _limits(goal: Goal) -> dict[str, Any]:
    try:
        return loop_limits(goal)
    except Inexpressible as error:
        raise Refusal(f"the goal {goal.id}: {error}; write the limit in that unit") from None


def _verification(goal: Goal, place: Place | None) -> dict[str, Any]:
    from ..rendering import unmet_pieces

    pieces = unmet_pieces(goal)
    made: dict[str, Any] = {
        "modules": {"python": f"{goal.id.replace('-', '_')}.py", "javascript": f"{goal.id}.mjs"},
        "gates": list(gates(goal)),
        "awaited": [c.id for c in goal.criteria if c.mode == "awaited"],
        "stops": [stop.id for stop in goal.stops if stop.check is not None],
        "feedback": {"before": pieces.before, "lines": pieces.lines, "after": pieces.after},
    }
    if place is not None and _is_file(place):
        made["command"] = _command(goal, place)
    return made


def _judge(goal: Goal) -> dict[str, Any] | None:
    judge = goal.judge
    if judge is None:
        return None
    made: dict[str, Any] = {"seams": loop_judges(goal, judge), "on_error": judge.on_error}
    if judge.quorum is not None:
        made["quorum"] = {"needed": judge.quorum.needed, "of": judge.quorum.of}
    if judge.model is None:
        made["unset"] = ["model"]
    return made


def _check_judge(goal: Goal) -> None:
    if goal.judge is not None:
        return
    parts = judged(goal)
    gating = [c.id for c in parts.criteria if c.mode != "advisory"]
    gating += [c.id for c in parts.constraints if c.mode != "advisory"]
    if gating:
        raise Refusal(
            f"the goal {goal.id} leaves {', '.join(gating)} to a judge and has none, so a captain "
            "would never be done: add `judge { … }`, or give each a `check`"
        )


TARGET = Target(
    name="captain",
    summary="A preset pack for a captain: goal, metadata, preset, loop options, judge, pins.",
    writes=("GOAL.captain.json", "GOAL.captain.toml"),
    artifacts=_artifacts,
)
