"""One verdict of several judges' answers.

It is monotone: what one of them finds unmet, violated or come about is never outvoted, and what
they disagree on is not accepted. More answers can take an accept away, and never bring one about
that the others did not give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .answer import BARRING, GOOD, Answer, Decision, NextStep, PartVerdict, barring
from .request import JudgeRequest


@dataclass(frozen=True, slots=True)
class Decided:
    """What the judges say, taken together, and each one's answer."""

    decision: Decision
    parts: tuple[PartVerdict, ...]
    next_step: NextStep | None
    answers: tuple[Answer, ...]

    @property
    def stopped(self) -> tuple[str, ...]:
        """The judged stops that have come about."""
        return tuple(part.id for part in self.parts if part.outcome == "stopped")

    def to_json(self) -> dict[str, Any]:
        together = Answer(self.decision, self.parts, self.next_step)
        return {**together.to_json(), "answers": [answer.to_json() for answer in self.answers]}


def needed_of(request: JudgeRequest) -> tuple[int, int]:
    """How many of how many judges must accept."""
    judge = request.goal.judge
    quorum = None if judge is None else judge.quorum
    return (1, 1) if quorum is None else (quorum.needed, quorum.of)


def decided(answers: Sequence[Answer], request: JudgeRequest) -> Decided | None:
    """The verdict of *answers*; None where they are too few, and none of them bars an accept for
    good."""
    needed, _ = needed_of(request)
    vetoed = any(vetoes(answer, request) for answer in answers)
    if len(answers) < needed and not vetoed:
        return None
    together = zip(*(answer.parts for answer in answers), strict=True)
    parts = tuple(_part(said, needed) for said in together)
    decision = _decision(answers, parts, needed, vetoed)
    return Decided(decision, parts, _next_step(answers, decision), tuple(answers))


def vetoes(answer: Answer, request: JudgeRequest) -> bool:
    """Does *answer* find something that no other answer outvotes?"""
    return any(part.outcome == BARRING[part.kind] for part in barring(answer, request))


def _part(said: tuple[PartVerdict, ...], needed: int) -> PartVerdict:
    """A part as its judges see it. A stop ends the run, so that it takes as many as an accept."""
    first = said[0]
    bad, good = BARRING[first.kind], GOOD[first.kind]
    against = [part for part in said if part.outcome == bad]
    for_it = [part for part in said if part.outcome == good]
    if len(against) >= (needed if first.kind == "stops" else 1):
        return against[0]
    if len(for_it) >= needed and not against:
        return for_it[0]
    unclear = [part for part in said if part.outcome == "unclear"]
    if unclear:
        return unclear[0]
    return PartVerdict(first.kind, first.id, "unclear", "The judges do not agree.", ())


def _decision(
    answers: Sequence[Answer], parts: tuple[PartVerdict, ...], needed: int, vetoed: bool
) -> Decision:
    said = [answer.decision for answer in answers]
    if said.count("accept") >= needed and not vetoed and "blocked" not in said:
        return "accept"
    stopped = any(part.outcome == "stopped" for part in parts)
    return "blocked" if stopped or said.count("blocked") >= needed else "continue"


def _next_step(answers: Sequence[Answer], decision: Decision) -> NextStep | None:
    """The step of the first judge who decided so, or of any: none where all is accepted."""
    if decision == "accept":
        return None
    steps = [answer.next_step for answer in answers if answer.next_step is not None]
    agreeing = [answer.next_step for answer in answers if answer.decision == decision]
    return next(iter([*agreeing, *steps]), None)
