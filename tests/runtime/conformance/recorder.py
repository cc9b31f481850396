"""A loop of the tests whose steps, with what each of them came to, become a conformance case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any

from goalspec import Monitor
from goalspec.compiler.ir.document import Goal
from goalspec.runtime.conformance.spelling import spelled
from goalspec.runtime.convergence import LoopEvent, effects, events
from goalspec.runtime.judge.outcome import Outcome, outcome_json
from goalspec.runtime.lifecycle import Command, decide
from goalspec.runtime.lifecycle.reading import write_command
from goalspec.runtime.record import Actor, Record
from goalspec.tests.runtime.conformance.cases import Written
from goalspec.tests.runtime.convergence.loop import Loop

DUE: Mapping[type, tuple[str, ...]] = {
    effects.ObserveFacts: ("number",),
    effects.AskJudge: ("number", "mode"),
    effects.Continue: ("key", "prompt", "turns_without_tool", "stalled", "monitors"),
    effects.Disarm: ("key",),
    effects.WakeAt: ("at",),
    effects.Tell: ("kind",),
    effects.RemindTodos: ("open",),
    effects.AskToResume: (),
    effects.EndRun: ("status", "reason"),
}
"""What of an effect is due: all that is not worded freely."""

MILLISECOND = 1_000


@dataclass
class Recorder(Loop):
    steps: list[dict[str, Any]] = field(default_factory=list)
    due: list[dict[str, Any]] = field(default_factory=list)
    goals: dict[str, Goal] = field(default_factory=dict)
    taken: Mapping[str, Any] = field(default_factory=dict)

    def ask(self, command: Command, actor: Actor) -> None:
        asked = write_command(command)
        goal = getattr(command, "goal", None)
        if goal is not None:
            about = f"{goal.id}, {goal.contract}"
            self.goals[about] = goal
            asked["goal"] = {"$goal": about}
        self.steps.append({"command": asked, "actor": actor, "at": self.at})
        kinds = [event.kind for event in decide(self.record, command, actor, self.at).events]
        super().ask(command, actor)
        self.due.append({"events": kinds, "record": standing(self.record)})

    def send(self, event: LoopEvent) -> str:
        given = {"event": spelled(type(event)), **said(event)}
        if isinstance(event, events.Observed):
            del given["monitor"]
            given["facts"] = dict(self.taken)
        self.steps.append(given)
        reason = super().send(event)
        assert self.last is not None
        self.due.append(
            {
                "reason": reason,
                "effects": [due(effect) for effect in self.last.effects],
                "record": standing(self.record),
            }
        )
        return reason

    def observe(self, number: int) -> str:
        assert self.record.goal is not None
        monitor = Monitor(self.record.goal, state=self.record.monitor)
        self.taken = self.facts
        self.verdict = monitor.observe(self.facts, at=self.at)
        return self.send(
            events.Observed(self.at, number, monitor.state(), dict(self.gates), self.files)
        )

    def until_due(self, why: str, short: int = 0) -> None:
        """A millisecond after the time, or before it: how a runtime's journal counts microseconds
        is its own affair."""
        super().until_due(why)
        self.now += -MILLISECOND if short else MILLISECOND

    def written(self, name: str, says: str) -> Written:
        self.due[-1]["record"] |= {
            "generation": self.record.generation,
            "usage": sparse(self.record.usage),
            "continuations": self.record.continuations,
            "claim": None if self.record.claim is None else {"key": self.record.claim.key},
        }
        policy = {"policy": sparse(self.policy)}
        request = {"kind": "decide", "session": "s-1", **policy, "steps": self.steps}
        return Written(name, says, request, {"steps": self.due}, self.goals)


def standing(record: Record) -> dict[str, Any]:
    """How the goal stands, without the words of the reason."""
    status = record.status
    kept: dict[str, Any] = {"name": status.name}
    if status.name == "blocked":
        kept["mechanical"] = status.mechanical
    if status.until is not None:
        kept["until"] = status.until
    if status.ending is not None:
        kept["ending"] = status.ending
    return {"status": kept}


def due(effect: effects.LoopEffect) -> dict[str, Any]:
    names = DUE[type(effect)]
    return {"effect": spelled(type(effect)), **{name: getattr(effect, name) for name in names}}


def said(event: LoopEvent) -> dict[str, Any]:
    values = sparse(event)
    if isinstance(event, events.Judged):
        values["outcome"] = outcome_of(event.outcome)
    assert isinstance(values, dict)
    return values


def outcome_of(outcome: Outcome) -> dict[str, Any]:
    return {name: value for name, value in outcome_json(outcome).items() if name != "answers"}


def sparse(value: Any) -> Any:
    """A dataclass as JSON, without what is as it is by default."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            one.name: sparse(getattr(value, one.name))
            for one in fields(value)
            if getattr(value, one.name) != default(one)
        }
    if isinstance(value, list | tuple):
        return [sparse(item) for item in value]
    return dict(value) if isinstance(value, Mapping) else value


def default(one: Any) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()
