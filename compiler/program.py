"""What the engine runs: a goal as plain data and functions.

A predicate is two functions and the wordings of its sites, from which explanations are made; a fact
is a type with its range; a view or a temporal form is what stands under one key of Facts. Nothing
here knows the IR's expressions, so that a program, the engine and what they need can be linked into
one module of the standard library, or be written out for another language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final, Literal, TypeAlias

from .folding import Truth
from .ir.node import Node, node
from .ir.types import Type
from .kernel import Facts

NOW: Final = "the observation's time"

# --- wordings: what an explanation says of one site of a predicate


# How to find a value that a leaf read: ("variable", name), ("text", text), ("fact", key),
# ("field", path, place) of a record or ("entry", path, path) of a map. An empty one finds nothing.
Route: TypeAlias = tuple[Any, ...]


@node
class FactMention(Node):
    """A fact in one of its views, with its value."""

    key: str
    type: Type | None


@node
class KnownMention(Node):
    """Whether a fact is known."""

    name: str
    key: str


@node
class ElementMention(Node):
    """A part of a fact or of an element, with its value; where it cannot be found, *otherwise*."""

    text: str
    type: Type | None
    route: Route
    otherwise: tuple[Mention, ...] = ()


Mention: TypeAlias = FactMention | KnownMention | ElementMention


@node
class Distance(Node):
    """How far a comparison of values of *type* is from holding: `short` of it or `over`."""

    type: Type
    side: Literal["short", "over"]


@node
class Change(Node):
    """`x >= x at start - 0.5%`: how far x moved from another view of it, and how far it may."""

    key: str
    base: str
    said: str
    type: Type
    allowed: Any = None


@node
class Counted(Node):
    """The elements that a count found: those that *found* (`any x in xs: …`) names for *var*, or
    all that is read."""

    reads: tuple[Mention, ...] = ()
    found: Predicate | None = None
    var: str = ""
    type: Type | None = None


@node
class Computed(Node):
    """`count(…) is 1: >= 2 does not hold`: a computed left side, with its value."""

    left: str
    type: Type | None
    reads: tuple[Mention, ...]
    test: str
    counted: Counted | None = None


@node
class LetWording(Node):
    """A `let` that decided."""

    name: str


@node
class QuantifierWording(Node):
    op: Literal["any", "all", "none", "each"]
    over: str
    reads: tuple[Mention, ...]
    where: str | None
    body: str


@node
class FormWording(Node):
    """A streak, a hold or a history, under its key."""

    key: str
    text: str


@node
class LeafWording(Node):
    """A test of values. A *bare* one is a value that is true or false by itself: what was read says
    it all."""

    text: str
    reads: tuple[Mention, ...]
    bare: bool = False
    change: Change | None = None
    computed: Computed | None = None
    distance: Distance | None = None


@node
class Wording(Node):
    """One site: its form, and the types of the variables around it."""

    form: LetWording | QuantifierWording | FormWording | LeafWording
    variables: Mapping[str, Type | None] = field(default_factory=dict)


# --- predicates and what they read


@node
class Predicate(Node):
    """A compiled predicate.

    *decide* gives True, False or Unknown; *explain* gives the Truth with its reasons, whose sites
    are places in *wordings*, which are made when a person asks.
    """

    decide: Callable[[Facts], Any]
    explain: Callable[[Facts], Truth]
    wordings: Callable[[], tuple[Wording, ...]]


@node
class Bounds(Node):
    """A closed range, either end open; *text* is how it is written."""

    low: Any
    high: Any
    text: str


@node
class FactSpec(Node):
    """A fact that may be given."""

    name: str
    type: Type
    bounds: Bounds | None = None
    lasting: bool = False


@node
class View(Node):
    """A fact as it is read: now or in another view. *within* (nanoseconds) belongs to `fresh`."""

    key: str
    fact: str
    view: Literal["now", "start", "previous", "baseline", "fresh"] = "now"
    within: int = 0


@node
class Form(Node):
    """A temporal form: the predicate that it counts, and the facts that an observation must supply
    to count. *count* and *one_revision* belong to `runs`, *duration* and *every* (nanoseconds) to
    `held`."""

    kind: Literal["runs", "held", "always", "ever"]
    inner: Predicate
    needs: frozenset[str]
    count: int = 0
    one_revision: bool = False
    duration: int = 0
    every: int | None = None


@node
class Part(Node):
    """A criterion, constraint or stop. Without *check* a judge decides."""

    id: str
    text: str
    mode: Literal["gating", "awaited", "advisory"] = "gating"
    when: Predicate | None = None
    given: Predicate | None = None
    check: Predicate | None = None


@node
class Program(Node):
    """A goal. *known* and *host_checks* are names by their key, *forms* by theirs."""

    goal: str
    contract: str
    facts: tuple[FactSpec, ...]
    views: tuple[View, ...]
    known: Mapping[str, str]
    host_checks: Mapping[str, str]
    forms: Mapping[str, Form]
    criteria: tuple[Part, ...]
    constraints: tuple[Part, ...] = ()
    stops: tuple[Part, ...] = ()
