from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ....grammar import syntax as s
from ....grammar.diagnostics import Code, Diagnostic, Severity
from ....grammar.literals import DECIMAL, DURATION_UNITS, SIZE_UNITS
from ...codegen import literal_value
from ...ir import expressions as ir
from ...reads import facts_read, walk
from ...settings import BUDGET_KEYS
from ..prose import Prose, Quantity, quantities
from ..rule import Place, Rule

_DIGITS = re.compile(r"\d{1,30}(?:\.\d{1,30})?")
_UNITS = frozenset({"percent", "duration", "size", "money"})
_OPERATIONS = {"+": DECIMAL.add, "-": DECIMAL.subtract, "*": DECIMAL.multiply}  # of two literals
_SCALES = {"duration": DURATION_UNITS, "size": SIZE_UNITS}
_READ = 400  # characters of a fact's description, however many parts read the fact
_YEARS = range(2015, 2041)


class UncheckedNumber(Rule):
    """A number in a description that none of the part's predicates uses."""

    code = Code(
        "GS430", "unchecked-number", "lint", Severity.WARNING,
        "Whoever reads `in under 5 minutes` takes it for a promise. If no predicate compares with "
        "the five minutes, nobody keeps it: the part is met however long it took. Compare with the "
        "number, or leave it out. Only numbers with a unit or a bound count (`80%`, `at least 3`, "
        "`2 runs`); units are compared by size, so that `300s` is five minutes. The words that "
        "this rule reads are English.",
        """\
facts {
  suite.passed : bool
  suite.took   : duration
}

goal g {
  objective "Ship it."
  criterion quick "The suite passes in under 5 minutes"
    check suite.passed and suite.took < 10m
}
""",
        """\
facts {
  suite.passed : bool
  suite.took   : duration
}

goal g {
  objective "Ship it."
  criterion quick "The suite passes in under 5 minutes"
    check suite.passed and suite.took < 5m
}
""",
    )  # fmt: skip
    on = (s.Part,)

    def look(self, node: s.Part, at: Place) -> Iterator[Diagnostic]:
        if not isinstance(node.text, s.Literal):
            return
        prose = Prose(node.text, at.source)
        said = [q for q in quantities(prose.text) if q.stated and not _is_idle(q)]
        if not said:
            return
        used = _used(node, at)
        checked = any(clause.keyword == "check" for clause in node.clauses)
        if not checked:
            _limits(used, at)
        for quantity in said:
            if not used.has(quantity):
                where = "in the check" if checked else "in a check"
                yield self.finding(
                    at, prose.span(quantity.start, quantity.end),
                    f"the description says `{quantity.phrase}`, and no predicate of the part does",
                    f"compare with `{quantity.literal}` {where}, or leave the number out",
                )  # fmt: skip


def _is_idle(quantity: Quantity) -> bool:
    """Is it none, one or all, which checks say without a number, or a year?"""
    if quantity.kind == "percent":
        return quantity.value in (0, 1)
    return quantity.kind == "count" and (quantity.value in (0, 1) or quantity.value in _YEARS)


@dataclass
class _Used:
    """The numbers of a part's predicates: *bare* ones, also in names and texts; those *measured* in
    a unit, without it; and *exact* ones by kind."""

    bare: set[Decimal] = field(default_factory=set)
    measured: set[Decimal] = field(default_factory=set)
    exact: dict[str, set[Any]] = field(default_factory=dict)

    def text(self, text: str) -> None:
        self.bare |= _numbers(text)

    def value(self, kind: str, value: Any) -> None:
        self.exact.setdefault(kind, set()).add(value)
        if kind in ("int", "number"):
            self.bare.add(value)

    def has(self, quantity: Quantity) -> bool:
        value = quantity.value
        if quantity.number in self.bare or value in self.exact.get(quantity.kind, ()):
            return True
        match quantity.kind:
            case "count":  # `more than 2` is `>= 3`
                beside = {value - 1, value + 1} if quantity.bound else set()
                return (
                    value in self.bare
                    or quantity.number in self.measured
                    or not beside.isdisjoint(self.exact.get("int", ()))
                )
            case "percent":  # `105% * x` is 5% more than x, `80% * x` is 20% less
                near = {value, 1 + value, 1 - value}
                percents = self.exact.get("percent", set())
                return not (near.isdisjoint(percents) and near.isdisjoint(self.bare))
            case "duration" | "size":
                whole = Decimal(value)
                scales = map(Decimal, _SCALES[quantity.kind].values())
                return any(DECIMAL.divide(whole, scale) in self.bare for scale in scales)
            case "money":
                return False


def _used(node: s.Part, at: Place) -> _Used:
    used = _Used()
    for clause in node.clauses:
        meaning = at.meaning(clause.expr)
        if meaning is None:
            continue
        for expr in walk(meaning.ir):
            _collect(expr, used)
        for name in facts_read(meaning.ir):
            _declaration(name, used, at)
    return used


def _collect(expr: ir.Expr, used: _Used) -> None:
    match expr:
        case ir.Literal():
            _literal(expr, used)
        case ir.ListOf(items=items):
            used.bare.add(Decimal(len(items)))
        case ir.Between(low=low, high=high):
            for end in (low, high):
                if end is not None:
                    _literal(end, used)
        case ir.Runs(count=count):
            used.bare.add(Decimal(count))
        case ir.Held(duration=duration, every=every):
            _literal(ir.Literal(type="duration", value=duration), used)
            if every is not None:
                _literal(ir.Literal(type="duration", value=every), used)
        case ir.FactRead(within=str(within)):
            _literal(ir.Literal(type="duration", value=within), used)
        case ir.Aggregate(rank=str(rank)):
            _literal(ir.Literal(type="percent", value=rank), used)
        case ir.Like(patterns=patterns) | ir.Matches(patterns=patterns):
            used.text(" ".join(patterns))
        case ir.FieldRead(name=name):
            used.text(name)
        case ir.Arithmetic(first=ir.Literal() as first, rest=(step,)):
            if isinstance(step.value, ir.Literal) and step.op in _OPERATIONS:
                one, other = (Decimal(literal_value(side)) for side in (first, step.value))
                kind = step.value.type if first.type in ("int", "number") else first.type
                used.value(kind, _OPERATIONS[step.op](one, other))


def _literal(node: ir.Literal, used: _Used) -> None:
    if node.type in ("int", "number"):
        used.value(node.type, literal_value(node))
    elif node.type in _UNITS:
        used.value(node.type, literal_value(node))
        used.measured |= _numbers(str(node.value))
    elif node.type not in ("bool", "null"):
        used.text(str(node.value))


def _numbers(text: str) -> set[Decimal]:
    return {Decimal(digits) for digits in _DIGITS.findall(text)}


def _declaration(name: str, used: _Used, at: Place) -> None:
    """A host may keep to a number by itself: the fact's name, words or source say so."""
    used.text(name)
    declared = at.checked.facts.get(name)
    if declared is not None:
        source = declared.fact.source
        for text in (declared.fact.description, source and source.argument):
            used.text((text or "")[:_READ])


def _limits(used: _Used, at: Place) -> None:
    """The goal's budget, which the host keeps without a check."""
    goal = at.nearest(s.Goal)
    merged = at.merged(goal) if goal is not None else None
    if merged is not None and merged.budget is not None:
        for key in BUDGET_KEYS:
            used.text(str(getattr(merged.budget, key)))
