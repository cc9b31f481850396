"""The state of streaks, holds and histories: two counters, or three times, each.

A form is counted at the observations that supply what its predicate reads (rulings 1 to 6). The
state is a frozen value; counting gives a new one, so an observation that comes in parts under one
id is counted again from the state before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..compiler.codegen import literal_value
from ..compiler.ir import expressions as ir
from ..compiler.kernel import Unknown
from ..grammar.literals import spell_duration


@dataclass(frozen=True, slots=True)
class Streak:
    """`P for N runs`: how many runs held in a row, and how many came since the last that did not
    hold and since the last that was unknown (None: there was none)."""

    held: int = 0
    since_false: int | None = None
    since_unknown: int | None = None
    unknown: Unknown | None = None

    def counted(self, value: Any) -> Streak:
        since_false = None if self.since_false is None else self.since_false + 1
        since_unknown = None if self.since_unknown is None else self.since_unknown + 1
        if value is True:
            held = self.held + 1
            return replace(self, held=held, since_false=since_false, since_unknown=since_unknown)
        if value is False:
            return replace(self, held=0, since_false=0, since_unknown=since_unknown)
        return replace(self, held=0, since_false=since_false, since_unknown=0, unknown=value)

    def outcome(self, node: ir.Runs, rev: str | None) -> Any:
        if node.one_revision and rev is None:
            return Unknown("missing", words="the observations carry no revision")
        if self.held >= node.count:
            return True
        if self.since_false is not None and self.since_false < node.count:
            return False
        words = f"{self.held} of {node.count} runs in a row so far"
        if self.unknown is not None and (self.since_unknown or 0) < node.count:
            return Unknown(self.unknown.reason, self.unknown.subject, words)
        return Unknown("missing", words=words)

    def words(self, node: ir.Runs) -> str:
        return f"{self.held} in a row, {node.count} needed"


@dataclass(frozen=True, slots=True)
class Hold:
    """`P for D`: since when it holds unbroken, when it was last counted, when it last was false
    (nanoseconds)."""

    since: int | None = None
    last: int | None = None
    false_at: int | None = None

    def counted(self, node: ir.Held, value: Any, now: int | None) -> Hold:
        if now is None:
            return self
        gap = (
            node.every is not None and self.last is not None and now - self.last > _span(node.every)
        )
        since = None if gap else self.since
        if value is True:
            return Hold(now if since is None else since, now, self.false_at)
        if value is False:
            return Hold(None, now, now)
        return Hold(None, now, self.false_at)

    def outcome(self, node: ir.Held, now: int | None) -> Any:
        if now is None:
            return Unknown("missing", words="the observations carry no time")
        if self.last is None:
            return Unknown("missing", words="it was not observed yet")
        duration = _span(node.duration)
        if self.false_at is not None and self.last - self.false_at <= duration:
            return False
        if node.every is not None and now - self.last > _span(node.every):
            silent = spell_duration(now - self.last)
            return Unknown("stale", words=f"not observed for {silent}, {node.every} is the most")
        if self.since is not None and self.last - self.since >= duration:
            return True
        return Unknown("missing", words=self.words(node))

    def words(self, node: ir.Held) -> str:
        if self.since is None or self.last is None:
            return f"not held now, {node.duration} needed"
        return f"held for {spell_duration(self.last - self.since)}, {node.duration} needed"


@dataclass(frozen=True, slots=True)
class Past:
    """`always P` and `ever P`: how many were counted, and whether any was true, false, unknown."""

    count: int = 0
    true: bool = False
    false: bool = False
    unknown: Unknown | None = None

    def counted(self, value: Any) -> Past:
        unknown = self.unknown
        if unknown is None and isinstance(value, Unknown):
            unknown = value
        true, false = self.true or value is True, self.false or value is False
        return Past(self.count + 1, true, false, unknown)

    def outcome(self, node: ir.History) -> Any:
        decided = self.false if node.op == "always" else self.true
        if decided:
            return node.op == "ever"
        if self.unknown is not None:
            words = (
                "an earlier observation left it unknown, and that stays until a person waives it"
            )
            return Unknown(self.unknown.reason, self.unknown.subject, words)
        if self.count == 0:
            return Unknown("missing", words="it was not observed yet")
        return node.op == "always"


State = Streak | Hold | Past
Temporal = ir.Runs | ir.Held | ir.History


def initial(node: Temporal) -> State:
    match node:
        case ir.Runs():
            return Streak()
        case ir.Held():
            return Hold()
        case ir.History():
            return Past()


def counted(state: State, node: Temporal, value: Any, now: int | None) -> State:
    """The state after an observation at which the predicate was *value*."""
    match state, node:
        case Streak(), ir.Runs():
            return state.counted(value)
        case Hold(), ir.Held():
            return state.counted(node, value, now)
        case Past(), ir.History():
            return state.counted(value)
    raise AssertionError("a state belongs to its form")


def outcome(state: State, node: Temporal, now: int | None, rev: str | None) -> Any:
    """True, False or Unknown as of *now*."""
    match state, node:
        case Streak(), ir.Runs():
            return state.outcome(node, rev)
        case Hold(), ir.Held():
            return state.outcome(node, now)
        case Past(), ir.History():
            return state.outcome(node)
    raise AssertionError("a state belongs to its form")


def progress(state: State, node: Temporal) -> str:
    """How far it is, for the explanation."""
    match state, node:
        case Streak(), ir.Runs():
            return state.words(node)
        case Hold(), ir.Held():
            return state.words(node)
        case _:
            return ""


def _span(text: str) -> int:
    value = literal_value(ir.Literal(type="duration", value=text))
    assert isinstance(value, int)
    return value
