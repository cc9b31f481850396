"""A preset pack for a captain: what a host needs to run a long-lived agent on this goal.

JSON and TOML say the same; TOML leaves out what is null.

- `goal` is the goal in the shape in which hosts keep one, without checks, and `metadata` what
  belongs beside it and never into a prompt: where each criterion is written (`FILE:LINE:COLUMN`),
  and the command that verifies, where there is exactly one. Both fit a record of 64 KiB, or the
  goal is refused.
- `preset` is a row to register under a name of your own: a captain whose pack pins what the goal
  keeps. To run one of the host's own captains, pass `overlay` instead: what is passed explicitly
  wins over a pack, and a preset registered under a built-in name would replace all of it. Both have
  a `pin_policy` only where the goal says something of pins, so that otherwise the captain's holds.
- `register_kinds`, `pins`, `reminders`, `compaction_policy` and `roots` are as the target `pins`
  has them. Merge the policy with the captain's own; inject the reminders in any case.
- `loop` are the options of the loop, to be set after the preset's: presets switch the judge off
  (`done_judge` is null there), so an order the other way round loses it. `turns` is the limit of
  iterations and `attempts` that of claims to be done: one never stands for the other. There is no
  sentinel, as captains allow none: a claim is a turn that ends. Add the fragment to those that are
  there.
- `loop.verify_completion` names the compiled modules that answer a claim. It passes, on to the
  judge where there is one, if each of `gates` is among the verdict's `met`, `held` and `waived`,
  and none of `stops` is among `stopped`. Otherwise the agent gets `feedback`: `before`, the lines
  of what is open, `after`. Where only parts of `awaited` are open, others have to act.
- `judge` has the judge's options under the name that each release of such loops has for them, with
  a model of its own: one that is not named must be set by the host. `on_error` says what follows
  when it fails; nothing accepts on an error. A goal that leaves a part to a judge and has none is
  refused: it would never be done.

A persona's row is left alone: it has no field for a goal, and refuses unknown ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..hidden import INVISIBLE
from ..host_spec import spec_of
from ..ir.canonical import canonical
from ..ir.document import Document, Goal, Place
from ..json_text import json_text
from ..judging import judged
from ..loop_options import Inexpressible, gates, loop_limits, prompt_fragment
from ..pinning import BUILT_IN_LANES
from .judge_hosts import loop as judge_options
from .pins import pins_value
from .python import module_name
from .target import Artifact, Refusal, Request, Target, stamp

MAX_RECORD = 65_536  # bytes of a session's goal record, in compact JSON

_HIDDEN = re.compile(rf"[\x7f-\x9f{INVISIBLE}]")


def _artifacts(request: Request) -> Iterator[Artifact]:
    for goal in request.document.goals:
        pack = _pack(goal, request.document)
        yield Artifact(f"{goal.id}.captain.json", json_text(pack))
        yield Artifact(f"{goal.id}.captain.toml", _toml(pack))


def _pack(goal: Goal, document: Document) -> dict[str, Any]:
    spec, metadata = spec_of(goal), _metadata(goal, document)
    _check_size(goal, spec, metadata)
    _check_judge(goal)
    limits, policy = _limits(goal), _pin_policy(goal)
    budget = {k: v for k, v in limits.items() if k == "total_budget_usd"}
    return {
        "goalspec": stamp(goal, "captain"),
        "goal": spec,
        "metadata": metadata,
        "preset": {
            "family": "captain",
            "pack": {**policy, **({"budget": budget} if budget else {})},
        },
        "overlay": {**policy, **limits},
        **pins_value(goal),
        "loop": _loop(goal, limits),
        "judge": _judge(goal),
    }


# --- the record


def _metadata(goal: Goal, document: Document) -> dict[str, Any]:
    places = document.source.places
    sources = {
        part.id: _place(places[f"{goal.id}/{part.id}"])
        for part in goal.criteria
        if part.mode != "advisory" and f"{goal.id}/{part.id}" in places
    }
    return {
        "acceptance_note": _note(goal),
        "criterion_sources": sources,
        "verification": _verification(goal),
        "source": _place(places[goal.id]) if goal.id in places else "",
    }


def _place(place: Place) -> str:
    return f"{place.file}:{place.line}:{place.column}"


def _note(goal: Goal) -> str:
    """Who decides the criteria, in numbers."""
    owed = [c for c in goal.criteria if c.mode != "advisory"]
    counts = {
        "checked": sum(c.check is not None and c.mode == "gating" for c in owed),
        "judged": sum(c.check is None for c in owed),
        "awaited from others": sum(c.check is not None and c.mode == "awaited" for c in owed),
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    return f"Criteria: {said}."


def _verification(goal: Goal) -> dict[str, str] | None:
    """The command that measures, and the facts that it gives, where there is just one."""
    commands: dict[str, list[str]] = {}
    for fact in goal.facts:
        if fact.source is not None and fact.source.name == "run" and fact.source.argument:
            commands.setdefault(fact.source.argument, []).append(fact.name)
    if len(commands) != 1:
        return None
    [(command, names)] = commands.items()
    return {"command": command, "source": ", ".join(names)}


def _check_size(goal: Goal, spec: dict[str, Any], metadata: dict[str, Any]) -> None:
    record = {
        "spec": spec, "metadata": metadata, "generation": 0, "created_at": "", "updated_at": "",
        "turn": "idle",
    }  # fmt: skip
    size = len(canonical(record))
    if size > MAX_RECORD:
        raise Refusal(
            f"the goal `{goal.id}` makes a record of {size:,} bytes, and a session holds "
            f"{MAX_RECORD:,}: shorten its texts, or split it"
        )


def _check_judge(goal: Goal) -> None:
    if goal.judge is not None:
        return
    parts = judged(goal)
    open_for_ever = [c.id for c in parts.criteria if c.mode != "advisory"]
    open_for_ever += [c.id for c in parts.constraints if c.mode != "advisory"]
    if open_for_ever:
        raise Refusal(
            f"the goal `{goal.id}` leaves {', '.join(open_for_ever)} to a judge and has none, so "
            "its captain would never be done: write `judge { … }`, or give each a `check`"
        )


# --- the loop


def _pin_policy(goal: Goal) -> dict[str, Any]:
    """The goal's own policy, of the kinds that every host knows."""
    if goal.pins is None:
        return {}
    kinds = sorted(set(goal.pins.keep) & set(BUILT_IN_LANES))
    return {"pin_policy": {"kinds": kinds, "preserve_on_compact": True}}


