"""Pins: what of a goal must outlive every compaction, as small values, and what hosts make of them.

A pin has an id that follows from its content, so that compiling again replaces it and never adds a
second one. It lowers to a reminder (the path that survives by construction), to a line of the
host's compaction policy, and, where it names a thing rather than says something, to a typed root
from which a host may ask what is still reachable.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from .host_spec import spec_of
from .ir import expressions as ir
from .ir.document import Goal
from .paths import PathError, normal_path
from .pin_kinds import BINDING, BUILT_IN_LANES, MAX_BODY, PLACES, REACHES
from .reads import walk

KEPT: Final = ("goal", "constraint")  # where a goal says nothing: what binds, and is its own
GOAL_KEY: Final = "pin/goal"  # one goal a session: a new one takes the old one's place


class PinError(ValueError):
    """A pin that cannot be: its kind is unknown, it is empty, or it binds and is too long."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A value that outlives compactions. *role_hint* is its lane; of two pins with one
    *dedupe_key* the newer replaces the older; *meta* is JSON, which nobody changes."""

    id: str
    kind: str
    content: str
    dedupe_key: str
    role_hint: str
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def of_goal(self) -> str | None:
        """The id of the goal that it was made of, if it was."""
        id = self.meta.get("id") if self.spec is not None else self.meta.get("goal")
        return id if isinstance(id, str) else None

    @property
    def binds(self) -> bool:
        return self.kind in BINDING

    @property
    def spec(self) -> Mapping[str, Any] | None:
        """The goal as hosts keep it, where this is a goal's own pin and not only a text."""
        spec = self.meta.get("goal")
        return spec if self.kind == "goal" and isinstance(spec, Mapping) else None


def make_pin(
    kind: str,
    content: str,
    *,
    key: str | None = None,
    lane: str | None = None,
    meta: Mapping[str, Any] | None = None,
    lanes: Mapping[str, str] = BUILT_IN_LANES,
) -> Pin:
    """A pin of one of the kinds that *lanes* has, by default the built-in ones. *key* is its dedupe
    key, *lane* another lane than its kind's. Raises PinError."""
    if not isinstance(kind, str) or kind not in lanes:
        raise PinError(f"`{kind}` is no kind of pin; there are {', '.join(sorted(lanes))}")
    if not isinstance(content, str) or not content.strip():
        raise PinError(f"a pin of the kind {kind} says something: its content is empty")
    if lane is not None and lane not in PLACES:
        raise PinError(f"`{lane}` is no lane; there are {', '.join(PLACES)}")
    named = f"{kind}\0{content}".encode(errors="surrogatepass")
    id = f"pin_{hashlib.sha256(named).hexdigest()[:16]}"
    return Pin(id, kind, content, key or f"pin/{kind}/{id}", lane or lanes[kind], dict(meta or {}))


def lanes_of(goal: Goal) -> dict[str, str]:
    """The kinds that a goal knows, each with its lane."""
    return {**BUILT_IN_LANES, **(goal.pins.lanes if goal.pins is not None else {})}


def max_body_of(goal: Goal) -> int:
    """How many characters a body may have."""
    return goal.pins.max_body if goal.pins is not None and goal.pins.max_body else MAX_BODY


def goal_pins(goal: Goal) -> tuple[Pin, ...]:
    """The pins of a goal: what its `pins` keep, and each `pin` that it states.

    Raises PinError where one that binds is longer than the `max_body` that the goal sets: it would
    have to be cut.
    """
    kept = goal.pins.keep if goal.pins is not None else KEPT
    pins = {pin.dedupe_key: pin for pin in _pins(goal, kept)}
    limit = goal.pins.max_body if goal.pins is not None else None
    for pin in pins.values():
        if limit is not None and pin.binds and len(pin.content) > limit:
            name = f"the {pin.kind} pin `{pin.meta.get('id', pin.id)}`"
            raise PinError(
                f"{name} has {len(pin.content)} characters, and max_body is {limit}: "
                "what binds is never cut; shorten it or raise `max_body`"
            )
    return tuple(pins.values())


