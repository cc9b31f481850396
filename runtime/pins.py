"""Pins for a running session: made, removed, lowered for the host, and found in what people write.

What a pin is, and what it becomes, is the compiler's; here it has the names that hosts call it by.
Nothing is changed in place, and an id follows from the content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..compiler.pin_kinds import BUILT_IN_LANES, LANES, MAX_BODY
from ..compiler.pinning import Pin, PinError, Root, compaction_policy, make_pin, policy_entries
from ..compiler.pinning import pin_roots as pin_reachability_roots
from ..compiler.pinning import reminder as pin_reminder
from .transcript import is_human, text_of

__all__ = [
    "MAX_NO_COMPACT", "Pin", "PinError", "Recognized", "Root", "no_compact_pins", "pin",
    "pin_compaction_policy", "pin_kinds", "pin_reachability_roots", "pin_reminder",
    "recognize_no_compact", "strip_no_compact", "unpin", "with_pin_roots",
]  # fmt: skip

MAX_NO_COMPACT = 8  # pins that people's messages make in one transcript

# A marked heading, or a fenced block of code, in which `#` begins a comment.
_MARKED = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*(?:\n(?!(?P=fence))[^\n]*)*(?:\n(?P=fence)[^\n]*)?"
    r"|^(?P<heading>#{1,6}|#{1,6} .*?)(?:[ \t]+\[no-compact\])+(?:[ \t]+$)?",
    re.MULTILINE,
)


def pin_kinds() -> tuple[str, ...]:
    """The kinds that there are without registering any."""
    return tuple(sorted(BUILT_IN_LANES))


def pin(
    kind: str,
    content: str,
    *,
    dedupe_key: str | None = None,
    role_hint: str | None = None,
    meta: Mapping[str, Any] | None = None,
    register_kinds: Iterable[str] = (),
) -> Pin:
    """A pin. *register_kinds* are further kinds for this call, whose lane is `system`; *role_hint*
    is another lane than the kind's. Raises PinError."""
    if isinstance(register_kinds, str) or not isinstance(register_kinds, Iterable):
        raise PinError(f"register_kinds: it is a list of kinds, not {register_kinds!r}")
    lanes = {**dict.fromkeys(register_kinds, LANES[0]), **BUILT_IN_LANES}
    return make_pin(kind, content, key=dedupe_key, lane=role_hint, meta=meta, lanes=lanes)


def unpin(pins: Iterable[Pin], id: str) -> list[Pin]:
    """*pins* without those of that id."""
    return [one for one in pins if one.id != id]


# --- policies and options of a host


def pin_compaction_policy(
    pins: Iterable[Pin],
    options: Mapping[str, Any] | None = None,
    *,
    merge: Mapping[str, Any] | None = None,
    preserve_labels: bool = False,
) -> dict[str, Any]:
    """A compaction policy that names each pin, with the *options* of one's own.

    *merge* is a policy that is there: nothing of it is lost. What both preserve and drop is united,
    its entries first, and instructions follow one another; *preserve_labels* keeps its author and
    mode. Its other keys stand unless *options* say otherwise.
    """
    own, there = _mapping(options, "options"), _mapping(merge, "merge")
    joined = {**there, **own}
    for key in ("preserve", "drop"):
        if key in own or key in there:
            joined[key] = [*policy_entries(there, key), *policy_entries(own, key)]
    said, added = (str(policy.get("instructions") or "").strip() for policy in (there, own))
    if said or added:
        again = f"\n{said}".endswith(f"\n{added}")
        joined["instructions"] = said if again else "\n".join(filter(None, (said, added)))
    policy = compaction_policy(pins, joined)
    for label in ("author", "mode"):
        kept = there.get(label) if preserve_labels else None
        policy[label] = kept or own.get(label) or "pins"
    return policy


def _mapping(value: Mapping[str, Any] | None, name: str) -> dict[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        raise PinError(f"{name}: it is a mapping, not {type(value).__name__}")
    return dict(value or {})


def with_pin_roots(options: Mapping[str, Any] | None, pins: Iterable[Pin]) -> dict[str, Any]:
    """A host's *options* with the things that *pins* name among their `roots`, after its own."""
    given = _mapping(options, "options")
    roots = [*policy_entries(given, "roots"), *map(_spelled, pin_reachability_roots(pins))]
    return {**given, "roots": list(dict.fromkeys(roots))}


def _spelled(root: Root) -> str:
    return f"{root.text}/" if root.kind == "directory" else root.text


# --- what people mark to be kept


def strip_no_compact(text: str) -> str:
    """*text* with its headings unmarked."""
    return _MARKED.sub(lambda match: match["heading"] or match[0], text)


def recognize_no_compact(text: Any, *, role_hint: str | None = None) -> Pin | None:
    """The pin of a text one of whose headings is marked `[no-compact]`, unmarked; None where there
    is no such heading, or nothing else. Whose text it is, the caller knows. Raises PinError where
    it is too long: what binds is never cut."""
    if not isinstance(text, str) or not any(one["heading"] for one in _MARKED.finditer(text)):
        return None
    content = strip_no_compact(text).strip()
    if not content.strip("# \t\n"):
        return None
    if len(content) > MAX_BODY:
        raise PinError(
            f"what is marked [no-compact] has {len(content)} characters, and {MAX_BODY} is the "
            "most: mark a shorter part"
        )
    return make_pin("no_compact", content, lane=role_hint)


@dataclass(frozen=True, slots=True)
class Recognized:
    """The pins that a transcript makes, and why others are none, by their messages' places."""

    pins: tuple[Pin, ...]
    refused: Mapping[int, str]


def no_compact_pins(messages: Sequence[Any]) -> Recognized:
    """The pins that people's own messages make; no machine's and no tool's makes any. Of more than
    MAX_NO_COMPACT the newest stand."""
    pins: dict[str, Pin] = {}
    places: dict[str, int] = {}
    refused: dict[int, str] = {}
    for place, message in enumerate(messages):
        if not is_human(message):
            continue
        try:
            found = recognize_no_compact(text_of(message))
        except PinError as error:
            refused[place] = str(error)
            continue
        if found is not None:
            pins.pop(found.id, None)
            pins[found.id], places[found.id] = found, place
    kept = dict(list(pins.items())[-MAX_NO_COMPACT:])
    for id in pins.keys() - kept.keys():
        refused[places[id]] = f"{MAX_NO_COMPACT} newer messages are marked [no-compact]"
    return Recognized(tuple(kept.values()), dict(sorted(refused.items())))
