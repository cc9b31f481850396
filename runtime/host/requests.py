"""The goal in what a host sends to the model: a fragment of its prompt, a system message, a pin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...compiler.host_goal import BadGoal
from ...compiler.loop_options import prompt_fragment
from ...compiler.pinning import Pin
from ...compiler.pinning import goal_pin as pin_of_goal
from .bound import AnyGoal, goal


def with_goal(options: Mapping[str, Any] | None, spec: AnyGoal) -> dict[str, Any]:
    """*options* of an agent loop with the goal as a fragment of every request's prompt.

    The fragments and the profile that are there stay, before it; an older fragment of the same goal
    is replaced. *options* is not changed. Raises BadGoal.
    """
    given = mapping(options, "options")
    profile = mapping(given.get("context_profile"), "context_profile")
    fragments = profile.get("prompt_fragments")
    if fragments is not None and not isinstance(fragments, list | tuple):
        raise BadGoal(
            [f"context_profile.prompt_fragments: it is a list, not {type(fragments).__name__}"]
        )
    own = prompt_fragment(goal(spec).goal)
    kept = [fragment for fragment in fragments or () if not _is_same(fragment, own)]
    return {**given, "context_profile": {**profile, "prompt_fragments": [*kept, own]}}


def _is_same(fragment: Any, own: Mapping[str, Any]) -> bool:
    return isinstance(fragment, Mapping) and all(
        fragment.get(key) == own[key] for key in ("id", "source")
    )


def goal_messages(messages: Iterable[Mapping[str, Any]], spec: AnyGoal) -> list[dict[str, Any]]:
    """For a host without fragments: its *messages* with the goal at the end of the system message
    that comes first, or in one of its own. The messages are not changed; give it the host's own
    each time, not what it gave back. Raises BadGoal."""
    block = prompt_fragment(goal(spec).goal)["body"]
    made = [dict(message) for message in messages]
    if not made or made[0].get("role") not in ("system", "developer"):
        return [{"role": "system", "content": block}, *made]
    content = made[0].get("content")
    if isinstance(content, list | tuple):
        made[0]["content"] = [*content, {"type": "text", "text": block}]
    elif isinstance(content, str) and content:
        made[0]["content"] = f"{content}\n\n{block}"
    else:
        made[0]["content"] = block
    return made


def goal_pin(spec: AnyGoal) -> Pin:
    """The goal's own pin, which takes the place of an older one: its key is always `pin/goal`, as
    a session has one goal. Raises BadGoal."""
    return pin_of_goal(goal(spec).goal)


def mapping(value: Any, place: str) -> Mapping[str, Any]:
    """*value*, or nothing for None. Raises BadGoal where it is no mapping."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise BadGoal([f"{place}: it is a mapping, not {type(value).__name__}"])
    return value
