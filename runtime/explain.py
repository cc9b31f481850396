"""Explanations: what decided a predicate, in one line a person can check against the facts.

Made from the reasons that the three-valued form kept: the deciding leaves with the values they
read, e.g. `coverage.line is 83.2%, at start it was 84.1%: 0.9 points lower, 0.5 allowed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from ..compiler import kernel as k
from ..compiler import typing as t
from ..compiler.codegen import (
    Predicate,
    Site,
    compile_predicate,
    fact_key,
    known_key,
    literal_value,
    temporal_key,
)
from ..compiler.ir import expressions as ir
from ..compiler.ir.text import write_expression
from ..compiler.ir.types import (
    EnumType,
    ListType,
    MapType,
    MoneyType,
    OptionalType,
    RecordType,
    SetType,
)
from ..compiler.kernel import Facts, Reason, Unknown
from ..grammar.literals import (
    spell_duration,
    write_date,
    write_money,
    write_number,
    write_percent,
    write_size,
    write_string,
    write_time,
    write_version,
)

MAX_LEAVES = 4
MAX_SHOWN = 5
_LONG_FRACTION = re.compile(r"(\.0*[1-9]\d{5})\d{2,}")


def explain(
    predicate: Predicate,
    facts: Facts,
    inner: Mapping[str, Predicate],
    progress: Mapping[str, str],
) -> str:
    """Why *predicate* came out as it did; *inner* and *progress* are the temporal forms' own."""
    truth = predicate.explain(facts)
    return _Explanation(predicate.sites, facts, inner, progress).of(truth)