def _pins(goal: Goal, kept: Collection[str]) -> Iterator[Pin]:
    lanes = lanes_of(goal)
    if "goal" in kept:
        yield goal_pin(goal)
    if "constraint" in kept:
        for constraint in goal.constraints:
            if constraint.mode == "advisory":
                continue  # it binds nobody
            key = f"pin/constraint/{goal.id}/{constraint.id}"
            meta = {"goal": goal.id, "id": constraint.id}
            yield make_pin("constraint", constraint.text, key=key, meta=meta, lanes=lanes)
    for stated in goal.pinned:
        yield make_pin(stated.pin, stated.content, meta={"goal": goal.id}, lanes=lanes)


def goal_pin(goal: Goal) -> Pin:
    """The goal's own pin, which replaces itself: its content is the block that every prompt has,
    and `meta.goal` the goal as typed JSON."""
    from .rendering import goal_block

    meta = {"id": goal.id, "contract": goal.contract, "goal": spec_of(goal)}
    return make_pin(
        "goal", goal_block(goal), key=GOAL_KEY, meta=meta, lanes=lanes_of(goal)
    )  # fmt: skip


# --- what a host is given


def reminder(
    pin: Pin,
    *,
    max_body: int | None = None,
    propagate: str | None = None,
    tag_namespace: str | None = None,
) -> dict[str, Any]:
    """The reminder of a pin, which a compaction keeps as it is.

    Its body is fenced. Evidence is cut to *max_body* characters, the mark that says so included;
    what binds is never cut. A goal's own pin brings the goal along, for hosts that render it again
    when its objective changes. Raises PinError.
    """
    if propagate is not None and propagate not in REACHES:
        raise PinError(f"propagate is {', '.join(REACHES)}, not `{propagate}`")
    if max_body is not None and not isinstance(max_body, int):
        raise PinError(f"max_body is a number of characters, not {max_body!r}")
    body = _fenced(pin) if pin.spec is None else pin.content  # the block has its fence
    if max_body is not None and len(body) > max_body:
        if pin.binds:
            raise PinError(f"the {pin.kind} pin {pin.id} binds, and {max_body} characters cut it")
        body = _fenced(pin, max_body)
    tags = ["pin", pin.kind]
    return {
        "body": body,
        "tags": tags if tag_namespace is None else [tag_namespace, *tags],
        "dedupe_key": pin.dedupe_key,
        "preserve_on_compact": True,
        "role_hint": pin.role_hint,
        **({} if propagate is None else {"propagate": propagate}),
        **({} if pin.spec is None else {"goal_pin": {"spec": pin.spec}}),
    }


def _fenced(pin: Pin, max_body: int | None = None) -> str:
    from .rendering import pin_block

    whole = pin_block(pin.kind, pin.content)
    if max_body is None or len(whole) <= max_body:
        return whole
    low, high = 0, len(pin.content)
    while low < high:  # escaping makes a text longer, by how much depends on what is in it
        middle = (low + high + 1) // 2
        if len(pin_block(pin.kind, _cut(pin.content, middle))) <= max_body:
            low = middle
        else:
            high = middle - 1
    if not low:
        raise PinError(f"{max_body} characters leave nothing of the {pin.kind} pin {pin.id}")
    return pin_block(pin.kind, _cut(pin.content, low))


def _cut(text: str, length: int) -> str:
    return f"{text[:length]} [cut: {length} of {len(text)} characters]"


def compaction_policy(
    pins: Iterable[Pin],
    merge: Mapping[str, Any] | None = None,
    *,
    preserve_labels: bool = False,
) -> dict[str, Any]:
    """A policy whose `preserve` names each pin by the key of its reminder.

    With *merge* nothing of that policy is lost: its entries come first, those of the pins after
    them, and its other keys stay; with *preserve_labels* its author and mode stay too. Raises
    PinError.
    """
    named = [f"Keep the reminder {_named(pin)} word for word" for pin in pins]
    policy = dict(merge or {})
    kept = list(dict.fromkeys([*policy_entries(policy, "preserve"), *named]))
    labels = {"author": "pins", "mode": "pins"}
    if preserve_labels:
        labels |= {key: policy[key] for key in labels if policy.get(key)}
    dropped = policy_entries(policy, "drop")
    policy.pop("drop", None)
    return {**policy, **({"drop": dropped} if dropped else {}), **labels, "preserve": kept}


