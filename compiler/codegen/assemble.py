"""From a goal to its program: predicates compiled, and what they read by its key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Literal

from ..ir import expressions as ir
from ..ir.document import Condition, Fact, Goal
from ..program import Bounds, FactSpec, Form, Part, Predicate, Program, View
from ..reads import clock_facts, walk
from .keys import fact_key, host_key, known_key, literal_value, temporal_key

Compile = Callable[[ir.Expr], Predicate]


def program_of(goal: Goal, declared: Iterable[Fact], compile: Compile) -> Program:
    """The program of a goal, whose predicates *compile* makes; *declared* are facts that may be
    given though the goal reads none of them."""
    read = [node for expr in _predicates(goal) for node in walk(expr)]
    facts = {fact.name: fact for fact in (*declared, *goal.facts)}
    part = partial(_part, compile)
    views = {fact_key(n): _view(n) for n in read if isinstance(n, ir.FactRead)}
    return Program(
        goal=goal.id,
        contract=goal.contract,
        facts=tuple(fact_spec(fact) for fact in facts.values()),
        views=tuple(views.values()),
        known={known_key(n.name): n.name for n in read if isinstance(n, ir.Known)},
        host_checks={host_key(n.name): n.name for n in read if isinstance(n, ir.HostCheck)},
        forms=_forms(read, compile),
        criteria=tuple(map(part, goal.criteria)),
        constraints=tuple(map(part, goal.constraints)),
        stops=tuple(map(part, goal.stops)),
    )


def fact_spec(fact: Fact) -> FactSpec:
    """How a declared fact enters."""
    bounds = None
    if fact.range is not None:
        low, high = fact.range.low, fact.range.high
        text = f"{low.value if low else ''}..{high.value if high else ''}"
        bounds = Bounds(low=_value(low), high=_value(high), text=text)
    return FactSpec(name=fact.name, type=fact.type, bounds=bounds, lasting=fact.lasting)


def _value(end: ir.Literal | None) -> Any:
    return None if end is None else literal_value(end)


def _predicates(goal: Goal) -> Iterator[ir.Expr]:
    for condition in (*goal.criteria, *goal.constraints, *goal.stops):
        for expr in (condition.when, condition.given, condition.check):
            if expr is not None:
                yield expr


def _part(compile: Compile, condition: Condition) -> Part:
    when, given, check = (
        None if expr is None else compile(expr)
        for expr in (condition.when, condition.given, condition.check)
    )
    mode: Literal["gating", "awaited", "advisory"] = getattr(condition, "mode", "gating")
    return Part(
        id=condition.id, text=condition.text, mode=mode, when=when, given=given, check=check
    )


def _view(node: ir.FactRead) -> View:
    within = 0 if node.within is None else _span(node.within)
    return View(key=fact_key(node), fact=node.name, view=node.view, within=within)


def _forms(read: list[ir.Expr], compile: Compile) -> dict[str, Form]:
    forms: dict[str, Form] = {}
    for node in read:
        if isinstance(node, ir.Runs | ir.Held | ir.History):
            key = temporal_key(node)
            if key not in forms:
                forms[key] = _form(node, compile(node.of))
    return forms


def _form(node: ir.Runs | ir.Held | ir.History, inner: Predicate) -> Form:
    needs = clock_facts(node)
    match node:
        case ir.Runs(count=count, one_revision=one_revision):
            return Form(
                kind="runs", inner=inner, needs=needs, count=count, one_revision=one_revision
            )
        case ir.Held(duration=duration, every=every):
            gap = None if every is None else _span(every)
            return Form(kind="held", inner=inner, needs=needs, duration=_span(duration), every=gap)
        case ir.History(op=op):
            return Form(kind=op, inner=inner, needs=needs)


def _span(text: str) -> int:
    value: int = literal_value(ir.Literal(type="duration", value=text))
    return value