def _limits(goal: Goal) -> dict[str, Any]:
    """The enforced budget, as the options of a loop."""
    try:
        return loop_limits(goal)
    except Inexpressible as error:
        raise Refusal(f"the goal `{goal.id}`: {error}") from None


def _loop(goal: Goal, limits: dict[str, Any]) -> dict[str, Any]:
    return {
        "context_profile": {"prompt_fragments": [prompt_fragment(goal)]},
        "loop_until_done": True,
        **limits,
        "verify_completion": {
            "python": f"{module_name(goal)}:check",
            "javascript": f"./{goal.id}.mjs#check",
            "gates": list(gates(goal)),
            "awaited": [c.id for c in goal.criteria if c.mode == "awaited"],
            "stops": [stop.id for stop in goal.stops if stop.check is not None],
            "feedback": _feedback(goal),
        },
    }


def _feedback(goal: Goal) -> dict[str, Any]:
    from ..rendering import unmet_pieces

    pieces = unmet_pieces(goal)
    return {"before": pieces.before, "lines": pieces.lines, "after": pieces.after}


def _judge(goal: Goal) -> dict[str, Any] | None:
    if goal.judge is None:
        return None
    options = judge_options(goal)
    quorum = goal.judge.quorum
    return {
        **{key: value for key, value in options.items() if key != "goalspec"},
        "on_error": goal.judge.on_error,
        **({"quorum": {"needed": quorum.needed, "of": quorum.of}} if quorum else {}),
    }


def _toml(pack: dict[str, Any]) -> str:
    from tomli_w import dumps

    text = dumps(_without_null(pack), multiline_strings=True)
    return _HIDDEN.sub(lambda match: f"\\U{ord(match[0]):08x}", text)


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value


TARGET = Target(
    name="captain",
    summary="A preset pack for a captain: goal, metadata, pins, reminders, loop, judge, budget.",
    writes=("GOAL.captain.json", "GOAL.captain.toml"),
    artifacts=_artifacts,
)