def _named(pin: Pin) -> str:
    """A pin by its key: what it says is data, and a policy gives instructions."""
    from .rendering.escaping import escaped_id

    return "/".join(map(escaped_id, pin.dedupe_key.split("/")))


def policy_entries(policy: Mapping[str, Any], key: str) -> list[str]:
    """What a policy says under *key*, a text or a list of texts: each once, none blank. Raises
    PinError."""
    value = policy.get(key)
    entries = [value] if isinstance(value, str) else () if value is None else value
    if not isinstance(entries, list | tuple) or not all(isinstance(one, str) for one in entries):
        raise PinError(f"{key}: it is a text or a list of texts, not {value!r}")
    return [entry for entry in dict.fromkeys(entry.strip() for entry in entries) if entry]


# --- roots

RootKind: TypeAlias = Literal["path", "directory", "glob", "symbol", "hash", "issue", "id"]


@dataclass(frozen=True, slots=True)
class Root:
    """A thing that is still wanted: a tool's result that names it stays."""

    kind: RootKind
    text: str


_HASH = re.compile(r"(?=[A-Fa-f]*[0-9])(?:[0-9a-f]{7,64}|[0-9A-F]{7,64})")
_ISSUE = re.compile(r"(?:[\w.-]+/[\w.-]+)?#[0-9]+")
_SYMBOL = re.compile(r"[^\W\d]\w*(?:(?:::|\.|#)[^\W\d]\w*)*(?:\(\))?")
_PLACE = re.compile(r"(?::[0-9]+){1,2}$")
_FILE = re.compile(r"\.[a-z0-9]{1,8}$")


def root_of(text: str) -> Root | None:
    """What *text* names; None where it is prose, or a path that leads out of the project."""
    text = text.strip()
    if not text or any(char.isspace() for char in text):
        return None
    if _ISSUE.fullmatch(text):
        return Root("issue", text)
    if _HASH.fullmatch(text):
        return Root("hash", text)
    if _SYMBOL.fullmatch(text) and not _FILE.search(text):
        return Root("symbol", text.removesuffix("()"))
    try:
        path = normal_path(_PLACE.sub("", text).lstrip("/"))
    except PathError:
        return None
    if text.startswith("/"):  # where the project lies, only its host knows
        path = f"/{path}"
    if any(char in path for char in "*?["):
        return Root("glob", path)
    return Root("directory" if text.endswith("/") else "path", path)


def pin_roots(pins: Iterable[Pin]) -> tuple[Root, ...]:
    """The things that pins name: those of `artifact_ref`. The prose of the others is no root, since
    any word of it would keep whatever happens to hold that word."""
    named = (root_of(pin.content) for pin in pins if pin.kind == "artifact_ref")
    return tuple(dict.fromkeys(root for root in named if root is not None))


def goal_roots(goal: Goal) -> tuple[Root, ...]:
    """The files that a goal itself names: those that it protects, and the paths and globs of its
    predicates."""
    globs = [glob for protect in goal.protect for glob in protect.globs]
    paths: list[str] = []
    for condition in (*goal.criteria, *goal.constraints, *goal.stops):
        for expr in (condition.when, condition.given, condition.check):
            for node in walk(expr) if expr is not None else ():
                if isinstance(node, ir.Like):
                    globs += node.patterns
                elif isinstance(node, ir.Literal) and node.type == "path":
                    paths.append(str(node.value))
    roots = [_glob_root(glob) for glob in globs] + [Root("path", path) for path in paths]
    return tuple(dict.fromkeys(roots))


def _glob_root(glob: str) -> Root:
    return Root("glob" if any(char in glob for char in "*?[") else "path", glob)
