"""Notices of a goal's life, as a run of the reducers gives them."""

from __future__ import annotations

from typing import Any

from goalspec.runtime.convergence import events
from goalspec.runtime.lifecycle import decide
from goalspec.runtime.record import Record
from goalspec.runtime.sinks import Notice, notices
from goalspec.tests.runtime.convergence.loop import Loop
from goalspec.tests.runtime.record.records import at

NOTICE = Notice("s-1", "ship", 1, at(1), "begun", "runtime", {"run": "run-1"})


class Watched(Loop):
    """A loop whose decisions are told."""

    def __post_init__(self) -> None:
        self.told: list[Notice] = []
        super().__post_init__()

    def ask(self, command: Any, actor: Any) -> None:
        self.told += notices(self.record, decide(self.record, command, actor, self.at).events)
        super().ask(command, actor)

    def send(self, event: events.LoopEvent) -> str:
        before, reason = self.record, super().send(event)
        assert self.last is not None
        self.told += notices(before, self.last.events, self.last.effects)
        return reason

    def kinds(self) -> list[str]:
        return [notice.kind for notice in self.told]


def perform(record: Record, *asked: tuple[Any, Any]) -> tuple[Record, list[Notice]]:
    """What is told of *asked*, commands with who asks."""
    told: list[Notice] = []
    for number, (command, actor) in enumerate(asked, 100):
        step = decide(record, command, actor, at(number))
        told += notices(record, step.events)
        record = step.record
    return record, told
