"""The floor: what a machine decides. While a checked part is open nothing is complete and no judge
accepts; facts that were taken before the last run settled show nothing."""

from __future__ import annotations

from collections.abc import Iterable

from ..lifecycle.commands import Block, Evaluated, Park
from ..verdict import Result, Verdict
from .course import Course
from .effects import ObserveFacts
from .policy import AWAITED_WAIT
from .state import Asked, Prompt

_OPEN = ("unmet", "unknown", "violated")


def floor(course: Course) -> str | None:
    asked = course.state.asked
    if asked is not None:
        return "awaiting_facts" if asked.what == "facts" else "awaiting_judge"
    verdict = _current(course)
    if verdict is None:
        return _ask(course)
    stops = [stop for stop in verdict.stops if stop.outcome == "stopped"]
    if stops:
        course.do(Block(reason=f"stop: {said(stops)}"))
        return "stopped"
    pending = course.record.pending
    candidate = None if pending is None else pending.candidate
    proposes_done = candidate is not None and candidate.outcome == "complete"
    still = open_parts(verdict)
    waits = still and all(part.mode == "awaited" for part in still)
    if waits and (proposes_done or not judged_parts(verdict)):
        until = course.later(AWAITED_WAIT)
        course.do(Park(reason=f"others are to bring about {said(still)}", until=until))
        course.wake_at(until, "others")
        return "awaited"
    is_blocked = candidate is not None and candidate.outcome == "blocked" and not verdict.done
    if candidate is not None and is_blocked and course.judge is None:
        course.do(Block(reason=candidate.reason or ""))
        return "impasse"
    course.keep(prompt=Prompt())
    if pending is not None and proposes_done and still:
        reason = f"open: {said(still)}"
        course.keep(prompt=Prompt(kind="floor_failed", feedback=reason))
        if course.judge is None or not judged_stops(verdict):
            course.do(Evaluated(evaluation=pending.evaluation, outcome="continue", reason=reason))
    return None


def _current(course: Course) -> Verdict | None:
    """The verdict, where it is of this contract and its facts are not older than what settled."""
    verdict = course.verdict
    if verdict is None or not course.state.fresh or verdict.contract != course.goal.contract:
        return None
    return verdict


def _ask(course: Course) -> str:
    number = course.state.asks + 1
    course.keep(asked=Asked(what="facts", number=number), asks=number, fresh=False)
    course.effects.append(ObserveFacts(number))
    return "observing"


def is_open(course: Course) -> bool:
    assert course.verdict is not None
    return bool(open_parts(course.verdict))


def open_parts(verdict: Verdict) -> list[Result]:
    """What a machine finds open, whatever a judge would say."""
    return [part for part in (*verdict.gating, *verdict.binding) if part.outcome in _OPEN]


def judged_parts(verdict: Verdict) -> list[Result]:
    return [part for part in (*verdict.gating, *verdict.binding) if part.outcome == "judged"]


def judged_stops(verdict: Verdict) -> list[Result]:
    return [stop for stop in verdict.stops if stop.outcome == "judged"]


def said(parts: Iterable[Result]) -> str:
    return ", ".join(part.id for part in parts)
