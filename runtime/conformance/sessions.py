"""A session's steps, one after the other: commands are decided by the lifecycle, events by the
loop. What its record says of it in public is in each answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..convergence import LoopEvent, Policy, step
from ..convergence.events import Observed
from ..engine import RefusedObservation
from ..facts import BadFacts
from ..lifecycle import Refusal, decide
from ..lifecycle.reading import read_command
from ..monitor import Monitor
from ..record.parts import Actor, Record
from ..record.reading import BadRecord, read_as, write_record
from ..verdict import Verdict
from .requests import Decide
from .spelling import Taken, effect_json, read_event

_SHOWN = (
    "generation", "status", "turn", "usage", "candidate", "claim", "continuations", "sealed",
)  # fmt: skip


def steps_of(request: Decide) -> Iterator[dict[str, Any]]:
    """What each step comes to. Raises BadRecord, with the step's place, where one is none."""
    course = _Course(Record(session=request.session), request.policy)
    for index, given in enumerate(request.steps):
        try:
            yield course.take(given)
        except BadRecord as error:
            raise BadRecord(f"steps[{index}]: {problem}" for problem in error.problems) from None


class _Course:
    """The record as the steps so far have made it, and the last verdict."""

    def __init__(self, record: Record, policy: Policy) -> None:
        self._record = record
        self._policy = policy
        self._verdict: Verdict | None = None

    def take(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, Mapping) or ("event" in given) == ("command" in given):
            raise BadRecord(["a step is an object with an `event` or a `command`"])
        try:
            told = self._event(given) if "event" in given else self._command(given)
        except Refusal as refusal:
            told = {"refused": refusal.code}
        written = write_record(self._record)
        return {**told, "record": {name: written.get(name) for name in _SHOWN}}

    def _command(self, given: Mapping[str, Any]) -> dict[str, Any]:
        if given.keys() != {"command", "actor", "at"}:
            raise BadRecord(["a command stands beside its `actor` and its time, `at`"])
        command = read_command(given["command"])
        actor: Actor = read_as(Actor, given["actor"], "actor")
        at: str = read_as(str, given["at"], "at")
        decided = decide(self._record, command, actor, at)
        self._record = decided.record
        return {"events": [event.kind for event in decided.events]}

    def _event(self, given: Mapping[str, Any]) -> dict[str, Any]:
        read = read_event(given)
        event = self._observed(read) if isinstance(read, Taken) else read
        decision = step(self._record, self._verdict, event, self._policy)
        self._record = decision.record
        return {
            "reason": decision.reason,
            "effects": [effect_json(effect) for effect in decision.effects],
        }

    def _observed(self, taken: Taken) -> LoopEvent:
        """The facts enter the goal's Monitor, whose verdict stands until the next ones."""
        state = self._record.monitor
        if self._record.goal is not None:
            try:
                monitor = Monitor(self._record.goal, state=state)
                self._verdict = monitor.observe(taken.facts, at=taken.at, rev=taken.rev)
            except (BadFacts, RefusedObservation) as error:
                raise BadRecord([f"facts: {error}"]) from None
            state = monitor.state()
        return Observed(taken.at, taken.number, state, taken.gates, taken.files)
