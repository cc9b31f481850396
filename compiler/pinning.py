"""Pins: context of a goal that outlives every compaction, as plain values made from the goal alone.

A pin has an id of its content and a dedupe key of its place, so the same goal gives the same pins
and a host that keeps the newest of each key replaces old ones. Here are the kinds with their lanes,
the pins of a goal, what a host makes of them (reminders, a compaction policy), and the typed roots
that artifact references give a garbage collection. A lane says where a pin is placed and gives it
no authority: in every lane a body stands in the fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from .host_spec import spec_of
from .ir.canonical import digest
from .ir.document import Goal
from .paths import PathError, normal_path

BUILT_IN_LANES = {
    "goal": "system",
    "constraint": "system",
    "no_compact": "system",
    "decision": "developer",
    "artifact_ref": "developer",
}
LANES = ("system", "developer")
BINDING_KINDS = ("goal", "constraint", "no_compact")
DEFAULT_KEEP = ("goal", "constraint")  # what is pinned where a goal says nothing of pins
MAX_BODY = 4_000
PROPAGATION = ("all", "session", "none")
UNNAMED = "goal"  # the id of a goal that a host built and gave none

RootKind = Literal["path", "directory", "glob", "symbol", "hash", "issue", "id"]


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin. *role_hint* is its lane; *meta* is plain JSON: the goal's own pin has the goal there
    as hosts keep it, under `goal`, the others the id of their goal under `of`."""

    id: str
    kind: str
    content: str
    dedupe_key: str
    role_hint: str
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def binds(self) -> bool:
        """Is it never cut?"""
        return self.kind in BINDING_KINDS

    def to_json(self) -> dict[str, Any]:
        """The pin as JSON values."""
        return {
            "id": self.id,
            "kind": self.kind,
            "content": self.content,
            "dedupe_key": self.dedupe_key,
            "role_hint": self.role_hint,
            "meta": self.meta,
        }


@dataclass(frozen=True, slots=True)
class Root:
    """What a stale tool result must mention to be kept: a path below the project's root (or an
    absolute one), a directory and all below it, a glob, a symbol, a hash, an issue, an id."""

    kind: RootKind
    text: str

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": self.text}


# --- the pins of a goal


def goal_pins(goal: Goal) -> tuple[Pin, ...]:
    """The pins of *goal*: its own and its constraints', where their kinds are kept, then those that
    it names. Raises PathError for an artifact reference that leads out of the project."""
    keep = DEFAULT_KEEP if goal.pins is None else goal.pins.keep
    pins = [goal_pin(goal)] if "goal" in keep else []
    if "constraint" in keep:
        pins += (
            _pin(goal, "constraint", constraint.text, constraint.id)
            for constraint in goal.constraints
            if constraint.mode != "advisory"
        )
    pins += (_pin(goal, pinned.pin, pinned.content) for pinned in goal.pinned)
    return tuple({pin.dedupe_key: pin for pin in pins}.values())


def goal_pin(goal: Goal, supersedes: Pin | None = None) -> Pin:
    """The goal's own pin: its block, and in `meta.goal` the goal as hosts keep it.

    Two goals never replace each other's pins, unless a pin *supersedes* another by taking its key.
    """
    from .rendering import goal_block

    key = goal_key(goal) if supersedes is None else supersedes.dedupe_key
    return pin_of("goal", goal_block(goal), key, _lane(goal, "goal"), {"goal": spec_of(goal)})


def goal_key(goal: Goal) -> str:
    """The dedupe key of the goal's own pin; a goal without a name of its own has `pin/goal`."""
    return "pin/goal" if goal.id == UNNAMED else f"pin/goal/{_segment(goal.id)}"


def _pin(goal: Goal, kind: str, text: str, part: str | None = None) -> Pin:
    content = normal_reference(text) if kind == "artifact_ref" else text
    place = digest(content)[:16] if part is None else _segment(part)
    key = f"pin/{kind}/{_segment(goal.id)}/{place}"
    meta = {"of": goal.id} if part is None else {"of": goal.id, "part": part}
    return pin_of(kind, content, key, _lane(goal, kind), meta)


def pin_of(kind: str, content: str, key: str, lane: str, meta: dict[str, Any]) -> Pin:
    """A pin whose id follows from its kind, key and content."""
    id = f"pin_{digest([kind, key, content])[:16]}"
    return Pin(id, kind, content, key, lane, meta)


def _lane(goal: Goal, kind: str) -> str:
    own = {} if goal.pins is None else goal.pins.lanes
    return own.get(kind) or BUILT_IN_LANES.get(kind, "system")


def _segment(id: str) -> str:
    """An id as one segment of a key."""
    return id.replace("%", "%25").replace("/", "%2F")


# --- what a host makes of pins


