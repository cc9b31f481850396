"""The syntax tree: one slotted class for each thing a person can write, each with its span.

The tree is concrete enough to be written back (groups stay, literals keep their text) and knows
nothing of meaning: names are unresolved, types are words. Slotted dataclasses because a parse
makes thousands of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias
from typing import Literal as Choice

from .comments import Comment, find_comments
from .node import node
from .source import Source, Span

# A tree deeper than this is cut off at the place where it becomes too deep: whoever walks it may
# recurse. It leaves the language's own limit (64 for predicates) to the checker.
MAX_DEPTH = 80


@node
class Name:
    """A word as it stands in the file."""

    span: Span
    text: str


# --- literals


@node
class Literal:
    """A literal of *kind* with its exact value (see grammar.literals); *text* as written."""

    depth: ClassVar[int] = 0
    span: Span
    kind: str  # bool int number string percent duration size money time date version null
    value: Any
    text: str
    currency: str | None = None


@node
class BadLiteral:
    """A text of a literal's shape that means nothing; the checker reports it."""

    depth: ClassVar[int] = 0
    span: Span
    message: str
    hint: str | None


@node
class TooDeep:
    """Where the tree was cut off because it nests too deep."""

    depth: ClassVar[int] = 0
    span: Span


# --- predicates and values


@node
class Path:
    """A fact's dotted name, a bound variable with its fields, or a `let`."""

    depth: ClassVar[int] = 0
    span: Span
    text: str


@node
class Group:
    span: Span
    inner: Expr
    depth: int


@node
class Chain:
    """`a and b and c`, flat."""

    span: Span
    op: Choice["and", "or"]
    items: list[Expr]
    depth: int


@node
class Not:
    span: Span
    inner: Expr
    depth: int


@node
class History:
    """`always P` or `ever P`."""

    span: Span
    op: Choice["always", "ever"]
    inner: Expr
    depth: int


@node
class Quantifier:
    span: Span
    op: Choice["any", "all", "none", "each"]
    var: Name
    domain: Expr
    where: Expr | None
    body: Expr
    depth: int


@node
class Runs:
    """`P for N runs`, with its clock and `on one revision`."""

    span: Span
    inner: Expr
    count: Expr
    clock: Path | None
    one_revision: bool
    depth: int


@node
class Held:
    """`P for D`, with `every D`."""

    span: Span
    inner: Expr
    duration: Expr
    every: Expr | None
    depth: int


