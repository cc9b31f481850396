"""Goals and presets: from the syntax tree to the IR, with presets merged.

A preset is lowered once, in its own file's names; a goal takes from its presets, in order, what it
leaves unsaid: pins and judge whole, budgets key by key. Their criteria, constraints, stops, pins
and protections come after its own. What the goal says itself always wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..grammar import syntax as s
from ..grammar.codes import LITERAL
from ..grammar.diagnostics import Code, Label, nearest
from ..grammar.literals import read_money, read_quantity, write_duration, write_money
from ..grammar.source import Source, Span
from . import codes
from .analysis import check_predicate
from .context import Names, Report, is_free, null_tests
from .declare import text_of
from .ir import document as ir
from .ir.canonical import seal
from .ir.expressions import Expr
from .lower import Lowering
from .reads import facts_read

MAX_OBJECTIVE = 4_000
MAX_BODY = 4_000
BUILT_IN_LANES = {
    "goal": "system",
    "constraint": "system",
    "no_compact": "system",
    "decision": "developer",
    "artifact_ref": "developer",
}
BINDING_KINDS = ("goal", "constraint", "no_compact")
LANES = ("system", "developer")
PREFIXES = {"criterion": "sc", "constraint": "c", "stop": "stop"}


@dataclass
class Parts:
    """What one goal or preset says, lowered; *sources* are the places of its parts."""

    name: str
    source: Source
    objective: str | None = None
    conditions: dict[str, list[tuple[ir.Condition, s.Part]]] = field(
        default_factory=lambda: {"criterion": [], "constraint": [], "stop": []}
    )
    budget: dict[str, Any] = field(default_factory=dict)
    advisory: dict[str, Any] = field(default_factory=dict)
    budget_spans: dict[tuple[bool, str], Span] = field(default_factory=dict)
    pins: ir.Pins | None = None
    pinned: list[tuple[ir.Pin, Span]] = field(default_factory=list)
    judge: ir.Judge | None = None
    protect: list[ir.Protect] = field(default_factory=list)
    presets: list[s.Name] = field(default_factory=list)


def lower_parts(node: s.Goal | s.Preset, names: Names, report: Report) -> Parts:
    """Lower what stands between a goal's or preset's braces."""
    return _PartsLowering(node, names, report).run()


class _PartsLowering:
    def __init__(self, node: s.Goal | s.Preset, names: Names, report: Report) -> None:
        self.node = node
        self.report = report
        self.names = replace(names, lets=dict(names.lets))
        self.lowering = Lowering(self.names, report)
        self.parts = Parts(node.id.text, report.source)
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
        if text is not None and len(text) > MAX_OBJECTIVE:
            self.report(
                codes.TOO_LONG, node.text.span,
                f"the objective has {len(text)} characters, {MAX_OBJECTIVE} is the most",
                "keep what must be true in the end, and move the rest into criteria or a document",
            )  # fmt: skip
        self.parts.objective = text if text is not None else " "

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
            self.parts.protect.append(ir.Protect(globs=globs, allow_new=allowed))

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
        for key, value, setting in self._settings(node.settings, _BUDGET_KEYS, "budget"):
            limits[key] = value
            self.parts.budget_spans[node.advisory, key] = setting.span

    def _judge(self, node: s.Judge) -> None:
        if not self._once("`judge` block", node.span):
            return
        settings = self._settings(node.settings, _JUDGE_KEYS, "judge")
        self.parts.judge = ir.Judge(**{key: value for key, value, _ in settings})

    def _settings(
        self, settings: list[s.Setting], keys: dict[str, _Reader], block: str
    ) -> Iterator[tuple[str, Any, s.Setting]]:
        seen: set[str] = set()
        for setting in settings:
            key = setting.name.text
            if key not in keys:
                self._unknown(setting.name, list(keys), f"key of `{block}`")
                continue
            if key in seen:
                self.report(codes.DUPLICATE, setting.span, f"`{key}` is there twice", "keep one")
                continue
            seen.add(key)
            try:
                yield key, keys[key](setting), setting
            except _BadSetting as bad:
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
        settings = [rule for rule in node.rules if isinstance(rule, s.Setting)]
        found = {key: value for key, value, _ in self._settings(settings, _PINS_KEYS, "pins")}
        for rule in node.rules:
            if isinstance(rule, s.Keep):
                keep += rule.kinds
            elif isinstance(rule, s.Kind):
                if rule.name.text in lanes:
                    self.report(codes.DUPLICATE, rule.span, f"`{rule.name.text}` is there twice")
                if rule.lane.text not in LANES:
                    self._unknown(rule.lane, list(LANES), "lane")
                    continue
                lanes[rule.name.text] = rule.lane.text
        kinds = [*BUILT_IN_LANES, *lanes]
        for name in keep:
            if name.text not in kinds:
                self._unknown(name, kinds, "kind of pin")
        kept = tuple(dict.fromkeys(name.text for name in keep if name.text in kinds))
        self.parts.pins = ir.Pins(keep=kept, lanes=lanes, max_body=found.get("max_body"))

    def _pin(self, node: s.Pin) -> None:
        text = self._text(node.content, "pin")
        if text is not None:
            self.parts.pinned.append((ir.Pin(pin=node.kind.text, content=text), node.kind.span))


# --- settings of blocks


class _BadSetting(Exception):
    def __init__(self, message: str, hint: str | None = None, code: Code = codes.SETTING) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


_Reader = Callable[[s.Setting], Any]


def _literal(setting: s.Setting, kind: str, example: str) -> s.Literal:
    value = setting.value
    if isinstance(value, s.BadLiteral):
        raise _BadSetting(value.message, value.hint, LITERAL)
    if not isinstance(value, s.Literal) or value.kind != kind or setting.of is not None:
        raise _BadSetting(
            f"`{setting.name.text}` takes {_KIND_WORDS[kind]}",
            f"write `{setting.name.text} {example}`",
        )
    return value


_KIND_WORDS = {
    "int": "a whole number",
    "money": "an amount of money",
    "duration": "a duration",
    "string": "a string",
}


def _positive(setting: s.Setting, kind: str, example: str) -> s.Literal:
    literal = _literal(setting, kind, example)
    limit: Any = literal.value
    least = limit >= 1 if kind == "int" else limit > 0
    if not least:
        least_words = "at least 1" if kind == "int" else "above 0"
        raise _BadSetting(
            f"`{setting.name.text}` is {least_words}", "leave the key out for no limit"
        )
    return literal


def _count(setting: s.Setting) -> int:
    value = _positive(setting, "int", "25").value
    assert isinstance(value, int)
    return value


def _money(setting: s.Setting) -> str:
    literal = _positive(setting, "money", "5.00 USD")
    return write_money(literal.value, literal.currency or "")


def _duration(setting: s.Setting) -> str:
    return write_duration(_positive(setting, "duration", "4h").value)


def _string(setting: s.Setting) -> str:
    text = str(_literal(setting, "string", '"…"').value)
    if not text.strip():
        raise _BadSetting(f"`{setting.name.text}` is blank", None, codes.BLANK)
    return text


def _on_error(setting: s.Setting) -> str:
    value = setting.value
    word = value.text if isinstance(value, s.Word) else None
    if word not in ("fail", "pause"):
        raise _BadSetting("`on_error` is `fail` or `pause`", "nothing accepts on an error")
    return word


def _quorum(setting: s.Setting) -> ir.Quorum:
    needed, of = setting.value, setting.of
    if not (
        isinstance(needed, s.Literal) and isinstance(of, s.Literal)
        and needed.kind == of.kind == "int"
    ):  # fmt: skip
        raise _BadSetting("`quorum` takes two whole numbers", "write `quorum 2 of 3`")
    low, high = needed.value, of.value
    assert isinstance(low, int) and isinstance(high, int)
    if not 1 <= low <= high:
        raise _BadSetting("a quorum is at least 1 and at most all", "write `quorum 2 of 3`")
    return ir.Quorum(needed=low, of=high)


_BUDGET_KEYS: dict[str, _Reader] = {
    "cost": _money,
    "tokens": _count,
    "turns": _count,
    "attempts": _count,
    "tool_calls": _count,
    "runtime": _duration,
}
_JUDGE_KEYS: dict[str, _Reader] = {
    "model": _string,
    "provider": _string,
    "max_invocations": _count,
    "on_error": _on_error,
    "quorum": _quorum,
    "feedback": _string,
}
_PINS_KEYS: dict[str, _Reader] = {"max_body": _count}


# --- merging


class Merge:
    """Joins a goal with its presets and checks what only the whole can tell."""

    def __init__(
        self, node: s.Goal, own: Parts, presets: list[Parts], facts: dict[str, ir.Fact],
        report: Report, lost: frozenset[str],
    ) -> None:  # fmt: skip
        self.node = node
        self.own = own
        self.all = [own, *presets]
        self.facts = facts
        self.report = report
        self.lost = lost

    def run(self) -> ir.Goal:
        criteria = self._conditions("criterion")
        constraints = self._conditions("constraint")
        stops = self._conditions("stop")
        self._check_ids()
        self._check_whole(criteria)
        objective = next((p.objective for p in self.all if p.objective is not None), None)
        pins = next((p.pins for p in self.all if p.pins is not None), None)
        self._check_pins(pins)
        budget, advisory = self._budgets()
        goal = ir.Goal(
            id=self.node.id.text, objective=objective or " ",
            criteria=criteria, constraints=constraints, stops=stops,
            facts=self._facts_read((*criteria, *constraints, *stops)),
            budget=budget, advisory_budget=advisory, pins=pins,
            pinned=tuple(pin for p in self.all for pin, _ in p.pinned),
            judge=next((p.judge for p in self.all if p.judge is not None), None),
            protect=tuple(protect for p in self.all for protect in p.protect),
            contract="",
        )  # fmt: skip
        return seal(goal)

    def _conditions(self, kind: str) -> tuple[Any, ...]:
        return tuple(condition for p in self.all for condition, _ in p.conditions[kind])

    def _check_ids(self) -> None:
        seen: dict[str, tuple[Source, s.Part, bool]] = {}
        for parts in self.all:
            for kept in parts.conditions.values():
                for condition, node in kept:
                    generated = node.id is None
                    if condition.id in seen:
                        self._duplicate(
                            condition.id, node, parts.source, generated, seen[condition.id]
                        )
                    else:
                        seen[condition.id] = (parts.source, node, generated)

    def _duplicate(
        self, id: str, node: s.Part, source: Source, generated: bool,
        first: tuple[Source, s.Part, bool],
    ) -> None:  # fmt: skip
        first_source, first_node, first_generated = first
        label = Label(first_source, (first_node.id or first_node).span, "the first")
        if generated or first_generated:
            kind = node.kind if generated else first_node.kind
            message = f"the id `{id}` is also generated for a {kind} that has none"
            hint = "give both an id of their own"
        else:
            message = f"the id `{id}` is there twice"
            hint = "each id of a goal is there once, presets included"
        Report(source, self.report.found)(
            codes.DUPLICATE_ID, (node.id or node).span, message, hint, (label,)
        )

    def _check_whole(self, criteria: tuple[ir.Criterion, ...]) -> None:
        if self.lost & {"parts", "presets"}:
            return
        id = self.node.id
        if not any(p.objective is not None for p in self.all):
            self.report(
                codes.NO_OBJECTIVE, id.span, f"the goal `{id.text}` has no objective",
                'write `objective "What must become true."`',
            )  # fmt: skip
        if not any(criterion.mode != "advisory" for criterion in criteria):
            self.report(
                codes.NO_CRITERION, id.span,
                f"the goal `{id.text}` has no criterion" + (" that gates" if criteria else ""),
                'write `criterion some-name "What shows that it is done"`',
            )  # fmt: skip

    def _check_pins(self, pins: ir.Pins | None) -> None:
        kinds = [*BUILT_IN_LANES, *(pins.lanes if pins else ())]
        limit = pins.max_body if pins and pins.max_body else MAX_BODY
        for parts in self.all:
            report = Report(parts.source, self.report.found)
            for pin, span in parts.pinned:
                if pin.pin not in kinds:
                    near = nearest(pin.pin, kinds)
                    hint = f"did you mean `{near}`? " if near else ""
                    report(
                        codes.UNKNOWN_WORD, span, f"`{pin.pin}` is no kind of pin",
                        f"{hint}there are {', '.join(kinds)}; the host's own are declared: "
                        "`pins { kind NAME lane developer }`",
                    )  # fmt: skip
                elif pin.pin in BINDING_KINDS and len(pin.content) > limit:
                    report(
                        codes.TOO_LONG, span, f"the pin has {len(pin.content)} characters, "
                        f"{limit} is the most", "a pin that binds is never cut: shorten it",
                    )  # fmt: skip

    def _budgets(self) -> tuple[ir.Budget | None, ir.Budget | None]:
        merged: list[dict[str, Any]] = [{}, {}]
        for parts in self.all:
            for target, limits in zip(merged, (parts.budget, parts.advisory), strict=True):
                for key, value in limits.items():
                    target.setdefault(key, value)
        enforced, advisory = (ir.Budget(**limits) if limits else None for limits in merged)
        if advisory is not None:
            self._check_advisory(enforced, advisory)
        return enforced, advisory

    def _check_advisory(self, enforced: ir.Budget | None, advisory: ir.Budget) -> None:
        if enforced is None:
            self.report(
                codes.ONLY_ADVISORY, self.node.id.span,
                f"the only budget of `{self.node.id.text}` is advisory: nothing stops the run",
                "add `budget { … }` with the limits that shall hold",
            )  # fmt: skip
            return
        for key in _BUDGET_KEYS:
            low, high = getattr(enforced, key), getattr(advisory, key)
            if low is None or high is None:
                continue
            if isinstance(low, str) and " " in low and low[-3:] != high[-3:]:
                span = self.own.budget_spans.get((True, key), self.node.id.span)
                self.report(
                    codes.ADVISORY_BUDGET, span, f"`{key}` is limited in two currencies",
                    f"write the advisory limit in {low[-3:]} too",
                )  # fmt: skip
                continue
            if _amount(high) <= _amount(low):
                continue
            span = self.own.budget_spans.get((True, key), self.node.id.span)
            self.report(
                codes.ADVISORY_BUDGET, span,
                f"the advisory limit {high} of `{key}` is above the enforced {low}",
                "an advisory limit warns before the enforced one stops the run",
            )  # fmt: skip

    def _facts_read(self, conditions: tuple[ir.Condition, ...]) -> tuple[ir.Fact, ...]:
        names: set[str] = set()
        for condition in conditions:
            for expr in (condition.when, condition.given, condition.check):
                if expr is not None:
                    names |= facts_read(expr)
        return tuple(fact for name, fact in sorted(self.facts.items()) if name in names)


def _amount(limit: int | str) -> Any:
    if isinstance(limit, int):
        return limit
    return read_money(limit)[0] if " " in limit else read_quantity(limit)[1]
