"""A session in a store whose goal was judged: the loop's reducer asks, a script answers, and what it
was shown and said is filed, as a driver does it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from goalspec.runtime.convergence import events, step
from goalspec.runtime.convergence.effects import AskJudge
from goalspec.runtime.exhibits import Exhibit
from goalspec.runtime.judge import CallRecord, JudgeRequest, write_request
from goalspec.runtime.judge.request import digest
from goalspec.runtime.lifecycle import decide
from goalspec.runtime.store import MemoryStore, Store
from goalspec.tests.runtime.convergence.loop import Loop
from goalspec.tests.runtime.judge.goals import CLAIM, EVIDENCE, FACTS, GOAL
from goalspec.tests.runtime.judge.scripted import Script, judged


@dataclass
class JudgedSession(Loop):
    store: Store = field(default_factory=MemoryStore)
    requests: int = 0

    def __post_init__(self) -> None:
        if self.goal is None:
            self.goal, self.facts = GOAL, FACTS
        super().__post_init__()

    def ask(self, command: Any, actor: Any) -> None:
        super().ask(command, actor)
        self.store.mutate("s-1", lambda record, _, __: decide(record, command, actor, self.at))

    def send(self, event: Any) -> str:
        reason = super().send(event)
        self.store.mutate(
            "s-1", lambda record, _, __: step(record, self.verdict, event, self.policy).step
        )
        return reason

    def evaluate(self, lines: Iterable[Any], *, taken: bool = True) -> str:
        """A turn ends with a proposal, and the judge says each of *lines*; what came of it is told
        to the loop, unless the driver died before it was *taken*."""
        if self.record.claim is None or not self.runs:
            self.open()
        self.start()
        self.propose("complete", "done")
        assert self.settle() == "judging"
        return self.answer(lines, taken=taken)

    def answer(self, lines: Iterable[Any], *, taken: bool = True) -> str:
        [asked] = self.found(AskJudge)
        assert self.goal is not None and self.verdict is not None
        self.requests += 1
        request = JudgeRequest(
            self.goal, self.verdict, EVIDENCE, CLAIM, f"{self.requests:032}", asked.mode
        )
        self.file(asked, "request", write_request(request))

        def filed(call: CallRecord) -> None:
            self.file(asked, "call", call.to_json(request))

        judgement = judged(request, Script(lines), record=filed)
        content = judgement.to_json(request)
        self.file(asked, "judgement", content)
        if not taken:
            return "died"
        return self.send(
            events.Judged(self.at, asked.number, judgement.outcome, exhibit=digest(content))
        )

    def file(self, asked: AskJudge, kind: Any, content: Any) -> None:
        self.store.add_exhibit("s-1", Exhibit(asked.evaluation, kind, content))
