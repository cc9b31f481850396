"""A goal joined with its presets, and what only the whole can tell.

A goal takes from its presets, in order, what it leaves unsaid: pins and judge whole, budgets key by
key. Their criteria, constraints, stops, pins and protections come after its own. What the goal says
itself always wins.
"""

from __future__ import annotations

from typing import Any

from ..grammar import syntax as s
from ..grammar.diagnostics import Label, nearest
from ..grammar.literals import read_money, read_quantity
from ..grammar.source import Source
from . import codes
from .context import Report
from .goals import Parts
from .ir import document as ir
from .pinning import BINDING, BUILT_IN_LANES, MAX_BODY
from .reads import facts_read
from .settings import BUDGET_KEYS


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
        """The whole goal, not yet sealed: the hash is for a document that is written or checked."""
        criteria = self._conditions("criterion")
        constraints = self._conditions("constraint")
        stops = self._conditions("stop")
        self._check_ids()
        self._check_whole(criteria)
        objective = next((p.objective for p in self.all if p.objective is not None), None)
        pins = next((p.pins for p in self.all if p.pins is not None), None)
        self._check_pins(pins)
        budget, advisory = self._budgets()
        return ir.Goal(
            id=self.node.id.text, objective=objective or "",
            criteria=criteria, constraints=constraints, stops=stops,
            facts=self._facts_read((*criteria, *constraints, *stops)),
            budget=budget, advisory_budget=advisory, pins=pins,
            pinned=tuple(pin for p in self.all for pin, _ in p.pinned),
            judge=next((p.judge for p in self.all if p.judge is not None), None),
            protect=tuple(protect for p in self.all for protect, _ in p.protect),
            contract="",
        )  # fmt: skip

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
                elif pin.pin in BINDING and len(pin.content) > limit:
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
        for key in BUDGET_KEYS:
            low, high = getattr(enforced, key), getattr(advisory, key)
            if low is None or high is None:
                continue
            if isinstance(low, str) and " " in low and low[-3:] != high[-3:]:
                span = self.own.spans.get(f"advisory_budget.{key}", self.node.id.span)
                self.report(
                    codes.ADVISORY_BUDGET, span, f"`{key}` is limited in two currencies",
                    f"write the advisory limit in {low[-3:]} too",
                )  # fmt: skip
                continue
            if _amount(high) <= _amount(low):
                continue
            span = self.own.spans.get(f"advisory_budget.{key}", self.node.id.span)
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
