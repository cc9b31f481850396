"""What a goal or a preset says, between its braces: from the syntax tree to parts in the IR.

A preset is lowered once, in its own file's names; `merge` joins a goal with its presets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..grammar import syntax as s
from ..grammar.diagnostics import Label, nearest
from ..grammar.source import Source, Span
from . import codes
from .analysis import check_predicate
from .context import Names, Report, is_free, null_tests
from .declare import text_of
from .ir import document as ir
from .ir.expressions import Expr
from .lower import Lowering
from .pinning import BUILT_IN_LANES, LANES
from .settings import BUDGET_KEYS, JUDGE_KEYS, PINS_KEYS, BadSetting, Reader

PREFIXES = {"criterion": "sc", "constraint": "c", "stop": "stop"}


@dataclass
class Parts:
    """What one goal or preset says, lowered, and where: *spans* by the path in the goal's JSON
    (`budget.cost`)."""

    name: str
    source: Source
    span: Span  # of its name
    objective: str | None = None
    conditions: dict[str, list[tuple[ir.Condition, s.Part]]] = field(
        default_factory=lambda: {"criterion": [], "constraint": [], "stop": []}
    )
    budget: dict[str, Any] = field(default_factory=dict)
    advisory: dict[str, Any] = field(default_factory=dict)
    pins: ir.Pins | None = None
    pinned: list[tuple[ir.Pin, Span]] = field(default_factory=list)
    judge: ir.Judge | None = None
    protect: list[tuple[ir.Protect, Span]] = field(default_factory=list)
    presets: list[s.Name] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)


def lower_parts(node: s.Goal | s.Preset, names: Names, report: Report) -> Parts:
    """Lower what stands between a goal's or preset's braces."""
    return _PartsLowering(node, names, report).run()


class _PartsLowering:
    def __init__(self, node: s.Goal | s.Preset, names: Names, report: Report) -> None:
        self.node = node
        self.report = report
        self.names = replace(names, lets=dict(names.lets))
        self.lowering = Lowering(self.names, report)
        self.parts = Parts(node.id.text, report.source, node.id.span)
        self.seen: dict[str, Span] = {}

    def run(self) -> Parts:
        for part in self.node.parts:
            getattr(self, f"_{type(part).__name__.lower()}")(part)
        return self.parts

    def _once(self, what: str, span: Span) -> bool:
        """Is this the first *what* of the goal? Reports a second."""
        if what in self.seen:
            label = Label(self.report.source, self.seen[what], "the first")
            self.report(codes.DUPLICATE, span, f"there is a second {what}", "keep one", (label,))
            return False
        self.seen[what] = span
        return True

    def _text(self, node: s.Literal | s.BadLiteral, what: str) -> str | None:
        text = text_of(node, self.report)
        if text is not None and not text.strip():
            self.report(codes.BLANK, node.span, f"the {what} is blank", "say it in a sentence")
            return None
        return text

    def _presetuse(self, node: s.PresetUse) -> None:
        self.parts.presets += node.names

    def _objective(self, node: s.Objective) -> None:
        if not self._once("objective", node.span):
            return
        text = self._text(node.text, "objective")
        if text is not None and len(text) > ir.MAX_OBJECTIVE:
            self.report(
                codes.TOO_LONG, node.text.span,
                f"the objective has {len(text)} characters, {ir.MAX_OBJECTIVE} is the most",
                "keep what must be true in the end, and move the rest into criteria or a document",
            )  # fmt: skip
        self.parts.objective = text or ""
        self.parts.spans["objective"] = node.span

    def _let(self, node: s.Let) -> None:
        if is_free(node.name, self.names, self.report):
            self.names.lets[node.name.text] = self.lowering.value(node.value)

    def _part(self, node: s.Part) -> None:
        kept = self.parts.conditions[node.kind]
        text = self._text(node.text, "description")
        clauses = self._clauses(node)
        generated = f"{PREFIXES[node.kind]}_{len(kept)}"
        if node.id is None and isinstance(self.node, s.Preset):
            self.report(
                codes.PRESET_ID, node.span, f"a {node.kind} of a preset has an id of its own",
                f'write `{node.kind} some-name "…"`',
            )  # fmt: skip
        common: dict[str, Any] = {
            "id": node.id.text if node.id else generated,
            "text": text or "",
            **clauses,
        }
        kept.append((self._condition(node, common), node))

    def _condition(self, node: s.Part, common: dict[str, Any]) -> ir.Condition:
        mode: Any = node.modifier.text if node.modifier else "gating"
        if node.kind == "stop":
            return ir.Stop(**common)
        if node.kind == "constraint":
            if mode == "awaited":
                assert node.modifier is not None
                self.report(
                    codes.CLAUSE, node.modifier.span,
                    "a constraint is not awaited: it must hold all along",
                    "write `awaited criterion`, or leave `awaited` out",
                )  # fmt: skip
                mode = "gating"
            return ir.Constraint(**common, mode=mode)
        if mode == "awaited" and not any(c.keyword == "check" for c in node.clauses):
            self.report(
                codes.CLAUSE, node.span, "an awaited criterion has a check",
                "only a fact can tell when to stop waiting",
            )  # fmt: skip
        return ir.Criterion(**common, mode=mode)

    def _clauses(self, node: s.Part) -> dict[str, Expr]:
        order = ("when", "given", "check")
        lowered: dict[str, Expr] = {}
        last = -1
        not_null: frozenset[Expr] = frozenset()
        for clause in node.clauses:
            place = order.index(clause.keyword)
            if place == last:
                self.report(
                    codes.CLAUSE, clause.span, f"there is a second `{clause.keyword}`",
                    "join the two with `and`",
                )  # fmt: skip
            elif place < last:
                self.report(
                    codes.CLAUSE, clause.span,
                    f"`{clause.keyword}` stands before `{order[last]}`",
                    "the order is `when`, `given`, `check`",
                )  # fmt: skip
            last = max(last, place)
            expr = self.lowering.predicate(clause.expr, f"`{clause.keyword}`", not_null)
            if expr is None:
                continue
            not_null |= null_tests(expr.ir, "!=")
            check_predicate(expr.ir, clause, self.names, self.report)
            lowered[clause.keyword] = expr.ir
        return lowered

    # --- blocks

    def _protect(self, node: s.Protect) -> None:
        globs = self._globs(node.globs)
        allowed = self._globs(node.allow_new)
        if globs:
            self.parts.protect.append((ir.Protect(globs=globs, allow_new=allowed), node.span))

    def _globs(self, nodes: list[s.Literal | s.BadLiteral]) -> tuple[str, ...]:
        texts = [(text_of(node, self.report), node.span) for node in nodes]
        return tuple(
            text for text, span in texts
            if text is not None and self.lowering.pattern("like", text, span)
        )  # fmt: skip

    def _budget(self, node: s.Budget) -> None:
        if not self._once("advisory budget" if node.advisory else "budget", node.span):
            return
        limits = self.parts.advisory if node.advisory else self.parts.budget
        block = "advisory_budget" if node.advisory else "budget"
        self.parts.spans[block] = node.span
        for key, value, setting in self._settings(node.settings, BUDGET_KEYS, "budget"):
            limits[key] = value
            self.parts.spans[f"{block}.{key}"] = setting.span

    def _judge(self, node: s.Judge) -> None:
        if not self._once("`judge` block", node.span):
            return
        self.parts.spans["judge"] = node.span
        said: dict[str, Any] = {}
        for key, value, setting in self._settings(node.settings, JUDGE_KEYS, "judge"):
            said[key] = value
            self.parts.spans[f"judge.{key}"] = setting.span
        self.parts.judge = ir.Judge(**said)

    def _settings(
        self, settings: list[s.Setting], keys: dict[str, Reader], block: str
    ) -> Iterator[tuple[str, Any, s.Setting]]:
        seen: dict[str, Span] = {}
        for setting in settings:
            key = setting.name.text
            if key not in keys:
                self._unknown(setting.name, list(keys), f"key of `{block}`")
                continue
            if key in seen:
                self.report.twice(f"`{key}`", setting.span, seen[key], "keep one")
                continue
            seen[key] = setting.span
            try:
                yield key, keys[key](setting), setting
            except BadSetting as bad:
                self.report(bad.code, setting.value.span, bad.message, bad.hint)

    def _unknown(self, name: s.Name, known: list[str], what: str) -> None:
        near = nearest(name.text, known)
        hint = f"did you mean `{near}`? " if near else ""
        self.report(
            codes.UNKNOWN_WORD, name.span, f"`{name.text}` is no {what}",
            f"{hint}known are {', '.join(known)}",
        )  # fmt: skip

    def _pins(self, node: s.Pins) -> None:
        if not self._once("`pins` block", node.span):
            return
        keep: list[s.Name] = []
        lanes: dict[str, str] = {}
        seen: dict[str, Span] = {}
        spans = self.parts.spans
        spans["pins"] = node.span
        settings = [rule for rule in node.rules if isinstance(rule, s.Setting)]
        found: dict[str, Any] = {}
        for key, value, setting in self._settings(settings, PINS_KEYS, "pins"):
            found[key] = value
            spans[f"pins.{key}"] = setting.span
        for rule in node.rules:
            if isinstance(rule, s.Keep):
                keep += rule.kinds
                spans.setdefault("pins.keep", rule.span)
            elif isinstance(rule, s.Kind):
                name = rule.name.text
                if name in seen:
                    self.report.twice(f"`{name}`", rule.span, seen[name])
                seen.setdefault(name, rule.span)
                if rule.lane.text not in LANES:
                    self._unknown(rule.lane, list(LANES), "lane")
                    continue
                lanes[name] = rule.lane.text
                spans[f"pins.lanes.{name}"] = rule.span
        kinds = [*BUILT_IN_LANES, *lanes]
        for kept_kind in keep:
            if kept_kind.text not in kinds:
                self._unknown(kept_kind, kinds, "kind of pin")
        kept = tuple(dict.fromkeys(kind.text for kind in keep if kind.text in kinds))
        self.parts.pins = ir.Pins(keep=kept, lanes=lanes, max_body=found.get("max_body"))

    def _pin(self, node: s.Pin) -> None:
        text = self._text(node.content, "pin")
        if text is not None:
            self.parts.pinned.append((ir.Pin(pin=node.kind.text, content=text), node.kind.span))
