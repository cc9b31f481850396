"""`test` blocks: observations and expectations, checked against the goal and its facts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..grammar import syntax as s
from ..grammar.codes import LITERAL
from ..grammar.diagnostics import Code, Label, nearest
from ..grammar.literals import write_time
from ..grammar.source import Span
from . import codes
from . import typing as t
from .context import Report
from .declare import text_of
from .ir import document as ir
from .ir.types import EnumType, ListType, MapType, OptionalType, RecordType, SetType, Type
from .lower import canonical_literal, literal_for, literal_type
from .paths import PathError, normal_path

OUTCOMES = {
    "criterion": ("met", "unmet", "unknown", "waived", "judged"),
    "constraint": ("held", "violated", "unknown", "waived", "judged"),
    "stop": ("held", "stopped", "unknown", "waived", "judged"),
}


class _Bad(Exception):
    """Values that the fact cannot have: each with its node, what is wrong, and what to write; or
    the first node of two that clash."""

    def __init__(
        self, node: Any, message: str, hint: str | None = None, first: Any | None = None
    ) -> None:
        super().__init__(message)
        self.all: list[tuple[Any, str, str | None, Any | None]] = [(node, message, hint, first)]


def _each(makers: list[Callable[[], Any]]) -> list[Any]:
    """What each maker gives; the faults of all of them together."""
    values: list[Any] = []
    faults: list[_Bad] = []
    for make in makers:
        try:
            values.append(make())
        except _Bad as bad:
            faults.append(bad)
    if faults:
        faults[0].all = [fault for bad in faults for fault in bad.all]
        raise faults[0]
    return values


def lower_test(
    node: s.Test, goals: dict[str, ir.Goal], facts: dict[str, ir.Fact], report: Report,
    lost: frozenset[str],
) -> ir.Test | None:  # fmt: skip
    """The test in the IR; None where its goal is unknown."""
    name = text_of(node.name, report)
    goal = goals.get(node.goal.text)
    if goal is None:
        if "goals" not in lost:
            near = nearest(node.goal.text, list(goals))
            hint = f"did you mean `{near}`?" if near else "a test stands in the file of its goal"
            report(codes.UNKNOWN_GOAL, node.goal.span, f"there is no goal `{node.goal.text}`", hint)
        return None
    steps: list[Any] = []
    for step in node.steps:
        match step:
            case s.Observe():
                steps.append(_observe(step, facts, report, lost))
            case s.Baseline():
                values = _assignments(step.assignments, facts, report, lost)
                steps.append(ir.Baseline(facts=values))
            case s.Expect():
                expect = _expect(step, goal, report, lost)
                if expect is not None:
                    steps.append(expect)
    return ir.Test(name=name or "", goal=goal.id, steps=tuple(steps))


def _observe(
    node: s.Observe, facts: dict[str, ir.Fact], report: Report, lost: frozenset[str]
) -> ir.Observe:
    at = None
    if isinstance(node.at, s.BadLiteral):
        report(LITERAL, node.at.span, node.at.message, node.at.hint)
    elif node.at is not None:
        at = write_time(node.at.value)
    values = _assignments(node.assignments, facts, report, lost)
    return ir.Observe(at=at, rev=text_of(node.rev, report), facts=values)


def _assignments(
    nodes: list[s.Assignment], facts: dict[str, ir.Fact], report: Report, lost: frozenset[str]
) -> tuple[Any, ...]:
    values: list[Any] = []
    seen: dict[str, Span] = {}
    for node in nodes:
        name = node.name.text
        if name in seen:
            report.twice(f"`{name}`", node.span, seen[name], "keep one")
        seen.setdefault(name, node.span)
        fact = facts.get(name)
        if fact is None:
            if "facts" not in lost:
                near = nearest(name, list(facts))
                hint = f"did you mean `{near}`?" if near else None
                report(
                    codes.UNDECLARED_FACT,
                    node.name.span,
                    f"the fact `{name}` is not declared",
                    hint,
                )
            continue
        value = _assigned(node.value, fact, report)
        if value is not None:
            values.append(value)
    return tuple(values)


def _assigned(node: s.Value, fact: ir.Fact, report: Report) -> ir.Known | ir.Unknown | None:
    if isinstance(node, s.Word) and node.text == "unknown":
        return ir.Unknown(fact=fact.name, reason="missing")
    if isinstance(node, s.UnknownValue):
        if node.word.text != "unknown" or node.reason.text not in ir.UNKNOWN_REASONS:
            near = nearest(node.reason.text, ir.UNKNOWN_REASONS)
            report(
                codes.UNKNOWN_WORD, node.span, f"`{node.reason.text}` is no reason",
                (f"did you mean `{near}`? " if near else "")
                + "write `unknown(…)` with one of " + ", ".join(ir.UNKNOWN_REASONS),
            )  # fmt: skip
            return None
        return ir.Unknown(fact=fact.name, reason=node.reason.text)  # type: ignore[arg-type]
    try:
        return ir.Known(fact=fact.name, value=value_of(node, fact.type))
    except _Bad as bad:
        for place, message, hint, first in bad.all:
            labels = () if first is None else (Label(report.source, first.span, "the first"),)
            code = codes.DUPLICATE if labels else _code_of(place)
            report(code, place.span, message, hint, labels)
        return None


def _code_of(node: Any) -> Code:
    return LITERAL if isinstance(node, s.BadLiteral) else codes.TEST_VALUE


def value_of(node: s.Value, type: Type) -> Any:
    """The JSON in which a host would give *node* for a fact of *type*; numbers as in the IR."""
    match type, node:
        case _, s.BadLiteral():
            raise _Bad(node, node.message, node.hint)
        case OptionalType(), s.Literal(kind="null"):
            return None
        case OptionalType(of=of), _:
            return value_of(node, of)
        case ((ListType() | SetType()), s.ListValue(items=items)):
            return _each([partial(value_of, item, type.of) for item in items])
        case MapType(of=of), s.RecordValue():
            keys = _keys(node, strings=True)
            values = _each([partial(value_of, entry.value, of) for entry in node.entries])
            return dict(zip(keys, values, strict=True))
        case RecordType(), s.RecordValue():
            return _record(node, type)
        case _, s.Literal():
            return _scalar(node, type)
        case _:
            raise _Bad(node, f"{t.a(type)} is due")


def _keys(node: s.RecordValue, strings: bool) -> list[str]:
    """The keys of a map's or record's value, each once and of the right kind."""
    seen: dict[str, Any] = {}

    def key(entry: s.Entry) -> str:
        if isinstance(entry.key, s.BadLiteral):
            raise _Bad(entry.key, entry.key.message, entry.key.hint)
        if isinstance(entry.key, s.Literal) is not strings:
            kind, example = ("map are strings", '"key": 1') if strings else (
                "record are names", "name: 1",
            )  # fmt: skip
            raise _Bad(entry.key, f"the keys of a {kind}", f"write `{example}`")
        text = str(entry.key.value) if isinstance(entry.key, s.Literal) else entry.key.text
        if text in seen:
            raise _Bad(entry.key, f"`{text}` is there twice", first=seen[text])
        seen[text] = entry.key
        return text

    return _each([partial(key, entry) for entry in node.entries])


def _record(node: s.RecordValue, type: RecordType) -> dict[str, Any]:
    names = _keys(node, strings=False)
    fields = {field.name: field.type for field in type.fields}

    def value(name: str, entry: s.Entry) -> Any:
        if name not in fields:
            raise _Bad(entry.key, f"the record has no field `{name}`")
        return value_of(entry.value, fields[name])

    values = _each([partial(value, *pair) for pair in zip(names, node.entries, strict=True)])
    for name, kind in fields.items():
        if name not in names and not isinstance(kind, OptionalType):
            raise _Bad(node, f"the field `{name}` is missing")
    return dict(zip(names, values, strict=True))


def _scalar(node: s.Literal, type: Type) -> Any:
    if node.kind == "string" and isinstance(type, EnumType):
        if node.value not in type.members:
            near = nearest(str(node.value), type.members)
            raise _Bad(
                node, f"`{node.text}` is none of the fact's values",
                (f'did you mean "{near}"? ' if near else "") + f"they are {t.describe(type)}",
            )  # fmt: skip
        return node.value
    if node.kind == "string" and type.kind == "path":
        try:
            return normal_path(str(node.value))
        except PathError as error:
            raise _Bad(node, error.message, error.hint) from None
    if not (t.same(literal_type(node), type) or (node.kind, type.kind) == ("int", "number")):
        raise _Bad(
            node,
            f"the fact is {t.a(type)}, and this is {t.a(literal_type(node))}",
            literal_for(type, node),
        )  # fmt: skip
    return canonical_literal(node).value


def _expect(
    node: s.Expect, goal: ir.Goal, report: Report, lost: frozenset[str]
) -> ir.Expect | ir.ExpectDone | None:
    if node.id is None:
        return ir.ExpectDone(done=not node.negated)
    kinds = {
        **{c.id: "criterion" for c in goal.criteria},
        **{c.id: "constraint" for c in goal.constraints},
        **{c.id: "stop" for c in goal.stops},
    }
    kind = kinds.get(node.id.text)
    if kind is None:
        if not lost & {"parts", "presets"}:
            near = nearest(node.id.text, list(kinds))
            hint = f"did you mean `{near}`?" if near else "ids are " + ", ".join(kinds)
            report(
                codes.UNKNOWN_ID,
                node.id.span,
                f"`{goal.id}` has nothing called `{node.id.text}`",
                hint,
            )
        return None
    if node.outcome.text not in OUTCOMES[kind]:
        near = nearest(node.outcome.text, OUTCOMES[kind])
        report(
            codes.UNKNOWN_WORD, node.outcome.span,
            f"`{node.outcome.text}` is no outcome of a {kind}",
            (f"did you mean `{near}`? " if near else "") + "outcomes are "
            + ", ".join(OUTCOMES[kind]),
        )  # fmt: skip
        return None
    return ir.Expect(id=node.id.text, outcome=node.outcome.text)  # type: ignore[arg-type]