def reminder(
    pin: Pin,
    max_body: int | None = None,
    propagate: str | None = None,
    tag_namespace: str | None = None,
) -> dict[str, Any]:
    """The reminder that carries *pin* over a compaction, as JSON values.

    A pin that is evidence is cut to *max_body* characters with a mark that says so; one that binds
    never is (ruling 54). *propagate* is one of PROPAGATION. Raises ValueError for other words.
    """
    if propagate is not None and propagate not in PROPAGATION:
        raise ValueError(f"`{propagate}` is no propagation: there are {', '.join(PROPAGATION)}")
    if max_body is not None and (isinstance(max_body, bool) or max_body < 1):
        raise ValueError("max_body is at least 1: leave it out for no limit")
    tags = ["pin", pin.kind] if tag_namespace is None else [tag_namespace, "pin", pin.kind]
    made: dict[str, Any] = {
        "body": _body(pin, max_body),
        "tags": tags,
        "dedupe_key": pin.dedupe_key,
        "preserve_on_compact": True,
        "role_hint": pin.role_hint,
    }
    if propagate is not None:
        made["propagate"] = propagate
    if pin.kind == "goal" and "goal" in pin.meta:
        made["goal_pin"] = {"spec": pin.meta["goal"]}
    return made


def _body(pin: Pin, max_body: int | None) -> str:
    from .rendering import pin_block

    if pin.kind == "goal" and "goal" in pin.meta:
        return pin.content  # rendered, its fence included
    uncut = pin.binds or max_body is None or len(pin.content) <= max_body
    content = pin.content if uncut or max_body is None else cut(pin.content, max_body)
    return pin_block(pin.kind, content)


def cut(text: str, most: int) -> str:
    """The beginning of *text* with a mark, *most* characters in all."""
    mark = f" […cut: {len(text)} characters]"
    if most < len(mark):
        return text[: most - 1] + "…"
    return text[: most - len(mark)] + mark


def compaction_policy(pins: Iterable[Pin]) -> dict[str, Any]:
    """A policy for whoever summarizes: a directive for each pin, under the labels `pins`."""
    return {"author": "pins", "mode": "pins", "preserve": [directive(pin) for pin in pins]}


def directive(pin: Pin) -> str:
    """One line that names *pin*: a host joins such lines into a sentence."""
    from .rendering.escaping import escaped

    named = pin.meta["goal"]["objective"] if "goal" in pin.meta else pin.content
    return f"Preserve the pinned {pin.kind} {pin.id}: {escaped(' '.join(named.split()))}"


# --- roots

_LINES = re.compile(r"(?::\d+(?:[:-]\d+)*|#L\d+(?:-L?\d+)?)$")
_ISSUE = re.compile(r"(?:[\w.-]+/[\w.-]+)?#\d+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HASH = re.compile(r"(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}")
_SYMBOL = re.compile(r"[^\W\d]\w*(?:(?:::|\.|#)[^\W\d]\w*)*\(\)|[^\W\d]\w*(?:::[^\W\d]\w*)+")


def reachability_roots(pins: Iterable[Pin]) -> tuple[Root, ...]:
    """The typed roots that *pins* give, each once: an artifact reference is one, prose is none."""
    return tuple(dict.fromkeys(_roots(pins)))


def _roots(pins: Iterable[Pin]) -> Iterator[Root]:
    for pin in pins:
        if pin.kind == "artifact_ref" and (root := root_of(pin.content)) is not None:
            yield root


def root_of(text: str) -> Root | None:
    """What an artifact reference refers to; None where it is prose. Raises PathError for a path
    that leads out of the project."""
    text = text.strip()
    if not text or len(text.split()) > 1:
        return None
    for pattern, kind in _FORMS:
        if pattern.fullmatch(text):
            return Root(kind, text)
    if "://" in text:
        return Root("id", text)
    path = _LINES.sub("", text)
    if any(mark in path for mark in "*?["):
        return Root("glob", path.removeprefix("./"))
    return Root("directory" if path.endswith("/") else "path", _normal(path))


_FORMS: tuple[tuple[re.Pattern[str], RootKind], ...] = (
    (_ISSUE, "issue"),
    (_UUID, "id"),
    (_HASH, "hash"),
    (_SYMBOL, "symbol"),
)


def normal_reference(text: str) -> str:
    """An artifact reference in one form, a line or a range of lines after a path kept. Raises
    PathError."""
    root = root_of(text)
    if root is None or root.kind not in ("path", "directory", "glob"):
        return text.strip()
    lines = _LINES.search(text.strip())
    slash = "/" if root.kind == "directory" else ""
    return root.text + slash + (lines[0] if lines else "")


def _normal(path: str) -> str:
    if not path.startswith("/"):
        return normal_path(path)
    try:
        return f"/{normal_path(path.lstrip('/'))}"
    except PathError:
        raise PathError(f"`{path}` names no file") from None