@node
class Compare:
    span: Span
    op: Choice["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr
    depth: int


@node
class Range:
    """`low..high`, either end open."""

    span: Span
    low: Expr | None
    high: Expr | None
    depth: int = 1


@node
class Member:
    span: Span
    negated: bool
    item: Expr
    of: Expr | Range
    depth: int


@node
class TextTest:
    span: Span
    op: Choice["like", "matches", "contains"]
    left: Expr
    right: Expr
    depth: int


@node
class Binary:
    """`+ - * /` and `??`."""

    span: Span
    op: Choice["+", "-", "*", "/", "??"]
    left: Expr
    right: Expr
    depth: int


@node
class Negative:
    span: Span
    inner: Expr
    depth: int


@node
class View:
    """`x at start`, `x at baseline`, `previous x`, `x fresh D`."""

    span: Span
    view: Choice["start", "baseline", "previous", "fresh"]
    inner: Expr
    within: Expr | None
    depth: int


@node
class FieldOf:
    span: Span
    inner: Expr
    name: Name
    depth: int


@node
class Index:
    span: Span
    inner: Expr
    key: Expr
    depth: int


@node
class Argument:
    """One argument of a call: a value, perhaps `for var in domain` and `where`."""

    span: Span
    value: Expr
    var: Name | None
    domain: Expr | None
    where: Expr | None
    depth: int


@node
class Call:
    span: Span
    name: Name
    arguments: list[Argument]
    depth: int


@node
class ListLiteral:
    span: Span
    items: list[Expr]
    depth: int


Expr: TypeAlias = (
    Literal
    | BadLiteral
    | TooDeep
    | Path
    | Group
    | Chain
    | Not
    | History
    | Quantifier
    | Runs
    | Held
    | Compare
    | Member
    | TextTest
    | Binary
    | Negative
    | View
    | FieldOf
    | Index
    | Call
    | ListLiteral
)


# --- types of facts


@node
class ScalarType:
    depth: ClassVar[int] = 0
    span: Span
    name: Name
    currency: Name | None
    max: Expr | None
    unit: Name | None


@node
class EnumType:
    depth: ClassVar[int] = 0
    span: Span
    members: list[Literal | BadLiteral]
    ordered: bool


@node
class FieldType:
    span: Span
    name: Name
    type: TypeNode


@node
class RecordType:
    span: Span
    fields: list[FieldType]
    depth: int


@node
class CollectionType:
    span: Span
    kind: Choice["list", "set", "map"]
    of: TypeNode
    max: Expr | None
    by: Name | None
    depth: int


@node
class OptionalType:
    span: Span
    of: TypeNode
    depth: int


TypeNode: TypeAlias = ScalarType | EnumType | RecordType | CollectionType | OptionalType | TooDeep


# --- statements


@node
class Edition:
    span: Span
    number: Expr


@node
class Use:
    span: Span
    std: bool
    target: Literal | BadLiteral


@node
class Let:
    span: Span
    name: Name
    value: Expr


@node
class Origin:
    """`from NAME "argument" in "dir" timeout 10m`."""

    span: Span
    name: Name
    argument: Literal | BadLiteral | None
    directory: Literal | BadLiteral | None
    timeout: Expr | None


@node
class Fact:
    span: Span
    name: Name
    type: TypeNode
    range: Range | None
    lasting: bool
    description: Literal | BadLiteral | None
    origin: Origin | None
    selector: Literal | BadLiteral | None


@node
class Facts:
    span: Span
    lasting: bool
    origin: Origin | None
    facts: list[Fact]


@node
class Clause:
    span: Span
    keyword: Choice["when", "given", "check"]
    expr: Expr


@node
class Part:
    """A criterion, a constraint or a stop."""

    span: Span
    kind: Choice["criterion", "constraint", "stop"]
    modifier: Name | None
    id: Name | None
    text: Literal | BadLiteral
    clauses: list[Clause]


@node
class PresetUse:
    span: Span
    names: list[Name]


@node
class Objective:
    span: Span
    text: Literal | BadLiteral


@node
class Protect:
    span: Span
    globs: list[Literal | BadLiteral]
    allow_new: list[Literal | BadLiteral]


@node
class Setting:
    """`name value` in a block; *of* is the second number of `quorum 2 of 3`."""

    span: Span
    name: Name
    value: Value
    of: Expr | None = None


@node
class Budget:
    span: Span
    advisory: bool
    settings: list[Setting]


@node
class Judge:
    span: Span
    settings: list[Setting]


@node
class Keep:
    span: Span
    kinds: list[Name]


@node
class Kind:
    span: Span
    name: Name
    lane: Name


@node
class Pins:
    span: Span
    rules: list[Keep | Kind | Setting]


@node
class Pin:
    span: Span
    kind: Name
    content: Literal | BadLiteral


GoalPart: TypeAlias = PresetUse | Objective | Part | Protect | Budget | Judge | Pins | Pin | Let


@node
class Goal:
    span: Span
    id: Name
    parts: list[GoalPart]


@node
class Preset:
    span: Span
    id: Name
    parts: list[GoalPart]


# --- tests


@node
class Word:
    """A bare word as a value: `fail`, `unknown`."""

    depth: ClassVar[int] = 0
    span: Span
    text: str


@node
class UnknownValue:
    """`unknown(error)`."""

    depth: ClassVar[int] = 0
    span: Span
    word: Name
    reason: Name


@node
class ListValue:
    span: Span
    items: list[Value]
    depth: int


@node
class Entry:
    span: Span
    key: Name | Literal | BadLiteral
    value: Value


@node
class RecordValue:
    span: Span
    entries: list[Entry]
    depth: int


Value: TypeAlias = Literal | BadLiteral | TooDeep | Word | UnknownValue | ListValue | RecordValue


@node
class Assignment:
    span: Span
    name: Name
    value: Value


@node
class Observe:
    span: Span
    at: Literal | BadLiteral | None
    rev: Literal | BadLiteral | None
    assignments: list[Assignment]


@node
class Baseline:
    span: Span
    assignments: list[Assignment]


@node
class Expect:
    """`expect ID outcome`; `expect [not] done` has no id."""

    span: Span
    id: Name | None
    outcome: Name
    negated: bool


@node
class Test:
    span: Span
    name: Literal | BadLiteral
    goal: Name
    steps: list[Observe | Baseline | Expect]


Statement: TypeAlias = Edition | Use | Facts | Goal | Preset | Test | Let


@node
class File:
    """One parsed file.

    *lost* are the kinds of names (facts, presets, lets, goals, parts) that statements with errors
    may have declared; such a name that is missing is no second mistake.
    """

    source: Source
    statements: list[Statement]
    lost: frozenset[str] = frozenset()

    def comments(self) -> Iterator[Comment]:
        """The file's comments in order; strings that hold `#` are no comments."""
        return find_comments(self.source.text)
