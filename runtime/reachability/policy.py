"""How much a collection may take: its settings, and how a host's JSON says them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...compiler.pinning import Root
from ...grammar.diagnostics import nearest


class BadPolicy(ValueError):
    """A policy that is none: what is wrong with it, and what may stand there."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The last *window* messages stay whole, and what they mention is wanted. A body of fewer than
    *min_chars* characters is not worth a pointer. What the *barrier* names is being written and
    stays; where one is required and none is given, nothing is reclaimed."""

    window: int = 8
    min_chars: int = 500
    barrier: tuple[Root | str, ...] = ()
    require_barrier: bool = False


# Hosts' spellings of the policy and of its settings.
_NAMES: Final = ("reachability_gc", "context_gc", "tool_result_gc")
_COUNTS: Final = {
    "root_window": "window",
    "recent_messages": "window",
    "keep_last": "window",
    "min_chars": "min_chars",
    "min_reclaim_chars": "min_chars",
    "tool_result_min_chars": "min_chars",
}
_BARRIERS: Final = ("write_barrier", "write_barrier_refs", "barrier_refs")
_KEYS: Final = ("policy", *_COUNTS, *_BARRIERS, "require_write_barrier")


def read_policy(value: Any) -> Policy:
    """The policy that a host's JSON says: its name alone, or an object of settings. Raises
    BadPolicy."""
    if isinstance(value, str):
        _check_name(value)
        return Policy()
    if not isinstance(value, Mapping):
        raise BadPolicy(f"a policy is a name or an object, not {type(value).__name__}")
    settings: dict[str, Any] = {}
    barrier: list[str] = []
    for key, given in value.items():
        if key in _COUNTS:
            settings[_COUNTS[key]] = _count(key, given)
        elif key in _BARRIERS:
            barrier += _texts(key, given)
        elif key == "require_write_barrier":
            if not isinstance(given, bool):
                raise BadPolicy(f"{key} is true or false, not {given!r}")
            settings["require_barrier"] = given
        elif key == "policy":
            _check_name(given)
        else:
            near = nearest(str(key), list(_KEYS))
            hint = f"; did you mean {near}?" if near else f"; there are {', '.join(_KEYS)}"
            raise BadPolicy(f"a policy has no `{key}`{hint}")
    return Policy(**settings, barrier=tuple(barrier))


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or name not in _NAMES:
        raise BadPolicy(f"`{name}` is no policy of reclaiming; there is {', '.join(_NAMES)}")


def _count(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadPolicy(f"{key} is a whole number from 0, not {value!r}")
    return value


def _texts(key: str, value: Any) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise BadPolicy(f"{key} is a text or a list of texts, not {value!r}")
    return list(texts)
