"""The judge: only for what no machine decides, and to accept only over a met floor. What came of
asking it is a verdict or it is none; only a verdict that accepts completes a goal, and an outage
says nothing about it."""

from __future__ import annotations

from typing import Literal

from ..judge.outcome import Outage, Outcome, consequence, outcome_json
from ..judge.quorum import Decided
from ..lifecycle.budget import reached
from ..lifecycle.commands import Block, Complete, End, Evaluated, Pause
from ..record.parts import Pending
from .course import Course
from .effects import AskJudge
from .events import Judged
from .floor import is_open, judged_parts, judged_stops, open_parts, said
from .policy import OUTAGE_WAITS
from .state import Asked, Prompt


def judge(course: Course) -> str | None:
    verdict, pending, event = course.verdict, course.record.pending, course.event
    assert verdict is not None
    if _is_done(course):
        return _complete(course)
    if not _has_end(course):
        course.do(Block(reason="criteria: none has a check, and there is no judge"))
        return "nothing_to_meet"
    if pending is None:
        return None
    if isinstance(event, Judged) and course.was_asked == pending.evaluation:
        return _answered(course, pending, event.outcome)
    return _ask(course, pending)


def _is_done(course: Course) -> bool:
    assert course.verdict is not None
    return course.verdict.done and not course.state.drift


def _complete(course: Course) -> str:
    verdict, pending = course.verdict, course.record.pending
    assert verdict is not None
    met = said(part for part in verdict.gating if part.outcome == "met")
    reason = f"the checks hold: {met}"
    if pending is None:
        course.do(Complete(reason=reason))
    else:
        course.do(Evaluated(evaluation=pending.evaluation, outcome="complete", reason=reason))
    return "complete"


def _has_end(course: Course) -> bool:
    """Can anything but a person say that the goal is done?"""
    checked = any(c.check is not None and c.mode != "advisory" for c in course.goal.criteria)
    return checked or course.judge is not None


def _ask(course: Course, pending: Pending) -> str | None:
    if course.judge is None:
        return _without_judge(course, pending)
    mode = _mode(course, pending)
    if mode is None:
        return None
    judge_at = course.state.judge_at
    if judge_at is not None and course.before(judge_at):
        course.wake_at(judge_at, "the judge")
        return "outage"
    number = course.state.asks + 1
    asked = Asked(what="judge", number=number, evaluation=pending.evaluation, mode=mode)
    course.keep(asked=asked, asks=number)
    course.effects.append(AskJudge(number, pending.evaluation, mode))
    return "judging"


def _without_judge(course: Course, pending: Pending) -> str | None:
    assert course.verdict is not None
    left = judged_parts(course.verdict)
    if not left or pending.candidate is None or is_open(course) or course.state.drift:
        return None
    course.do(End(ending="unverified", reason=f"nobody judges {said(left)}"))
    return "undecided"


def _mode(course: Course, pending: Pending) -> Literal["full", "unmet_floor"] | None:
    """How the judge is to be asked now, if at all."""
    verdict, state, policy = course.verdict, course.state, course.policy
    assert verdict is not None
    candidate = pending.candidate
    turns = course.record.usage.turns - state.judged_turns
    due = policy.interval > 0 and turns >= policy.interval
    final = bool(reached(course.budget, course.record.usage))
    if not open_parts(verdict) and not state.drift and judged_parts(verdict):
        return "full" if candidate is not None or due or final else None
    if candidate is not None and candidate.outcome == "blocked":
        return "unmet_floor"
    if judged_stops(verdict) and (candidate is not None or final):
        return "unmet_floor"
    return "unmet_floor" if due else None


def _answered(course: Course, pending: Pending, outcome: Outcome) -> str | None:
    judge = course.judge
    follows = consequence(outcome, "fail" if judge is None else judge.on_error)
    words = _words(outcome)
    match follows:
        case "accept" if _may_accept(course):
            _evaluate(course, pending, "complete", f"the judge accepts: {words}")
            return "accepted"
        case "accept" | "continue":
            _evaluate(course, pending, "continue", words)
            if course.state.prompt.kind == "full":
                course.keep(prompt=Prompt(feedback=words))
            return None
        case "blocked":
            _evaluate(course, pending, "blocked", words)
            return "judge_blocked"
        case "stopped":
            course.do(Block(reason=f"stop: {words}"))
            return "judge_stopped"
        case "later":
            return _later(course, outcome, words)
        case "unreachable":
            course.do(Block(reason=f"judge: {words}", mechanical=True))
            return "unreachable"
        case "attempts":
            course.do(Block(reason=f"attempts: {words}"))
            return "judge_exhausted"
        case "pause":
            course.do(Pause(reason=f"judge: {words}"))
            return "judge_paused"
    course.do(End(ending="unverified", reason=f"judge: {words}"))
    return "unverified" if follows == "unverified" else "undecided"


def _may_accept(course: Course) -> bool:
    """The floor is met and nothing drifted, now as when the judge was asked."""
    return course.asked_mode == "full" and not is_open(course) and not course.state.drift


def _evaluate(
    course: Course, pending: Pending, outcome: Literal["continue", "complete", "blocked"], why: str
) -> None:
    course.do(Evaluated(evaluation=pending.evaluation, outcome=outcome, reason=why))


def _later(course: Course, outcome: Outcome, words: str) -> str:
    outages = course.state.guards.outages + 1
    course.guard(outages=outages)
    if outages > len(OUTAGE_WAITS):
        course.tell("retry_exhausted", what="judge", attempts=outages, reason=words)
        course.do(Pause(reason=f"judge: {words}"))
        return "outage_exhausted"
    asked_for = outcome.retry_after if isinstance(outcome, Outage) else None
    judge_at = course.later(max(OUTAGE_WAITS[outages - 1], asked_for or 0.0))
    course.keep(judge_at=judge_at)
    course.tell("retry_scheduled", what="judge", attempt=outages, reason=words)
    course.wake_at(judge_at, "the judge")
    return "outage"


def _words(outcome: Outcome) -> str:
    """What the judge said, or why it said nothing; never blank."""
    if isinstance(outcome, Decided):
        if outcome.stopped:
            return ", ".join(outcome.stopped)
        if outcome.next_step is not None:
            return outcome.next_step.step
        return ", ".join(part.id for part in outcome.parts) or outcome.decision
    said_by_it = outcome_json(outcome)
    return str(said_by_it.get("detail") or said_by_it["state"])
