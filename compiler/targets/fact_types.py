"""The facts of a goal as Python's TypedDicts: what a host may give, as JSON says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..ir.document import Fact
from ..ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    ScalarType,
    SetType,
    Type,
)
from .spelling import inline

UNKNOWN = """\
# A fact that is said to be unknown, and why.
UnknownFact = TypedDict(
    "UnknownFact",
    {
        "$unknown": Literal["missing", "stale", "null", "skipped", "error", "invalid"],
        "because": NotRequired[str],
    },
)
"""
_EXACT = "int | float | Decimal"


def fact_types(facts: Iterable[Fact]) -> str:
    """Definitions that end with `GoalFacts`, whose keys are the first segments of the facts' names;
    a dotted name is nested."""
    writer = _Writer()
    tree: dict[str, Any] = {}
    for fact in facts:
        *path, last = fact.name.split(".")
        inner = tree
        for segment in path:
            inner = inner.setdefault(segment, {})
        inner[last] = fact
    writer.nested("GoalFacts", tree)
    return "\n\n".join([UNKNOWN, *writer.definitions.values()])


class _Writer:
    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}

    def nested(self, name: str, tree: dict[str, Any]) -> str:
        """The definition of the facts below a prefix, each of which may be left out."""
        fields = []
        for key, value in tree.items():
            inner = f"{_camel(key)}{name}"
            if isinstance(value, Fact):
                fields.append(
                    (key, f"{self.spelled(value.type, inner)} | UnknownFact", _said(value))
                )
            else:
                fields.append((key, self.nested(inner, value), ""))
        return self._define(name, fields, total=False)

    def spelled(self, type: Type, name: str) -> str:
        """The annotation of *type*; *name* is for a record in it."""
        match type:
            case ScalarType(kind="bool" | "int" as kind):
                return kind
            case ScalarType(kind="number"):
                return _EXACT
            case ScalarType(kind="percent" | "duration" | "size", unit=str()):
                return f"str | {_EXACT}"
            case ScalarType() | MoneyType():
                return "str"
            case EnumType(members=members):
                return f"Literal[{', '.join(map(repr, members))}]"
            case ListType(of=of) | SetType(of=of):
                return f"list[{self.spelled(of, name)}]"
            case MapType(of=of):
                return f"dict[str, {self.spelled(of, name)}]"
            case OptionalType(of=of):
                return f"{self.spelled(of, name)} | None"
            case RecordType(fields=fields):
                return self._define(name, list(self._fields(fields, name)), total=True)

    def _fields(self, fields: Iterable[Any], name: str) -> Iterator[tuple[str, str, str]]:
        for field in fields:
            spelled = self.spelled(field.type, f"{_camel(field.name)}{name}")
            optional = isinstance(field.type, OptionalType)
            yield field.name, f"NotRequired[{spelled}]" if optional else spelled, ""

    def _define(self, name: str, fields: list[tuple[str, str, str]], *, total: bool) -> str:
        while name in self.definitions:
            name += "_"
        lines = "".join(f"        {key!r}: {type},{said}\n" for key, type, said in fields)
        rest = "" if total else "    total=False,\n"
        self.definitions[name] = (
            f"{name} = TypedDict(\n    {name!r},\n    {{\n{lines}    }},\n{rest})\n"
        )
        return name


def _camel(segment: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in segment.split("_"))


def _said(fact: Fact) -> str:
    """The fact's description as a comment, on one line whatever is in it."""
    if not fact.description:
        return ""
    return f"  # {inline(fact.description)}"