class _Explanation:
    def __init__(
        self, sites: tuple[Site, ...], facts: Facts, inner: Mapping[str, Predicate],
        progress: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.sites = sites
        self.facts = facts
        self.inner = inner
        self.progress = progress

    def of(self, truth: k.Truth) -> str:
        lines = list(dict.fromkeys(self._leaf(reason) for reason in truth.because))
        lines = [line for line in lines if line]
        shown = lines[:MAX_LEAVES]
        if len(lines) > MAX_LEAVES:
            shown.append(f"and {len(lines) - MAX_LEAVES} more")
        return "; ".join(shown) or "it follows from its form"

    def _leaf(self, reason: Reason) -> str:
        node, scope = self.sites[reason.site].node, self.sites[reason.site].scope
        bound = dict(reason.bindings)
        where = ", ".join(
            f"{name} = {show(value, scope.variables.get(name))}" for name, value in reason.bindings
        )
        prefix = f"for {where}: " if where else ""
        return prefix + self._said(node, scope, reason, bound)

    def _said(self, node: ir.Expr, scope: t.Scope, reason: Reason, bound: dict[str, Any]) -> str:
        match node:
            case ir.Named(name=name):
                return f"{name} {_holds(reason.value)}"
            case ir.Quantifier():
                return self._quantifier(node, scope, reason)
            case ir.Runs() | ir.Held() | ir.History():
                return self._temporal(node, reason)
            case ir.Compare():
                change = self._change(node, scope, reason)
                if change is not None:
                    return change
        reads = list(dict.fromkeys(self._reads(node, scope, bound)))
        if (
            isinstance(node, ir.FactRead | ir.FieldRead | ir.Variable | ir.Index | ir.Known)
            and reads
        ):
            return ", ".join(reads)
        computed = self._computed(node, scope, reason, bound)
        if computed is not None:
            return computed
        text = write_expression(node)
        verdict = f"{text} {_holds(reason.value)}{self._distance(node, scope, reason)}"
        if (
            isinstance(reason.value, Unknown)
            and reason.value.words
            and not _told(reads, reason.value)
        ):
            verdict += f" ({reason.value.words})"
        return f"{', '.join(reads)}: {verdict}" if reads else verdict

    def _computed(
        self, node: ir.Expr, scope: t.Scope, reason: Reason, bound: dict[str, Any]
    ) -> str | None:
        """`count(…) is 1: >= 2 does not hold`: a computed left side, with its value."""
        if not isinstance(node, ir.Compare) or isinstance(reason.value, Unknown):
            return None
        if not isinstance(node.left, ir.Aggregate | ir.Arithmetic | ir.Call | ir.Negate):
            return None
        value = show(reason.operands[0], _type(node.left, scope))
        read = [f"{write_expression(node.left)} is {value}", *self._reads(node.right, scope, bound)]
        test = f"{node.op} {write_expression(node.right)}"
        verdict = f"{test} {_holds(reason.value)}{self._distance(node, scope, reason)}"
        counted = "" if reason.value else self._counted(node.left, reason.operands[0], scope)
        return f"{', '.join(read)}: {verdict}{counted}"

    def _counted(self, node: ir.Expr, count: Any, scope: t.Scope) -> str:
        """` (counted …)`: the first of the elements that a count found. What fails has to be named
        to be mended."""
        if not isinstance(node, ir.Aggregate) or node.op != "count" or scope.variables or not count:
            return ""
        if node.var is None or node.where is None:
            reads = ", ".join(self._reads(node.over, scope, {}))
            return f" ({reads})" if reads else ""
        any_of_them = ir.Quantifier(op="any", var=node.var, over=node.over, body=node.where)
        because = compile_predicate(any_of_them, dict(scope.facts)).explain(self.facts).because
        found = dict.fromkeys(dict(reason.bindings).get(node.var, _ABSENT) for reason in because)
        of = t.element(_type(node.over, scope))
        shown = [show(element, of) for element in found if element is not _ABSENT]
        return f" (counted {', '.join(shown)}{_more(count, len(shown))})"

    # --- what was read

    def _reads(self, node: ir.Expr, scope: t.Scope, bound: dict[str, Any]) -> Iterator[str]:
        """`coverage.line is 83.2%` for each read; quantified bodies have leaves of their own."""
        match node:
            case ir.FactRead():
                yield self._fact(node, scope)
            case ir.Known(name=name):
                state = "known" if self.facts.get(known_key(name)) else "unknown"
                yield f"{name} is {state}"
            case ir.Variable():
                return  # the line begins with what variables stand for
            case ir.FieldRead() | ir.Index() if (
                value := self._element(node, scope, bound)
            ) is not _ABSENT:
                yield f"{write_expression(node)} is {show(value, _type(node, scope))}"
            case ir.Aggregate():
                yield from self._reads(node.over, scope, bound)
            case ir.Call(function="age" | "past", argument=argument):
                yield from self._reads(argument, scope, bound)
            case ir.Quantifier() | ir.Runs() | ir.Held() | ir.History() | ir.Literal():
                return
            case _:
                for child in ir.children(node):
                    yield from self._reads(child, scope, bound)

    def _fact(self, node: ir.FactRead, scope: t.Scope) -> str:
        key = fact_key(node)
        value = k.read(self.facts, key)
        if isinstance(value, Unknown):
            words = f": {value.words}" if value.words else ""
            return f"{key} is unknown ({value.reason}{words})"
        return f"{key} is {show(value, scope.facts.get(node.name))}"

    def _element(self, node: ir.Expr, scope: t.Scope, bound: dict[str, Any]) -> Any:
        match node:
            case ir.Variable(name=name):
                return bound.get(name, _ABSENT)
            case ir.Literal(value=str(text)):
                return text
            case ir.FactRead():
                value = k.read(self.facts, fact_key(node))
                return _ABSENT if isinstance(value, Unknown) else value
            case ir.FieldRead(of=of, name=name):
                record, type = self._element(of, scope, bound), t.base(_type(of, scope))
                if not isinstance(record, tuple) or not isinstance(type, RecordType):
                    return _ABSENT
                return record[[f.name for f in type.fields].index(name)]
            case ir.Index(of=of, key=key):
                mapping, name = self._element(of, scope, bound), self._element(key, scope, bound)
                return mapping.get(name, _ABSENT) if isinstance(mapping, k.Map) else _ABSENT
        return _ABSENT

    # --- forms

    def _quantifier(self, node: ir.Quantifier, scope: t.Scope, reason: Reason) -> str:
        if isinstance(reason.operands[0], Unknown):
            return ", ".join(self._reads(node.over, scope, {}))
        domain, count, hits = reason.operands
        over = write_expression(node.over)
        if count == 0 and node.where is not None and domain:
            return f"{over} has none where {write_expression(node.where)}"
        if count == 0:
            return f"{over} is empty"
        matching = f" where {write_expression(node.where)}" if node.where is not None else ""
        body = write_expression(node.body)
        if hits:
            if node.op in ("any", "none"):
                return f"{hits} of {count} in {over}{matching}: {body}"
            return f"{hits} of {count} in {over}{matching} fail {body}"
        if isinstance(reason.value, Unknown):
            words = f": {reason.value.words}" if reason.value.words else ""
            return f"{over}{matching} is undecided ({reason.value.reason}{words})"
        held = "none" if node.op in ("any", "none") else "all"
        return f"{held} of {count} in {over}{matching}: {body}"

    def _temporal(self, node: ir.Runs | ir.Held | ir.History, reason: Reason) -> str:
        key = temporal_key(node)
        text = f"{write_expression(node)} {_holds(reason.value)}"
        words = self.progress.get(key, "")
        if isinstance(reason.value, Unknown):
            words = reason.value.words or words
        if words:
            text += f" ({words})"
        if reason.value is not True and key in self.inner:
            inner = self.inner[key]
            now = explain(inner, self.facts, self.inner, self.progress)
            text += f"; now: {now}"
        return text

    def _change(self, node: ir.Compare, scope: t.Scope, reason: Reason) -> str | None:
        """`x >= x at start - 0.5%`: how far x moved, and how far it may."""
        left, right = node.left, node.right
        base = right.first if isinstance(right, ir.Arithmetic) else right
        if not (isinstance(left, ir.FactRead) and left.view == "now"):
            return None
        if not (isinstance(base, ir.FactRead) and base.name == left.name and base.view != "now"):
            return None
        then, now = k.read(self.facts, fact_key(base)), k.read(self.facts, left.name)
        type = t.base(_type(left, scope))
        if any(isinstance(v, Unknown) or v is None for v in (then, now)) or not _subtracts(type):
            return None
        allowed = self._allowance(right)
        said = {
            "start": "at start it was",
            "previous": "before it was",
            "baseline": "its baseline is",
        }
        if base.view not in said or (isinstance(right, ir.Arithmetic) and allowed is None):
            return None
        moved = now - then
        direction = "lower" if moved < 0 else "higher"
        size = _difference(abs(moved), type)
        change = f"{size} {direction}" if moved else "no change"
        tail = (
            f", {_difference(allowed, type).removesuffix(' points')} allowed"
            if allowed is not None
            else ""
        )
        was = f"{said[base.view]} {show(then, type)}"
        return f"{left.name} is {show(now, type)}, {was}: {change}{tail}"

    def _allowance(self, right: ir.Expr) -> Any:
        if not isinstance(right, ir.Arithmetic) or len(right.rest) != 1:
            return None
        step = right.rest[0]
        if step.op not in "+-" or not isinstance(step.value, ir.Literal):
            return None
        return literal_value(step.value)

    def _distance(self, node: ir.Expr, scope: t.Scope, reason: Reason) -> str:
        """How far a comparison that failed is from holding."""
        if not isinstance(node, ir.Compare) or node.op in ("==", "!=") or reason.value is not False:
            return ""
        left, right = reason.operands
        type = t.base(_type(node.left, scope))
        if not _subtracts(type) or left is None or right is None:
            return ""
        gap = right - left
        short = node.op in (">", ">=")
        if not gap:
            return ", it is equal"
        return f", {_difference(abs(gap), type)} {'short' if short else 'over'}"


_ABSENT = object()


def _type(node: ir.Expr, scope: t.Scope) -> t.AnyType:
    return t.infer(node, scope)


def _told(reads: list[str], unknown: Unknown) -> bool:
    return any(unknown.words in read for read in reads)


def _holds(value: Any) -> str:
    if isinstance(value, Unknown):
        return "is unknown"
    return "holds" if value else "does not hold"


def _subtracts(type: t.AnyType) -> bool:
    return type.kind in ("int", "number", "percent", "duration", "size", "money")


def _difference(value: Any, type: t.AnyType) -> str:
    if type.kind == "percent":
        return f"{_cut(write_percent(value)).removesuffix('%')} points"
    return show(value, type)


def show(value: Any, type: t.AnyType | None) -> str:
    """A value as the language writes it, cut to a short line; hostile characters are escaped."""
    if isinstance(value, Unknown):
        return f"unknown ({value.reason})"
    if value is None:
        return "null"
    match t.base(type) if type is not None else None:
        case ListType(of=of) | SetType(of=of):
            items = list(value) if isinstance(value, tuple) else sorted(value, key=repr)
            return _several([show(item, of) for item in items[: MAX_SHOWN + 1]], len(items), "[]")
        case MapType(of=of):
            entries = [f"{_string(key)}: {show(item, of)}" for key, item in list(value.items())[:6]]
            return _several(entries, len(value), "{}")
        case RecordType(fields=fields):
            entries = [
                f"{field.name}: {show(item, field.type)}"
                for field, item in zip(fields, value, strict=True)
            ]
            return _several(entries, len(entries), "{}")
        case MoneyType(currency=currency):
            return write_money(value, currency)
        case OptionalType() | EnumType() | None:
            return _string(value) if isinstance(value, str) else str(value)
        case scalar:
            return _scalar(value, scalar.kind)


def _scalar(value: Any, kind: str) -> str:
    match kind:
        case "bool":
            return "true" if value else "false"
        case "int" | "number":
            return _cut(write_number(value))
        case "percent":
            return _cut(write_percent(Decimal(value)))
        case "duration":
            return spell_duration(value)
        case "size":
            return write_size(value)
        case "time":
            return write_time(value)
        case "date":
            return write_date(value)
        case "version":
            return write_version(value)
        case _:
            return _string(value)


def _cut(number: str) -> str:
    """What a division left behind the point, in six digits that say something: `33.333333…%`."""
    return _LONG_FRACTION.sub(r"\1…", number)


def _string(value: str) -> str:
    cut = value if len(value) <= 60 else value[:57] + "…"
    quoted = write_string(cut)
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in quoted)


def _several(items: list[str], count: int, brackets: str) -> str:
    shown = items[:MAX_SHOWN]
    return f"{brackets[0]}{', '.join(shown)}{_more(count, len(shown))}{brackets[1]}"


def _more(count: int, shown: int) -> str:
    return f", and {count - shown} more" if count > shown else ""
